/* A socket on which the worker accepts clients. The manager opens the socket, so that it survives restarts of
 * the worker. */
#ifndef VERNIS_STREAM_LISTEN_H
#define VERNIS_STREAM_LISTEN_H

#include <sys/types.h>

#include "base/span.h"
#include "loop/conn.h"

/* The first bytes of a client: start.c reads them. */
enum listen_kind { LISTEN_HTTP, LISTEN_PROXY, LISTEN_KIND_COUNT };

struct listen_kind_row {
    const char *word;  /* of -a */
    const char *opens; /* the protocol of the record SessOpen; also a word of -a */
};

extern const struct listen_kind_row listen_kinds[LISTEN_KIND_COUNT];

/* False: no such word. */
bool listen_kind_of(struct span word, enum listen_kind *out);

struct listen_socket { /* lives as long as the process */
    int fd;
    struct span name;     /* "a0" */
    struct span endpoint; /* "127.0.0.1:6081" or a path; never SPAN_NULL */
    enum listen_kind kind;
    ino_t inode;          /* of a socket path; 0: the path is gone already */
    struct address local; /* in the form of address_of_peer */
    bool local_known; /* bound to one address: `local` is then also the local address of every connection */
};

#endif
