/* Makes the response head and starts its delivery: from an object, from the policy (synth), or bare when the
 * policy failed. */
#ifndef VERNIS_PROXY_RESPOND_RESPOND_H
#define VERNIS_PROXY_RESPOND_RESPOND_H

#include "proxy/request_state.h"

/* Makes r->resp from r->object for vcl_deliver: stored head, Age, Via, X-Varnish, Accept-Ranges.
 * ERR_NOMEM. */
int respond_prepare_object(struct request *r);

#define START_LINE_FIELDS 5u /* fields that http_max_hdr counts for the start line, as Varnish documents */
/* A stored head of so many fields, as http_max_hdr counts it: Varnish counts its end as one more field. */
static inline unsigned
respond_lines(unsigned fields)
{
    return START_LINE_FIELDS + fields + 1;
}

/* Loads the head of r->object as obj, if vcl_hit reads it. Negative: no memory. */
int respond_show_object(struct request *r);

/* Does If-Range of the request hold? A range counts only while the validator still matches (RFC 9110,
 * 13.1.5). */
bool respond_if_range_holds(const struct http_message *req, const struct http_message *response);

/* The most ranges that one request may ask for (range_set_parse). */
unsigned respond_ranges_max(const struct request *r);

/* Makes r->resp for vcl_synth. */
int respond_prepare_synth(struct request *r, int64_t status, struct span reason);

bool respond_takes_gzip(const struct request *r);
/* Length of the stored body; -1: the body is growing and the origin did not announce its length. */
int64_t respond_body_length(struct object *o);

/* The functions that send. They are the last use of the policy, and drop it. 0, DELIVERY_PENDING (the
 * delivery goes on without the fiber), or an error (the stream was reset). A head that cannot be written
 * (workspace too small, a line end in the reason) becomes a bare 500. */
int respond_send_object(struct request *r);
int respond_send_synth(struct request *r);
int respond_send_bare(struct request *r, unsigned status);
/* The response of the last recipient: to TRACE the received head without secrets, to OPTIONS nothing (RFC
 * 9110, 9.3.7 and 9.3.8). */
int respond_send_received(struct request *r);
/* Sends a text of the arena, or a constant, that no policy sees. `type`: SPAN_NULL for none. */
int respond_send_text(struct request *r, unsigned status, struct span type, struct span text);

#endif
