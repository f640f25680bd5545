/* Packs and checks images of heads. A name that this build knows takes only its number, unless the origin
 * spelled it differently. The standard status phrase and protocol take no bytes. */
#include "cache/head_image.h"

#include "base/check.h"
#include "cache/vary.h"
#include "http/fields.h"

static const struct span PROTOS[] = { SPAN_LIT("HTTP/1.0"), SPAN_LIT("HTTP/1.1") };

struct span
image_proto(unsigned minor)
{
    return PROTOS[minor == 0 ? 0 : 1];
}

/* ---- packing ---- */

static bool
field_kept(const struct http_field *f)
{
    return (f->flags & FIELD_HOP) == 0;
}

/* Higher ids belong to names that policies added, in an order that differs between processes. */
static name_id
known_name(const struct http_field *f)
{
    return f->id < NAME_KNOWN_COUNT ? f->id : NAME_NONE;
}

static struct span
unusual(struct span text, struct span usual)
{
    return span_eq(text, usual) ? SPAN_NULL : text;
}

static struct span
name_to_pack(const struct http_field *f)
{
    return known_name(f) == NAME_NONE ? f->name : unusual(f->name, name_text(f->id));
}

static int
plan_fields(struct image_plan *p)
{
    for (unsigned i = 0; i < p->response->n_fields; i++) {
        const struct http_field *f = &p->response->fields[i];
        if (!field_kept(f))
            continue;
        size_t name_bytes = name_to_pack(f).len;
        if (name_bytes > UINT16_MAX || f->value.len > UINT32_MAX / 4)
            return ERR_LIMIT;
        p->n_fields++;
        p->text_bytes += name_bytes + f->value.len;
    }
    return 0;
}

static void
plan_vary(struct image_plan *p)
{
    for (unsigned i = 0; i < p->response->n_fields && p->request != NULL; i++) {
        const struct http_field *f = &p->response->fields[i];
        struct span names = f->value, name;
        if (f->id != NAME_VARY)
            continue;
        while (list_next(&names, &name))
            p->vary_any |= span_eq(name, SPAN_LIT("*"));
        p->vary_bytes += vary_pack(f->value, p->request, NULL);
    }
    if (p->vary_any)
        p->vary_bytes = 0;
}

int
image_plan(const struct http_message *response, const struct http_message *request, struct image_plan *out)
{
    struct image_plan *p = out;
    *p = (struct image_plan){ .response = response, .request = request };
    p->proto = unusual(response->proto, image_proto(response->minor));
    p->reason = unusual(response->reason, status_reason(response->status));
    if (p->proto.len > UINT8_MAX || p->reason.len > UINT16_MAX)
        return ERR_LIMIT;
    p->text_bytes = p->proto.len + p->reason.len;
    int err = plan_fields(p);
    plan_vary(p);
    if (p->n_fields > UINT16_MAX || p->text_bytes + p->vary_bytes > UINT32_MAX / 2)
        err = ERR_LIMIT;
    return err;
}

size_t
image_bytes(const struct image_plan *p)
{
    return sizeof(struct head_image) + p->n_fields * sizeof(struct image_field) + p->text_bytes +
           p->vary_bytes;
}

static char *
put(char *at, struct span text)
{
    if (text.len > 0)
        memcpy(at, text.ptr, text.len);
    return at + text.len;
}

static char *
pack_fields(const struct image_plan *p, struct image_field *packed, name_id ids[], char *at)
{
    for (unsigned i = 0; i < p->response->n_fields; i++) {
        const struct http_field *f = &p->response->fields[i];
        if (!field_kept(f))
            continue;
        struct span name = name_to_pack(f);
        DEBUG_CHECK(name.len <= UINT16_MAX && f->value.len <= UINT32_MAX / 4);
        *packed++ = (struct image_field){ known_name(f), (uint16_t)name.len, (uint32_t)f->value.len };
        *ids++ = f->id;
        at = put(put(at, name), f->value);
    }
    return at;
}

void
image_pack(const struct image_plan *p, struct head_image *out, name_id ids[])
{
    const struct http_message *m = p->response;
    *out = (struct head_image){
        .bytes = (uint32_t)image_bytes(p),
        .vary_bytes = (uint32_t)p->vary_bytes,
        .status = m->status,
        .n_fields = (uint16_t)p->n_fields,
        .reason_bytes = (uint16_t)p->reason.len,
        .version = HEAD_IMAGE_VERSION,
        .minor = m->minor,
        .proto_bytes = (uint8_t)p->proto.len,
        .vary_any = p->vary_any,
    };
    char *at = put(put((char *)&out->fields[p->n_fields], p->proto), p->reason);
    at = pack_fields(p, out->fields, ids, at);
    for (unsigned i = 0; i < m->n_fields && p->vary_bytes > 0; i++)
        if (m->fields[i].id == NAME_VARY)
            at += vary_pack(m->fields[i].value, p->request, at);
    DEBUG_CHECK(at == (char *)out + out->bytes);
}

/* ---- reading foreign images ---- */

static int
check_texts(const struct head_image *h, size_t n)
{
    uint64_t texts = (uint64_t)h->proto_bytes + h->reason_bytes + h->vary_bytes;
    uint64_t fields = sizeof *h + (uint64_t)h->n_fields * sizeof h->fields[0];
    if (fields > n)
        return ERR_SYNTAX;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct image_field *f = &h->fields[i];
        if (f->known >= NAME_KNOWN_COUNT || (f->known == NAME_NONE && f->name_bytes == 0))
            return ERR_SYNTAX;
        texts += (uint64_t)f->name_bytes + f->value_bytes;
    }
    return fields + texts == n ? 0 : ERR_SYNTAX;
}

int
image_check(struct span bytes)
{
    const struct head_image *h = (const struct head_image *)(const void *)bytes.ptr;
    if (bytes.len < sizeof *h || (uintptr_t)bytes.ptr % _Alignof(struct head_image) != 0 ||
        h->bytes != bytes.len)
        return ERR_SYNTAX;
    if (h->version != HEAD_IMAGE_VERSION)
        return ERR_LIMIT;
    if (h->vary_any > 1 || h->zero != 0 || (h->vary_any && h->vary_bytes > 0))
        return ERR_SYNTAX;
    int err = check_texts(h, bytes.len);
    return err != 0 ? err : vary_check(span_of(bytes.ptr + bytes.len - h->vary_bytes, h->vary_bytes));
}

void
image_names(const struct head_image *h, name_id ids[])
{
    const char *at = image_texts(h) + h->proto_bytes + h->reason_bytes;
    for (unsigned i = 0; i < h->n_fields; i++) {
        struct span name = image_take_name(&h->fields[i], &at);
        ids[i] = h->fields[i].known != NAME_NONE ? h->fields[i].known : name_lookup(name);
        at += h->fields[i].value_bytes;
    }
    DEBUG_CHECK(at + h->vary_bytes == (const char *)h + h->bytes);
}
