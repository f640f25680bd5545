/* Heads of objects: an image (head_image.h) and the data of this process, in one allocation. A loaded head
 * (object_head_load) points into this memory and is valid while the caller holds a reference to the
 * object. */
#include <stdlib.h>

#include "cache/index.h"
#include "cache/object_internal.h"
#include "cache/rfc9111/rfc9111.h"
#include "cache/vary.h"
#include "http/fields.h"

/* ---- memory ---- */

static int64_t
head_rounding(size_t bytes)
{
    DEBUG_CHECK(mem_cost(bytes) >= bytes);
    return (int64_t)(OBJECT_CORE_COST - OBJECT_CORE_BYTES + mem_cost(bytes) - bytes);
}

/* Charges a storage for an object without its body, evicting if necessary (ERR_NOMEM). */
static int
head_charge(struct storage *st, size_t bytes)
{
    int err = storage_charge(st, USE_HEADS, OBJECT_CORE_BYTES + bytes);
    if (err == 0)
        storage_hold(st, USE_ROUNDING, head_rounding(bytes));
    return err;
}

static void
head_refund(struct storage *st, size_t bytes)
{
    storage_hold(st, USE_ROUNDING, -head_rounding(bytes));
    storage_refund(st, USE_HEADS, OBJECT_CORE_BYTES + bytes);
}

static void
ban_detach(struct object_head *h)
{
    struct ban_hold *b = atomic_load_explicit(&h->ban, memory_order_relaxed);
    if (b != NULL)
        atomic_fetch_sub_explicit(&b->refs, 1, memory_order_release);
    atomic_store_explicit(&h->ban, NULL, memory_order_relaxed);
}

/* ---- notes ---- */

static int64_t
note_rounding(size_t bytes)
{
    return (int64_t)(mem_cost(bytes) - bytes);
}

static int
set_note(struct object *o, _Atomic(struct object_note *) *where, struct span note)
{
    size_t bytes = sizeof(struct object_note) + note.len;
    CHECK(object_state(o) < OBJECT_COMPLETE && atomic_load_explicit(where, memory_order_relaxed) == NULL);
    int err = storage_charge(o->live->head_storage, USE_HEADS, bytes);
    if (err != 0)
        return err;
    struct object_note *n = malloc(bytes);
    if (n == NULL) {
        storage_refund(o->live->head_storage, USE_HEADS, bytes);
        return ERR_NOMEM;
    }
    storage_hold(o->live->head_storage, USE_ROUNDING, note_rounding(bytes));
    n->bytes = note.len;
    memcpy(n->data, note.ptr, note.len);
    atomic_store_explicit(where, n, memory_order_release);
    return 0;
}

int
object_set_note(struct object *o, struct span note)
{
    struct object_coding *c = object_coding_of(o->head);
    CHECK(c != NULL && c->form.noted);
    return set_note(o, &c->note, note);
}

int
object_set_trailers(struct object *o, struct span lines)
{
    struct object_coding *c = object_coding_of(o->head);
    CHECK(c != NULL && c->form.trailed);
    return set_note(o, &c->trailers, lines);
}

static struct span
note_text(struct object_note *n)
{
    return n == NULL ? SPAN_NULL : span_of(n->data, n->bytes);
}

struct span
object_note(const struct object *o)
{
    struct object_coding *c = object_coding_of(o->head);
    return c == NULL ? SPAN_NULL : note_text(atomic_load_explicit(&c->note, memory_order_acquire));
}

struct span
object_trailers(const struct object *o)
{
    struct object_coding *c = object_coding_of(o->head);
    return c == NULL ? SPAN_NULL : note_text(atomic_load_explicit(&c->trailers, memory_order_acquire));
}

static void
note_free(struct object_note *n, struct storage *st)
{
    if (n == NULL)
        return;
    size_t bytes = sizeof *n + n->bytes;
    storage_hold(st, USE_ROUNDING, -note_rounding(bytes));
    storage_refund(st, USE_HEADS, bytes);
    free(n);
}

/* ---- the end ---- */

void
object_head_free(struct object *o, struct storage *st)
{
    DEBUG_CHECK(!(o->flags & OBJECT_KEYED));
    struct object_head *h = o->head;
    o->head = NULL;
    if (h == NULL)
        return;
    ban_detach(h);
    head_refund(st, head_bytes(h));
    struct object_coding *c = object_coding_of(h);
    note_free(c == NULL ? NULL : c->note, st);
    note_free(c == NULL ? NULL : c->trailers, st);
    if (c != NULL)
        second_forms_free(c);
    free(h);
}

