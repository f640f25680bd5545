/* The response to an ESI include as a part of a page in gzip coding (filter/stitch.h). The page's own coding decides, not what its
 * client takes: for a client that takes none, all of the page is unpacked at its end. */
#ifndef VERNIS_PART_H
#define VERNIS_PART_H

#include "base/span.h"

struct gzip_sum;
struct request;

/* Whether r is made for an include of a page in gzip coding. */
bool part_of_packed(const struct request *r);
/* Where r's page is to leave its sum, if it goes unpacked into another page: that takes the place of head and tail. NULL: it does not. */
struct gzip_sum *part_sum_of_page(struct request *r, struct span filters);
/* Of a response in gzip coding, the end has to be there before its first byte can be used. Waits for it on the fiber, unless the body is
 * fetched for r alone and too long for that. */
void part_wait(struct request *r);
/* Puts around the source of r's delivery what makes it a part. Nothing happens if r is not made for a packed page. ERR_NOMEM. */
int part_make(struct request *r, struct span filters);

#endif
