/* Listen sockets of the manager: for clients (-a) and for the command line (-T). The manager binds them
 * exclusively before any worker starts, and keeps them over worker restarts: without a worker, the kernel
 * queues connections. */
#ifndef VERNIS_MANAGER_LISTEN_H
#define VERNIS_MANAGER_LISTEN_H

#include "manager/options.h"
#include "daemon/inherit.h"

struct listens {
    unsigned n;
    struct listen_socket socket[LISTEN_SOCKETS_MAX]; /* names and endpoints are owned, NUL-ended */
};

/* "host:port", "[v6]:port", ":port", "host", "host port". A missing part becomes "". ERR_SYNTAX. */
#define LISTEN_HOST_BYTES 256
int listen_split(const char *text, char host[LISTEN_HOST_BYTES], char port[LISTEN_HOST_BYTES]);
/* One address may give several sockets (IPv4 and IPv6). ERR_SYS or ERR_SYNTAX with a line in `why`; opened
 * sockets stay in `out`. */
int listen_open(const struct listen_spec *spec, struct listens *out, struct text *why);
int listen_open_unix(const char *path, struct listens *out, struct text *why); /* mode 0600 */
void listen_close(struct listens *l);                                          /* also unlinks Unix sockets */
void listen_forget(struct listens *l); /* closes, but keeps the paths of Unix sockets */
/* "127.0.0.1 6081", or "/path -" */
void listen_describe(const struct listen_socket *s, struct text *out);

#endif
