/* Module saintmode: a director around one backend that remembers the cache keys for which this backend
 * answered badly. For such a key the backend is sick for a while; with `threshold` such keys it is sick for
 * all requests. Its health depends on the transaction that asks. */
#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "origin/director.h"
#include "policy/exports.h"
#include "policy/state.h"

#define TROUBLES_MAX 65536u /* keys remembered per director */

struct trouble {
    uint64_t key_hash;
    double until; /* same clock as ctx->now */
};

struct saint {
    struct director director;
    struct director *backend;
    int64_t threshold; /* 0: off */
    pthread_mutex_t lock;
    struct trouble *list; /* lock; unordered */
    unsigned cap;         /* lock */
    atomic_uint n;        /* written under the lock */
};

static struct saint *
saint_of(struct director *d)
{
    return container_of(d, struct saint, director);
}

/* Drops expired keys. Returns true if `key` is among the rest. */
static bool
is_troubled(struct saint *s, const struct cache_key *key, double now)
{
    uint64_t hash = key == NULL ? 0 : key_hash(key);
    bool found = false;
    CHECK(pthread_mutex_lock(&s->lock) == 0);
    unsigned n = atomic_load(&s->n);
    for (unsigned i = 0; i < n;) {
        if (s->list[i].until < now) {
            s->list[i] = s->list[--n];
            continue;
        }
        found |= key != NULL && s->list[i].key_hash == hash;
        i++;
    }
    atomic_store(&s->n, n);
    CHECK(pthread_mutex_unlock(&s->lock) == 0);
    return found;
}

/* Returns NULL if the backend may be used, or else the reason. */
static const char *
trouble_with(struct saint *s, const struct cache_key *key, double now)
{
    if (s->threshold == 0 || atomic_load(&s->n) == 0)
        return NULL;
    if (is_troubled(s, key, now))
        return "object denylisted";
    return (int64_t)atomic_load(&s->n) >= s->threshold ? "hit threshold" : NULL;
}

static bool
saint_healthy(struct director *d, const struct policy_ctx *ctx, double *changed_s)
{
    struct saint *s = saint_of(d);
    bool healthy = s->backend->ops->healthy(s->backend, ctx, changed_s);
    bool fetching = ctx != NULL && ctx->fetch != NULL;
    double now = ctx != NULL ? ctx->now : nsec_seconds(clock_real_ns());
    const char *why = trouble_with(s, fetching ? ctx->fetch->key : NULL, now);
    if (why != NULL && fetching)
        log_printf(log_of(ctx), TAG_VCL_LOG, "saintmode: unhealthy: %s for backend %.*s", why,
                   (int)s->backend->name.len, s->backend->name.ptr);
    return healthy && why == NULL;
}

static struct backend *
saint_resolve(struct director *d, struct policy_ctx *ctx)
{
    return saint_healthy(d, ctx, NULL) ? director_resolve(saint_of(d)->backend, ctx) : NULL;
}

static void
saint_list(struct director *d, void (*each)(struct director *member, void *arg), void *arg)
{
    each(saint_of(d)->backend, arg);
}

static const struct director_ops saint_ops = { "saintmode", saint_resolve, saint_healthy, saint_list,
                                               NULL,        NULL,          false };

/* ---- functions of the module --------------------------------------------------------------------------- */

void *
vcl_saintmode_new(struct policy_ctx *ctx, struct director *backend, int64_t threshold)
{
    if (backend == NULL || director_is_none(backend) || threshold < 0) {
        vcl_fail(ctx,
                 threshold < 0 ? "saintmode: the threshold is 0 or more" : "saintmode: there is no backend");
        return NULL;
    }
    struct saint *s = mem_zalloc(sizeof *s);
    s->director = (struct director){ .ops = &saint_ops, .name = SPAN_LIT("") };
    s->backend = backend;
    s->threshold = threshold;
    CHECK(pthread_mutex_init(&s->lock, NULL) == 0);
    policy_add_director(ctx->policy, &s->director);
    return s;
}

void
vcl_saintmode_fini(struct policy_ctx *ctx, void *instance)
{
    struct saint *s = instance;
    if (s == NULL)
        return;
    CHECK(pthread_mutex_destroy(&s->lock) == 0);
    free(s->list);
    free(s);
}

struct director *
vcl_saintmode_backend(struct policy_ctx *ctx, void *instance)
{
    struct saint *s = instance;
    return s == NULL ? NULL : &s->director;
}

