/* Module directors: round_robin, fallback, random and hash. Each is a struct director over a list of members;
 * a policy holds it as INSTANCE and uses it as BACKEND. A director picks a member when a fetch starts. Only
 * hash picks when the policy calls .backend(), because only then is its text known. */
#include <limits.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "origin/director.h"
#include "origin/shard.h"
#include "policy/exports.h"
#include "policy/state.h"

struct choice { /* used by all four kinds */
    struct director director;
    struct members members;
    atomic_uint position; /* round_robin: next member; fallback: current member */
    bool sticky;
};

static struct choice *
choice_of(struct director *d)
{
    return container_of(d, struct choice, director);
}

static bool
choice_healthy(struct director *d, const struct policy_ctx *ctx, double *changed_s)
{
    return members_healthy(&choice_of(d)->members, ctx, changed_s);
}

static void
choice_list(struct director *d, void (*each)(struct director *member, void *arg), void *arg)
{
    members_each(&choice_of(d)->members, each, arg);
}

/* Returns the first healthy member from `start` on, searching all members once. *at is its index. */
static struct director *
first_healthy(struct members *m, const struct policy_ctx *ctx, unsigned start, unsigned *at)
{
    struct director *found = NULL;
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n && found == NULL; i++) {
        *at = (start + i) % m->n;
        if (director_healthy(m->list[*at].director, ctx))
            found = m->list[*at].director;
    }
    pthread_rwlock_unlock(&m->lock);
    return found;
}

/* The position also moves past sick members, so that their share spreads over all others, not only over the
 * next one. */
static struct director *
next_healthy(struct choice *c, const struct policy_ctx *ctx)
{
    struct director *found = NULL;
    pthread_rwlock_rdlock(&c->members.lock);
    for (unsigned i = 0; i < c->members.n && found == NULL; i++) {
        struct director *d = c->members.list[atomic_fetch_add(&c->position, 1) % c->members.n].director;
        if (director_healthy(d, ctx))
            found = d;
    }
    pthread_rwlock_unlock(&c->members.lock);
    return found;
}

static struct backend *
round_robin_resolve(struct director *d, struct policy_ctx *ctx)
{
    return director_resolve(next_healthy(choice_of(d), ctx), ctx);
}

static struct backend *
fallback_resolve(struct director *d, struct policy_ctx *ctx)
{
    struct choice *c = choice_of(d);
    unsigned at = 0;
    struct director *member = first_healthy(&c->members, ctx, c->sticky ? atomic_load(&c->position) : 0, &at);
    if (member != NULL && c->sticky)
        atomic_store(&c->position, at);
    return director_resolve(member, ctx);
}

static struct backend *
random_resolve(struct director *d, struct policy_ctx *ctx)
{
    return director_resolve(members_pick(&choice_of(d)->members, ctx, random_choice()), ctx);
}

/* hash picks in .backend(text) only. */
static struct backend *
hash_resolve(struct director *d, struct policy_ctx *ctx)
{
    return NULL;
}

/* Index of the member that a fallback director would take now. */
static unsigned
current_place(struct choice *c)
{
    unsigned at = UINT_MAX;
    return first_healthy(&c->members, NULL, c->sticky ? atomic_load(&c->position) : 0, &at) == NULL ? UINT_MAX
                                                                                                    : at;
}

static void
weight_view(struct director *d, struct director_view *out,
            void (*each)(const struct director_member *m, void *arg), void *arg)
{
    struct members *m = &choice_of(d)->members;
    *out = (struct director_view){ .detail = DETAIL_WEIGHT };
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++)
        each(&(struct director_member){ .director = m->list[i].director, .weight = m->list[i].weight }, arg);
    pthread_rwlock_unlock(&m->lock);
}

static void
fallback_view(struct director *d, struct director_view *out,
              void (*each)(const struct director_member *m, void *arg), void *arg)
{
    struct choice *c = choice_of(d);
    struct members *m = &c->members;
    unsigned current = current_place(c);
    *out = (struct director_view){ .detail = DETAIL_TURN, .sticky = c->sticky };
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++)
        each(&(struct director_member){ .director = m->list[i].director, .current = i == current }, arg);
    pthread_rwlock_unlock(&m->lock);
}

