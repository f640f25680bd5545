/* Purges, soft purges, purges by surrogate key, purges of everything, and bans: see invalidation.h.
 *
 * A table (purge/purges.h) remembers the purges for the fetches that were under way when they came, and
 * forgets those that no fetch under way needs. Beyond purges_max rows it forgets the older half, and its
 * floor is then the position of the newest forgotten purge. An object born below the floor is treated as
 * purged, because a forgotten purge may concern it. Bans have a separate list (ban.c), which each fetch keeps
 * from its own birth on.
 *
 * An invalidation first takes its position and is remembered, under one lock. Then it walks over the stored
 * objects. An insertion first makes the object visible to such walks, then reads the table. So, in any order,
 * one of the two sees the other.
 *
 * A purge of everything walks over nothing: lookups compare each object's `born` with its position, and the
 * sweep (purge/sweep.c) removes the objects later. */
#include "cache/invalidation.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "cache/invalidation_internal.h"
#include "cache/purge/purges.h"
#include "cache/purge/surrogate.h"
#include "log/txn.h"

#define PURGES_PART 2u   /* remembered purges take at most this part of the largest storage */
#define PURGE_BYTES 36u  /* of a row with its bucket */
#define FORGET_EVERY 64u /* purges */
#define HOST_HASHED 256u /* bytes of a host */

enum invalidation_kind { INVALIDATE_KEY, INVALIDATE_TAG, INVALIDATE_GROUP, INVALIDATE_ALL };

/* One purge. */
struct invalidation {
    uint64_t position;
    struct digest digest; /* of the key, tag or group */
    struct softening to;  /* soft */
    nsec time;            /* of a purge of everything */
    struct span text;     /* the host of a group; otherwise SPAN_NULL */
    uint32_t by;          /* xid of the fetch whose own response is not concerned; 0: none */
    enum invalidation_kind kind;
    bool soft;
};

static const struct digest ALL = { 0, 0 }; /* a purge of everything; no text has this digest */

int
invalidations_new(struct invalidations **out)
{
    struct invalidations *inv = calloc(1, sizeof *inv);
    if (inv == NULL)
        return ERR_NOMEM;
    pthread_mutex_init(&inv->lock, NULL);
    *out = inv;
    return 0;
}

void
invalidations_release(struct invalidations **ip)
{
    struct invalidations *inv = *ip;
    *ip = NULL;
    if (inv == NULL)
        return;
    pthread_mutex_destroy(&inv->lock);
    purges_release(&inv->purges);
    purges_release(&inv->of_all);
    free(inv);
}

/* ---- remembering purges; lock held ---- */

static void
hold_memory(struct store *s)
{
    LOCK_HELD(&s->invalidations->lock);
    struct invalidations *inv = s->invalidations;
    size_t now = purges_bytes(&inv->purges) + purges_bytes(&inv->of_all);
    if (now == inv->held_bytes)
        return;
    storage_hold(s->largest, USE_PURGES, (int64_t)now - (int64_t)inv->held_bytes);
    inv->held_bytes = now;
}

static uint32_t
rows_max(const struct store *s)
{
    uint64_t part = s->largest->limit_bytes / PURGES_PART / PURGE_BYTES;
    return part > 0 && part < params.purges_max ? (uint32_t)part : params.purges_max;
}

static void
forget(struct store *s)
{
    LOCK_HELD(&s->invalidations->lock);
    struct invalidations *inv = s->invalidations;
    inv->added = 0;
    purges_forget(&inv->purges, bans_oldest_birth(s->bans));
}

/* A hash of the first HOST_HASHED bytes that ignores case; not 0. Equal hashes of two hosts purge too much,
 * never too little. */
static uint64_t
host_hash(const struct store *s, struct span host)
{
    char lower[HOST_HASHED];
    size_t n = host.len < sizeof lower ? host.len : sizeof lower;
    for (size_t i = 0; i < n; i++)
        lower[i] = ascii_lower(host.ptr[i]);
    uint64_t h = digest_short(&s->tag_secret, span_of(lower, n));
    return h == 0 ? 1 : h;
}

