/* Positions of invalidations (invalidation.h), and the verdict on a response before its insertion. */
#ifndef VERNIS_CACHE_POSITION_H
#define VERNIS_CACHE_POSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct ban;

/* The position of the latest invalidation. A purge takes its position under the lock of the purge records, a
 * ban under the lock of the ban list. Positions begin with 1, so that 0 can mean "none". */
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

struct verdict {
    uint64_t tested;    /* bans up to this number were tested; 0: none yet */
    struct ban *newest; /* the ban of that number; it stays in the list while o holds an older one */
    bool untested;      /* lookups must test a ban on requests */
    bool dead, stale;
    nsec stale_at, grace, keep; /* valid if stale is set; grace and keep unless negative */
    uint64_t before; /* position of the oldest invalidation that may concern the response; 0: none */
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
