/* Ghosts: hashes of keys that were evicted. A key that returns while its ghost is valid was evicted too
 * early. The table grows by one set at a time (linear hashing: Litwin, "Linear hashing: a new tool for file
 * and table addressing", VLDB 1980), because its lock is that of a storage's queues. */
#ifndef VERNIS_CACHE_EVICT_GHOSTS_H
#define VERNIS_CACHE_EVICT_GHOSTS_H

#include <stdbool.h>
#include <stdint.h>

#define GHOST_WAYS 4u
#define GHOSTS_STEP 4096u /* most slots that one call visits */

/* `when` is the time of the eviction, counted in evictions; 0: the slot is empty. */
struct ghost {
    uint32_t hash, when;
};

struct ghosts {
    struct ghost **parts; /* sets of GHOST_WAYS slots */
    uint32_t n_parts, n_sets, clock;
    uint32_t whole; /* power of two; sets from n_sets - whole on are still to be split before the next one */
};

void ghosts_release(struct ghosts *g);
/* Makes room for the ghosts of as many objects. Returns the bytes that the table has grown by, without those
 * of its first part. Without memory, old ghosts are only forgotten sooner. */
uint64_t ghosts_fit(struct ghosts *g, uint64_t n_objects);
void ghosts_add(struct ghosts *g, uint32_t hash);
/* True: the hash was evicted lately; its ghost is gone now. A ghost is valid until the number of evictions
 * after it exceeds the number of objects in the main queue (section 4 of the paper in evict.c). */
bool ghosts_take(struct ghosts *g, uint32_t hash, uint64_t n_main);

#endif
