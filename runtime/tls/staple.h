/* The answer of an authority (OCSP, RFC 6960) that a certificate is good. It goes with the certificate to
 * clients that ask for it (RFC 6066, 8), and with the chain from the manager to the worker, as a PEM block.
 */
#ifndef VERNIS_TLS_STAPLE_H
#define VERNIS_TLS_STAPLE_H

#include "base/text.h"
#include "tls/chain.h"

#define TLS_STAPLE_BYTES_MAX 65536u

struct tls_staple {
    unsigned char *bytes; /* DER. NULL: none */
    size_t n;
    int64_t until_s; /* seconds since 1970; not sent later */
};

/* Adds an answer (DER) behind the chain (PEM, the server's certificate first), as a block. ERR_SYNTAX with
 * the reason: it is not an answer for this certificate that says good and is valid now. */
int tls_staple_add(struct text *chain, struct span answer, struct text *why);
/* The block behind a chain, which `of` was read from. One that cannot be read, or does not say good, is none.
 */
void tls_staple_read(struct span chain, const struct tls_chain *of, struct tls_staple *out);
void tls_staple_release(struct tls_staple *s);

static inline bool
tls_staple_is_valid(const struct tls_staple *s, int64_t now_s)
{
    return s->bytes != NULL && now_s < s->until_s;
}

#endif
