/* Pipe: once vcl_pipe has run and the origin is connected, bytes go both ways unread until one side is done. Holds no fiber and
 * no policy. */
#ifndef VERNIS_PIPE_H
#define VERNIS_PIPE_H

#include "policy/backend.h"
#include "proxy/request.h"

/* bereq as vcl_pipe sees it, and the fetch-side variables it may set. ERR_NOMEM. */
int pipe_prepare(struct request *r, struct http_message *bereq);
/* Connects to the backend the policy chose; *head = the request head to send (arena of the request). Any error: answer 503. */
int pipe_connect(struct request *r, struct http_message *bereq, struct backend_conn **bc, struct span *head);
void pipe_log_end(struct request *r);                   /* no pipe after all: the origin side's transaction is over */
bool pipe_allowed(void);                                /* false: there are pipe_sess_max already */
/* Takes over the request's client connection and `bc`; client and request are freed at the end. Drops the policy. */
void pipe_start(struct request *r, struct backend_conn **bc, struct span head);

#endif