static const struct director_ops round_robin_ops = {
    "round-robin", round_robin_resolve, choice_healthy, choice_list, NULL, NULL, false
};
static const struct director_ops fallback_ops = { "fallback", fallback_resolve, choice_healthy, choice_list,
                                                  NULL,       fallback_view,    false };
static const struct director_ops random_ops = { "random", random_resolve, choice_healthy, choice_list,
                                                NULL,     weight_view,    false };
static const struct director_ops hash_ops = { "hash", hash_resolve, choice_healthy, choice_list,
                                              NULL,   weight_view,  false };

/* ---- objects ------------------------------------------------------------------------------------------- */

static struct choice *
choice_new(struct policy_ctx *ctx, const struct director_ops *ops)
{
    struct choice *c = mem_zalloc(sizeof *c);
    c->director = (struct director){ .ops = ops, .name = SPAN_LIT("") };
    members_init(&c->members);
    policy_add_director(ctx->policy, &c->director);
    return c;
}

void *
vcl_directors_round_robin_new(struct policy_ctx *ctx)
{
    return choice_new(ctx, &round_robin_ops);
}

void *
vcl_directors_fallback_new(struct policy_ctx *ctx, int32_t sticky)
{
    struct choice *c = choice_new(ctx, &fallback_ops);
    c->sticky = sticky != 0;
    return c;
}

void *
vcl_directors_random_new(struct policy_ctx *ctx)
{
    return choice_new(ctx, &random_ops);
}

void *
vcl_directors_hash_new(struct policy_ctx *ctx)
{
    return choice_new(ctx, &hash_ops);
}

void
vcl_directors_choice_fini(struct policy_ctx *ctx, void *instance)
{
    struct choice *c = instance;
    members_release(&c->members);
    free(c);
}

static void
add(struct policy_ctx *ctx, struct choice *c, struct director *d, double weight)
{
    if (c == NULL)
        return;
    if (d == NULL || director_is_none(d))
        vcl_fail_printf(ctx, "%.*s: None backend cannot be added", (int)c->director.name.len,
                        c->director.name.ptr);
    else if (members_add(&c->members, &c->director, d, weight) != 0)
        vcl_fail_printf(ctx,
                        "directors.%s: cannot add %.*s: it contains this director, or there are too many",
                        c->director.ops->type, (int)d->name.len, d->name.ptr);
}

void
vcl_directors_choice_add(struct policy_ctx *ctx, void *instance, struct director *d)
{
    add(ctx, instance, d, 1);
}

void
vcl_directors_choice_add_weighted(struct policy_ctx *ctx, void *instance, struct director *d, double weight)
{
    if (weight >= 0 && weight <= 1e9)
        add(ctx, instance, d, weight);
    else
        vcl_fail_printf(ctx, "directors: weight %.3f is not within 0 to 1e9", weight);
}

void
vcl_directors_choice_remove(struct policy_ctx *ctx, void *instance, struct director *d)
{
    struct choice *c = instance;
    unsigned gone = c != NULL && d != NULL ? members_remove(&c->members, d) : UINT_MAX;
    if (gone == UINT_MAX || !c->sticky)
        return;
    /* A sticky director follows its current member when indices shift. If that member was removed, the search
     * starts at index 0. */
    unsigned at = atomic_load(&c->position);
    if (gone <= at)
        atomic_store(&c->position, gone < at ? at - 1 : 0);
}

struct director *
vcl_directors_choice_backend(struct policy_ctx *ctx, void *instance)
{
    struct choice *c = instance;
    return c == NULL ? NULL : &c->director;
}

/* A digest of the text is the point, so equal texts choose equal members on every machine. */
struct director *
vcl_directors_hash_backend(struct policy_ctx *ctx, void *instance, struct span text)
{
    struct choice *c = instance;
    if (c == NULL)
        return NULL;
    return members_pick(&c->members, ctx, text_hash32(text) * 0x1.0p-32);
}

struct director *
vcl_directors_lookup(struct policy_ctx *ctx, struct span name)
{
    if (ctx->hook != HOOK_INIT && ctx->hook != HOOK_FINI) {
        vcl_fail(ctx, "lookup() may only be called from vcl_init/vcl_fini");
        return NULL;
    }
    return name.ptr == NULL ? NULL : policy_find_director(ctx->policy, name);
}
