/* The interface of the proxy to worker/process.c: accepts and serves clients on every loop, with the current
 * policy of that loop. Call all functions on the thread of the loop (post a message to get there). */
#ifndef VERNIS_PROXY_PROXY_H
#define VERNIS_PROXY_PROXY_H

#include "proxy/server.h"

int proxy_start(struct loop *loop, const struct proxy_env *env); /* per-loop state; does not accept yet */
void proxy_accept(struct loop *loop, bool on); /* (re)starts or stops taking new connections */
/* Sets the policy with which new requests of this loop begin. Counts the new one and uncounts the old one.
 * NULL before shutdown. */
void proxy_set_policy(struct loop *loop, struct policy *policy);
/* Sets the policy that return (vcl(label)) switches to on this loop. NULL: the label was deleted. Counts as
 * proxy_set_policy does. */
void proxy_set_label(struct loop *loop, struct span label, struct policy *policy);
/* Stops accepting, closes idle connections; responses say `Connection: close` */
void proxy_drain(struct loop *loop);
/* From now on another process takes clients from the same sockets. An idle connection stays open until its
 * next request or timeout_idle: its client may be sending a request, which a close would lose. No request
 * finds a stored response any more. `on` false: takes clients again. */
void proxy_retire(struct loop *loop, bool on);
unsigned proxy_sessions(const struct loop *loop); /* client connections open on this loop (pipes included) */
void proxy_stop(struct loop *loop);               /* resets the remaining connections, frees per-loop state */
void proxy_release(struct loop *loop);            /* after proxy_stop without connections; frees the server */

#endif
