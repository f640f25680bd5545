/* A space in memory: each place is a block of its own on the heap. Pins are always ready, or fail because the place was freed. */
#ifndef VERNIS_SEGMENT_MEMORY_H
#define VERNIS_SEGMENT_MEMORY_H

#include "segment/place.h"

int memory_space_new(uint64_t limit_bytes, struct space **out);         /* 0: no limit. ERR_NOMEM */
void memory_space_release(struct space **s);                            /* nothing is placed or pinned any more */
uint64_t memory_space_used(struct space *s);                            /* reserved or placed, or freed and still pinned */

#endif
