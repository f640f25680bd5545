/* The start of a client connection, before its protocol is known. Knows the protocols, which do not know it. */
#ifndef VERNIS_START_H
#define VERNIS_START_H

#include "stream/listen.h"
#include "stream/service.h"

/* Accepted: the socket is the connection's, or closed. The caller has counted it in sv->n_sessions. */
void start_session(struct service *sv, int fd, const struct listen_socket *listen, const struct address *peer);

#endif
