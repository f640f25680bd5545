/* The store: what fetches report, purges, and what time does to stored responses. Look-ups are in lookup.c, the shards' tables in
 * index.c, memory in storage.c and evict.c. */
#include <stdlib.h>

#include "cache/internal.h"
#include "log/counters.h"

#define EXPIRE_AT_ONCE 32u              /* objects dropped in one hold of a shard's lock */

/* ---- life ---- */

int
store_new(struct store **out)
{
    struct store *s = aligned_alloc(_Alignof(struct store), sizeof *s);
    struct storage *transient;
    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < STORE_SHARDS; i++) {
        pthread_mutex_init(&s->shards[i].lock, NULL);
        atomic_init(&s->shards[i].next_death, NSEC_NEVER);
    }
    int err = storage_new(s, SPAN_LIT("Transient"), 0, &transient);
    if (err != 0) {
        free(s);
        return err;
    }
    s->storages[s->n_storages++] = transient;
    CHECK(bans_new(&s->bans) == 0 && surrogates_new(&s->surrogates) == 0);
    *out = s;
    return 0;
}

static void
shard_empty(struct store *s, struct shard *sh)
{
    struct object *dropped = NULL;
    for (uint32_t i = 0; i < sh->n_buckets; i++)
        for (struct cache_entry *e = sh->buckets[i]; e != NULL; e = sh->buckets[i]) {
            CHECK(list_empty(&e->waiters));
            while (e->objects != NULL && e->objects->next != NULL)
                index_unlink(s, sh, e->objects, &dropped);
            index_unlink(s, sh, e->objects, &dropped);      /* frees the entry too */
        }
    index_release(&dropped);
    free(sh->buckets);
    free(sh->expiry.items);
    pthread_mutex_destroy(&sh->lock);
}

void
store_release(struct store **sp)
{
    struct store *s = *sp;
    *sp = NULL;
    if (s == NULL)
        return;
    for (unsigned i = 0; i < STORE_SHARDS; i++)
        shard_empty(s, &s->shards[i]);
    bans_release(&s->bans);
    surrogates_release(&s->surrogates);
    for (unsigned i = 0; i < s->n_storages; i++)
        storage_release(&s->storages[i]);
    free(s);
}

static struct shard *
lock_shard_of(struct store *s, const struct object *o)
{
    struct shard *sh = &s->shards[o->shard];
    pthread_mutex_lock(&sh->lock);
    return sh;
}

static void
note_next_death(struct shard *sh)
{
    atomic_store_explicit(&sh->next_death, sh->expiry.count > 0 ? sh->expiry.items[1].death : NSEC_NEVER,
                          memory_order_relaxed);
}

/* ---- what a fetch reports ---- */

void
store_insert(struct store *s, struct object *busy, struct object *replaces)
{
    CHECK(busy->head != NULL && object_state(busy) < OBJECT_STREAMING);
    struct shard *sh = lock_shard_of(s, busy);
    if (busy->entry != NULL) {
        ban_attach(s->bans, busy);
        surrogates_attach(s->surrogates, busy);
        busy->flags |= OBJECT_FINDABLE;
    }
    pthread_mutex_unlock(&sh->lock);
    if (replaces != NULL && busy->live->replaces == NULL) {
        object_ref(replaces);
        busy->live->replaces = replaces;
    }
}

static void
log_expiry(const struct object *o, nsec death)
{
    struct counters *n = counters_here();
    n->exp_mailed++;
    n->exp_received++;
    if (!log_wants(TAG_EXP_KILL))
        return;
    log_printf(&log_untied, TAG_EXP_KILL, "EXP_When p=%p e=%.6f f=0x%x", (const void *)o, nsec_seconds(death), (unsigned)o->flags);
    log_printf(&log_untied, TAG_EXP_KILL, "EXP_expire p=%p e=%.6f f=0x%x", (const void *)o, nsec_seconds(death - clock_real_ns()),
               (unsigned)o->flags);
}

void
store_published(struct object *o)
{
    struct notice_batch b = { 0 };
    struct shard *sh = lock_shard_of(storage_store(o->storage), o);
    if (o->entry != NULL) {
        waiters_wake(o->entry, UINT32_MAX, &b);
        expiry_set(&sh->expiry, o);
        note_next_death(sh);
    }
    nsec death = object_death(o);
    pthread_mutex_unlock(&sh->lock);
    log_expiry(o, death);
    notice_send(&b);
}

void
store_withdraw(struct store *s, struct object *busy)
{
    struct notice_batch b = { 0 };
    struct object *dropped = NULL;
    if (!(busy->flags & OBJECT_INDEXED))
        return;
    struct shard *sh = lock_shard_of(s, busy);
    if (busy->entry != NULL) {
        waiters_wake(busy->entry, busy->flags & OBJECT_HIT_FOR_MISS ? UINT32_MAX : 1, &b);
        index_unlink(s, sh, busy, &dropped);
        note_next_death(sh);
    }
    if (object_state(busy) < OBJECT_STREAMING)
        busy->flags |= OBJECT_PRIVATE;
    pthread_mutex_unlock(&sh->lock);
    notice_send(&b);
    index_release(&dropped);
}

bool
store_is_awaited(struct store *s, const struct object *busy)
{
    struct shard *sh = lock_shard_of(s, busy);
    bool awaited = busy->entry != NULL && !list_empty(&busy->entry->waiters);
    pthread_mutex_unlock(&sh->lock);
    return awaited;
}

static bool
same_variant(const struct object *a, const struct object *b)
{
    return span_eq(object_vary(a), object_vary(b)) && a->head->vary_any == b->head->vary_any;
}

/* What a complete response makes superfluous: the older ones of its variant, and the oldest when there are too many. A marker
 * supersedes only markers: a stale response may still be wanted after it. */
