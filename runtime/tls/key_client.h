/* Asks the key process for signatures (key_wire.h). A loop has a socket of its own to it. If the process
 * dies, the socket stays, and its successor answers. */
#ifndef VERNIS_TLS_KEY_CLIENT_H
#define VERNIS_TLS_KEY_CLIENT_H

#include <stdint.h>
#include <sys/types.h>

#include "base/span.h"
#include "loop/loop.h"

/* The loop owns the socket (SOCK_SEQPACKET, non-blocking) from now on. ERR_NOMEM, ERR_SYS. */
int key_client_open(struct loop *loop, int fd);
void key_client_close(
    struct loop *loop); /* at the end of the loop; harmless without one, or while a fiber waits */
/* Fiber only. The key's number and the scheme: key_wire.h. Returns the length of the signature; ERR_NOTFOUND:
 * this loop has no socket, or the process no such key; ERR_SYNTAX: the process refuses to sign this;
 * ERR_LIMIT: too long; ERR_TIMEOUT after tls_handshake_timeout. */
ssize_t key_client_sign(uint32_t key, uint16_t scheme, struct span what, char *out, size_t cap);

#endif
