/* Stored heads. A head is one allocation: numbers first, then the texts. Names in the table of http/names.c take only their id,
 * unless the origin spelled them otherwise; the status phrase and the protocol take nothing when they are the usual ones. A
 * loaded head (object_head_load) points into this memory and lives as long as a reference to the object. */
#include <stdlib.h>

#include "cache/internal.h"
#include "http/fields.h"

static const struct span PROTOS[] = { SPAN_LIT("HTTP/1.0"), SPAN_LIT("HTTP/1.1") };

static struct span
usual_proto(unsigned minor)
{
    return PROTOS[minor == 0 ? 0 : 1];
}

static char *
head_texts(const struct object_head *h)
{
    return (char *)&h->fields[h->n_fields];
}

/* ---- packing ---- */

static bool
field_kept(const struct http_field *f)
{
    return (f->flags & FIELD_HOP) == 0;
}

static bool
usual_spelling(const struct http_field *f)
{
    return f->id != NAME_NONE && span_eq(f->name, name_text(f->id));
}

static struct span
unusual(struct span text, struct span usual)
{
    return span_eq(text, usual) ? SPAN_NULL : text;
}

struct head_plan {
    size_t n_fields, text_bytes, vary_bytes;
    struct span proto, reason, vary;    /* vary: the response's Vary lines, joined */
    bool vary_any;
};

static int
plan_fields(const struct http_message *m, struct head_plan *p)
{
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        if (!field_kept(f))
            continue;
        size_t name_bytes = usual_spelling(f) ? 0 : f->name.len;
        if (name_bytes > UINT16_MAX || f->value.len > UINT32_MAX / 4)
            return ERR_LIMIT;
        p->n_fields++;
        p->text_bytes += name_bytes + f->value.len;
    }
    return 0;
}

static void
plan_vary(const struct http_message *response, const struct http_message *request, struct head_plan *p)
{
    for (unsigned i = 0; i < response->n_fields && request != NULL; i++) {
        const struct http_field *f = &response->fields[i];
        struct span names = f->value, name;
        if (f->id != NAME_VARY)
            continue;
        while (list_next(&names, &name))
            p->vary_any |= span_eq(name, SPAN_LIT("*"));
        p->vary_bytes += vary_pack(f->value, request, NULL);
    }
    if (p->vary_any)
        p->vary_bytes = 0;
}

static int
head_plan(const struct http_message *response, const struct http_message *request, struct head_plan *p)
{
    *p = (struct head_plan){ 0 };
    p->proto = unusual(response->proto, usual_proto(response->minor));
    p->reason = unusual(response->reason, status_reason(response->status));
    if (p->proto.len > UINT8_MAX || p->reason.len > UINT16_MAX)
        return ERR_LIMIT;
    p->text_bytes = p->proto.len + p->reason.len;
    int err = plan_fields(response, p);
    plan_vary(response, request, p);
    if (p->text_bytes + p->vary_bytes > UINT32_MAX / 2)
        err = ERR_LIMIT;
    return err;
}

static char *
put(char *at, struct span text)
{
    if (text.len > 0)
        memcpy(at, text.ptr, text.len);
    return at + text.len;
}

static char *
pack_fields(struct object_head *h, const struct http_message *m, char *at)
{
    struct packed_field *packed = h->fields;
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        if (!field_kept(f))
            continue;
        struct span name = usual_spelling(f) ? SPAN_NULL : f->name;
        *packed++ = (struct packed_field){ f->id, (uint16_t)name.len, (uint32_t)f->value.len };
        at = put(put(at, name), f->value);
    }
    return at;
}

static void
pack_vary(const struct http_message *response, const struct http_message *request, char *at)
{
    for (unsigned i = 0; i < response->n_fields; i++)
        if (response->fields[i].id == NAME_VARY)
            at += vary_pack(response->fields[i].value, request, at);
}

static void
head_pack(struct object_head *h, const struct head_plan *p, const struct http_message *response,
          const struct http_message *request)
{
    h->content_length = -1;
    h->vary_bytes = (uint32_t)p->vary_bytes;
    h->n_fields = (uint16_t)p->n_fields;
    h->reason_bytes = (uint16_t)p->reason.len;
    h->minor = response->minor;
    h->proto_bytes = (uint8_t)p->proto.len;
    h->vary_any = p->vary_any;
    char *at = put(put(head_texts(h), p->proto), p->reason);
    at = pack_fields(h, response, at);
    if (p->vary_bytes > 0)
        pack_vary(response, request, at);
}

