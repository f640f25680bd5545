/* The transaction of a client request in the log: its frame. What happens in between is logged where it happens. */
#ifndef VERNIS_REQUEST_LOG_H
#define VERNIS_REQUEST_LOG_H

#include "proxy/request_state.h"

/* Takes the request's number; linked from its session. first: the head's first byte came; complete: its last. */
void request_log_begin(struct request *r, nsec first, nsec complete);
/* The client and the head, before vcl_recv; from here on changes of r->req are logged. Each restart shows them again. */
void request_log_begin_include(struct request *r);       /* the same for an ESI include */
void request_log_head(struct request *r);
/* The same work goes on under a new number. */
void request_log_restart(struct request *r);
void request_log_stamp(struct request *r, const char *label);   /* Timestamp: now */
void request_log_stamp_at(struct request *r, const char *label, nsec when);
/* What lookup found, before it is acted on. `o` may still grow. */
void request_log_hit(struct request *r, const struct object *o);
void request_log_marker(struct request *r, enum log_tag tag, const struct object *o);   /* TAG_HIT_MISS, TAG_HIT_PASS */
void request_log_end(struct request *r);                /* bytes, End; harmless when it is over */

#endif
