/* Heads of often requested responses, in the form in which they are sent and logged: whole lines, and the log
 * records of the fields. A response with such a head has the same fields, log records and bytes as one whose
 * head was loaded from the object. Each loop keeps its own table of them, with
 * `ready_heads` slots.
 *
 * A prepared head holds no reference to its object, so it keeps no memory of a removed object. It is used
 * only for the same object, by address and by the facts that distinguish objects at one address, and only for
 * a short time. */
#ifndef VERNIS_PROXY_RESPOND_READY_HEAD_H
#define VERNIS_PROXY_RESPOND_READY_HEAD_H

#include "proxy/request_state.h"

struct ready_heads;

/* Facts about a prepared head. They save a look at its fields. */
struct ready_facts {
    bool for_all; /* no Cache-Control limits a field to some clients: rfc9111_withhold_fields does nothing */
    bool takes_ranges; /* it has one field Accept-Ranges, and our field has the same text */
};

/* Makes start line and fields of r->resp from r->object, and logs them. *facts: all false for a head that was
 * not prepared. ERR_LIMIT: no room for the fields. */
int ready_head_load(struct request *r, struct ready_facts *facts);
/* Logs that our field Accept-Ranges replaces that of a head with `takes_ranges`. */
void ready_head_log_ranges(const struct request *r);
void ready_head_release(struct ready_head **h); /* harmless on NULL */
void ready_heads_release(struct ready_heads **table);

#endif
