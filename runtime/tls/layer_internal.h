/* Shared by the files of the layer: layer.c moves bytes, handshake.c begins. Belongs together with
 * tls/handshake: a layer owns its handshake. */
#ifndef VERNIS_TLS_LAYER_INTERNAL_H
#define VERNIS_TLS_LAYER_INTERNAL_H

#include <openssl/ssl.h>

#include "loop/layer.h"
#include "tls/context.h"
#include "tls/layer.h"

struct tls_facts;

struct tls_layer {
    struct conn_layer layer;
    struct conn *conn;               /* that of the current call: it changes when an idle connection moves */
    SSL *ssl;                        /* NULL: the hello is not complete */
    struct tls_handshake *handshake; /* NULL: done */
    struct tls_hello *hello;         /* NULL: not kept. Owned */
    const struct tls_facts *assumed; /* NULL: those of `ssl` */
    /* Ciphertext that the socket has refused, or that a handshake has made since its last step. Owned */
    char *held;
    uint32_t held_bytes, held_sent;
    uint32_t small_bytes; /* to be sent in small records: the client can use the first ones early */
    bool closes;          /* end of writing: tell the socket behind the held bytes */
    bool failed;          /* OpenSSL must not be called again */
    bool end_seen;        /* the socket's */
    bool flooded;         /* by messages after the handshake */
    uint32_t messages;    /* since messages_since */
    nsec messages_since, last_write;
};

struct tls_handshake { /* freed at its end */
    struct tls_contexts *contexts;
    const struct tls_name *name; /* chosen from the hello */
    unsigned frontend;
    char *early; /* bytes of the client for OpenSSL: its hello */
    uint32_t early_bytes, early_taken;
    uint64_t received_before; /* conn.bytes_in before its first byte */
    bool hello_complete;
    int verify_error; /* the first one of the client's certificate; X509_V_* */
    enum tls_failure failure;
    const char *text;
};

struct tls_layer *tls_layer_new(struct conn *c);   /* NULL: no memory */
bool tls_layer_use(struct tls_layer *t, SSL *ssl); /* takes the SSL. False: no memory */
/* Sends what OpenSSL has written. ERR_RESET */
int tls_layer_send(struct tls_layer *t, int flags);

static inline struct tls_layer *
tls_layer_of(const struct conn *c)
{
    return container_of(c->layer, struct tls_layer, layer);
}

#endif
