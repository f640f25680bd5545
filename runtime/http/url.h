/* References to other resources (RFC 3986, 5) in fields of a response. */
#ifndef VERNIS_HTTP_URL_H
#define VERNIS_HTTP_URL_H

#include "base/mem.h"

struct url_base {
    struct span host, target;
}; /* of the request: Host, and the target (path and query) */

/* Resolves a reference to the path and query of a request to the same host, in the arena or lent from the
 * reference. ERR_NOTFOUND: another host or scheme, or a reference that is not a valid request target.
 * ERR_NOMEM. http and https count as equal, because a TLS proxy may stand in front of us. */
int url_of_same_origin(const struct url_base *base, struct span reference, struct arena *a, struct span *out);

#endif
