/* Decides the reasons of what happens to requests and responses, and logs them by id while somebody wants
 * them (log_wants_reasons). All that show reasons read these records and decide nothing themselves:
 * compiler/observe/reasons.py, manager/dashboard/urls.c, compiler/why.
 *
 * A record is Debug: "why DECISION ID PLACE DETAILS". The ids and their sentences are those of
 * compiler/observe/reason_texts.py. PLACE is "source.line.column" of the statement that decided, or "-". The
 * last record of a transaction holds. Fetches are judged in refusal.c. */
#ifndef VERNIS_PROXY_REASON_REASON_H
#define VERNIS_PROXY_REASON_REASON_H

#include "base/text.h"
#include "proxy/request_state.h"

#define REASON_DETAILS_BYTES 256u /* longer ones are cut */

/* The newest hook returned an action that needs no look-up, ends its result, or fails. */
void reason_of_action(struct request *r, enum vcl_action action);
void reason_of_lookup(struct request *r, enum lookup_result found, const struct lookup *l);
/* An object's refusal is its reason, with this bit if the policy set the ttl. */
#define REFUSED_BY_POLICY 0x80u
/* The details of the reason why this response is only a marker, or is not to be stored. */
void reason_details(const struct object *o, char out[REASON_DETAILS_BYTES]);
/* Appends to JSON the members "reason" and "text" of such a response. */
void reason_json(const struct object *o, struct text *out);
/* The decision of the built-in policy by this action at a place; REASON_NONE: the place is in no such sub. */
unsigned reason_of_builtin(const struct policy_place *at, const char *action);
void reason_log(const struct log_txn *t, const char *decision, unsigned reason, const struct policy_place *at,
                const char *details);

#endif