static void
drop_superseded(struct store *s, struct shard *sh, struct object *o, struct object **dropped)
{
    unsigned markers = OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS, variants = 1;
    bool marker = (o->flags & markers) != 0;
    for (struct object *older = o->next, *next; older != NULL; older = next) {
        next = older->next;
        if (!object_findable(older) || object_state(older) != OBJECT_COMPLETE)
            continue;
        bool superseded = same_variant(older, o) && (!marker || (older->flags & markers) != 0);
        if (superseded || ++variants > VARIANTS_MAX)
            index_unlink(s, sh, older, dropped);
    }
}

static void
trim_unread(struct object *o)
{
    if (object_is_transit(o))
        object_body_free(o);            /* nobody will */
    else
        object_body_end(o);
}

void
store_completed(struct object *o)
{
    struct store *s = storage_store(o->storage);
    struct object *dropped = NULL;
    if (!(o->flags & OBJECT_INDEXED)) {
        if (atomic_load_explicit(&o->refs, memory_order_acquire) == 1)
            object_body_end(o);
        return;
    }
    struct shard *sh = lock_shard_of(s, o);
    /* The writer's reference and the index's: nobody reads, and nobody can start to while the shard is locked. */
    if (atomic_load_explicit(&o->refs, memory_order_acquire) == (o->entry != NULL ? 2u : 1u))
        trim_unread(o);
    if (o->entry != NULL && object_findable(o)) {
        drop_superseded(s, sh, o, &dropped);
        queues_add(o, o->entry->hash);
        note_next_death(sh);
    }
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    if (o->live->replaces != NULL)
        index_drop(s, o->live->replaces);
}

static void
log_expired(const struct object *o, nsec now)
{
    if (log_wants(TAG_EXP_KILL))
        log_printf(&log_untied, TAG_EXP_KILL, "EXP_Expired x=%u t=%.0f", o->xid, nsec_seconds(object_death(o) - now));
}

/* ---- purges ---- */

/* Runs fn on each findable object of a key. */
static unsigned
each_of_key(struct store *s, const struct cache_key *key,
            void (*fn)(struct store *s, struct shard *sh, struct object *o, void *arg), void *arg)
{
    uint64_t hash = key_hash(key);
    struct shard *sh = shard_of(s, hash);
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    struct cache_entry *e = index_find(sh, key, hash);
    for (struct object *o = e == NULL ? NULL : e->objects, *next; o != NULL; o = next) {
        next = o->next;
        if (!object_findable(o))
            continue;
        fn(s, sh, o, arg);
        n++;
    }
    note_next_death(sh);
    pthread_mutex_unlock(&sh->lock);
    return n;
}

static void
purge_one(struct store *s, struct shard *sh, struct object *o, void *arg)
{
    log_expired(o, clock_real_ns());
    index_unlink(s, sh, o, arg);
}

unsigned
store_purge(struct store *s, const struct cache_key *key)
{
    struct object *dropped = NULL;
    unsigned n = each_of_key(s, key, purge_one, &dropped);
    index_release(&dropped);
    return n;
}

struct lifetimes {
    nsec now, ttl, grace, keep;
};

static void
soft_purge_one(struct store *s, struct shard *sh, struct object *o, void *arg)
{
    const struct lifetimes *t = arg;
    nsec ttl = nsec_add(object_age(o, t->now), t->ttl > 0 ? t->ttl : 0);
    if (ttl < o->ttl)
        o->ttl = ttl;
    if (t->grace >= 0)
        o->grace = t->grace;
    if (t->keep >= 0)
        o->keep = t->keep;
    expiry_set(&sh->expiry, o);
}

void
store_soft_purge(struct store *s, struct object *o, nsec now, nsec ttl, nsec grace, nsec keep)
{
    struct lifetimes t = { now, ttl, grace, keep };
    if (!(o->flags & OBJECT_INDEXED))
        return;
    struct shard *sh = lock_shard_of(s, o);
    if (o->entry != NULL && object_findable(o))
        soft_purge_one(s, sh, o, &t);
    note_next_death(sh);
    pthread_mutex_unlock(&sh->lock);
}

unsigned
store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace, nsec keep)
{
    struct lifetimes t = { now, ttl, grace, keep };
    return each_of_key(s, key, soft_purge_one, &t);
}

/* ---- time ---- */

static unsigned
expire_some(struct store *s, struct shard *sh, nsec now, unsigned max)
{
    struct object *dropped = NULL, *o;
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    while (n < max && (o = expiry_due(&sh->expiry, now)) != NULL) {
        log_expired(o, now);
        index_unlink(s, sh, o, &dropped);
        n++;
    }
    note_next_death(sh);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return n;
}

unsigned
store_expire(struct store *s, nsec now, unsigned budget)
{
    unsigned done = 0;
    for (unsigned i = 0; i < STORE_SHARDS && done < budget; ) {
        struct shard *sh = &s->shards[i];
        unsigned left = budget - done, max = left < EXPIRE_AT_ONCE ? left : EXPIRE_AT_ONCE, n = 0;
        if (atomic_load_explicit(&sh->next_death, memory_order_relaxed) <= now)
            n = expire_some(s, sh, now, max);
        done += n;
        if (n < max)
            i++;
    }
    counters_here()->n_expired += done;
    return done;
}

void
store_stats(struct store *s, struct store_stats *out)
{
    *out = (struct store_stats){
        .objects = atomic_load_explicit(&s->n_objects, memory_order_relaxed),
        .entries = atomic_load_explicit(&s->n_entries, memory_order_relaxed),
    };
    for (unsigned i = 0; i < s->n_storages; i++)
        out->bytes += atomic_load_explicit(&s->storages[i]->used_bytes, memory_order_relaxed);
}