int64_t
vcl_saintmode_count(struct policy_ctx *ctx, void *instance)
{
    struct saint *s = instance;
    return s == NULL ? 0 : (int64_t)atomic_load(&s->n);
}

/* On the client side only this director's own list counts, and a key exists only after vcl_hash. */
int32_t
vcl_saintmode_is_healthy(struct policy_ctx *ctx, void *instance)
{
    struct saint *s = instance;
    if (s == NULL)
        return 0;
    if (ctx->client == NULL)
        return saint_healthy(&s->director, ctx, NULL);
    bool has_key = ctx->hook != HOOK_RECV && ctx->hook != HOOK_HASH;
    return trouble_with(s, has_key ? &ctx->client->key : NULL, ctx->now) == NULL;
}

struct search {
    const struct director *backend;
    struct saint *found;
    unsigned n; /* number of saintmode directors of the policy */
};

static void
look_at(struct director *d, void *arg)
{
    struct search *s = arg;
    if (d->ops != &saint_ops)
        return;
    s->n++;
    if (s->found == NULL && saint_of(d)->backend == s->backend)
        s->found = saint_of(d);
}

static bool
remember(struct saint *s, struct trouble t)
{
    CHECK(pthread_mutex_lock(&s->lock) == 0);
    unsigned n = atomic_load(&s->n);
    bool fits = n < TROUBLES_MAX;
    if (fits && n == s->cap) {
        s->cap = s->cap == 0 ? 16 : 2 * s->cap;
        s->list = realloc(s->list, s->cap * sizeof *s->list);
        CHECK(s->list != NULL);
    }
    if (fits) {
        s->list[n] = t;
        atomic_store(&s->n, n + 1);
    }
    CHECK(pthread_mutex_unlock(&s->lock) == 0);
    return fits;
}

void
vcl_saintmode_denylist(struct policy_ctx *ctx, double seconds)
{
    struct search s = { 0 };
    if (ctx->hook == HOOK_BACKEND_RESPONSE && ctx->fetch->used != NULL)
        s.backend = backend_director(ctx->fetch->used);
    policy_each_director(ctx->policy, look_at, &s);
    if (s.n == 0)
        log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("saintmode.denylist(): Saintmode is not configured"));
    else if (ctx->hook != HOOK_BACKEND_RESPONSE)
        log_text(log_of(ctx), TAG_VCL_ERROR,
                 SPAN_LIT("saintmode.denylist() called outside of vcl_backend_response"));
    else if (s.found == NULL || ctx->fetch->key == NULL)
        log_text(ctx->log, TAG_VCL_ERROR,
                 SPAN_LIT("saintmode.denylist(): Saintmode not configured for this backend."));
    else if (!remember(s.found, (struct trouble){ key_hash(ctx->fetch->key), ctx->now + seconds }))
        log_text(ctx->log, TAG_VCL_ERROR, SPAN_LIT("saintmode.denylist(): too many objects"));
    else
        log_printf(ctx->log, TAG_VCL_LOG,
                   "saintmode: object put on denylist for backend %.*s for %.2f seconds",
                   (int)s.backend->name.len, s.backend->name.ptr, seconds);
}

struct report {
    struct arena *arena;
    struct span text;
    bool failed;
};

static void
report_one(struct director *d, void *arg)
{
    struct report *r = arg;
    if (d->ops != &saint_ops || r->failed)
        return;
    const struct saint *s = saint_of(d);
    struct span all =
        arena_printf(r->arena,
                     "%.*s%s\t\t{ \"name\": \"%.*s\", \"backend\": \"%.*s\", \"count\": \"%u\", "
                     "\"threshold\": \"%lld\" }",
                     (int)r->text.len, r->text.ptr, r->text.len == 0 ? "" : ",\n", (int)d->name.len,
                     d->name.ptr, (int)s->backend->name.len, s->backend->name.ptr,
                     atomic_load(&((struct saint *)s)->n), (long long)s->threshold);
    r->failed = all.ptr == NULL;
    r->text = all;
}

struct span
vcl_saintmode_status(struct policy_ctx *ctx)
{
    struct report r = { .arena = ctx->arena, .text = SPAN_LIT("") };
    policy_each_director(ctx->policy, report_one, &r);
    if (r.failed) {
        vcl_fail(ctx, "Workspace overflow");
        return SPAN_NULL;
    }
    return vcl_printf(ctx, "{\n\t\"saintmode\": [\n%.*s\n\t]\n}\n", (int)r.text.len, r.text.ptr);
}
