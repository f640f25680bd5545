/* TLS between a connection and its socket: loop/layer.h. OpenSSL never touches the descriptor. */
#ifndef VERNIS_TLS_LAYER_H
#define VERNIS_TLS_LAYER_H

#include "base/span.h"
#include "loop/conn.h"

/* A handshake is a state machine on the loop's stack: it holds no fiber while it waits for the client. From
 * the complete hello on it may ask the key process, which needs a fiber. */
enum tls_step {
    TLS_WAIT,  /* for bytes of the client: call again when the connection is ready */
    TLS_FIBER, /* call again, on a fiber: only this step may wait for the key process */
    TLS_DONE,
    TLS_FAILED, /* close the connection */
};

enum tls_failure {
    TLS_FAILURE_NONE,
    TLS_FAILURE_CLIENT,     /* what it sent is no valid handshake, or it closed */
    TLS_FAILURE_PLAIN,      /* it sent plain HTTP, and has got an answer that says so */
    TLS_FAILURE_HELLO,      /* its first message is longer than tls_hello_size */
    TLS_FAILURE_NAME,       /* no certificate has the name, and sni-nomatch-abort is on */
    TLS_FAILURE_SHARED,     /* no protocol, cipher or group in common */
    TLS_FAILURE_KEY,        /* the key process did not sign */
    TLS_FAILURE_CERTIFICATE /* of the client: missing, or not valid */
};

/* Puts TLS on a connection that has none, for a listener. `early`: bytes that were already received, which
 * the layer copies. ERR_NOTFOUND: no certificate is loaded for this listener; ERR_NOMEM. */
int tls_attach(struct conn *c, struct span listener, struct span early);
enum tls_step tls_handshake(struct conn *c);
/* Why it failed; `text`: in words, for the log. */
enum tls_failure tls_failure(const struct conn *c, const char **text);
void tls_layer_close(struct loop *loop);        /* frees what this loop keeps, at its end */
struct span tls_protocol(const struct conn *c); /* that ALPN chose; empty: the client named none */

#endif
