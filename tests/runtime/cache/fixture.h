/* Shared by the tests of the cache: messages from pairs of text, keys, and the steps of a fetch. */
#ifndef VERNIS_TESTS_RUNTIME_CACHE_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_CACHE_FIXTURE_H

#include <stdarg.h>
#include <stdlib.h>

#include "base/check.h"
#include "body/body_internal.h"
#include "cache/freshness.h"
#include "cache/ban.h"
#include "cache/invalidation.h"
#include "cache/near.h"
#include "cache/store.h"
#include "test.h"

#define T0 (1700000000 * NSEC_PER_SEC) /* the tests' "now" */
#define SEC NSEC_PER_SEC
#define TEST(name) { #name, name }

struct fixture {
    struct arena arena;
    struct store *store;
    struct storage *main; /* the one storage besides Transient */
    struct loop *loop;
};

static inline void
fixture_init(struct fixture *f, uint64_t limit_bytes)
{
    names_init();
    *f = (struct fixture){ 0 };
    arena_init(&f->arena, 0);
    CHECK(store_new(NULL, &f->store) == 0);
    CHECK(store_add_storage(f->store, SPAN_LIT("s0"), limit_bytes, &f->main) == 0);
    CHECK(loop_new(0, &f->loop) == 0);
}

static inline uint64_t
used(struct storage *st)
{
    return storage_used(st);
}

static inline uint64_t
held_otherwise(const struct storage *st)
{
    return storage_used_for(st, USE_BANS) + storage_used_for(st, USE_PURGES) +
           storage_used_for(st, USE_INDEX) + storage_used_for(st, USE_KEYS);
}

/* ---- invalidations that nothing refuses; the number of stored responses they concern ---- */

static inline unsigned
purge_key(struct store *s, const struct cache_key *k)
{
    struct invalidated done = { 0 };
    store_purge(s, k, 0, &done);
    return done.objects;
}

static inline unsigned
soft_purge_key(struct store *s, const struct cache_key *k, nsec now, nsec ttl, nsec grace, nsec keep)
{
    struct invalidated done = { 0 };
    store_soft_purge_key(s, k, now, ttl, grace, keep, &done);
    return done.objects;
}

static inline unsigned
purge_tags(struct store *s, struct span words, bool soft, nsec now, uint64_t by)
{
    struct invalidated done = { 0 };
    store_purge_surrogates(s, words, soft, now, by, &done);
    return done.objects;
}

static inline unsigned
purge_all(struct store *s, bool soft, nsec now)
{
    struct invalidated done = { 0 };
    store_purge_all(s, soft, now, &done);
    return done.objects;
}

static inline int
ban_by_draft(struct store *s, struct ban_draft **d, nsec now, char *error)
{
    uint64_t position;
    return store_ban(s, d, now, &position, error);
}

/* Handles the items in the mailbox. */
static inline void
fixture_turn(struct fixture *f)
{
    for (int i = 0; i < 3; i++)
        loop_run_once(f->loop, 0);
}

/* Everything stored is removed, and no byte of it stays charged. Bans may stay in the list, and tables do not
 * shrink. */