static void
remember(struct store *s, const struct invalidation *r)
{
    LOCK_HELD(&s->invalidations->lock);
    DEBUG_CHECK(r->position > 0);
    struct invalidations *inv = s->invalidations;
    struct purge x = { .position = r->position,
                       .first = r->position,
                       .to = r->to,
                       .host = r->kind == INVALIDATE_GROUP ? host_hash(s, r->text) : 0,
                       .by = r->by,
                       .soft = r->soft };
    if (++inv->added >= FORGET_EVERY)
        forget(s);
    if (r->kind == INVALIDATE_ALL)
        purges_add(&inv->of_all, ALL, &x, UINT32_MAX);
    else
        purges_add(&inv->purges, r->digest, &x, rows_max(s));
    hold_memory(s);
}

/* ---- keys and hosts ---- */

/* A NUL ends each piece of a key. */
static bool
next_piece(struct span *rest, struct span *piece)
{
    if (rest->len == 0)
        return false;
    const char *nul = memchr(rest->ptr, '\0', rest->len);
    size_t n = nul == NULL ? rest->len : (size_t)(nul - rest->ptr);
    *piece = span_of(rest->ptr, n);
    n += nul != NULL;
    *rest = span_of(rest->ptr + n, rest->len - n);
    return true;
}

static bool
key_has_host(const struct store *s, const struct cache_entry *e, uint64_t host)
{
    struct span rest = span_of(e->key, e->key_bytes), piece;
    while (next_piece(&rest, &piece))
        if (host_hash(s, piece) == host)
            return true;
    return false;
}

/* ---- judging a response ---- */

struct judging {
    const struct store *store;
    const struct object *object;
    struct verdict *verdict;
    uint64_t born;
};

static void
soften(const struct judging *j, const struct purge *x)
{
    struct softening *to = &j->verdict->to;
    const struct object *o = j->object;
    if (!j->verdict->stale || x->to.stale_at < to->stale_at)
        to->stale_at = x->to.stale_at;
    /* The newest purge comes first: its values win. */
    if (to->grace < 0 && !(x->shortens && o->grace < x->to.grace))
        to->grace = x->to.grace;
    if (to->keep < 0 && !(x->shortens && o->keep < x->to.keep))
        to->keep = x->to.keep;
    to->at_once |= x->to.at_once;
    j->verdict->stale = true;
}

static void
judge_purge(const struct purge *x, void *arg)
{
    const struct judging *j = arg;
    const struct object *o = j->object;
    DEBUG_CHECK(x->first <= x->position && x->position > j->born);
    if (x->by != 0 && x->by == o->xid)
        return;
    if (x->host != 0 && !key_has_host(j->store, o->entry, x->host))
        return;
    if (x->soft)
        soften(j, x);
    else /* of merged purges, one just after the birth may be the oldest that concerns o */
        verdict_dead(j->verdict, x->first > j->born ? x->first : j->born + 1);
}

static void
judge_digest(struct digest d, void *arg)
{
    struct judging *j = arg;
    LOCK_HELD(&j->store->invalidations->lock);
    purges_each(&j->store->invalidations->purges, d, j->born, judge_purge, j);
}

void
invalidations_judge(struct store *s, const struct object *o, struct verdict *v)
{
    SHARD_HELD(o);
    struct invalidations *inv = s->invalidations;
    struct judging j = { s, o, v, o->head->born };
    CHECK(o->entry != NULL && j.born > 0);
    if (atomic_load_explicit(&inv->latest, memory_order_acquire) <= j.born)
        return;
    pthread_mutex_lock(&inv->lock);
    if (j.born < inv->purges.floor)
        verdict_dead(v, j.born + 1);
    judge_digest(o->entry->digest, &j);
    surrogates_each(s->surrogates, o, judge_digest, &j);
    purges_each(&inv->of_all, ALL, j.born, judge_purge, &j);
    pthread_mutex_unlock(&inv->lock);
}

void
purged_all_soften(struct store *s, struct shard *sh, struct object *o)
{
    LOCK_HELD(&sh->lock);
    struct invalidations *inv = s->invalidations;
    struct verdict v = { .to = { .grace = -1, .keep = -1 } };
    struct judging j = { s, o, &v, o->head->born };
    pthread_mutex_lock(&inv->lock);
    purges_each(&inv->of_all, ALL, j.born, judge_purge, &j);
    pthread_mutex_unlock(&inv->lock);
    if (v.stale && (v.to.stale_at < nsec_add(o->origin_time, o->ttl) || !object_softened(o)))
        index_soften_locked(sh, o, v.to);
    index_note_death(sh);
}

