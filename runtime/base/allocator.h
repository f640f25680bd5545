/* The allocator as a whole, where it is jemalloc; with another one (builds with sanitizers) there is nothing to ask or to do. */
#ifndef VERNIS_ALLOCATOR_H
#define VERNIS_ALLOCATOR_H

#include <stdint.h>

/* Memory of pages in use that no allocation has: rests of pages whose neighbours are still in use. Takes some ten microseconds. */
uint64_t allocator_fragment_bytes(void);
/* Gives back to the system the pages whose time is over. jemalloc does so by itself only in threads that allocate. */
void allocator_tidy(void);

#endif
