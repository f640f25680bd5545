/* The index proper: shards of chained buckets, entries, and the links between entries and objects. All of it under the shard's
 * lock. What leaves the index is collected and released after the lock, since the last release of a large object takes time. */
#include <stdlib.h>

#include "cache/internal.h"

#define BUCKETS_FIRST 16u

/* ---- entries ---- */

static struct cache_entry **
bucket(struct shard *sh, uint64_t hash)
{
    return &sh->buckets[hash & (sh->n_buckets - 1)];
}

struct cache_entry *
index_find(struct shard *sh, const struct cache_key *key, uint64_t hash)
{
    if (sh->n_buckets == 0)
        return NULL;
    for (struct cache_entry *e = *bucket(sh, hash); e != NULL; e = e->next)
        if (e->hash == hash && e->key_bytes == key->len && memcmp(e->key, key->bytes, key->len) == 0)
            return e;
    return NULL;
}

static bool
index_grow(struct shard *sh)
{
    uint32_t n = sh->n_buckets == 0 ? BUCKETS_FIRST : sh->n_buckets * 2;
    struct cache_entry **wider = calloc(n, sizeof *wider);
    if (wider == NULL)
        return sh->n_buckets > 0;       /* longer chains will do */
    for (uint32_t i = 0; i < sh->n_buckets; i++) {
        for (struct cache_entry *e = sh->buckets[i], *next; e != NULL; e = next) {
            next = e->next;
            e->next = wider[e->hash & (n - 1)];
            wider[e->hash & (n - 1)] = e;
        }
    }
    free(sh->buckets);
    sh->buckets = wider;
    sh->n_buckets = n;
    return true;
}

struct cache_entry *
index_add(struct store *s, struct shard *sh, const struct cache_key *key, uint64_t hash)
{
    if (sh->n_entries >= sh->n_buckets && !index_grow(sh))
        return NULL;
    struct cache_entry *e = malloc(sizeof *e + key->len);
    if (e == NULL)
        return NULL;
    *e = (struct cache_entry){ .hash = hash, .key_bytes = key->len, .next = *bucket(sh, hash) };
    list_init(&e->waiters);
    if (key->len > 0)
        memcpy(e->key, key->bytes, key->len);
    *bucket(sh, hash) = e;
    sh->n_entries++;
    atomic_fetch_add_explicit(&s->n_entries, 1, memory_order_relaxed);
    return e;
}

void
index_tidy(struct store *s, struct shard *sh, uint64_t hash)
{
    if (sh->n_buckets == 0)
        return;
    struct cache_entry **link = bucket(sh, hash);
    while (*link != NULL) {
        struct cache_entry *e = *link;
        if (e->hash != hash || e->objects != NULL || !list_empty(&e->waiters)) {
            link = &e->next;
            continue;
        }
        *link = e->next;
        free(e);
        sh->n_entries--;
        atomic_fetch_sub_explicit(&s->n_entries, 1, memory_order_relaxed);
    }
}

/* ---- objects of an entry ---- */

void
index_link(struct store *s, struct cache_entry *e, struct object *o)
{
    CHECK(o->entry == NULL);
    object_ref(o);
    o->entry = e;
    o->shard = (uint16_t)(e->hash >> STORE_SHARD_SHIFT);
    o->next = e->objects;
    e->objects = o;
    o->flags |= OBJECT_INDEXED;
    atomic_fetch_add_explicit(&s->n_objects, 1, memory_order_relaxed);
}

void
index_unlink(struct store *s, struct shard *sh, struct object *o, struct object **dropped)
{
    struct cache_entry *e = o->entry;
    if (e == NULL)
        return;
    struct object **link = &e->objects;
    while (*link != o) {
        CHECK(*link != NULL);
        link = &(*link)->next;
    }
    *link = o->next;
    surrogates_detach(s->surrogates, o);
    o->entry = NULL;
    o->flags &= (unsigned char)~(OBJECT_INDEXED | OBJECT_FINDABLE);
    o->flags |= OBJECT_PURGED;
    expiry_remove(&sh->expiry, o);
    queues_remove(o);
    o->next = *dropped;
    *dropped = o;
    atomic_fetch_sub_explicit(&s->n_objects, 1, memory_order_relaxed);
    if (e->objects == NULL)
        index_tidy(s, sh, e->hash);
}

void
index_release(struct object **dropped)
{
    while (*dropped != NULL) {
        struct object *o = *dropped;
        *dropped = o->next;
        o->next = NULL;
        object_release(&o);
    }
}

uint64_t
index_drop(struct store *s, struct object *o)
{
    struct object *dropped = NULL;
    struct shard *sh = &s->shards[o->shard];
    uint64_t hash = 0;
    pthread_mutex_lock(&sh->lock);
    if (o->entry != NULL)
        hash = o->entry->hash;
    index_unlink(s, sh, o, &dropped);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return hash;
}
