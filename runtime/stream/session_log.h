/* The transaction of a client connection in the log, and the counters of the reasons why connections end.
 * Belongs together with stream/session: a session writes its first and its last record itself. */
#ifndef VERNIS_STREAM_SESSION_LOG_H
#define VERNIS_STREAM_SESSION_LOG_H

#include "stream/session.h"

/* takes the transaction number; began = now */
void session_log_open(struct session *s, const char *protocol, int fd);
void session_log_close(struct session *s, enum session_why why);

/* Logs, in the transaction of a request, a response that no policy made. */
void stream_log_response(const struct stream *s, unsigned status);

#endif
