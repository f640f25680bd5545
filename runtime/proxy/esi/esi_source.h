/* A page with ESI instructions as a source: runs of the object's body, and what its includes bring, in the order of its recipe.
 * Up to esi_parallel includes are fetched at once. Bytes are lent from where they lie; the page's client gets as many pieces at once as
 * are there. */
#ifndef VERNIS_ESI_SOURCE_H
#define VERNIS_ESI_SOURCE_H

#include "proxy/source.h"

struct gzip_sum;
struct request;

#define ESI_SLOTS_MAX 16                /* pieces of a page that are under way at once */

/* Of r->object, which is complete and has a recipe. A page in gzip coding comes out as such a body; or, with `sum`, as a part of one
 * (filter/stitch.h): that of all that was given is kept there. ERR_NOMEM. */
int esi_source_open(struct request *r, struct gzip_sum *sum, struct body_source **out);

#endif
