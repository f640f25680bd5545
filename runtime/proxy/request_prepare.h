/* Fills the variables that vcl_recv sees. */
#ifndef VERNIS_REQUEST_PREPARE_H
#define VERNIS_REQUEST_PREPARE_H

#include "proxy/request_state.h"

void request_enter_policy(struct request *r);           /* takes the loop's policy, if there is one */
void request_prepare(struct request *r);                /* for vcl_recv, at first, after each restart and switch */
/* To the policy of ctx.ret's label, with the request as the client sent it. False: not possible; the log says why. */
bool request_switch_policy(struct request *r);
void request_wash_accept_encoding(struct request *r);   /* to gzip or nothing, for look-ups */
void request_forget_overflow(struct request *r);        /* counts memory that ran out; what is made from here on is whole */

#endif
