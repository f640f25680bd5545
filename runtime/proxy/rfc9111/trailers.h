/* Trailer fields of responses (RFC 9110, 6.5), with feature rfc9111: kept with the object, and sent to
 * clients that say TE: trailers. A body changed on the way loses its trailers, which may not hold for the
 * changed bytes. */
#ifndef VERNIS_PROXY_RFC9111_TRAILERS_H
#define VERNIS_PROXY_RFC9111_TRAILERS_H

#include "proxy/request_state.h"

/* After r->resp was loaded from r->object: sets Trailer to the fields that this client will get. */
void trailers_prepare(struct request *r);
/* Do trailers follow, when all of the stored body is sent? True if the object has some, or may still get
 * some. */
bool trailers_follow(struct request *r);
/* Before the head is sent: removes Trailer if no trailers follow. */
void trailers_settle(struct request *r);

#endif
