/* A page with ESI instructions as a source: runs of the object's body and the content of its includes, in the
 * order of its recipe. Up to esi_parallel includes are fetched at once. Bytes are lent from where they are
 * stored. One gather may return several pieces. */
#ifndef VERNIS_PROXY_ESI_ESI_SOURCE_H
#define VERNIS_PROXY_ESI_ESI_SOURCE_H

#include "proxy/source.h"

struct gzip_sum;
struct request;

#define ESI_SLOTS_MAX 16 /* pieces of a page under way at once */

/* Opens the page of r->object, which is complete and has a recipe. A page in gzip coding comes out as a gzip
 * body. With `sum`, it comes out as a part of a larger gzip body (filter/stitch.h), and the sum of all given
 * bytes is kept in *sum. ERR_NOMEM. */
int esi_source_open(struct request *r, struct gzip_sum *sum, struct body_source **out);

#endif
