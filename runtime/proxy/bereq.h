/* The request to the origin, made from the client's: fields that belong to one hop or to the cache are left out, the rest is
 * copied, since a fetch may outlive the client. */
#ifndef VERNIS_BEREQ_H
#define VERNIS_BEREQ_H

#include "cache/object.h"

#define VIA_TEXT "1.1 varnish (Varnish/7.1)"      /* what tools and policies made for Varnish look for; in both directions */

enum bereq_for { BEREQ_MISS, BEREQ_PASS, BEREQ_PIPE };

/* ERR_NOMEM. `arena` owns all text of `out`. Marks the fields of `req` that are for one hop only. */
int bereq_make(struct http_message *req, enum bereq_for what, uint64_t xid, struct arena *arena, struct http_message *out);
/* Validators of a stored response, for a conditional fetch (RFC 9111, 4.3.1). False: it has none. */
bool bereq_add_validators(struct http_message *bereq, const struct object *stale);
/* Host as the backend wants it, when the policy set none. */
int bereq_set_host(struct http_message *bereq, struct span host_header);

#endif
