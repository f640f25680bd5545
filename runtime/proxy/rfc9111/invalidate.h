/* Removes from the cache what an unsafe request changed at the origin (RFC 9111, 4.4; RFC 9875). With feature
 * bit rfc9111. */
#ifndef VERNIS_PROXY_RFC9111_INVALIDATE_H
#define VERNIS_PROXY_RFC9111_INVALIDATE_H

#include "proxy/request_state.h"

/* Call when the head of the origin's response to a passed request has come, before the client gets it: the
 * next request of the client must see the change. */
void request_invalidate(struct request *r);

#endif
