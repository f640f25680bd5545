/* The walk of a request through its steps, each of which calls at most one hook of the policy. */
#ifndef VERNIS_PROXY_REQUEST_H
#define VERNIS_PROXY_REQUEST_H

#include "proxy/request_state.h"

/* handed: a delivery or a pipe goes on without the fiber */
enum request_end { REQUEST_DONE, REQUEST_HANDED };

void request_tell(const struct check_place *place, struct check_report *out); /* for request.place */
enum request_end request_run(struct request *r); /* fiber of the request, which has begun */
void request_release(struct request *r); /* drops objects, policy and body; harmless on a zeroed request */

#endif
