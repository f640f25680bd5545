/* Positions of invalidations (invalidation.h), and the verdict on a response before its insertion. */
#ifndef VERNIS_CACHE_POSITION_H
#define VERNIS_CACHE_POSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct ban;

/* The upper bits of a position are the epoch: each start of a worker has its own, greater than all before in
 * its work directory. So positions only grow, also over restarts. */
#define POSITION_EPOCH_BITS 24u
#define POSITION_SEQUENCE_BITS 40u
#define EPOCH_MAX ((1u << POSITION_EPOCH_BITS) - 1)

static inline uint64_t
position_of(uint32_t epoch, uint64_t sequence)
{
    return (uint64_t)epoch << POSITION_SEQUENCE_BITS | sequence;
}

static inline uint32_t
position_epoch(uint64_t position)
{
    return (uint32_t)(position >> POSITION_SEQUENCE_BITS);
}

static inline uint64_t
position_sequence(uint64_t position)
{
    return position & ((UINT64_C(1) << POSITION_SEQUENCE_BITS) - 1);
}

/* The position of the latest invalidation. Changes under the lock of the purge records. A sequence begins
 * with 1, so that 0 can mean "none". */
struct positions {
    atomic_ullong latest;
};

static inline uint64_t
position_now(const struct positions *p)
{
    return atomic_load_explicit(&((struct positions *)p)->latest, memory_order_acquire);
}

static inline uint64_t
position_next(struct positions *p)
{
    return atomic_fetch_add_explicit(&p->latest, 1, memory_order_acq_rel) + 1;
}

/* What a soft purge does with a response. */
struct softening {
    nsec stale_at;    /* it is fresh at most until then */
    nsec grace, keep; /* unless negative */
    bool at_once;     /* stale_at is the purge's own time: stale for each lookup from then on (object_time) */
};

struct verdict {
    uint64_t tested;    /* bans up to this number were tested; 0: none yet */
    struct ban *newest; /* the ban of that number; it stays in the list while o holds an older one */
    bool untested;      /* lookups must test a ban on requests */
    bool dead, stale;
    struct softening to; /* valid if stale is set */
    uint64_t before;     /* position of the oldest invalidation that may concern the response; 0: none */
};

static inline void
verdict_before(struct verdict *v, uint64_t position)
{
    if (v->before == 0 || position < v->before)
        v->before = position;
}

static inline void
verdict_dead(struct verdict *v, uint64_t position)
{
    v->dead = true;
    verdict_before(v, position);
}

#endif
