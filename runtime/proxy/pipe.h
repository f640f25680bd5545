/* Pipe: once vcl_pipe has run and the origin is connected, bytes go both ways unread until one side is done. Holds no fiber and
 * no policy. */
#ifndef VERNIS_PIPE_H
#define VERNIS_PIPE_H

#include "proxy/request_state.h"
#include "stream/exchange.h"

/* bereq as vcl_pipe sees it, and the fetch-side variables it may set. ERR_NOMEM. */
int pipe_prepare(struct request *r, struct http_message *bereq);
/* Opens an exchange with the backend the policy chose and makes a tunnel of it, which `bereq` opens. Any error: answer 503. */
int pipe_connect(struct request *r, struct http_message *bereq, struct exchange **x);
void pipe_log_end(struct request *r);                   /* no pipe after all: the origin side's transaction is over */
bool pipe_allowed(void);                                /* false: there are pipe_sess_max already */
/* Takes over the request's client connection and the exchange; client and request are freed at the end. Drops the policy. */
void pipe_start(struct request *r, struct exchange **x);

#endif
