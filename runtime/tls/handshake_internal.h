/* handshake.c, for context.c and layer.c. Belongs together with tls/layer: it begins on a layer, which frees
 * it. Belongs together with tls/context: contexts call back into the handshake that uses them. */
#ifndef VERNIS_TLS_HANDSHAKE_INTERNAL_H
#define VERNIS_TLS_HANDSHAKE_INTERNAL_H

#include <openssl/types.h>

struct tls_layer;

void handshake_set_callbacks(SSL_CTX *ctx);
/* A client without a valid certificate comes in if it is optional: the policy sees the first error. */
int handshake_accept_any(int valid, X509_STORE_CTX *store);
void handshake_free(struct tls_layer *t); /* harmless when done */

#endif
