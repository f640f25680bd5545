/* The index of stored responses and the memory they may take. Shards (by key hash) hold entries; an entry holds the objects of
 * one key (its variants) and the requests that wait for a fetch under way. Each storage (`-s NAME=malloc,SIZE`) has one atomic
 * budget and its own S3-FIFO queues; eviction happens on the thread that needs the space.
 * Locks: shard, then storage; neither is held while a policy, a regex or I/O runs.
 * Counters kept here: n_lru_nuked, n_lru_limited, n_expired; all others are the callers', who see the results. */
#ifndef VERNIS_STORE_H
#define VERNIS_STORE_H

#include "cache/digest.h"
#include "cache/key.h"
#include "cache/object.h"
#include "cache/storage.h"

struct rfc9111_demand;
struct store;

struct store_options {
    const uint8_t *seed;                /* DIGEST_SEED_BYTES of digests; NULL: drawn at random, so this process's only */
};

int store_new(const struct store_options *options, struct store **out);     /* options NULL: none given */
void store_release(struct store **s);                                   /* drops everything; no loop may use it any more */
/* Transient, which is there from the start, only gets a limit. Without one it takes its memory from the largest storage, as much as
 * that has (and 32 MB where that has less). */
int store_add_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
struct storage *store_storage(struct store *s, struct span name);      /* NULL if unknown; SPAN_NULL = the next by round robin */
struct storage *store_transient(struct store *s);                      /* private and short-lived objects; always there */

/* One piece of memory that somebody else holds on a storage's account, such as a request body. ERR_NOMEM. */
int store_take(struct storage *st, enum storage_use use, uint64_t bytes);
void store_give(struct storage *st, enum storage_use use, uint64_t bytes);
/* The same for working memory, which SMA.name counts among its bytes but not among its allocations. */
int store_reserve(struct storage *st, enum storage_use use, uint64_t bytes);
void store_unreserve(struct storage *st, enum storage_use use, uint64_t bytes);
uint64_t store_house_bytes(const struct store *s);      /* the limit of the largest storage; 0: it has none */
void store_settle(struct store *s);     /* now and then: evicts for what was held above the limits */

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
    struct digest digest;               /* private: of the key waited for */
    atomic_uint pending;                /* private: idle, queued, woken */
    uint64_t asked;                     /* private: the position (invalidation.h) when it was queued first; 0: not yet */
    struct object *given;               /* private: its answer, a reference; else woken means to look up again; shard lock */
};

struct lookup {
    const struct cache_key *key;
    const struct http_message *request; /* for Vary */
    nsec now;                           /* wall clock */
    nsec grace_limit, ttl_limit;        /* req.grace, req.ttl; negative = none */
    bool always_miss, ignore_busy, ignore_vary;
    bool no_wait;                       /* nobody shall wait for `busy`: it may well not answer others */
    const struct rfc9111_demand *demand;        /* what else the client asks of a stored response; NULL = nothing */
    struct store_waiter *waiter;        /* with loop and fn set; NULL = never wait (as ignore_busy) */
    struct log_txn *log;                /* hears of what is dropped; may be NULL */
    /* Results: references the caller owns. busy->storage is a default; the fetch may choose another before object_set_head. */
    struct object *object, *busy;
    unsigned other_variants;            /* of this key that are for other requests, as far as was looked */
};

enum lookup_result store_lookup(struct store *s, struct lookup *l);
void store_unwait(struct store *s, struct store_waiter *w);
/* The fetch decided: `busy` got its head (object_set_head done) and lifetimes. Called before object_publish, from which on it is
 * found and all waiters are woken. An invalidation made since store_born may leave it to those who asked before (invalidation.h);
 * bans are tested here, so this may take long. `replaces` (or NULL) and older objects of the same variant leave the index once the new one
 * is complete, so that a fetch that fails half-way loses nothing. */
void store_insert(struct store *s, struct object *busy, struct object *replaces);
/* The same for a response that was withdrawn: `stale` leaves the index once `busy` is complete. Before object_publish. */
void store_supersede(struct object *busy, struct object *stale);
void store_drop(struct store *s, struct object *stale);     /* it leaves the index now */
/* The fetch failed, or the response is not to be shared: `busy` leaves the entry, one waiter (or all, for hit-for-miss) is woken.
 * Harmless when it is not in the index. An unpublished object becomes private. */
void store_withdraw(struct store *s, struct object *busy);
/* Do look-ups wait for it? */
bool store_is_awaited(struct store *s, const struct object *busy);
void store_touch(struct object *o);                 /* once per hit, by the request: obj.hits and S3-FIFO frequency; no lock */

/* Its grace, if that would end earlier, lasts until then: for a response that is used while its origin is away. */
void store_stretch_grace(struct store *s, struct object *o, nsec until);

void store_make_stale(struct store *s, struct object *o, nsec now);     /* it has been fresh for long enough */

/* Called now and then by one loop: drops what is past ttl+grace+keep, at most `budget` objects a call. Returns how many. */
unsigned store_expire(struct store *s, nsec now, unsigned budget);

/* Evicts about `bytes` from all storages, the least worth keeping first. Returns how many were freed. */
uint64_t store_shrink(struct store *s, uint64_t bytes);

struct store_stats { uint64_t objects, stored, entries, bytes; };     /* stored: objects without those being fetched */
void store_stats(struct store *s, struct store_stats *out);

#endif
