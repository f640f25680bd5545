/* Shared by the tests of the store: one store, and shorthands for look-ups in it. */
#ifndef VERNIS_TESTS_RUNTIME_CACHE_STORE_FIXTURE_H
#define VERNIS_TESTS_RUNTIME_CACHE_STORE_FIXTURE_H

#include "fixture.h"

static struct fixture f;
static const struct life HOUR = { 3600 * SEC, 0, 0 };

#define REQUEST(...) request(&f.arena, ##__VA_ARGS__, NULL)
#define RESPONSE(...) response(&f.arena, 200, ##__VA_ARGS__, NULL)

static inline void
begin(void)
{
    fixture_init(&f, 1 << 20);
}

static inline void
end(void)
{
    fixture_release(&f);
}

static inline enum lookup_result
look(struct lookup *l, const char *name, struct http_message *req, nsec now)
{
    *l = lookup_of(key(&f.arena, name), req, now);
    return store_lookup(f.store, l);
}

static inline void
drop(struct lookup *l)
{
    if (l->busy != NULL)
        store_withdraw(f.store, l->busy);
    object_release(&l->busy);
    object_release(&l->object);
}

/* The body that a look-up finds, or a text for its other results. */
static inline const char *
found(const char *name, struct http_message *req, nsec now)
{
    struct lookup l;
    enum lookup_result r = look(&l, name, req, now);
    static char text[64];
    snprintf(text, sizeof text, "%s", r == LOOKUP_HIT ? "" : "not a hit");
    if (r == LOOKUP_HIT) {
        struct body_reader c = { 0 };
        struct span body = body_text(&f.arena, l.object, &c);
        snprintf(text, sizeof text, "%.*s", (int)body.len, body.ptr);
    }
    drop(&l);
    return text;
}

#define EXPECT_FOUND(name, req, now, want) EXPECT_EQ_STR(span_str(found(name, req, now)), want)

struct waiting {
    struct store_waiter waiter;
    unsigned calls;
};

static inline void
count_call(struct store_waiter *w)
{
    container_of(w, struct waiting, waiter)->calls++;
}

static inline enum lookup_result
look_or_wait(struct lookup *l, struct waiting *w, const char *name, struct http_message *req, nsec now)
{
    *l = lookup_of(key(&f.arena, name), req, now);
    w->waiter.loop = f.loop;
    w->waiter.fn = count_call;
    l->waiter = &w->waiter;
    return store_lookup(f.store, l);
}

#endif
