/* The index of stored responses and the memory they may take. Shards (by key hash) hold entries; an entry holds the objects of
 * one key (its variants) and the requests that wait for a fetch under way. Each storage (`-s NAME=malloc,SIZE`) has one atomic
 * budget in requested bytes and its own S3-FIFO queues; eviction happens on the thread that needs the space.
 * Locks: shard, then storage; neither is held while a policy, a regex or I/O runs.
 * Counters kept here: n_lru_nuked, n_lru_limited, n_expired; all others are the callers', who see the results. */
#ifndef VERNIS_STORE_H
#define VERNIS_STORE_H

#include "cache/key.h"
#include "cache/object.h"

/* SMA.name, as readers know it. */
enum storage_counter { SMA_C_REQ, SMA_C_FAIL, SMA_C_BYTES, SMA_C_FREED, SMA_G_ALLOC, SMA_G_BYTES, SMA_G_SPACE, SMA_COUNT };

struct storage {
    struct span name;                   /* "s0", "Transient" */
    uint64_t limit_bytes;               /* 0 = none */
    atomic_ullong used_bytes;           /* allocated or reserved */
    uint64_t *counters;                 /* enum storage_counter; in shared memory */
    struct storage_queues *queues;      /* private */
    bool less_space;                    /* for tests: object_body_space gives a byte less than it could */
};

struct store;

int store_new(struct store **out);
void store_release(struct store **s);                                   /* drops everything; no loop may use it any more */
/* Transient, which is there from the start, only gets a limit. */
int store_add_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
struct storage *store_storage(struct store *s, struct span name);      /* NULL if unknown; SPAN_NULL = the next by round robin */
struct storage *store_transient(struct store *s);                      /* private and short-lived objects; always there */

/* Memory that somebody else holds on a storage's account, such as request bodies. ERR_NOMEM. */
int store_take(struct storage *st, uint64_t bytes);
void store_give(struct storage *st, uint64_t bytes);

enum lookup_result {
    LOOKUP_HIT,                         /* object, fresh (or still BUSY-but-STREAMING and fresh) */
    LOOKUP_HIT_GRACE,                   /* object, stale but servable, and a fetch for it is under way elsewhere */
    LOOKUP_HIT_GRACE_FETCH,             /* the same, and the caller must start the background fetch into `busy` */
    LOOKUP_MISS,                        /* caller must fetch into `busy`; `object` = stale one in keep for a conditional fetch, or NULL */
    LOOKUP_HIT_FOR_MISS,                /* like MISS, others do not wait for `busy`; `object` = the marker */
    LOOKUP_HIT_FOR_PASS,                /* caller passes; `object` = the marker */
    LOOKUP_WAIT,                        /* waiter was queued: it is called when to look up again */
    LOOKUP_FULL                         /* no memory for a new entry or object */
};

/* Embed in the request, zeroed, with loop and fn set. fn runs once on `loop` for each LOOKUP_WAIT; then look up again with the
 * same waiter, or call store_unwait, which hands the turn to the next in the queue. After store_unwait returns (on the waiter's
 * loop) fn will not run. */
struct store_waiter {
    struct list link;                   /* shard lock */
    struct loop *loop;
    void (*fn)(struct store_waiter *w);
    struct notice *notice;              /* private: what lies in the mailbox, outlives the waiter */
    uint64_t hash;                      /* private: of the key waited for */
    atomic_uint pending;                /* private: idle, queued, woken */
};

struct lookup {
    const struct cache_key *key;
    const struct http_message *request; /* for Vary */
    nsec now;                           /* wall clock */
    nsec grace_limit, ttl_limit;        /* req.grace, req.ttl; negative = none */
    bool always_miss, ignore_busy, ignore_vary;
    struct store_waiter *waiter;        /* with loop and fn set; NULL = never wait (as ignore_busy) */
    struct log_txn *log;                /* hears of what is dropped; may be NULL */
    /* Results: references the caller owns. busy->storage is a default; the fetch may choose another before object_set_head. */
    struct object *object, *busy;
    unsigned other_variants;            /* of this key that are for other requests, as far as was looked */
};

enum lookup_result store_lookup(struct store *s, struct lookup *l);
void store_unwait(struct store *s, struct store_waiter *w);
/* The fetch decided: `busy` got its head (object_set_head done) and lifetimes. Called before object_publish, from which on it is
 * found and all waiters are woken. `replaces` (or NULL) and older objects of the same variant leave the index once the new one
 * is complete, so that a fetch that fails half-way loses nothing. */
void store_insert(struct store *s, struct object *busy, struct object *replaces);
/* The fetch failed, or the response is not to be shared: `busy` leaves the entry, one waiter (or all, for hit-for-miss) is woken.
 * Harmless when it is not in the index. An unpublished object becomes private. */
void store_withdraw(struct store *s, struct object *busy);
/* Do look-ups wait for it? */
bool store_is_awaited(struct store *s, const struct object *busy);
/* vcl_purge: all objects of a key leave the index. Returns how many. */
unsigned store_purge(struct store *s, const struct cache_key *key);
/* Shortens what is left of the lifetime to ttl (never prolongs it); grace and keep are set unless negative. */
void store_soft_purge(struct store *s, struct object *o, nsec now, nsec ttl, nsec grace, nsec keep);
unsigned store_soft_purge_key(struct store *s, const struct cache_key *key, nsec now, nsec ttl, nsec grace, nsec keep);
/* Stored responses with one of these surrogate keys (blanks and commas between) leave the index; soft: those that are fresh become
 * stale and keep their grace and keep. Returns how many. On a fiber others of the loop run meanwhile. */
unsigned store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now);
void store_touch(struct object *o);                 /* once per hit, by the request: obj.hits and S3-FIFO frequency; no lock */

/* Called now and then by one loop: drops what is past ttl+grace+keep, at most `budget` objects a call. Returns how many. */
unsigned store_expire(struct store *s, nsec now, unsigned budget);

/* Evicts about `bytes` from all storages, the least worth keeping first. Returns how many were freed. */
uint64_t store_shrink(struct store *s, uint64_t bytes);

struct store_stats { uint64_t objects, entries, bytes; };
void store_stats(struct store *s, struct store_stats *out);

#endif
