/* The proxy's interface to worker/process.c: clients are accepted and served on every loop, by the policy that is current there.
 * All functions here are called on the loop's own thread (post a message to get there). */
#ifndef VERNIS_PROXY_H
#define VERNIS_PROXY_H

#include "proxy/server.h"

int proxy_start(struct loop *loop, const struct proxy_env *env);    /* per-loop state; does not accept yet */
void proxy_accept(struct loop *loop, bool on);                      /* (re)starts or stops taking new connections */
/* The policy new requests of this loop begin with. Counts the new one, uncounts the old. NULL before shutdown. */
void proxy_set_policy(struct loop *loop, struct policy *policy);
/* What return (vcl(label)) means on this loop from now on; NULL: there is no such label any more. Counts as proxy_set_policy. */
void proxy_set_label(struct loop *loop, struct span label, struct policy *policy);
void proxy_drain(struct loop *loop);                /* stop accepting, close idle connections, `Connection: close` from now on */
/* Another process takes the clients from now on, from the same sockets. An idle connection stays until its next request, or
 * timeout_idle: its client may be sending, and a close would meet its request. */
void proxy_retire(struct loop *loop);
unsigned proxy_sessions(const struct loop *loop);   /* client connections open on this loop (pipes included) */
void proxy_stop(struct loop *loop);                 /* resets what is left, frees per-loop state */

#endif
