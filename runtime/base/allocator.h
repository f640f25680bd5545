/* State of the whole allocator. With an allocator other than jemalloc (sanitizer builds) these functions do
 * nothing. */
#ifndef VERNIS_BASE_ALLOCATOR_H
#define VERNIS_BASE_ALLOCATOR_H

#include <stdint.h>

/* Bytes of fragmentation: parts of used pages that belong to no allocation. Takes about ten microseconds. */
uint64_t allocator_fragment_bytes(void);
/* From now on threads of jemalloc return unused pages to the system. Without them a loop does, and after long
 * bodies were freed it may take tens of milliseconds at once. Call in the process that is to have the
 * threads: they do not survive a fork, and landlock confines only the thread that calls it and those it makes
 * later. */
void allocator_start_threads(void);

#endif
