/* The index: shards of chained buckets, entries, and the links between entries and objects, all under the
 * shard's lock. Objects that leave the index are collected and released after the lock, because the last
 * release of a large object takes time. */
#include <stdlib.h>

#include "cache/evict/evict.h"
#include "cache/index.h"
#include "cache/purge/surrogate.h"

#define BUCKETS_FIRST 16u

/* ---- what must hold between changes ---- */

#define CHECKED_MAX 16u /* objects of an entry: checks must not make long lists slow */

/* An object in the index, under the shard's lock. */
static void
object_check(const struct cache_entry *e, const struct object *o)
{
    DEBUG_CHECK(o->entry == e && o->shard == shard_number(e->digest));
    DEBUG_CHECK((o->flags & OBJECT_INDEXED) && !(o->flags & OBJECT_PRIVATE));
    DEBUG_CHECK(!(o->flags & OBJECT_FINDABLE) || o->head != NULL);
    DEBUG_CHECK(!(o->flags & OBJECT_KEYED) || o->head != NULL);
    DEBUG_CHECK(atomic_load_explicit(&((struct object *)(uintptr_t)o)->refs, memory_order_relaxed) > 0);
}

static void
entry_check(const struct cache_entry *e)
{
    unsigned n = 0, busy = 0;
    const struct object *o = e->objects;
    for (; o != NULL && n < CHECKED_MAX; o = o->next, n++) {
        object_check(e, o);
        busy += o->expiry_slot == 0;
    }
    DEBUG_CHECK(o == NULL ? busy == e->n_busy : busy <= e->n_busy);
    (void)busy;
}

/* ---- entries ---- */

struct digest
index_key_digest(const struct store *s, const struct cache_key *key)
{
    DEBUG_CHECK(key->len <= KEY_BYTES_MAX);
    return digest_of(&s->key_secret, span_of(key->bytes, key->len));
}

static struct cache_entry **
bucket(struct shard *sh, struct digest d)
{
    DEBUG_CHECK(sh->n_buckets > 0 && (sh->n_buckets & (sh->n_buckets - 1)) == 0);
    return &sh->buckets[d.low & (sh->n_buckets - 1)];
}

struct cache_entry *
index_find(struct shard *sh, const struct cache_key *key, struct digest d)
{
    LOCK_HELD(&sh->lock);
    if (sh->n_buckets == 0)
        return NULL;
    for (struct cache_entry *e = *bucket(sh, d); e != NULL; e = e->next)
        if (digest_eq(e->digest, d) && e->key_bytes == key->len && memcmp(e->key, key->bytes, key->len) == 0)
            return e;
    return NULL;
}

static bool
index_grow(struct store *s, struct shard *sh)
{
    LOCK_HELD(&sh->lock);
    uint32_t n = sh->n_buckets == 0 ? BUCKETS_FIRST : sh->n_buckets * 2;
    DEBUG_CHECK(n > sh->n_buckets);
    struct cache_entry **wider = calloc(n, sizeof *wider);
    if (wider == NULL)
        return sh->n_buckets > 0; /* keep the old table: chains only get longer */
    for (uint32_t i = 0; i < sh->n_buckets; i++) {
        for (struct cache_entry *e = sh->buckets[i], *next; e != NULL; e = next) {
            next = e->next;
            e->next = wider[e->digest.low & (n - 1)];
            wider[e->digest.low & (n - 1)] = e;
        }
    }
    /* The first tables of the shards belong to the base memory of an empty store and are not charged. */
    storage_hold(s->largest, USE_INDEX,
                 sh->n_buckets == 0
                     ? 0
                     : (int64_t)(mem_cost(n * sizeof *wider) - mem_cost(sh->n_buckets * sizeof *wider)));
    free(sh->buckets);
    sh->buckets = wider;
    sh->n_buckets = n;
    return true;
}

static int64_t
entry_cost(uint32_t key_bytes)
{
    return (int64_t)mem_cost(sizeof(struct cache_entry) + key_bytes);
}

struct cache_entry *
index_add(struct store *s, struct shard *sh, const struct cache_key *key, struct digest d)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(!key->failed && sh == shard_of(s, d));
    DEBUG_CHECK(index_find(sh, key, d) == NULL);
    if (sh->n_entries >= sh->n_buckets && !index_grow(s, sh))
        return NULL;
    struct cache_entry *e = malloc(sizeof *e + key->len);
    if (e == NULL)
        return NULL;
    *e = (struct cache_entry){ .digest = d, .key_bytes = key->len, .next = *bucket(sh, d) };
    list_init(&e->waiters);
    if (key->len > 0)
        memcpy(e->key, key->bytes, key->len);
    storage_hold(s->largest, USE_INDEX, entry_cost(key->len));
    *bucket(sh, d) = e;
    sh->n_entries++;
    store_count(s, COUNT_ENTRIES, 1);
    return e;
}