void
invalidations_tidy(struct store *s, uint64_t swept)
{
    struct invalidations *inv = s->invalidations;
    struct purged_all *all = &s->purged_all;
    pthread_mutex_lock(&inv->lock);
    forget(s);
    if (atomic_load(&all->latest) <= swept && bans_oldest_birth(s->bans) >= inv->of_all.newer.last) {
        purges_release(&inv->of_all);
        atomic_store(&all->latest, 0);
        atomic_store(&all->hard, 0);
    }
    hold_memory(s);
    pthread_mutex_unlock(&inv->lock);
}

/* ---- applying one to what is stored ---- */

static bool
is_fetched_since_before(const struct object *o, uint64_t position)
{
    if (object_state(o) >= OBJECT_STREAMING)
        return false;
    uint64_t born = o->live->born;
    return born > 0 && born < position;
}

/* Returns true if o was stored and the invalidation concerns it. A response that is still being fetched is
 * judged at its insertion; requests after the invalidation do not wait for it. */
static bool
invalidate(struct store *s, struct shard *sh, struct object *o, const struct invalidation *r,
           struct object **dropped)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(o->entry != NULL && r->position > 0);
    if (!(o->flags & OBJECT_FINDABLE)) {
        if (!r->soft && is_fetched_since_before(o, r->position))
            o->live->no_wait = true;
        return false;
    }
    if (object_state(o) == OBJECT_FAILED || o->head->born >= r->position)
        return false;
    bool stored = !index_is_between(o) && !purged_all_removed(s, o);
    if (r->soft) {
        index_soften_locked(sh, o, r->to);
    } else if (index_is_between(o)) {
        index_doom(o, r->position);
    } else {
        object_log_expired(o, clock_real_ns());
        index_unlink(s, sh, o, REMOVAL_PURGED, dropped);
    }
    return stored;
}

static unsigned
invalidate_entry(struct store *s, struct shard *sh, struct cache_entry *e, const struct invalidation *r,
                 struct object **dropped)
{
    LOCK_HELD(&sh->lock);
    unsigned n = 0;
    for (struct object *o = e->objects, *next; o != NULL; o = next) {
        next = o->next;
        n += invalidate(s, sh, o, r, dropped);
    }
    return n;
}

static unsigned
invalidate_key(struct store *s, const struct invalidation *r)
{
    DEBUG_CHECK(r->kind == INVALIDATE_KEY && r->position > 0);
    struct shard *sh = shard_of(s, r->digest);
    struct object *dropped = NULL;
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    for (struct cache_entry *e = index_next_of(sh, r->digest, NULL), *next; e != NULL; e = next) {
        next = index_next_of(sh, r->digest, e);
        n += invalidate_entry(s, sh, e, r, &dropped);
    }
    index_note_death(sh);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return n;
}

struct tag_walk {
    struct store *store;
    const struct invalidation *record;
};

/* A purge does not concern objects born after it. */
static bool
invalidate_tagged(struct object *o, void *arg)
{
    const struct tag_walk *w = arg;
    const struct invalidation *r = w->record;
    DEBUG_CHECK(r->kind == INVALIDATE_TAG || r->kind == INVALIDATE_GROUP);
    if (o->head->born >= r->position)
        return false;
    bool removed = purged_all_removed(w->store, o);
    if (!r->soft)
        return index_drop(w->store, o, REMOVAL_PURGED) && !removed;
    if (removed)
        return false;
    bool fresh = object_fresh(o, r->to.stale_at);
    index_soften(w->store, o, r->to);
    return fresh;
}

static bool
key_has_piece(const struct cache_entry *e, struct span wanted)
{
    struct span rest = span_of(e->key, e->key_bytes), piece;
    while (next_piece(&rest, &piece))
        if (span_eq_nocase(piece, wanted))
            return true;
    return false;
}

static bool
invalidate_grouped(struct object *o, void *arg)
{
    const struct tag_walk *w = arg;
    struct shard *sh = index_lock_of(w->store, o);
    bool ours = o->entry != NULL && key_has_piece(o->entry, w->record->text);
    pthread_mutex_unlock(&sh->lock);
    return ours && invalidate_tagged(o, arg);
}

