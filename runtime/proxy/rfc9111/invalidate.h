/* What an unsafe request changes at the origin is taken out of the cache (RFC 9111, 4.4; RFC 9875): with feature bit rfc9111. */
#ifndef VERNIS_INVALIDATE_H
#define VERNIS_INVALIDATE_H

#include "proxy/request_state.h"

/* After the head of the origin's response to a passed request came, and before the client gets it, so that what the client asks next
 * sees the change. */
void request_invalidate(struct request *r);

#endif