void
index_tidy(struct store *s, struct shard *sh, struct digest d)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(sh == shard_of(s, d));
    if (sh->n_buckets == 0)
        return;
    struct cache_entry **link = bucket(sh, d);
    while (*link != NULL) {
        struct cache_entry *e = *link;
        if (!digest_eq(e->digest, d) || e->objects != NULL || !list_empty(&e->waiters)) {
            link = &e->next;
            continue;
        }
        DEBUG_CHECK(e->n_busy == 0 && sh->n_entries > 0);
        *link = e->next;
        storage_hold(s->largest, USE_INDEX, -entry_cost(e->key_bytes));
        free(e);
        sh->n_entries--;
        store_count(s, COUNT_ENTRIES, -1);
    }
}

/* ---- objects of an entry ---- */

void
index_link(struct store *s, struct cache_entry *e, struct object *o)
{
    LOCK_HELD(&shard_of(s, e->digest)->lock);
    DEBUG_CHECK(object_state(o) < OBJECT_STREAMING && o->live != NULL);
    CHECK(o->entry == NULL && !(o->flags & (OBJECT_PRIVATE | OBJECT_INDEXED | OBJECT_FINDABLE)));
    object_ref(o);
    o->entry = e;
    o->shard = (uint16_t)shard_number(e->digest);
    o->next = e->objects;
    e->objects = o;
    e->n_busy++;
    o->flags |= OBJECT_INDEXED;
    entry_check(e);
    store_count(s, COUNT_OBJECTS, 1);
}

static void
index_unfindable(struct store *s, struct object *o)
{
    SHARD_HELD(o);
    if (o->flags & OBJECT_FINDABLE)
        store_count(s, COUNT_STORED, -1);
    o->flags &= (unsigned char)~OBJECT_FINDABLE;
}

/* Requests could find o until now. */
static void
note_removal(struct store *s, const struct object *o, enum removal why)
{
    CHECK(o->entry != NULL && why != REMOVAL_SILENT);
    nsec when = why == REMOVAL_EXPIRED ? nsec_add(o->origin_time, o->ttl) : clock_real_ns();
    removals_add(s->removals, o->entry->digest, why, object_is_marker(o), when);
}

void
index_unlink(struct store *s, struct shard *sh, struct object *o, enum removal why, struct object **dropped)
{
    LOCK_HELD(&sh->lock);
    struct cache_entry *e = o->entry;
    if (e == NULL)
        return;
    entry_check(e);
    if (why != REMOVAL_SILENT && object_findable(o))
        note_removal(s, o, purged_all_removed(s, o) ? REMOVAL_PURGED : why);
    CHECK(sh == shard_of(s, e->digest) && (o->flags & OBJECT_INDEXED));
    struct object **link = &e->objects;
    while (*link != o) {
        CHECK(*link != NULL);
        link = &(*link)->next;
    }
    *link = o->next;
    surrogates_detach(s->surrogates, o);
    o->entry = NULL;
    index_unfindable(s, o);
    o->flags &= (unsigned char)~OBJECT_INDEXED;
    o->flags |= OBJECT_PURGED;
    DEBUG_CHECK(o->expiry_slot != 0 || e->n_busy > 0);
    e->n_busy -= o->expiry_slot == 0;
    expiry_remove(&sh->expiry, o);
    queues_remove(o);
    DEBUG_CHECK(o->expiry_slot == 0 && !list_linked(&o->in_queue) && !(o->flags & OBJECT_KEYED));
    o->next = *dropped;
    *dropped = o;
    store_count(s, COUNT_OBJECTS, -1);
    if (e->objects == NULL)
        index_tidy(s, sh, e->digest);
}

void
index_release(struct object **dropped)
{
    while (*dropped != NULL) {
        struct object *o = *dropped;
        DEBUG_CHECK(o->entry == NULL && !(o->flags & OBJECT_INDEXED));
        *dropped = o->next;
        o->next = NULL;
        object_release(&o);
    }
}

