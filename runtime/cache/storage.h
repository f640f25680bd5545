/* A storage (`-s NAME=malloc,SIZE`): one atomic budget (storage.c), and the queues that choose objects to
 * evict (evict.c). Heads and bodies are charged by the bytes requested; the allocator's extra bytes
 * (mem_cost) are held as rounding. Lock order: shard, then storage. */
#ifndef VERNIS_CACHE_STORAGE_H
#define VERNIS_CACHE_STORAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/span.h"
#include "cache/digest.h"

struct object;
struct store;
struct storage_queues;

/* Kinds of memory that a storage is charged for: the rows of MEMORY.name. */
enum storage_use {
    USE_BODIES,
    USE_HEADS,
    USE_INDEX,
    USE_KEYS,
    USE_BANS,
    USE_PURGES,
    USE_THROTTLE,
    USE_ADDRESSES,
    USE_REQUESTS,
    USE_FILTERS,
    USE_TRANSIENT,
    USE_ROUNDING,
    USE_FRAGMENTS,
    USE_COUNT
};

/* The counters SMA.name, as in Varnish. */
enum storage_counter {
    SMA_C_REQ,
    SMA_C_FAIL,
    SMA_C_BYTES,
    SMA_C_FREED,
    SMA_G_ALLOC,
    SMA_G_BYTES,
    SMA_G_SPACE,
    SMA_COUNT
};

struct storage {
    struct span name;         /* "s0", "Transient" */
    uint64_t limit_bytes;     /* 0 = none */
    atomic_ullong used_bytes; /* allocated or reserved; only held bytes can raise it above the limit */
    uint64_t *counters;       /* enum storage_counter; in shared memory */
    uint64_t *uses;           /* enum storage_use, with used_bytes as sum; in shared memory */
    struct storage *backing;  /* the storage that lends the memory; NULL: this one has its own budget */
    struct storage *borrower; /* Transient, if this storage lends to it */
    /* Guards uses[USE_FILTERS] of a storage with backing, and the bytes held on the backing for them. */
    pthread_mutex_t filters_lock;
    struct storage_queues *queues; /* private */
    atomic_ullong growing_bytes;   /* of bodies of unknown length; of the storage that lends the memory */
    atomic_bool found_none;        /* the last search for an object to evict found none */
    bool less_space;               /* for tests: object_body_space returns one byte less */
};

/* The storage that lends to st is over its limit, because clients read all that it could evict:
 * st gets no more for bodies. */
bool storage_refuses(const struct storage *st);
/* Refuses, or uses half of its limit or of its lender's: a response in transit should take little. */
bool storage_is_tight(const struct storage *st);

/* ---- budget: for the cache only ---- */
/* Counts bytes of bodies that grow to an unknown length; negative: they ended, or were freed. */
void storage_grow(struct storage *st, int64_t bytes);
/* Such a body of `own` bytes may not grow on in st: alone, or together with others of some length, it has
 * growing_max of the storage. */
bool storage_growth_ends(const struct storage *st, uint64_t own);
int storage_new(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
void storage_release(struct storage **st);
/* Charges one allocation, evicting if necessary, and refunds it. Call without shard and storage locks.
 * ERR_NOMEM. */
int storage_charge(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_refund(struct storage *st, enum storage_use use, uint64_t bytes);
/* An allocation shrank by so many bytes. */
void storage_trimmed(struct storage *st, enum storage_use use, uint64_t bytes);
/* The same in two steps, for later allocations. On a fiber, others may run before room for a body is found.
 */
int storage_reserve(struct storage *st, enum storage_use use, uint64_t bytes);
/* The same for a piece of a response that is being delivered. If another storage lends to st, it never fails:
 * small responses must get through however much memory slow clients hold. */
int storage_reserve_piece(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_unreserve(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_allocated(struct storage *st, uint64_t bytes); /* turns reserved bytes into an allocation */
/* Charges memory that exists already, or (negative) gives it back. Evicts nothing, so locks may be held. A
 * storage above its limit evicts at its next charge or in storage_settle. */
void storage_hold(struct storage *st, enum storage_use use, int64_t bytes);
/* Evicts at most `max` objects, until the storage is within its limit or nothing can be evicted, for about
 * a millisecond. True: more are left. Call without locks. */
bool storage_settle(struct storage *st, unsigned max);
/* Can `bytes`, which cost `cost` bytes of the allocator, be stored in the empty storage? */
bool storage_could_hold(const struct storage *st, uint64_t bytes, uint64_t cost);
uint64_t storage_used_for(const struct storage *st, enum storage_use use);
struct store *storage_store(const struct storage *st);
/* Holds memory that belongs to no object (tables, bans, surrogate keys) on the account of the largest
 * storage. */
void store_hold(struct store *s, enum storage_use use, int64_t bytes);

/* ---- queues (evict.c): for the cache only ---- */
int queues_new(struct store *s, struct storage_queues **out);
void queues_release(struct storage_queues **q);
struct store *queues_store(const struct storage_queues *q);
void queues_add(struct object *o, struct digest key); /* for a complete object; shard lock held */
void queues_remove(struct object *o);                 /* harmless if o is in no queue; shard lock held */
/* Returns the evicted object's bytes; 0: nothing can be evicted. */
uint64_t queues_evict_one(struct storage *st);

#endif
