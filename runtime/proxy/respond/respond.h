/* Making the response head and starting its delivery: from an object, from the policy (synth), or bare when the policy failed. */
#ifndef VERNIS_RESPOND_H
#define VERNIS_RESPOND_H

#include "proxy/request_state.h"

/* r->resp from r->object, as vcl_deliver sees it: stored head, Age, Via, X-Varnish, Accept-Ranges. ERR_NOMEM. */
int respond_prepare_object(struct request *r);

/* The head of r->object as obj, for a vcl_hit that reads of it. Negative: no memory. */
int respond_show_object(struct request *r);

/* If-Range of a request: a range counts only while the validator still matches (RFC 9110, 13.1.5). */
bool respond_if_range_holds(const struct http_message *req, const struct http_message *response);

/* How many ranges one request may ask for (range_set_parse). */
unsigned respond_ranges_max(void);

/* r->resp as vcl_synth sees it. */
int respond_prepare_synth(struct request *r, int64_t status, struct span reason);

bool respond_takes_gzip(const struct request *r);
/* Of the stored body; -1 while it is still growing and the origin did not announce it. */
int64_t respond_body_length(struct object *o);

/* The three that send: the last use of the policy is over, its reference is dropped. 0, DELIVERY_PENDING (the client goes on
 * without the fiber), or an error (the stream was reset). A head that can't be written (workspace is too small, the policy put a
 * line end into the reason) becomes a bare 503. */
int respond_send_object(struct request *r);
int respond_send_synth(struct request *r);
int respond_send_bare(struct request *r, unsigned status);

#endif
