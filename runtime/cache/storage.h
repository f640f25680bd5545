/* A storage (`-s NAME=malloc,SIZE`): one atomic budget (storage.c), and the queues that tell which objects go when it is full
 * (evict.c). Heads and bodies are admitted by the bytes asked for; what the allocator takes beyond (mem_cost) is held as rounding.
 * Lock order: shard, then storage. */
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
    USE_BODIES, USE_HEADS, USE_INDEX, USE_KEYS, USE_BANS, USE_THROTTLE, USE_ADDRESSES, USE_REQUESTS, USE_FILTERS, USE_TRANSIENT, USE_ROUNDING,
    USE_FRAGMENTS,
    USE_COUNT
};

/* SMA.name, as readers know it. */
enum storage_counter { SMA_C_REQ, SMA_C_FAIL, SMA_C_BYTES, SMA_C_FREED, SMA_G_ALLOC, SMA_G_BYTES, SMA_G_SPACE, SMA_COUNT };

struct storage {
    struct span name;                   /* "s0", "Transient" */
    uint64_t limit_bytes;               /* 0 = none */
    atomic_ullong used_bytes;           /* allocated or reserved; above the limit only by what was held */
    uint64_t *counters;                 /* enum storage_counter; in shared memory */
    uint64_t *uses;                     /* enum storage_use, adding up to used_bytes; in shared memory */
    struct storage *backing;            /* what this one takes, it takes from there; NULL: it has a budget of its own */
    pthread_mutex_t filters_lock;       /* uses[USE_FILTERS] of a storage with backing, with what the backing holds for it */
    struct storage_queues *queues;      /* private */
    bool less_space;                    /* for tests: object_body_space gives a byte less than it could */
};

/* ---- budget: inside of the cache ---- */
int storage_new(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out);
void storage_release(struct storage **st);
/* Space for one allocation, evicting if need be, and back. No shard or storage lock may be held. ERR_NOMEM. */
int storage_charge(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_refund(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_trimmed(struct storage *st, enum storage_use use, uint64_t bytes);     /* an allocation became that much smaller */
/* The same in two steps, for what is allocated later. */
int storage_reserve(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_unreserve(struct storage *st, enum storage_use use, uint64_t bytes);
void storage_allocated(struct storage *st, uint64_t bytes);     /* out of what was reserved */
/* Charges what is there already, or (negative) gives it back. Evicts nothing, so locks may be held; a storage above its limit
 * evicts at its next charge, or at storage_settle. */
void storage_hold(struct storage *st, enum storage_use use, int64_t bytes);
/* Evicts until the storage is within its limit, or nothing can go, at most so many objects. No lock may be held. */
void storage_settle(struct storage *st, unsigned max);
/* Can so much be stored, for which the allocator takes so much, if all else goes? */
bool storage_could_hold(const struct storage *st, uint64_t bytes, uint64_t cost);
uint64_t storage_used_for(const struct storage *st, enum storage_use use);
struct store *storage_store(const struct storage *st);
/* Memory of no object in particular (tables, bans, surrogate keys) is held on the account of the largest storage. */
void store_hold(struct store *s, enum storage_use use, int64_t bytes);

/* ---- queues (evict.c): inside of the cache ---- */
int queues_new(struct store *s, struct storage_queues **out);
void queues_release(struct storage_queues **q);
struct store *queues_store(const struct storage_queues *q);
void queues_add(struct object *o, struct digest key);               /* complete object; shard lock held */
void queues_remove(struct object *o);                           /* harmless when not in one; shard lock held */
uint64_t queues_evict_one(struct storage *st);                  /* bytes of the object that went; 0: nothing can go */

#endif
