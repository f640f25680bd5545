/* The smaller and the larger of two sizes. */
#ifndef VERNIS_BASE_SIZE_H
#define VERNIS_BASE_SIZE_H

#include <stddef.h>

static inline size_t
min_size(size_t a, size_t b)
{
    return a < b ? a : b;
}

static inline size_t
max_size(size_t a, size_t b)
{
    return a > b ? a : b;
}

#endif
