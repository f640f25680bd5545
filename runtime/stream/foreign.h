/* Recognises clients that begin with another protocol than HTTP/1: HTTP/2, TLS, or a PROXY header on a
 * listener without PROXY. A refusal then names the protocol and the setting to change. No I/O. */
#ifndef VERNIS_STREAM_FOREIGN_H
#define VERNIS_STREAM_FOREIGN_H

#include "stream/session.h"

enum foreign { FOREIGN_NONE, FOREIGN_HTTP2, FOREIGN_TLS, FOREIGN_PROXY };

/* The protocol of the first bytes of a connection. FOREIGN_NONE also for too few bytes. */
enum foreign foreign_protocol(struct span in);
/* The reason for the log of the connection or its request. */
const char *foreign_why(enum foreign f);
/* A line in the daemon's log with the next step, a few times a minute. */
void foreign_warn(const struct session *s, enum foreign f);
/* The same for a connection to a PROXY listener that begins without a PROXY header. */
void foreign_warn_no_header(const struct session *s);

#endif
