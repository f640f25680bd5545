/* Pipe mode: after vcl_pipe has run and the origin is connected, bytes go both ways unread, until both sides
 * have ended. Holds no fiber and no policy. */
#ifndef VERNIS_PROXY_PIPE_H
#define VERNIS_PROXY_PIPE_H

#include "proxy/request_state.h"
#include "stream/exchange.h"

/* Makes bereq and the fetch-side variables for vcl_pipe. ERR_NOMEM. */
int pipe_prepare(struct request *r, struct http_message *bereq);
/* Opens an exchange with the backend that the policy chose, and turns it into a tunnel that `bereq` opens. An
 * error: close the connection of the client. */
int pipe_connect(struct request *r, struct http_message *bereq, struct exchange **x);
void pipe_log_end(struct request *r); /* ends the transaction of the origin side, also if no pipe was made */
bool pipe_allowed(void);              /* false: pipe_sess_max is reached */
/* Takes over the exchange and the connection of the client. The request ends with the pipe. Drops the
 * policy. */
void pipe_start(struct request *r, struct exchange **x);

#endif
