/* See ready_head.h. A slot of the table first notes an object, and prepares its head when the object is
 * requested again before another object takes the slot: objects that are requested once cost nothing. */
#include "proxy/respond/ready_head.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "cache/rfc9111/rfc9111.h"
#include "proxy/rfc9111/trailers.h"
#include "proxy/server.h"

#define READY_BYTES_MAX 4096u /* of one prepared head; larger ones are not kept */
/* Numbers of transactions repeat after a billion of them, so a prepared head is not used for longer. */
#define READY_AGE_MAX (60 * NSEC_PER_SEC)
#define ACCEPT_RANGES "Accept-Ranges: bytes"

/* The key of an object. Two objects at one address come from two fetches. Clients of two protocols get two
 * heads: the records of the log name the protocol. */
struct identity {
    char major; /* of the protocol's version: '1', '2' */
    const struct object *object;
    const struct object_head *head;
    nsec origin_time;
    uint32_t xid;
};

struct ready_head {
    uint32_t refs; /* the slot, and requests of this loop */
    uint16_t status;
    uint8_t minor;
    struct ready_facts facts;
    uint16_t n_fields;
    struct span proto, reason;
    uint16_t ids_known;
    uint64_t seen_ids[2];
    struct log_copy log;
    struct http_field fields[]; /* then the words of the log, proto, reason and the lines */
};

struct slot {
    struct identity of; /* the object that was requested last */
    nsec until;
    struct ready_head *head; /* NULL: not prepared yet */
};

struct ready_heads {
    unsigned n;
    struct log_pair ranges; /* the records of a field Accept-Ranges that replaces the same text */
    struct slot slots[];
};

/* ---- the table ---- */

void
ready_head_release(struct ready_head **h)
{
    DEBUG_CHECK(*h == NULL || (*h)->refs > 0);
    if (*h != NULL && --(*h)->refs == 0)
        free(*h);
    *h = NULL;
}

void
ready_heads_release(struct ready_heads **table)
{
    struct ready_heads *t = *table;
    for (unsigned i = 0; t != NULL && i < t->n; i++)
        ready_head_release(&t->slots[i].head);
    free(t);
    *table = NULL;
}

/* NULL: no table, because the parameter is 0 or there is no memory. */
static struct ready_heads *
table_of(struct server *s)
{
    unsigned n = params.ready_heads;
    if (s->ready != NULL && s->ready->n == n)
        return s->ready;
    ready_heads_release(&s->ready);
    if (n == 0)
        return NULL;
    s->ready = calloc(1, sizeof *s->ready + n * sizeof s->ready->slots[0]);
    if (s->ready == NULL)
        return NULL;
    s->ready->n = n;
    log_pair_make(&s->ready->ranges, TAG_RESP + LOG_UNSET, SPAN_LIT(ACCEPT_RANGES), TAG_RESP + LOG_HEADER,
                  SPAN_LIT(ACCEPT_RANGES));
    return s->ready;
}

static struct slot *
slot_of(struct ready_heads *t, const struct identity *of)
{
    DEBUG_CHECK(t->n > 0);
    uint64_t hash = (((uintptr_t)of->object >> 4) + (unsigned char)of->major) * 0x9e3779b97f4a7c15ull;
    return &t->slots[(hash >> 32) * t->n >> 32];
}

static struct identity
identity_of(const struct request *r)
{
    const struct object *o = r->object;
    char major = r->stream->proto.ptr[sizeof "HTTP/" - 1];
    return (struct identity){ major, o, o->head, o->origin_time, o->xid };
}

static bool
same(const struct identity *a, const struct identity *b)
{
    return a->object == b->object && a->head == b->head && a->origin_time == b->origin_time &&
           a->xid == b->xid && a->major == b->major;
}

/* ---- preparing a head ---- */

static size_t
text_bytes(const struct http_message *m)
{
    size_t n = m->proto.len + m->reason.len;
    for (unsigned i = 0; i < m->n_fields; i++)
        n += m->fields[i].name.len + m->fields[i].value.len + sizeof ": \r\n" - 1;
    return n;
}

/* Are the fields Accept-Ranges of m one, with exactly the text of ours? */
static bool
takes_ranges(const struct http_message *m)
{
    const struct span name = name_text(NAME_ACCEPT_RANGES);
    unsigned ours = 0, others = 0;
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        bool same_text = span_eq(f->name, name) && span_eq(f->value, SPAN_LIT("bytes"));
        ours += f->id == NAME_ACCEPT_RANGES && same_text;
        others += f->id == NAME_ACCEPT_RANGES && !same_text;
    }
    return ours == 1 && others == 0;
}

