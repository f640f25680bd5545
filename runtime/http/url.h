/* References to other resources (RFC 3986, 5), as fields of a response have them. */
#ifndef VERNIS_URL_H
#define VERNIS_URL_H

#include "base/mem.h"

struct url_base { struct span host, target; };          /* of the request: Host, and its path with query */

/* The path and query that a request to the same host would have for the reference, in the arena or lent from the reference.
 * ERR_NOTFOUND: it names another host or scheme, or no target of a request. ERR_NOMEM. Whether http or https is not told apart: TLS may
 * end in front of us. */
int url_of_same_origin(const struct url_base *base, struct span reference, struct arena *a, struct span *out);

#endif
