/* Cache-Status (RFC 9211): what this cache did with a request, as the last member of the field. With feature
 * bit rfc9111. */
#ifndef VERNIS_PROXY_RFC9111_CACHE_STATUS_H
#define VERNIS_PROXY_RFC9111_CACHE_STATUS_H

#include "proxy/request_state.h"

enum forward_reason {
    FORWARD_BYPASS,
    FORWARD_METHOD,
    FORWARD_URI_MISS,
    FORWARD_VARY_MISS,
    FORWARD_STALE,
    FORWARD_REQUEST
};

/* The reason why a look-up without an answer leads to the origin. */
enum forward_reason forward_reason_of(const struct rfc9111_demand *demand, const struct lookup *looked);
#define CACHE_STATUS_BYTES_MAX 64u
/* Writes the parameters of the field: "; hit; ttl=87". Needs r->object. Returns their length. */
size_t cache_status_facts(const struct request *r, char out[CACHE_STATUS_BYTES_MAX]);
/* The largest line: names of servers are cut. */
#define CACHE_STATUS_LINE_BYTES (CACHE_STATUS_BYTES_MAX + 96u)
/* Adds the field as a line that begins at `line`, in memory of the response's arena. Returns the place of the
 * next line. Call before vcl_deliver, so that a policy may remove the field. */
char *cache_status_add(struct request *r, struct http_message *resp, char *line);

#endif
