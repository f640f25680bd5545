/* Positions of invalidations (invalidation.h), and what they say about a response that is about to be inserted. */
#ifndef VERNIS_CACHE_POSITION_H
#define VERNIS_CACHE_POSITION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"

struct ban;

/* Of the latest one. Purges take theirs under the lock of their records, bans under the lock of their list. Begins with 1, so that 0
 * can mean "none". */
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
    uint64_t tested;                    /* bans were looked at up to this number; 0: none yet */
    struct ban *newest;                 /* the ban of that number; it stays while o holds an older one */
    bool untested;                      /* a ban on requests is left to look-ups */
    bool dead, stale;
    nsec stale_at, grace, keep;         /* stale; grace and keep unless negative */
    uint64_t before;                    /* position of the oldest invalidation that may concern it; 0: none */
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
