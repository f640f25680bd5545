/* Accepts connections on a loop and hands each to the least loaded of a few. Runs on the thread of the
 * loop. */
#ifndef VERNIS_PROXY_ACCEPT_H
#define VERNIS_PROXY_ACCEPT_H

#include "proxy/server.h"

/* For the listeners of env; lives as long as the loop; does not accept yet */
void acceptor_new(struct server *s);
void acceptor_switch(struct server *s, bool on); /* (re)starts or stops taking new connections */
/* sessions_max, or fewer if the descriptor limit is lower */
unsigned accept_sessions_max(const struct proxy_env *env);
struct loop *accept_place(struct server *here); /* for the next connection; NULL: no loop has room */

#endif