/* Returns the number of stored responses that it removes or makes stale. */
static unsigned
enact(struct store *s, const struct invalidation *r)
{
    struct tag_walk w = { s, r };
    switch (r->kind) {
    case INVALIDATE_KEY: return invalidate_key(s, r);
    case INVALIDATE_TAG: return surrogates_visit(s->surrogates, r->digest, invalidate_tagged, &w);
    case INVALIDATE_GROUP: return surrogates_visit(s->surrogates, r->digest, invalidate_grouped, &w);
    case INVALIDATE_ALL: return (unsigned)store_counted(s, COUNT_STORED);
    }
    WRONG("no kind of purge");
}

/* ---- making one ---- */

/* Lock held. Lookups see a purge of everything from here on. */
static void
publish(struct store *s, const struct invalidation *r)
{
    LOCK_HELD(&s->invalidations->lock);
    DEBUG_CHECK(r->position > atomic_load(&s->invalidations->latest));
    struct purged_all *all = &s->purged_all;
    atomic_store_explicit(&s->invalidations->latest, r->position, memory_order_release);
    if (r->kind != INVALIDATE_ALL)
        return;
    if (!r->soft) {
        atomic_store_explicit(&all->hard_at, r->time, memory_order_relaxed);
        atomic_store_explicit(&all->hard, r->position, memory_order_release);
    }
    atomic_store_explicit(&all->latest, r->position, memory_order_release);
}

static void
purge(struct store *s, struct invalidation r, struct invalidated *out)
{
    struct invalidations *inv = s->invalidations;
    pthread_mutex_lock(&inv->lock);
    r.position = position_next(&s->positions);
    remember(s, &r);
    publish(s, &r);
    pthread_mutex_unlock(&inv->lock);
    out->objects += enact(s, &r);
    out->position = r.position;
}

void
store_purge(struct store *s, const struct cache_key *key, uint64_t by, struct invalidated *out)
{
    purge(s,
          (struct invalidation){
              .kind = INVALIDATE_KEY, .digest = index_key_digest(s, key), .by = (uint32_t)by },
          out);
}

void
store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace, nsec keep,
                     struct invalidated *out)
{
    purge(s,
          (struct invalidation){ .kind = INVALIDATE_KEY,
                                 .digest = index_key_digest(s, key),
                                 .soft = true,
                                 .to = { nsec_add(now, ttl > 0 ? ttl : 0), grace, keep, ttl <= 0 } },
          out);
}

void
store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now, uint64_t by,
                       struct invalidated *out)
{
    struct invalidation r = {
        .kind = INVALIDATE_TAG, .by = (uint32_t)by, .soft = soft, .to = { now, -1, -1, true }
    };
    struct span word;
    while (surrogate_next(&words, &word)) {
        r.digest = digest_of(&s->tag_secret, word);
        purge(s, r, out);
    }
}

void
store_purge_groups(struct store *s, struct span groups, struct span host, uint64_t by,
                   struct invalidated *out)
{
    struct invalidation r = { .kind = INVALIDATE_GROUP, .text = host, .by = (uint32_t)by };
    struct digest digests[SURROGATE_GROUPS_MAX];
    unsigned n_groups = surrogate_groups(&s->tag_secret, groups, digests);
    for (unsigned i = 0; host.len > 0 && i < n_groups; i++) {
        r.digest = digests[i];
        purge(s, r, out);
    }
}

void
store_purge_all(struct store *s, bool soft, nsec now, struct invalidated *out)
{
    purge(s,
          (struct invalidation){
              .kind = INVALIDATE_ALL, .digest = ALL, .soft = soft, .to = { now, -1, -1, true }, .time = now },
          out);
}

/* ---- bans ---- */

int
store_ban(struct store *s, struct ban_draft **d, nsec now, uint64_t *position, char *error)
{
    uint64_t born = (*d)->born;
    struct ban *b;
    int err = bans_prepare(s->bans, d, now, &b, error);
    if (err != 0)
        return err;
    pthread_mutex_lock(&s->invalidations->lock);
    *position = bans_add(s->bans, b, born);
    pthread_mutex_unlock(&s->invalidations->lock);
    return 0;
}

/* ---- fetches ---- */

uint64_t
store_born(struct store *s, struct object *busy)
{
    CHECK(object_state(busy) < OBJECT_STREAMING && !(busy->flags & OBJECT_FINDABLE));
    return ban_hold(s->bans, &s->positions, busy);
}
