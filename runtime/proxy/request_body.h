/* The request body: kept for std.cache_req_body, handed on to a fetch piece by piece, or read to its end so that the session can go
 * on. */
#ifndef VERNIS_REQUEST_BODY_H
#define VERNIS_REQUEST_BODY_H

#include "proxy/request_state.h"

int request_body_keep(struct client_vars *v, uint64_t bytes_max);       /* client_ops.keep_content; ERR_LIMIT: longer than that */
/* What the client has sent of a body of unknown length so far, waiting for some of it, so that one known to be malformed reaches no
 * origin. It stays to be read. 0, or an error as of stream recv_body, ERR_NOMEM. */
int request_body_ahead(struct request *r, nsec deadline);
/* The next bytes of the request body for a fetch, cached ones or from the client, in *piece: good until the next call. Same
 * results as stream recv_body, ERR_NOMEM. `at`: how far the caller got, 0 at first. */
ssize_t request_body_next(struct request *r, size_t *at, struct span *piece, nsec deadline);
void request_body_drain(struct request *r);             /* what nobody wanted, when that is cheap: the session can be used again */
void request_body_release(struct request *r);

#endif
