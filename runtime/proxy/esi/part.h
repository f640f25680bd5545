/* The response to an ESI include as a part of a page in gzip coding (filter/stitch.h). The page's own coding decides, not what its
 * client takes: for a client that takes none, all of the page is unpacked at its end. */
#ifndef VERNIS_PART_H
#define VERNIS_PART_H

#include "base/span.h"

struct gzip_sum;
struct request;

/* Is r the sub-request of an include in a page in gzip coding? */
bool part_of_packed(const struct request *r);
/* r's page goes as it is into another page in gzip coding: the place for its sum, and it has no head and no tail. NULL: it does not. */
struct gzip_sum *part_sum_of_page(struct request *r, struct span filters);
/* A response in gzip coding can become a part once all of its body is there. Waits for that on the fiber, unless the body is fetched for r
 * alone and is too long. */
void part_wait(struct request *r);
/* Puts around the source of r's delivery what makes it a part. Nothing happens if r is not made for a packed page. ERR_NOMEM. */
int part_make(struct request *r, struct span filters);

#endif
