/* Extended CONNECT (RFC 8441) at an origin of HTTP/1.1: the request becomes one to upgrade the connection
 * (RFC 9110, 7.8), and its answer the head of the tunnel. */
#ifndef VERNIS_PROXY_CONNECT_H
#define VERNIS_PROXY_CONNECT_H

#include "proxy/request_state.h"

/* Makes `bereq` ask for the protocol of the stream. ERR_NOMEM. */
int connect_ask(const struct stream *s, struct http_message *bereq);
/* Is the tunnel open behind this answer? */
static inline bool
connect_is_open(const struct http_message *answer)
{
    return answer->status == 101;
}

/* Gives the head of r->resp, the answer of the origin, to the stream: 101 becomes 200, another one refuses
 * the tunnel and goes without its content. ERR_NOMEM, ERR_SYNTAX. */
int connect_answer(struct request *r);
/* Refuses the tunnel with a head of its own: the origin gave no answer. */
void connect_refuse(struct request *r, unsigned status);

#endif
