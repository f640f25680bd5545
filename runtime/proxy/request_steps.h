/* Shared by the files that hold the steps of a request only: request.c (the walk, and the steps that answer) and request_lookup.c
 * (from the look-up to the fetch). */
#ifndef VERNIS_REQUEST_STEPS_H
#define VERNIS_REQUEST_STEPS_H

#include "proxy/request_state.h"

enum request_step {
    STEP_RECV, STEP_LOOKUP, STEP_HIT, STEP_MISS, STEP_PASS, STEP_DELIVER, STEP_SYNTH, STEP_PURGE, STEP_PIPE, STEP_RESTART,
    STEP_FAIL, STEP_GONE, STEP_DONE, STEP_HANDED
};

/* request.c. Each step states with request_holds_nothing what it is entered with: an object lives between a look-up and what follows
 * it. */
bool request_holds_nothing(const struct request *r);
/* vcl_recv, also that of the policy a label leads to. ACTION_VCL: the label leads nowhere. */
enum vcl_action request_recv(struct request *r);
/* vcl_hash, after which ctx->ret still is that of vcl_recv. False: there is no key. */
bool request_hash(struct request *r, enum vcl_action action);
enum vcl_action request_hook(struct request *r, enum vcl_hook hook);
enum request_step request_synth(struct request *r, unsigned status, struct span reason);
/* The step for an action other than going on, where the manual allows synth and restart: all else is a failure. */
enum request_step request_instead(enum vcl_action action);

/* request_lookup.c */
enum request_step request_step_lookup(struct request *r);
enum request_step request_step_hit(struct request *r);
enum request_step request_step_parts(struct request *r);        /* request_parts.c: the rest of a hit of a partial object */
/* While the fiber waits for something else than its client, a client that leaves wakes it. */
void request_hear_client(struct request *r);
void request_hear_no_more(struct request *r);
enum request_step request_step_miss(struct request *r);
enum request_step request_step_pass(struct request *r);
void request_withdraw_busy(struct request *r);          /* the fetch that the look-up asked for will not happen: someone else may */

#endif