static void
put_texts(struct ready_head *h, const struct http_message *m, char *at)
{
    h->proto = span_of(at, m->proto.len);
    at = put_span(at, m->proto);
    h->reason = span_of(at, m->reason.len);
    at = put_span(at, m->reason);
    for (unsigned i = 0; i < m->n_fields; i++) {
        const struct http_field *f = &m->fields[i];
        struct http_field *line = &h->fields[i];
        *line = (struct http_field){ .name = { at, f->name.len }, .id = f->id, .flags = FIELD_LINE };
        at = put_span(put_span(at, f->name), SPAN_LIT(": "));
        line->value = span_of(at, f->value.len);
        at = put_span(put_span(at, f->value), SPAN_LIT("\r\n"));
    }
}

/* Prepares the head in `m`, which was just loaded and logged. NULL: it is too large, or its records are no
 * longer at hand, or there is no memory. */
static struct ready_head *
prepare(const struct http_message *m, const struct log_txn *log, struct log_mark mark)
{
    uint32_t n_words = log_words_since(log, mark);
    size_t fields = m->n_fields * sizeof m->fields[0], words = n_words * sizeof(uint32_t),
           bytes = sizeof(struct ready_head) + fields + words + text_bytes(m);
    struct ready_head *h = n_words == 0 || bytes > READY_BYTES_MAX ? NULL : malloc(bytes);
    if (h == NULL)
        return NULL;
    *h = (struct ready_head){ .refs = 1,
                              .status = m->status,
                              .minor = m->minor,
                              .facts = { !rfc9111_may_withhold(m), takes_ranges(m) },
                              .n_fields = m->n_fields,
                              .log.words = (uint32_t *)(void *)&h->fields[m->n_fields] };
    h->ids_known = m->ids_known;
    memcpy(h->seen_ids, m->seen_ids, sizeof h->seen_ids);
    log_copy_since(mark, n_words, &h->log);
    put_texts(h, m, (char *)h->log.words + words);
    return h;
}

/* ---- loading a head ---- */

/* Trailer is the only field that depends on the request, so a head that had one is not prepared. */
static int
load(struct request *r, bool *had_trailer)
{
    int err = object_head_load(r->object, &r->resp);
    if (err != 0)
        return err;
    r->resp.proto = r->stream->proto;
    *had_trailer = message_has(&r->resp, NAME_TRAILER);
    trailers_prepare(r);
    message_log(&r->resp, &r->log, TAG_RESP);
    return 0;
}

/* False: the records must be written one by one. */
static bool
load_prepared(struct request *r, struct ready_head *h)
{
    DEBUG_CHECK(r->ready == NULL && h->refs > 0);
    struct http_message *m = &r->resp;
    if (h->n_fields > m->cap_fields || !log_write_copy(&r->log, &h->log))
        return false;
    memcpy(m->fields, h->fields, h->n_fields * sizeof h->fields[0]);
    m->n_fields = h->n_fields;
    m->ids_known = h->ids_known;
    memcpy(m->seen_ids, h->seen_ids, sizeof m->seen_ids);
    m->status = h->status;
    m->minor = h->minor;
    m->proto = h->proto;
    m->reason = h->reason;
    m->log = &r->log;
    m->log_family = TAG_RESP;
    r->ready = h;
    r->takes_trailers = false; /* it may be true from before a restart */
    h->refs++;
    r->server->counters->head_ready++;
    return true;
}

/* Values of the first head may be in use until the request ends, so it takes no second one. */
static bool
may_be_prepared(const struct request *r)
{
    const struct object *o = r->object;
    return object_state(o) == OBJECT_COMPLETE && (o->flags & OBJECT_PRIVATE) == 0 && r->ready == NULL &&
           !object_form(o).trailed;
}

int
ready_head_load(struct request *r, struct ready_facts *facts)
{
    DEBUG_CHECK(loop_may_use(r->loop) && r->object->head != NULL);
    bool had_trailer = false;
    *facts = (struct ready_facts){ false, false };
    struct ready_heads *t = may_be_prepared(r) ? table_of(r->server) : NULL;
    if (t == NULL)
        return load(r, &had_trailer);
    struct identity of = identity_of(r);
    struct slot *s = slot_of(t, &of);
    bool again = same(&s->of, &of);
    nsec now = loop_now(r->loop);
    if (again && s->head != NULL && now < s->until && load_prepared(r, s->head)) {
        *facts = s->head->facts;
        return 0;
    }
    struct log_mark mark = log_mark(&r->log);
    int err = load(r, &had_trailer);
    ready_head_release(&s->head);
    if (err == 0 && again && !had_trailer)
        s->head = prepare(&r->resp, &r->log, mark);
    s->of = of;
    s->until = now + READY_AGE_MAX;
    return err;
}

void
ready_head_log_ranges(const struct request *r)
{
    DEBUG_CHECK(r->ready != NULL && r->server->ready != NULL);
    log_pair_write(&r->log, &r->server->ready->ranges);
}