void
object_head_drop(struct object *o)
{
    object_head_free(o, o->live->head_storage);
}

/* ---- making one ---- */

static size_t
aligned(size_t n, size_t align)
{
    DEBUG_CHECK((align & (align - 1)) == 0);
    return (n + align - 1) & ~(align - 1);
}

_Static_assert(sizeof(struct vary_marks) % _Alignof(struct object_coding) == 0 &&
                   sizeof(struct object_coding) % _Alignof(struct vary_marks) == 0,
               "marks and coding lie next to each other");

/* Makes o's head with room for an image, and charges it. The caller writes the image, then the marks. */
static int
head_make(struct object *o, size_t n_fields, size_t image_bytes, bool varies)
{
    CHECK(object_state(o) < OBJECT_STREAMING && !(o->flags & OBJECT_FINDABLE));
    object_head_drop(o);
    bool coded = o->live->form.gzipped || o->live->form.recoded || o->live->form.noted ||
                 o->live->form.partial || o->live->form.codable || o->live->form.trailed ||
                 o->live->form.of_head;
    size_t at = sizeof(struct object_head) + n_fields * sizeof(name_id);
    if (varies)
        at = aligned(at, _Alignof(struct vary_marks)) + sizeof(struct vary_marks);
    at = coded ? aligned(at, _Alignof(struct object_coding)) + sizeof(struct object_coding)
               : aligned(at, _Alignof(struct head_image));
    size_t bytes = at + image_bytes;
    CHECK(at <= IMAGE_AT_MAX);
    int err = head_charge(object_storage(o), bytes);
    if (err != 0)
        return err;
    struct object_head *h = malloc(bytes);
    if (h == NULL) {
        head_refund(object_storage(o), bytes);
        return ERR_NOMEM;
    }
    h->content_length = -1;
    h->born = 0;
    atomic_init(&h->ban, NULL);
    h->image_at = at & IMAGE_AT_MAX;
    h->is_coded = coded;
    atomic_init(&h->softened, false);
    h->refusal = 0;
    if (coded)
        *object_coding_of(h) = (struct object_coding){ .form = o->live->form };
    o->head = h;
    o->live->head_storage = object_storage(o);
    return 0;
}

static struct head_image *
image_to_write(struct object_head *h)
{
    return (struct head_image *)(void *)((char *)h + h->image_at);
}

static void
head_mark(struct object *o)
{
    struct vary_marks *marks = (struct vary_marks *)(uintptr_t)object_marks_of(o->head);
    if (marks != NULL)
        vary_mark_stored(&object_storage(o)->store->key_secret, object_vary(o),
                         object_head_get(o, NAME_CONTENT_LANGUAGE, SPAN_NULL), marks);
}

int
object_set_head(struct object *o, const struct http_message *response, const struct http_message *request)
{
    struct image_plan p;
    int err = image_plan(response, request, &p);
    if (err == 0)
        err = head_make(o, p.n_fields, image_bytes(&p), p.vary_bytes > 0);
    if (err != 0)
        return err;
    o->head->ids_known = response->ids_known;
    image_pack(&p, image_to_write(o->head), o->head->ids);
    DEBUG_CHECK(head_image_of(o->head)->bytes == image_bytes(&p) &&
                head_image_of(o->head)->n_fields == p.n_fields);
    head_mark(o);
    o->status = response->status;
    return 0;
}

int
object_set_image(struct object *o, struct span image)
{
    int err = image_check(image);
    if (err != 0)
        return err;
    const struct head_image *from = (const struct head_image *)(const void *)image.ptr;
    err = head_make(o, from->n_fields, image.len, from->vary_bytes > 0);
    if (err != 0)
        return err;
    memcpy(image_to_write(o->head), image.ptr, image.len);
    o->head->ids_known = (uint16_t)names_count();
    image_names(head_image_of(o->head), o->head->ids);
    head_mark(o);
    o->status = from->status;
    return 0;
}

/* ---- form of the body ---- */

void
object_set_form(struct object *o, struct body_form form)
{
    CHECK(object_state(o) < OBJECT_STREAMING);
    o->live->form = form;
}

void
object_set_gzip(struct object *o, const struct gzip_facts *facts)
{
    struct object_coding *c = object_coding_of(o->head);
    CHECK(object_state(o) < OBJECT_COMPLETE && c != NULL && c->form.gzipped);
    c->gzip = *facts;
}

struct body_form
object_form(const struct object *o)
{
    const struct object_coding *c = o->head == NULL ? NULL : object_coding_of(o->head);
    return c == NULL ? (struct body_form){ 0 } : c->form;
}

