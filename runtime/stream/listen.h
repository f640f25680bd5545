/* A socket on which the worker accepts clients. The manager opens the socket, so that it survives restarts of
 * the worker. */
#ifndef VERNIS_STREAM_LISTEN_H
#define VERNIS_STREAM_LISTEN_H

#include <sys/types.h>

#include "base/span.h"
#include "loop/conn.h"

/* What a client sends before HTTP: start.c reads it. A PROXY header comes before TLS. */
enum listen_kind { LISTEN_HTTP, LISTEN_PROXY, LISTEN_HTTPS, LISTEN_PROXY_HTTPS, LISTEN_KIND_COUNT };

struct listen_kind_row {
    const char *word;  /* of -a; of the last: PROXY,HTTPS */
    const char *opens; /* the protocol of the record SessOpen; also a word of -a */
    bool proxy, tls;
};

extern const struct listen_kind_row listen_kinds[LISTEN_KIND_COUNT];

/* A word of -a gives the kind, and a second one adds to it: PROXY and HTTPS, in any order. False: no such
 * word, or not together with the first. `first`: no word came before. */
bool listen_kind_of(struct span word, bool first, enum listen_kind *kind);

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
