/* A socket that the worker accepts clients on. The manager opens it, so that it lives across restarts of the worker. */
#ifndef VERNIS_STREAM_LISTEN_H
#define VERNIS_STREAM_LISTEN_H

#include <sys/types.h>

#include "base/span.h"
#include "loop/conn.h"

struct listen_socket {                  /* lives as long as the process */
    int fd;
    struct span name;                   /* "a0" */
    struct span endpoint;               /* "127.0.0.1:6081" or a path; never SPAN_NULL */
    bool proxy_protocol;                /* ",PROXY" */
    ino_t inode;                        /* of a path: 0 when it is gone already */
    struct address local;               /* as address_of_peer has it */
    bool local_known;                   /* also of every connection it accepts: it is bound to one address */
};

#endif