static inline void
fixture_release(struct fixture *f)
{
    fixture_turn(f);
    near_empty();
    (void)store_expire(f->store, NSEC_NEVER, UINT32_MAX);
    struct store_stats stats;
    store_stats(f->store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    EXPECT_EQ_INT(stats.entries, 0);
    EXPECT_EQ_INT(stats.bytes, held_otherwise(f->main));
    store_release(&f->store);
    loop_release(&f->loop);
    arena_release(&f->arena);
}

/* Name, value, name, value, ..., NULL. */
static inline void
fields_add(struct http_message *m, va_list ap)
{
    const char *name;
    while ((name = va_arg(ap, const char *)) != NULL) {
        const char *value = va_arg(ap, const char *);
        CHECK(message_add(m, name_lookup(span_str(name)), span_str(name), span_str(value)) == 0);
    }
}

static inline struct http_message *
request(struct arena *a, ...)
{
    struct http_message *m = arena_alloc(a, sizeof *m);
    CHECK(message_init(m, a, 32) == 0);
    m->method = SPAN_LIT("GET");
    m->url = SPAN_LIT("/");
    m->proto = SPAN_LIT("HTTP/1.1");
    va_list ap;
    va_start(ap, a);
    fields_add(m, ap);
    va_end(ap);
    return m;
}

static inline struct http_message *
response(struct arena *a, unsigned status, ...)
{
    struct http_message *m = arena_alloc(a, sizeof *m);
    CHECK(message_init(m, a, 32) == 0);
    m->status = (uint16_t)status;
    m->proto = SPAN_LIT("HTTP/1.1");
    m->reason = status_reason(status);
    va_list ap;
    va_start(ap, status);
    fields_add(m, ap);
    va_end(ap);
    return m;
}

static inline struct cache_key *
key(struct arena *a, const char *text)
{
    struct cache_key *k = arena_zalloc(a, sizeof *k);
    key_add(k, a, span_str(text));
    return k;
}

static inline struct lookup
lookup_of(const struct cache_key *k, const struct http_message *req, nsec now)
{
    return (struct lookup){ .key = k, .request = req, .now = now, .grace_limit = -1, .ttl_limit = -1 };
}

static inline int
body_add(struct object *o, const char *text, size_t n)
{
    while (n > 0) {
        char *p;
        size_t room;
        int err = object_body_space(o, n, &p, &room);
        if (err != 0)
            return err;
        room = room < n ? room : n;
        memcpy(p, text, room);
        object_body_commit(o, room);
        text += room;
        n -= room;
    }
    return 0;
}

/* The body from the reader on, which may be zeroed, in allocated memory. */
static inline struct span
body_text(struct arena *a, struct object *o, struct body_reader *r)
{
    if (r->body == NULL)
        body_open(r, &o->body);
    char *text = arena_alloc(a, body_bytes(&o->body) - r->at + 1);
    size_t n = 0;
    struct iovec iov;
    enum body_next next;
    while (body_gather(r, &iov, 1, SIZE_MAX, &next) == 1) {
        memcpy(text + n, iov.iov_base, iov.iov_len);
        n += iov.iov_len;
        body_advance(r, iov.iov_len, 0);
        if (object_is_transit(o))
            object_passed(o, r->at);
    }
    body_close(r);
    return span_of(text, n);
}

struct life {
    nsec ttl, grace, keep;
};

/* Head, lifetimes and insertion, as a fetch does them. */
static inline int
fetch_insert(struct store *s, struct object *busy, const struct http_message *resp,
             const struct http_message *req, nsec now, struct life life, struct object *replaces)
{
    int err = object_set_head(busy, resp, req);
    if (err != 0)
        return err;
    busy->origin_time = now;
    busy->ttl = life.ttl;
    busy->grace = life.grace;
    busy->keep = life.keep;
    store_insert(s, busy, replaces);
    return 0;
}

/* A whole successful fetch; releases busy. */
static inline int
fetch_all(struct store *s, struct object *busy, const struct http_message *resp,
          const struct http_message *req, nsec now, struct life life, struct object *replaces,
          const char *body, size_t n)
{
    int err = fetch_insert(s, busy, resp, req, now, life, replaces);
    if (err == 0)
        err = object_publish(busy, (int64_t)n);
    if (err == 0)
        err = body_add(busy, body, n);
    if (err == 0)
        object_complete(busy);
    else
        object_fail(busy);
    object_release(&busy);
    return err;
}

static inline unsigned
extents_of(const struct object *o)
{
    const struct content *c = o->body.content;
    unsigned n = c != NULL && c->inline_bytes > 0;
    for (struct run *run = c == NULL || c->extents == NULL ? NULL : &c->extents->first; run != NULL;
         run = atomic_load(&run->next))
        n += atomic_load(&run->n);
    return n;
}

/* Are its bytes, or the first behind the inline extent, in the space of its storage? */
static inline bool
is_in_space(const struct object *o)
{
    const struct content *c = o->body.content;
    return c != NULL && c->extents != NULL && atomic_load(&c->extents->first.n) > 0 &&
           c->extents->first.extents[0].in_space;
}

/* Looks up, expects a miss and fills it. */
static inline int
store_text(struct fixture *f, const char *name, struct http_message *req, struct http_message *resp,
           struct life life, const char *body)
{
    struct lookup l = lookup_of(key(&f->arena, name), req, T0);
    l.always_miss = true;
    EXPECT_EQ_INT(store_lookup(f->store, &l), LOOKUP_MISS);
    return fetch_all(f->store, l.busy, resp, req, T0, life, NULL, body, strlen(body));
}

#endif