void
index_doom(struct object *o, uint64_t before)
{
    SHARD_HELD(o);
    CHECK(object_state(o) < OBJECT_COMPLETE && o->live != NULL);
    index_unfindable(object_storage(o)->store, o);
    o->flags |= OBJECT_PURGED;
    o->live->no_wait = true;
    o->live->give_before = before;
}

/* Inserted, but not yet published: only the fetch may unlink the object, because only the fetch knows its
 * waiters. No reader can find it. */
bool
index_is_between(const struct object *o)
{
    SHARD_HELD(o);
    return (o->flags & OBJECT_FINDABLE) && object_state(o) < OBJECT_STREAMING;
}

struct shard *
index_lock_of(struct store *s, const struct object *o)
{
    DEBUG_CHECK(o->shard < STORE_SHARDS);
    struct shard *sh = &s->shards[o->shard];
    pthread_mutex_lock(&sh->lock);
    return sh;
}

bool
index_drop(struct store *s, struct object *o, enum removal why)
{
    struct object *dropped = NULL;
    struct shard *sh = index_lock_of(s, o);
    bool listed = o->entry != NULL;
    if (index_is_between(o))
        index_doom(o, 0);
    else if (listed && !(o->flags & OBJECT_PURGED))
        index_unlink(s, sh, o, why, &dropped);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return listed;
}

void
index_note_death(struct shard *sh)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(sh->expiry.count == 0 || sh->expiry.items[1].object->expiry_slot == 1);
    atomic_store_explicit(&sh->next_death, sh->expiry.count > 0 ? sh->expiry.items[1].death : NSEC_NEVER,
                          memory_order_relaxed);
}

void
index_soften_locked(struct shard *sh, struct object *o, struct softening to)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(o->entry != NULL);
    object_soften(o, to);
    if (o->expiry_slot != 0)
        expiry_set(&sh->expiry, o);
}

void
index_soften(struct store *s, struct object *o, struct softening to)
{
    if (!(o->flags & OBJECT_INDEXED))
        return;
    struct shard *sh = index_lock_of(s, o);
    if (o->entry != NULL && (o->flags & OBJECT_FINDABLE))
        index_soften_locked(sh, o, to);
    index_note_death(sh);
    pthread_mutex_unlock(&sh->lock);
}

/* ---- walks ---- */

struct shard *
index_walk_shard(struct store *s, const struct index_walk *w)
{
    return w->shard < STORE_SHARDS ? &s->shards[w->shard] : NULL;
}

void
index_walk_some(struct shard *sh, struct index_walk *w, unsigned max, bool (*fn)(struct object *o, void *arg),
                void *arg)
{
    LOCK_HELD(&sh->lock);
    CHECK(w->shard < STORE_SHARDS);
    unsigned n = 0;
    if (w->n_buckets != sh->n_buckets)
        w->bucket = 0;
    w->n_buckets = sh->n_buckets;
    DEBUG_CHECK(max > 0 && w->bucket <= sh->n_buckets);
    for (; w->bucket < sh->n_buckets && n < max; w->bucket++)
        for (struct cache_entry *e = sh->buckets[w->bucket]; e != NULL; e = e->next)
            for (struct object *o = e->objects; o != NULL; o = o->next)
                n += fn(o, arg);
    if (w->bucket == sh->n_buckets)
        *w = (struct index_walk){ .shard = w->shard + 1 };
}

void
index_empty(struct store *s, struct shard *sh)
{
    struct object *dropped = NULL;
    pthread_mutex_lock(&sh->lock);
    for (uint32_t i = 0; i < sh->n_buckets; i++)
        for (struct cache_entry *e = sh->buckets[i]; e != NULL; e = sh->buckets[i]) {
            CHECK(list_empty(&e->waiters));
            while (e->objects != NULL && e->objects->next != NULL)
                index_unlink(s, sh, e->objects, REMOVAL_SILENT, &dropped);
            index_unlink(s, sh, e->objects, REMOVAL_SILENT,
                         &dropped); /* the last unlink frees the entry too */
        }
    DEBUG_CHECK(sh->n_entries == 0 && sh->expiry.count == 0);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
}

struct cache_entry *
index_next_of(struct shard *sh, struct digest d, struct cache_entry *e)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(e == NULL || digest_eq(e->digest, d));
    e = e != NULL ? e->next : sh->n_buckets > 0 ? *bucket(sh, d) : NULL;
    while (e != NULL && !digest_eq(e->digest, d))
        e = e->next;
    return e;
}
