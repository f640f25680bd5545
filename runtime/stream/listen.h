/* A socket on which the worker accepts clients. The manager opens the socket, so that it survives restarts of
 * the worker. */
#ifndef VERNIS_STREAM_LISTEN_H
#define VERNIS_STREAM_LISTEN_H

#include <sys/types.h>

#include "base/span.h"
#include "loop/conn.h"

struct listen_socket { /* lives as long as the process */
    int fd;
    struct span name;     /* "a0" */
    struct span endpoint; /* "127.0.0.1:6081" or a path; never SPAN_NULL */
    bool proxy_protocol;  /* ",PROXY" */
    ino_t inode;          /* of a socket path; 0: the path is gone already */
    struct address local; /* in the form of address_of_peer */
    bool local_known; /* bound to one address: `local` is then also the local address of every connection */
};

#endif
