/* The request to the origin, made from the client's. Fields for one hop or for the cache are left out. The
 * rest is copied, as a fetch may outlive the client. */
#ifndef VERNIS_PROXY_BEREQ_H
#define VERNIS_PROXY_BEREQ_H

#include "cache/object.h"

/* The text that tools and policies for Varnish look for; in both directions */
#define VIA_TEXT "1.1 varnish (Varnish/7.1)"

enum bereq_for { BEREQ_MISS, BEREQ_PASS, BEREQ_PIPE };

/* ERR_NOMEM. `arena` owns all text of `out`. Marks the fields of `req` that are for one hop only. */
int bereq_make(struct http_message *req, enum bereq_for what, bool rfc9111, uint64_t xid, struct arena *arena,
               struct http_message *out);
/* Adds the validators of a stored response, for a conditional fetch (RFC 9111, 4.3.1). False: the response
 * has no validator. */
bool bereq_add_validators(struct http_message *bereq, const struct object *stale);
/* Max-Forwards of TRACE and OPTIONS (RFC 9110, 7.6.2); -1: the request is not limited, also if the value is
 * malformed. 0: this proxy must answer. */
int64_t bereq_forwards_left(const struct http_message *req);
/* Sets Host from the backend, if the policy set none. */
int bereq_set_host(struct http_message *bereq, struct span host_header);

#endif
