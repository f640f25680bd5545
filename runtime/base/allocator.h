/* State of the whole allocator. With an allocator other than jemalloc (sanitizer builds) these functions do
 * nothing. */
#ifndef VERNIS_ALLOCATOR_H
#define VERNIS_ALLOCATOR_H

#include <stdint.h>

/* Bytes of fragmentation: parts of used pages that belong to no allocation. Takes about ten microseconds. */
uint64_t allocator_fragment_bytes(void);
/* Returns expired unused pages to the system. jemalloc does so by itself only in threads that allocate. */
void allocator_tidy(void);

#endif
