/* A chain of certificates as PEM, the server's certificate first. */
#ifndef VERNIS_TLS_CHAIN_H
#define VERNIS_TLS_CHAIN_H

#include <openssl/x509.h>

#include "base/span.h"

struct tls_chain {
    X509 *leaf;
    STACK_OF(X509) * others;
};

/* False: no certificate can be read, or no memory. To be released in each case. */
bool tls_chain_read(struct span pem, struct tls_chain *out);
void tls_chain_release(struct tls_chain *c);

#endif
