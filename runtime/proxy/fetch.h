/* A fetch: gets a response from an origin into an object, on a fiber of its requester's loop. A fetch may
 * outlive the request that began it, because others may use the object. So it copies what it needs of the
 * request. */
#ifndef VERNIS_PROXY_FETCH_H
#define VERNIS_PROXY_FETCH_H

#include "proxy/request_state.h"

enum fetch_kind {
    FETCH_MISS,       /* into an object of the index */
    FETCH_PASS,       /* for this client only */
    FETCH_BACKGROUND, /* refreshes a stale object, without a waiting request */
    FETCH_HOLE,       /* into the missing bytes of a partial object (parts/part.h) */
};

/* Starts fetching into `busy`. The fetch takes its own references on both objects; stale may be NULL. A
 * request with content must not end before busy has left OBJECT_BUSY, because the fetch reads its body.
 * ERR_NOMEM, ERR_LIMIT: nothing was started, and busy is untouched. */
int fetch_start(struct request *r, enum fetch_kind kind, struct object *busy, struct object *stale);
/* The request no longer waits for the head: its fetch stops delivering interim responses. Harmless after the
 * end of the fetch. */
void fetch_leave(struct request *r);
/* May this request wait for an origin, or for the fetch of another request? False: it must answer without, so
 * that requests that need no origin find a fiber (fiber_may_wait). Logs and counts the refusal. */
bool fetch_may_wait(struct request *r);

#endif
