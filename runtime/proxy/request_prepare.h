/* Fills the variables that vcl_recv sees. */
#ifndef VERNIS_PROXY_REQUEST_PREPARE_H
#define VERNIS_PROXY_REQUEST_PREPARE_H

#include "proxy/request_state.h"

void request_enter_policy(struct request *r); /* takes the policy of the loop; harmless without one */
void request_prepare(struct request *r);      /* call before each vcl_recv: first run, restart, switch */
/* Switches to the policy of ctx.ret's label, with the request as the client sent it. False: not possible; the
 * log says why. */
bool request_switch_policy(struct request *r);
void request_normalise_accept_encoding(
    struct request *r);                          /* normalises it, so that look-ups see few spellings */
void request_forget_overflow(struct request *r); /* counts a memory overflow and clears its flag */

#endif
