/* Accepting connections on a loop and handing each to the loop with the fewest. Runs on the loop's own thread. */
#ifndef VERNIS_ACCEPT_H
#define VERNIS_ACCEPT_H

#include "proxy/server.h"

void acceptor_new(struct server *s);                    /* for env's listeners; lives as long as the loop; does not accept yet */
void acceptor_switch(struct server *s, bool on);        /* (re)starts or stops taking new connections */
unsigned accept_sessions_max(const struct proxy_env *env);      /* sessions_max, less what descriptors do not allow */

#endif
