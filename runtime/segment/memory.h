/* A space in memory: each place is a separate block on the heap. A pin succeeds at once, or fails because the
 * place was freed. */
#ifndef VERNIS_SEGMENT_MEMORY_H
#define VERNIS_SEGMENT_MEMORY_H

#include "segment/place.h"

int memory_space_new(uint64_t limit_bytes, struct space **out); /* 0: no limit. ERR_NOMEM */
void memory_space_release(struct space **s); /* call after all places are freed and unpinned */
uint64_t memory_space_used(struct space *s); /* bytes reserved, placed, or freed while still pinned */

#endif
