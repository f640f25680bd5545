/* The sweep: removes the stored responses that a purge of everything concerns, or makes them stale, a few at
 * a time (store_sweep, in invalidation.h). Lookups do not wait for it. Runs on one loop. */
#ifndef VERNIS_CACHE_PURGE_SWEEP_H
#define VERNIS_CACHE_PURGE_SWEEP_H

struct sweep;

struct sweep *sweep_new(void);
void sweep_release(struct sweep **w);

#endif
