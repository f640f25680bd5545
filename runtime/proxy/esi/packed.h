/* The response to an ESI include as a part of a page in gzip coding (filter/stitch.h). The coding of the page
 * decides, not that of its client: for a client without gzip, the whole page is unpacked at its end. */
#ifndef VERNIS_PROXY_ESI_PACKED_H
#define VERNIS_PROXY_ESI_PACKED_H

#include "base/span.h"

struct gzip_sum;
struct request;

/* Is r the sub-request of an include in a page in gzip coding? */
bool packed_into(const struct request *r);
/* The place for the sum of r's page, if the page goes unchanged into another page in gzip coding: it then has
 * no gzip head and tail. Otherwise NULL. */
struct gzip_sum *packed_sum_of_page(struct request *r, struct span filters);
/* Waits on the fiber until the body is complete, because only then a response in gzip coding can become a
 * part. Does not wait for a long body that is fetched for r alone. */
void packed_wait(struct request *r);
/* Wraps the source of r's delivery so that it becomes a part. Nothing happens unless r is for a packed page.
 * ERR_NOMEM. */
int packed_wrap(struct request *r, struct span filters);

#endif
