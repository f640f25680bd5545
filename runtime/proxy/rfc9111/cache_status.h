/* Cache-Status (RFC 9211): what this cache did with a request, as its last member. With feature bit rfc9111. */
#ifndef VERNIS_CACHE_STATUS_H
#define VERNIS_CACHE_STATUS_H

#include "proxy/request_state.h"

enum forward_reason { FORWARD_BYPASS, FORWARD_METHOD, FORWARD_URI_MISS, FORWARD_VARY_MISS, FORWARD_STALE, FORWARD_REQUEST };

/* Why a look-up that found no answer leads to the origin. */
enum forward_reason forward_reason_of(const struct rfc9111_demand *demand, const struct lookup *looked);
/* Before vcl_deliver, which may take it away. */
void cache_status_add(struct request *r, struct http_message *resp);

#endif
