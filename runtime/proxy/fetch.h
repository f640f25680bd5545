/* A fetch: gets a response from an origin into an object, on a fiber of its requester's loop. It outlives the request that
 * began it when others may use the object; everything it needs of the request is copied. */
#ifndef VERNIS_FETCH_H
#define VERNIS_FETCH_H

#include "proxy/request_state.h"

enum fetch_kind {
    FETCH_MISS,                         /* into an object of the index */
    FETCH_PASS,                         /* for this client only */
    FETCH_BACKGROUND,                   /* refreshes a stale object nobody waits for */
    FETCH_HOLE,                         /* what is missing of a partial object (parts/part.h) */
};

/* Starts fetching into `busy` (the fetch takes its own references on both; stale may be NULL). A request with
 * content must not end before busy has left OBJECT_BUSY: its body is read meanwhile. ERR_NOMEM, ERR_LIMIT: nothing was started, busy is untouched. */
int fetch_start(struct request *r, enum fetch_kind kind, struct object *busy, struct object *stale);
/* The request no longer waits for the head: its fetch has nobody to hand interim responses to. Harmless when it is over. */
void fetch_leave(struct request *r);

#endif
