/* Heads of often requested responses, in the form in which they are sent and logged: whole lines, and the log
 * records of the fields. A response with such a head has the same fields, log records and bytes as one whose
 * head was loaded from the object. Each loop keeps its own table of them, with
 * `ready_heads` slots.
 *
 * A prepared head holds no reference to its object, so it keeps no memory of a removed object. It is used
 * only for the same object, by address and by the facts that distinguish objects at one address, and only for
 * a short time. */
#ifndef VERNIS_READY_HEAD_H
#define VERNIS_READY_HEAD_H

#include "proxy/request_state.h"

struct ready_heads;

/* Makes start line and fields of r->resp from r->object, and logs them. `for_all` true: no Cache-Control
 * limits a field to some clients, so that rfc9111_withhold_fields would withhold none. ERR_LIMIT: no room for
 * the fields. */
int ready_head_load(struct request *r, bool *for_all);
void ready_head_release(struct ready_head **h); /* harmless on NULL */
void ready_heads_release(struct ready_heads **table);

#endif
