/* The request body: kept for std.cache_req_body, forwarded to a fetch piece by piece, or read to its end so
 * that the session can go on. */
#ifndef VERNIS_PROXY_REQUEST_BODY_H
#define VERNIS_PROXY_REQUEST_BODY_H

#include "proxy/request_state.h"

/* client_ops.keep_content; ERR_LIMIT: the body is longer than bytes_max */
int request_body_keep(struct client_vars *v, uint64_t bytes_max);
/* Receives the first bytes of a body of unknown length, so that a malformed body is noticed before an origin
 * is asked. The bytes stay buffered. 0, ERR_NOMEM, or an error as of stream recv_body. */
int request_body_ahead(struct request *r, nsec deadline);
/* Gets the next bytes of the request body for a fetch, from the cached body or the client. *piece is valid
 * until the next call. `at`: the position of the caller, 0 at first. Results as of stream recv_body, or
 * ERR_NOMEM. ERR_AGAIN: stopped by stop_receiving. */
ssize_t request_body_next(struct request *r, size_t *at, struct span *piece, nsec deadline);
bool request_body_is_left(const struct request *r, size_t at); /* request_body_next has more bytes */
/* Reads and drops an unread body if that takes at most `wait_s`, so that the session can go on */
void request_body_drain(struct request *r, double wait_s);
void request_body_release(struct request *r);

#endif
