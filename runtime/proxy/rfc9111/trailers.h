/* Trailer fields of responses (RFC 9110, 6.5), with feature rfc9111: kept with the object, and sent to clients that say TE: trailers. A body
 * that was changed on the way has none: what they say may no longer hold. */
#ifndef VERNIS_PROXY_TRAILERS_H
#define VERNIS_PROXY_TRAILERS_H

#include "proxy/request_state.h"

/* r->resp was loaded from r->object: its Trailer says what this client will get. */
void trailers_prepare(struct request *r);
/* All of the stored body is sent: trailers follow it, if it has some, or may get some. */
bool trailers_follow(struct request *r);
/* Before the head is sent: without trailers it has no Trailer. */
void trailers_settle(struct request *r);

#endif