void
object_set_refusal(struct object *o, uint8_t refusal)
{
    CHECK(o->head != NULL && object_state(o) < OBJECT_STREAMING);
    o->head->refusal = refusal;
}

uint8_t
object_refusal(const struct object *o)
{
    return o->head == NULL ? 0 : o->head->refusal;
}

const struct gzip_facts *
object_gzip(const struct object *o)
{
    const struct object_coding *c = object_state(o) == OBJECT_COMPLETE ? object_coding_of(o->head) : NULL;
    return c != NULL && c->form.gzipped ? &c->gzip : NULL;
}

/* ---- a part ---- */

void
object_set_part(struct object *o, struct body_part part)
{
    struct object_coding *c = object_coding_of(o->head);
    CHECK(object_state(o) < OBJECT_STREAMING && c != NULL && c->form.partial && o->body.content == NULL &&
          part.total > 0);
    DEBUG_CHECK(part.at < part.end && part.end <= part.total);
    c->only = part;
}

struct body_part
object_part(const struct object *o)
{
    const struct object_coding *c = o->head == NULL ? NULL : object_coding_of(o->head);
    return c != NULL && c->form.partial ? c->only : (struct body_part){ 0 };
}

/* ---- loading ---- */

int
object_head_load(const struct object *o, struct http_message *out)
{
    const struct head_image *h = head_image_of(o->head);
    if (h->n_fields > out->cap_fields)
        return ERR_LIMIT;
    const char *at = image_texts(h);
    out->status = o->status;
    out->minor = h->minor;
    out->proto = h->proto_bytes == 0 ? image_proto(h->minor) : image_take(&at, h->proto_bytes);
    out->reason = h->reason_bytes == 0 ? status_reason(o->status) : image_take(&at, h->reason_bytes);
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct image_field *p = &h->fields[i];
        struct span name = image_take_name(p, &at);
        message_put(out, i,
                    (struct http_field){
                        .name = name, .value = image_take(&at, p->value_bytes), .id = o->head->ids[i] });
    }
    DEBUG_CHECK(at == object_vary(o).ptr);
    out->n_fields = h->n_fields;
    message_ids_are_known(out, o->head->ids_known);
    return 0;
}

/* Compares text if an id is missing: a name may have entered the table after the head was stored, or the
 * caller may have only its text. */
static bool
same_name(name_id id, struct span name, name_id stored, struct span stored_name)
{
    if (id != NAME_NONE && stored != NAME_NONE)
        return id == stored;
    return span_eq_nocase(id != NAME_NONE && name.ptr == NULL ? name_text(id) : name, stored_name);
}

void
object_head_each(const struct object *o, void (*fn)(struct span name, struct span value, void *arg),
                 void *arg)
{
    const struct head_image *h = head_image_of(o->head);
    const char *at = image_texts(h) + h->proto_bytes + h->reason_bytes;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct image_field *p = &h->fields[i];
        struct span name = image_take_name(p, &at);
        fn(name, image_take(&at, p->value_bytes), arg);
    }
}

struct span
object_head_get(const struct object *o, name_id id, struct span name)
{
    const struct head_image *h = head_image_of(o->head);
    const char *at = image_texts(h) + h->proto_bytes + h->reason_bytes;
    for (unsigned i = 0; i < h->n_fields; i++) {
        const struct image_field *p = &h->fields[i];
        struct span stored = image_take_name(p, &at);
        struct span value = image_take(&at, p->value_bytes);
        if (same_name(id, name, o->head->ids[i], stored))
            return value;
    }
    return SPAN_NULL;
}

unsigned
object_fields(const struct object *o)
{
    return head_image_of(o->head)->n_fields;
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
    const struct head_image *h = head_image_of(o->head);
    DEBUG_CHECK(h->vary_bytes < h->bytes && (!h->vary_any || h->vary_bytes == 0));
    return span_of((const char *)h + h->bytes - h->vary_bytes, h->vary_bytes);
}

bool
object_selected_by(const struct object *o, const struct http_message *request, bool rfc9111)
{
    const struct head_image *h = head_image_of(o->head);
    /* A response with "Vary: *" is never selected. A marker applies to the whole key, even with "Vary: *". */
    if (h->vary_any)
        return object_is_marker(o);
    if (h->vary_bytes == 0 || vary_matches(object_vary(o), request))
        return true;
    return rfc9111 && vary_matches_meaning(object_vary(o), request,
                                           object_head_get(o, NAME_CONTENT_LANGUAGE, SPAN_NULL));
}
