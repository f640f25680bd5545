/* A storage (`-s NAME=malloc,SIZE`): its budget, and the space for bodies that the kernel shall send by
 * itself. Heads and bodies are charged by the bytes requested; the allocator's extra bytes (mem_cost) are
 * held as rounding. The cache owns the objects, and evicts when the budget asks for it.
 *
 * Threads take the budget in pieces, and count what they use of it in blocks of their own (log/tally.h). So a
 * thread may hold some bytes ahead that no other can use: at most a 128th of the storage, in all. */
#ifndef VERNIS_STORAGE_STORAGE_H
#define VERNIS_STORAGE_STORAGE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "base/span.h"
#include "log/tally.h"
#include "storage/place.h"

struct storage_queues;
struct store;

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

/* The counters SMA.name, as in Varnish. The last two are computed. */
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

struct evicted {
    unsigned objects;
    uint64_t bytes;
};

struct storage {
    struct span name;         /* "s0", "Transient" */
    uint64_t limit_bytes;     /* 0 = none; see storage_limit */
    uint64_t piece_bytes;     /* that a thread takes at once beyond what it needs */
    uint64_t *counters;       /* enum storage_counter; in shared memory */
    uint64_t *uses;           /* enum storage_use, with G_BYTES as sum; in shared memory */
    struct tally tally;       /* struct share of storage.c */
    struct storage *backing;  /* the storage that lends the memory; NULL: this one has its own budget */
    struct storage *borrower; /* Transient, if this storage lends to it */
    /* Of the cache: its store, the storage there that pays for memory of no object, and the objects that may
     * be evicted. */
    struct store *store;
    struct storage *const *largest;
    struct storage_queues *queues;
    /* Evicts about so many bytes of them: at least one, if there is any. */
    struct evicted (*evict)(struct storage *st, uint64_t bytes);
    struct file_space *files;     /* lent; NULL: all bodies are on the heap */
    uint8_t number;               /* see storage_numbered */
    bool less_space;              /* for tests: object_body_space returns one byte less */
    atomic_bool overhead_counts;  /* all of it, when it was last summed: see room */
    char apart[CACHE_LINE_BYTES]; /* misses write what follows */
    /* Allocated, reserved, or held ahead by threads. Only held bytes can raise it above the limit, and the
     * bytes that others hold ahead of a response that finds no other room. */
    atomic_ullong taken_bytes;
    atomic_bool found_none; /* the last search for an object to evict found none */
    /* Guards filter_bytes, and the bytes held on the backing for them. */
    pthread_mutex_t filters_lock;
    atomic_ullong filter_bytes;
};

/* The storage that lends to st is over its limit, because clients read all that it could evict:
 * st gets no more for bodies. */
bool storage_refuses(const struct storage *st);
/* Refuses, or uses half of its limit or of its lender's: a response in transit should take little. */
bool storage_is_tight(const struct storage *st);

/* ---- budget: for the cache only ---- */
/* Counts bytes of bodies that grow to an unknown length; negative: they ended, or were freed. */
void storage_grow(struct storage *st, int64_t bytes);
uint64_t storage_growing(const struct storage *st); /* the bytes of all, of the storage that lends to st */
/* Such a body of `own` bytes may not grow on in st: alone, or together with others of some length, it has
 * growing_max of the storage. */
bool storage_growth_ends(const struct storage *st, uint64_t own);
/* The caller sets the fields of the cache. ERR_LIMIT: there are STORAGES_NUMBERED. */
int storage_new(struct span name, uint64_t limit_bytes, struct storage **out);
void storage_limit(struct storage *st, uint64_t bytes); /* before traffic */
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
/* Sums over all threads, perhaps a moment old. */
uint64_t storage_used(const struct storage *st);
uint64_t storage_used_for(const struct storage *st, enum storage_use use);
uint64_t storage_counted(const struct storage *st, enum storage_counter which); /* not a computed one */
/* A body keeps the number of its storage in one byte. */
#define STORAGES_NUMBERED 255u
struct storage *storage_numbered(unsigned number);

/* ---- the space in memory files (memfd.h) ---- made when the first body needs it, because most servers of
 * small content never do. */
struct file_space {
    pthread_mutex_t lock; /* guards the next two */
    struct space *space;  /* NULL: not made yet, or failed */
    bool failed;
};
void file_space_init(struct file_space *f);
void file_space_release(struct file_space *f); /* call after all places are freed and unpinned */
/* NULL: st has none, or this process may not make one. */
struct space *storage_space(const struct storage *st);
struct space *file_space_so_far(struct file_space *f); /* NULL: no body has needed it yet */

#endif
