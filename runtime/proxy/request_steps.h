/* Shared only by the files that hold steps of a request: request.c (the walk, and the steps that answer) and
 * request_lookup.c (from the look-up to the fetch). */
#ifndef VERNIS_PROXY_REQUEST_STEPS_H
#define VERNIS_PROXY_REQUEST_STEPS_H

#include "proxy/request_state.h"

/* Beside each step: what a request holds when the step begins, which the step checks. All others hold nothing
 * (request_holds_nothing): only a hole may be left from a look-up before a restart. */
enum request_step {
    REQUEST_STEP_RECV,
    REQUEST_STEP_LOOKUP,
    REQUEST_STEP_HIT,  /* object; busy, if it must be refreshed */
    REQUEST_STEP_MISS, /* busy; stale, if there is one to be validated */
    REQUEST_STEP_PASS,
    REQUEST_STEP_DELIVER, /* object; hole, if it comes in parts */
    REQUEST_STEP_SYNTH,
    REQUEST_STEP_PURGE,
    REQUEST_STEP_PIPE,
    REQUEST_STEP_RESTART,
    REQUEST_STEP_FAIL,
    REQUEST_STEP_GONE, /* anything, as the client may leave at any time */
    REQUEST_STEP_DONE,
    REQUEST_STEP_HANDED /* the delivery has taken over the hole; object, until the response ends */
};

static inline bool
request_holds_nothing(const struct request *r)
{
    return r->object == NULL && r->stale == NULL && r->busy == NULL;
}

/* request.c */
/* Runs vcl_recv, and after a switch also that of the labelled policy. ACTION_VCL: the switch failed. */
enum vcl_action request_recv(struct request *r);
/* Runs vcl_hash; ctx->ret stays that of vcl_recv. False: no key could be made. */
bool request_hash(struct request *r, enum vcl_action action);
enum vcl_action request_hook(struct request *r, enum vcl_hook hook);
/* Answers TRACE or OPTIONS that must not be forwarded (RFC 9110, 7.6.2). */
enum request_step request_answer_here(struct request *r);
enum request_step request_synth(struct request *r, unsigned status, struct span reason);
/* The step for synth and restart, in hooks where the manual allows them; any other action is a failure. */
enum request_step request_exit_step(struct request *r, enum vcl_action action);

/* request_lookup.c */
enum request_step request_step_lookup(struct request *r);
enum request_step request_step_hit(struct request *r);
/* request_parts.c: completes a hit of a partial object */
enum request_step request_step_parts(struct request *r);
/* Between these calls, a client that leaves wakes the fiber, which waits for something else. */
void request_watch_client(struct request *r);
void request_unwatch_client(struct request *r);
enum request_step request_step_miss(struct request *r);
enum request_step request_step_pass(struct request *r);
/* Gives up the fetch that the look-up asked for: another request may do it */
void request_withdraw_busy(struct request *r);

#endif
