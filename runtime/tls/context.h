/* What a loop needs for handshakes: OpenSSL's contexts for the newest set of certificates, one a frontend. No
 * other loop touches them. */
#ifndef VERNIS_TLS_CONTEXT_H
#define VERNIS_TLS_CONTEXT_H

#include <openssl/types.h>

#include "loop/loop.h"
#include "tls/set.h"

struct tls_contexts {
    unsigned refs;       /* of this loop */
    struct tls_set *set; /* one reference */
    SSL_CTX *by_frontend[];
};

/* Makes the context of a frontend, and with it finds out whether the settings are valid. NULL: the reason is
 * in `why`. */
SSL_CTX *tls_context_new(const struct tls_set *set, unsigned frontend, struct text *why);
void tls_context_free(SSL_CTX *ctx);
/* A reference to those of the newest set, for one handshake. NULL: there is no set, or no memory. */
struct tls_contexts *tls_contexts_take(struct loop *loop);
void tls_contexts_give(struct tls_contexts **c);
void tls_contexts_close(struct loop *loop); /* at the end of the loop */

#endif