void
object_head_drop(struct object *o)
{
    if (o->head == NULL)
        return;
    storage_refund(o->live->head_storage, OBJECT_CORE_BYTES + o->head->bytes);
    ban_detach(o->head);
    free(o->head);
    o->head = NULL;
}

int
object_set_head(struct object *o, const struct http_message *response, const struct http_message *request)
{
    CHECK(object_state(o) < OBJECT_STREAMING && !(o->flags & OBJECT_FINDABLE));
    struct head_plan p;
    struct object_head *h = NULL;
    int err = head_plan(response, request, &p);
    if (err != 0)
        return err;
    object_head_drop(o);
    size_t bytes = sizeof *h + p.n_fields * sizeof h->fields[0] + p.text_bytes + p.vary_bytes;
    err = storage_charge(o->storage, OBJECT_CORE_BYTES + bytes);
    if (err != 0)
        return err;
    h = malloc(bytes);
    if (h == NULL) {
        storage_refund(o->storage, OBJECT_CORE_BYTES + bytes);
        return ERR_NOMEM;
    }
    h->bytes = (uint32_t)bytes;
    atomic_init(&h->ban, NULL);
    head_pack(h, &p, response, request);
    o->status = response->status;
    o->head = h;
    o->live->head_storage = o->storage;
    return 0;
}

/* ---- loading ---- */

static struct span
take(const char **at, size_t n)
{
    struct span s = { *at, n };
    *at += n;
    return s;
}

static struct span
take_name(const struct packed_field *p, const char **at)
{
    return p->name_bytes == 0 && p->id != NAME_NONE ? name_text(p->id) : take(at, p->name_bytes);
}

int
object_head_load(const struct object *o, struct http_message *out)
{
    const struct object_head *h = o->head;
    if (h->n_fields > out->cap_fields)
        return ERR_LIMIT;
    const char *at = head_texts(h);
    out->status = o->status;
    out->minor = h->minor;
    out->proto = h->proto_bytes == 0 ? usual_proto(h->minor) : take(&at, h->proto_bytes);
    out->reason = h->reason_bytes == 0 ? status_reason(o->status) : take(&at, h->reason_bytes);
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct packed_field *p = &h->fields[i];
        struct http_field *f = &out->fields[i];
        f->name = take_name(p, &at);
        f->value = take(&at, p->value_bytes);
        f->id = p->id;
        f->flags = 0;
    }
    out->n_fields = h->n_fields;
    return 0;
}

/* A name may have entered the table after the head was stored, or the caller may know it only as text. */
static bool
same_name(name_id id, struct span name, name_id stored, struct span stored_name)
{
    if (id != NAME_NONE && stored != NAME_NONE)
        return id == stored;
    return span_eq_nocase(id != NAME_NONE && name.ptr == NULL ? name_text(id) : name, stored_name);
}

void
object_head_each(const struct object *o, void (*fn)(struct span name, struct span value, void *arg), void *arg)
{
    const struct object_head *h = o->head;
    const char *at = head_texts(h) + h->proto_bytes + h->reason_bytes;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct packed_field *p = &h->fields[i];
        struct span name = take_name(p, &at);
        fn(name, take(&at, p->value_bytes), arg);
    }
}

struct span
object_head_get(const struct object *o, name_id id, struct span name)
{
    const struct object_head *h = o->head;
    const char *at = head_texts(h) + h->proto_bytes + h->reason_bytes;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct packed_field *p = &h->fields[i];
        struct span stored = take_name(p, &at);
        struct span value = take(&at, p->value_bytes);
        if (same_name(id, name, p->id, stored))
            return value;
    }
    return SPAN_NULL;
}

unsigned
object_fields(const struct object *o)
{
    return o->head->n_fields;
}

int64_t
object_content_length(const struct object *o)
{
    return (o->flags & OBJECT_HAS_LENGTH) ? o->head->content_length : -1;
}

/* ---- selecting fields ---- */

struct span
object_vary(const struct object *o)
{
    const struct object_head *h = o->head;
    return span_of((const char *)h + h->bytes - h->vary_bytes, h->vary_bytes);
}

bool
object_selected_by(const struct object *o, const struct http_message *request)
{
    /* A response to "Vary: *" is never selected; a marker says what to do with the key, whatever it varies on. */
    if (o->head->vary_any)
        return (o->flags & (OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) != 0;
    return o->head->vary_bytes == 0 || vary_matches(object_vary(o), request);
}
