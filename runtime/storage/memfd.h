/* A space in memory that the kernel can send by itself: places are page-aligned ranges of memfd files, mapped
 * as well.
 *
 * The kernel may hold pages of a place long after it was sent and freed, and nobody can ask when it lets go.
 * So a place that was ever given to the kernel (pinned_file) is punched out of its file when it is freed: the
 * kernel drops the pages when it has sent them, and bytes placed there later get new pages. A place whose
 * bytes were only read through the mapping keeps its pages for the next place of its size. Allocating pages
 * costs more than receiving bytes into them, and most responses are replaced before they are requested again.
 */
#ifndef VERNIS_STORAGE_MEMFD_H
#define VERNIS_STORAGE_MEMFD_H

#include "storage/place.h"

#define MEMFD_PLACE_MAX (1u << 20) /* bytes of the longest place */

/* ERR_SYS with errno: the kernel or a limit of this process does not allow it. */
int memfd_space_new(struct space **out);
void memfd_space_release(struct space **s);       /* call after all places are freed and unpinned */
uint64_t memfd_space_used(const struct space *s); /* bytes placed, or freed while still pinned */
uint64_t memfd_space_kept(const struct space *s); /* bytes of the pages that wait for the next places */
/* Gives back some of the pages that no place needed since the last call. */
void memfd_space_tidy(struct space *s);
uint64_t memfd_cost(uint32_t bytes); /* bytes that a place takes in memory */

#endif
