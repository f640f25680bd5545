/* handshake.c, for context.c and layer.c. Belongs together with tls/layer: it begins on a layer, which frees
 * it. Belongs together with tls/context: contexts call back into the handshake that uses them. */
#ifndef VERNIS_TLS_HANDSHAKE_INTERNAL_H
#define VERNIS_TLS_HANDSHAKE_INTERNAL_H

#include <openssl/types.h>

struct tls_layer;

void handshake_set_callbacks(SSL_CTX *ctx);
void handshake_free(struct tls_layer *t); /* harmless when done */

#endif
