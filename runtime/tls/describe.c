/* Certificates and settings in words: see describe.h. */
#include "tls/describe.h"

#include <openssl/objects.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "tls/context.h"
#include "base/check.h"

#define NAME_BYTES_MAX 256

/* Its common name, or all of it. */
static void
add_name(X509_NAME *name, struct text *out)
{
    char text[NAME_BYTES_MAX] = "";
    if (X509_NAME_get_text_by_NID(name, NID_commonName, text, sizeof text) <= 0)
        X509_NAME_oneline(name, text, sizeof text);
    for (char *c = text; *c != '\0'; c++)
        *c = *c < ' ' || *c == 0x7f ? '?' : *c;
    text_str(out, text);
}

void
tls_describe_chain(const struct tls_certificate *c, struct text *out)
{
    X509 *last = c->chain.leaf;
    add_name(X509_get_subject_name(c->chain.leaf), out);
    for (int i = 0; i < sk_X509_num(c->chain.others); i++) {
        last = sk_X509_value(c->chain.others, i);
        text_str(out, " < ");
        add_name(X509_get_subject_name(last), out);
    }
    bool own = X509_NAME_cmp(X509_get_subject_name(last), X509_get_issuer_name(last)) == 0;
    if (own && last == c->chain.leaf)
        text_str(out, ", which signs itself");
    if (own)
        return;
    text_str(out, " < ");
    add_name(X509_get_issuer_name(last), out);
}

/* Ciphers of TLS 1.2 name the kind of key, those of TLS 1.3 do not. */
static bool
is_for(const SSL_CIPHER *cipher, enum tls_key_kind kind)
{
    int auth = SSL_CIPHER_get_auth_nid(cipher);
    return auth == NID_auth_any || auth == (kind == TLS_KEY_RSA ? NID_auth_rsa : NID_auth_ecdsa);
}

static void
add_ciphers(SSL_CTX *ctx, enum tls_key_kind kind, bool newest, const char *title, struct text *out)
{
    STACK_OF(SSL_CIPHER) *all = SSL_CTX_get_ciphers(ctx);
    unsigned n = 0;
    for (int i = 0; i < sk_SSL_CIPHER_num(all); i++) {
        const SSL_CIPHER *one = sk_SSL_CIPHER_value(all, i);
        if ((strcmp(SSL_CIPHER_get_version(one), "TLSv1.3") == 0) != newest || !is_for(one, kind))
            continue;
        text_printf(out, "%s%s", n++ == 0 ? title : " ", SSL_CIPHER_get_name(one));
    }
    text_str(out, n > 0 ? "\n" : "");
}

int
tls_describe_offer(const struct tls_set *set, unsigned frontend, enum tls_key_kind kind, struct text *out,
                   struct text *why)
{
    SSL_CTX *ctx = tls_context_new(set, frontend, why);
    if (ctx == NULL)
        return ERR_SYNTAX;
    if (SSL_CTX_get_max_proto_version(ctx) == TLS1_3_VERSION)
        add_ciphers(ctx, kind, true, "TLSv1.3 ", out);
    if (SSL_CTX_get_min_proto_version(ctx) == TLS1_2_VERSION)
        add_ciphers(ctx, kind, false, "TLSv1.2 ", out);
    tls_context_free(ctx);
    return 0;
}
