/* The PROXY protocol, versions 1 and 2, as sent by TLS offloaders in front: tells the real client and server addresses. Pure. */
#ifndef VERNIS_PROXY_HEADER_H
#define VERNIS_PROXY_HEADER_H

#include <sys/types.h>

#include "loop/conn.h"

#define PROXY_HEADER_BYTES_MAX 2048

/* Bytes of a complete header, 0 when more is needed, ERR_SYNTAX. Addresses stay as they are for LOCAL and UNKNOWN. */
ssize_t proxy_header_parse(struct span in, struct address *client, struct address *server);

#endif
