/* A certificate of a server with its chain, and the number of its private key, which is in the key process.
 * Immutable, shared by all loops. */
#ifndef VERNIS_TLS_CERTIFICATE_H
#define VERNIS_TLS_CERTIFICATE_H

#include <openssl/types.h>
#include <openssl/x509.h>
#include <stdatomic.h>
#include <stdint.h>

#include "tls/staple.h"

/* A client takes the first that it can check. */
enum tls_key_kind { TLS_KEY_EC, TLS_KEY_ED25519, TLS_KEY_RSA, TLS_KEY_KINDS };

#define TLS_NAME_BYTES_MAX 255u /* of a host name */

struct tls_certificate {
    atomic_uint refs;
    uint32_t number; /* of its key, for key_client.h */
    enum tls_key_kind kind;
    struct tls_chain chain;
    EVP_PKEY *key; /* remote_key.h */
    char **names;  /* lower case; "*.example.com" is a wildcard for one label */
    unsigned n_names;
    struct tls_staple staple;
};

/* The chain as PEM, the leaf first, and behind it an answer of OCSP, if there is one. Returns one reference;
 * NULL, and adds the reason to `why`. */
struct tls_certificate *tls_certificate_new(uint32_t number, struct span chain, struct text *why);
void tls_certificate_release(struct tls_certificate **c); /* any thread */
/* Key and signature: "EC256 ecdsa-with-SHA256". */
void tls_certificate_words(const X509 *x, struct text *out);

#endif
