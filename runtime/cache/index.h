/* The index and its store: shards of entries, by digest of the key. Lock order: shard, then storage; shard,
 * then object. No callback runs under these locks. Any thread. */
#ifndef VERNIS_CACHE_INDEX_H
#define VERNIS_CACHE_INDEX_H

#include <pthread.h>

#include "base/lock.h"
#include "cache/digest.h"
#include "cache/expiry.h"
#include "cache/key.h"
#include "cache/object_internal.h"
#include "cache/position.h"
#include "cache/removal.h"
#include "log/tally.h"

struct bans;
struct invalidations;
struct surrogates;

struct cache_entry {
    struct cache_entry *next; /* next entry of the bucket */
    struct digest digest;     /* digest of the key */
    struct object *objects;   /* newest first, with busy objects; the entry holds a reference to each */
    struct list waiters;      /* struct store_waiter, longest waiting first */
    uint32_t n_busy;          /* objects that are not published yet: without an expiry slot */
    uint32_t key_bytes;
    char key[];
};

#define STORAGES_MAX 64u
#define VARIANTS_MAX 1000u /* limit for one key; a further variant drops the oldest */
/* Limit for one key: different lists of fields in Vary. A look-up reads the fields of the request once for
 * each list. */
#define VARY_LISTS_MAX 16u

struct shard {
    _Alignas(128) pthread_mutex_t lock;
    struct cache_entry **buckets;
    uint32_t n_buckets, n_entries; /* n_buckets: power of two */
    uint64_t n_fetches;            /* begun so far */
    struct expiry expiry;
    _Atomic nsec next_death; /* read without the lock, to skip shards with nothing due */
};

struct sweep;

/* Purges of everything that may concern a stored response (invalidation.h). Changes under the lock of the
 * purge records. */
struct purged_all {
    atomic_ullong latest; /* position of the latest one, hard or soft; 0: none */
    atomic_ullong hard;   /* of the latest hard one */
    _Atomic nsec hard_at; /* its wall clock */
};

/* COUNT_STORED: without those still being fetched. */
enum store_count { COUNT_OBJECTS, COUNT_STORED, COUNT_ENTRIES, STORE_COUNTS };

struct store {
    struct shard shards[STORE_SHARDS];
    struct digest_secret key_secret, tag_secret; /* fixed */
    struct storage *storages[STORAGES_MAX];      /* [0] is Transient; set up before traffic */
    unsigned n_storages;
    bool has_transient; /* Transient has its own size */
    /* The largest storage, charged for memory that belongs to no object; fixed before traffic. */
    struct storage *largest;
    struct positions positions;
    struct purged_all purged_all;
    struct invalidations *invalidations;
    struct sweep *sweep;
    struct bans *bans;
    struct surrogates *surrogates;
    atomic_uint expires_next; /* shard where the next store_expire begins */
    struct removals *removals;
    struct file_space files; /* of all storages */
    atomic_bool retired;     /* another process serves the clients: store_retire */
    atomic_uint turn;        /* round robin */
    struct tally counts;     /* enum store_count */
};

static inline void
store_count(struct store *s, enum store_count of, int n)
{
    tally_words(&s->counts)[of] += (uint64_t)(int64_t)n;
}

static inline uint64_t
store_counted(const struct store *s, enum store_count of)
{
    return tally_gauge(tally_sum(&s->counts, of));
}

static inline struct shard *
shard_of(struct store *s, struct digest d)
{
    return &s->shards[shard_number(d)];
}

/* The caller holds the lock of the shard to which o belongs, or belonged. Only for an object that was
 * inserted, or by its own fetch: the fetch may choose another storage until then. */
#define SHARD_HELD(o) LOCK_HELD(&object_storage(o)->store->shards[(o)->shard].lock)

/* Did a purge of everything remove o? It may still be in the index. Everything that looks for stored
 * responses asks. */
static inline bool
purged_all_removed(const struct store *s, const struct object *o)
{
    return o->head->born < atomic_load_explicit(&((struct store *)s)->purged_all.hard, memory_order_acquire);
}

/* May one concern o? A cheap question before the next call. */
static inline bool
purged_all_may_concern(const struct store *s, const struct object *o)
{
    return o->head->born <
           atomic_load_explicit(&((struct store *)s)->purged_all.latest, memory_order_acquire);
}

struct digest index_key_digest(const struct store *s, const struct cache_key *key);
struct cache_entry *index_find(struct shard *sh, const struct cache_key *key, struct digest d);
/* NULL: no memory. */
struct cache_entry *index_add(struct store *s, struct shard *sh, const struct cache_key *key,
                              struct digest d);
/* The index takes its own reference. */
void index_link(struct store *s, struct cache_entry *e, struct object *o);
/* Removes o from the index, for `why`, and adds it to *dropped. The entry is freed once it has neither
 * objects nor waiters. */
void index_unlink(struct store *s, struct shard *sh, struct object *o, enum removal why,
                  struct object **dropped);
void index_release(struct object **dropped); /* drops the index's references; call without the lock */
/* Takes the shard lock. False: another thread has removed the object already. */
bool index_drop(struct store *s, struct object *o, enum removal why);
/* Takes the shard lock. */
void index_soften(struct store *s, struct object *o, struct softening to);
void index_soften_locked(struct shard *sh, struct object *o, struct softening to);
bool index_is_between(const struct object *o); /* inserted, but not yet published */
struct shard *index_lock_of(struct store *s, const struct object *o);
/* Marks an object that is not published yet so that lookups never find it. `before`: see
 * object_live.give_before. */
void index_doom(struct object *o, uint64_t before);
void index_note_death(struct shard *sh); /* call after a change of the expiry heap */
/* ---- walks over the index ---- A walk sees only objects in memory. An object that a storage keeps elsewhere
 * is judged by `born` when it is loaded, so no invariant may rely on a complete walk. */
struct index_walk { /* zeroed: at the start */
    unsigned shard;
    uint32_t bucket, n_buckets;
};

/* Returns the shard to lock for the next step; NULL: the end. */
struct shard *index_walk_shard(struct store *s, const struct index_walk *w);
/* Call with the shard locked. Runs fn on its objects until fn has returned true `max` times, and advances the
 * walk. If the shard's table has grown since the last step, the shard starts again, so a walk may see an
 * object twice. */
void index_walk_some(struct shard *sh, struct index_walk *w, unsigned max,
                     bool (*fn)(struct object *o, void *arg), void *arg);
/* Removes all objects; call without waiters and without other threads. */
void index_empty(struct store *s, struct shard *sh);
/* Iterates over the entries of one digest; e NULL: the first. Two keys may share a digest. */
struct cache_entry *index_next_of(struct shard *sh, struct digest d, struct cache_entry *e);
/* Frees entries with neither objects nor waiters. */
void index_tidy(struct store *s, struct shard *sh, struct digest d);

#endif
