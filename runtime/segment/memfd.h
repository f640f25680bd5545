/* A space in memory that the kernel can send by itself: places are page-aligned ranges of memfd files, mapped
 * as well. A freed place is punched out of its file. The kernel drops the pages when it has sent them, and
 * bytes placed there later get new pages. So pages in flight never change. */
#ifndef VERNIS_SEGMENT_MEMFD_H
#define VERNIS_SEGMENT_MEMFD_H

#include "segment/place.h"

#define MEMFD_PLACE_MAX (1u << 20) /* bytes of the longest place */
#define MEMFD_PAGE 4096u

/* ERR_SYS with errno: the kernel or a limit of this process does not allow it. */
int memfd_space_new(struct space **out);
void memfd_space_release(struct space **s);       /* call after all places are freed and unpinned */
uint64_t memfd_space_used(const struct space *s); /* bytes placed, or freed while still pinned */
/* Bytes that a place takes in memory. */
static inline uint64_t
memfd_cost(uint64_t bytes)
{
    return (bytes + MEMFD_PAGE - 1) & ~(uint64_t)(MEMFD_PAGE - 1);
}

#endif
