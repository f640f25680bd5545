/* The frame of a client request's transaction in the log. Other records are written where the events
 * happen. */
#ifndef VERNIS_PROXY_REQUEST_LOG_H
#define VERNIS_PROXY_REQUEST_LOG_H

#include "proxy/request_state.h"

/* Takes the transaction number and links it from the session. first: time of the first byte of the head;
 * complete: of the last. */
void request_log_begin(struct request *r, nsec first, nsec complete);
/* Logs the client and the head, before vcl_recv and after each restart. Later changes of r->req are logged,
 * too. */
void request_log_begin_include(struct request *r); /* for an ESI include */
void request_log_head(struct request *r);
/* The address of the client as text, which lives as long as the request. Empty: it has none. SPAN_NULL: no
 * memory. It is the value of r->client_line. */
struct span request_client_text(struct request *r);
/* Continues under a new transaction number. */
void request_log_restart(struct request *r);
void request_log_stamp_span(struct request *r, struct span label); /* Timestamp: now */
void request_log_stamp_at(struct request *r, struct span label, nsec when);
/* Inline, so that the lengths of literals are constants. */
static inline void
request_log_stamp(struct request *r, const char *label)
{
    request_log_stamp_span(r, span_str(label));
}
/* Logs the object that the look-up found, which may still grow. */
void request_log_hit(struct request *r, const struct object *o);
/* TAG_HIT_MISS, TAG_HIT_PASS */
void request_log_marker(struct request *r, enum log_tag tag, const struct object *o);
void request_log_end(struct request *r); /* logs the byte counts and End; harmless after the end */

#endif
