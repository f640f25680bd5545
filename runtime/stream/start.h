/* The start of a client connection, before its protocol is known. This file knows the protocols; they do not
 * know it. */
#ifndef VERNIS_STREAM_START_H
#define VERNIS_STREAM_START_H

#include "stream/listen.h"
#include "stream/service.h"

/* Starts an accepted connection, which owns the socket; on failure the socket is closed. The caller has
 * counted the connection in sv->load->sessions. */
void start_session(struct service *sv, int fd, const struct listen_socket *listen,
                   const struct address *peer);

#endif
