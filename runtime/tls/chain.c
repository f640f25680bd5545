/* Chains of certificates: see chain.h. */
#include "tls/chain.h"

#include <openssl/pem.h>

#include "tls/library.h"

static X509 *
read_one(BIO *pem)
{
    X509 *made = X509_new_ex(tls_library(), NULL);
    if (made != NULL && PEM_read_bio_X509(pem, &made, NULL, NULL) == NULL) {
        X509_free(made);
        return NULL;
    }
    return made;
}

bool
tls_chain_read(struct span text, struct tls_chain *out)
{
    BIO *pem = BIO_new_mem_buf(text.ptr, (int)text.len);
    *out = (struct tls_chain){ .others = sk_X509_new_null() };
    bool ok = pem != NULL && out->others != NULL && (out->leaf = read_one(pem)) != NULL;
    for (X509 *next; ok && (next = read_one(pem)) != NULL;) {
        ok = sk_X509_push(out->others, next) > 0;
        if (!ok)
            X509_free(next);
    }
    BIO_free(pem);
    return ok;
}

void
tls_chain_release(struct tls_chain *c)
{
    X509_free(c->leaf);
    sk_X509_pop_free(c->others, X509_free);
    *c = (struct tls_chain){ 0 };
}
