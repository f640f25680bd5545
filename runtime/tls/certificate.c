/* Certificates: see certificate.h. */
#include "tls/certificate.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "tls/library.h"
#include "tls/remote_key.h"

static bool
add_name(struct tls_certificate *c, const ASN1_STRING *from)
{
    size_t n = (size_t)ASN1_STRING_length(from);
    const unsigned char *text = ASN1_STRING_get0_data(from);
    if (n == 0 || n > TLS_NAME_BYTES_MAX || memchr(text, '\0', n) != NULL)
        return true; /* no client can ask for it */
    char **more = realloc(c->names, (c->n_names + 1) * sizeof *more), *name = malloc(n + 1);
    if (more != NULL)
        c->names = more;
    if (more == NULL || name == NULL) {
        free(name);
        return false;
    }
    for (size_t i = 0; i < n; i++)
        name[i] = ascii_lower((char)text[i]);
    name[n] = '\0';
    c->names[c->n_names++] = name;
    return true;
}

/* The alternative names, or without any the common name (RFC 6125, 6.4.4). */
static bool
read_names(struct tls_certificate *c)
{
    GENERAL_NAMES *all = X509_get_ext_d2i(c->chain.leaf, NID_subject_alt_name, NULL, NULL);
    bool ok = true;
    for (int i = 0; ok && i < sk_GENERAL_NAME_num(all); i++) {
        const GENERAL_NAME *one = sk_GENERAL_NAME_value(all, i);
        if (one->type == GEN_DNS)
            ok = add_name(c, one->d.dNSName);
    }
    GENERAL_NAMES_free(all);
    X509_NAME *subject = X509_get_subject_name(c->chain.leaf);
    int at = c->n_names > 0 ? -1 : X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    return ok && (at < 0 || add_name(c, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at))));
}

static bool
find_key(struct tls_certificate *c)
{
    static const struct {
        const char *type;
        enum tls_key_kind kind;
    } kinds[] = { { "RSA", TLS_KEY_RSA }, { "EC", TLS_KEY_EC }, { "ED25519", TLS_KEY_ED25519 } };
    EVP_PKEY *public_key = X509_get0_pubkey(c->chain.leaf);
    for (unsigned i = 0; public_key != NULL && i < sizeof kinds / sizeof *kinds; i++)
        if (EVP_PKEY_is_a(public_key, kinds[i].type)) {
            c->kind = kinds[i].kind;
            c->key = remote_key_new(public_key, c->number);
        }
    return c->key != NULL;
}

struct tls_certificate *
tls_certificate_new(uint32_t number, struct span chain, struct text *why)
{
    struct tls_certificate *c = calloc(1, sizeof *c);
    if (c == NULL) {
        text_str(why, "no memory for a certificate");
        return NULL;
    }
    ERR_clear_error();
    atomic_init(&c->refs, 1);
    c->number = number;
    const char *failed = !tls_chain_read(chain, &c->chain) ? "the chain cannot be read"
                       : !read_names(c)                    ? "its names cannot be read"
                       : !find_key(c)                      ? "its key is neither RSA, EC nor Ed25519"
                                                           : NULL;
    if (failed == NULL) {
        tls_staple_read(chain, &c->chain, &c->staple);
        return c;
    }
    text_printf(why, "certificate %u: %s (", number, failed);
    tls_library_error(why);
    text_str(why, ")");
    tls_certificate_release(&c);
    return NULL;
}

void
tls_certificate_release(struct tls_certificate **at)
{
    struct tls_certificate *c = *at;
    *at = NULL;
    if (c == NULL || atomic_fetch_sub(&c->refs, 1) > 1)
        return;
    for (unsigned i = 0; i < c->n_names; i++)
        free(c->names[i]);
    free(c->names);
    tls_chain_release(&c->chain);
    EVP_PKEY_free(c->key);
    tls_staple_release(&c->staple);
    free(c);
}

void
tls_certificate_words(const X509 *x, struct text *out)
{
    EVP_PKEY *key = X509_get0_pubkey(x);
    const char *kind = key == NULL                   ? "none"
                     : EVP_PKEY_is_a(key, "RSA")     ? "RSA"
                     : EVP_PKEY_is_a(key, "EC")      ? "EC"
                     : EVP_PKEY_is_a(key, "ED25519") ? "ED25519"
                                                     : "other";
    text_str(out, kind);
    if (key != NULL && !EVP_PKEY_is_a(key, "ED25519"))
        text_printf(out, "%d", EVP_PKEY_get_bits(key));
    text_printf(out, " %s", OBJ_nid2sn(X509_get_signature_nid(x)));
}
