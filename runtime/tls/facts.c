/* Facts of a handshake: see facts.h. */
#include "tls/facts.h"

#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include "base/check.h"
#include "tls/certificate.h"
#include "tls/fingerprint.h"
#include "tls/layer_internal.h"
#include "tls/library.h"

static bool
add(struct text *out, const char *word)
{
    if (word != NULL)
        text_str(out, word);
    return word != NULL;
}

/* ---- of the connection ---- */

static bool
add_version(SSL *ssl, struct text *out)
{
    return add(out, SSL_get_version(ssl));
}

static bool
add_cipher(SSL *ssl, struct text *out)
{
    return add(out, SSL_get_cipher_name(ssl));
}

/* 0: the keys were not exchanged over a group. */
static bool
add_group(SSL *ssl, struct text *out)
{
    int id = (int)SSL_get_negotiated_group(ssl);
    return add(out, id == 0 ? NULL : SSL_group_to_name(ssl, id));
}

static bool
add_authority(SSL *ssl, struct text *out)
{
    return add(out, SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name));
}

static bool
add_alpn(SSL *ssl, struct text *out)
{
    const struct tls_layer *t = SSL_get_app_data(ssl);
    struct span name = tls_protocol(t->conn);
    text_add(out, name);
    return name.len > 0;
}

/* ---- of our certificate ---- */

/* A resumed connection has no certificate of ours: its ticket holds the words about the first one. */
static bool
add_certificate(SSL *ssl, struct text *out)
{
    void *words = NULL;
    size_t n = 0;
    const X509 *x = SSL_get_certificate(ssl);
    if (x != NULL)
        tls_certificate_words(x, out);
    else if (SSL_SESSION_get0_ticket_appdata(SSL_get_session(ssl), &words, &n) == 1 && n > 0)
        text_add(out, span_of(words, n));
    return out->len > 0;
}

/* The word before or behind the blank. */
static bool
add_word(SSL *ssl, bool first, struct text *out)
{
    struct text both = { 0 };
    const char *blank = add_certificate(ssl, &both) ? memchr(both.ptr, ' ', both.len) : NULL;
    if (blank != NULL)
        text_add(out, first ? span_of(both.ptr, (size_t)(blank - both.ptr)) : span_str(blank + 1));
    text_release(&both);
    return blank != NULL;
}

static bool
add_cert_key(SSL *ssl, struct text *out)
{
    return add_word(ssl, true, out);
}

static bool
add_cert_sign(SSL *ssl, struct text *out)
{
    return add_word(ssl, false, out);
}

/* ---- of the client's certificate ---- */

static bool
add_client_verify(SSL *ssl, struct text *out)
{
    long result = SSL_get_verify_result(ssl);
    return add(out, SSL_get0_peer_certificate(ssl) == NULL ? "none"
                    : result == X509_V_OK                  ? "ok"
                                                           : X509_verify_cert_error_string(result));
}

static bool
add_name(const X509_NAME *name, struct text *out)
{
    BIO *bio = name == NULL ? NULL : BIO_new(BIO_s_mem());
    char *bytes = NULL;
    bool ok = bio != NULL && X509_NAME_print_ex(bio, name, 0, XN_FLAG_RFC2253) >= 0;
    long n = ok ? BIO_get_mem_data(bio, &bytes) : 0;
    text_add(out, span_of(bytes, (size_t)n));
    BIO_free(bio);
    return ok;
}

static bool
add_client_subject(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    return add_name(x == NULL ? NULL : X509_get_subject_name(x), out);
}

static bool
add_client_issuer(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    return add_name(x == NULL ? NULL : X509_get_issuer_name(x), out);
}

/* A name with control characters could look like another one in a field or in the log. */
static bool
is_clean(struct span name)
{
    for (size_t i = 0; i < name.len; i++)
        if ((unsigned char)name.ptr[i] < ' ' || name.ptr[i] == 0x7f)
            return false;
    return name.len > 0;
}

static bool
add_client_cn(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    const X509_NAME *subject = x == NULL ? NULL : X509_get_subject_name(x);
    int at = subject == NULL ? -1 : X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
    unsigned char *text = NULL;
    int n = at < 0 ? -1
                   : ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)));
    struct span name = n < 0 ? SPAN_NULL : span_of((const char *)text, (size_t)n);
    bool clean = is_clean(name);
    if (clean)
        text_add(out, name);
    OPENSSL_free(text);
    return clean;
}

static bool
add_client_serial(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    BIGNUM *number = x == NULL ? NULL : ASN1_INTEGER_to_BN(X509_get0_serialNumber(x), NULL);
    char *hex = number == NULL ? NULL : BN_bn2hex(number);
    bool ok = add(out, hex);
    OPENSSL_free(hex);
    BN_free(number);
    return ok;
}

/* One alternative name. A comma would let one name pass for two. */
static void
add_alternative(const char *kind, const ASN1_STRING *name, struct text *out)
{
    struct span text = span_of((const char *)ASN1_STRING_get0_data(name), (size_t)ASN1_STRING_length(name));
    if (!is_clean(text) || memchr(text.ptr, ',', text.len) != NULL)
        return;
    text_printf(out, "%s%s:", out->len > 0 ? "," : "", kind);
    text_add(out, text);
}

static void
add_address(const ASN1_OCTET_STRING *ip, struct text *out)
{
    char text[ADDRESS_TEXT_BYTES];
    struct address a = { 0 };
    int n = ASN1_STRING_length(ip);
    if (n != 4 && n != 16)
        return;
    a.family = n == 4 ? 4 : 6;
    memcpy(a.addr, ASN1_STRING_get0_data(ip), (size_t)n);
    address_text(&a, text);
    text_printf(out, "%sIP:%s", out->len > 0 ? "," : "", text);
}

static bool
add_client_san(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    GENERAL_NAMES *all = x == NULL ? NULL : X509_get_ext_d2i(x, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(all); i++) {
        const GENERAL_NAME *one = sk_GENERAL_NAME_value(all, i);
        switch (one->type) {
        case GEN_DNS: add_alternative("DNS", one->d.dNSName, out); break;
        case GEN_EMAIL: add_alternative("email", one->d.rfc822Name, out); break;
        case GEN_URI: add_alternative("URI", one->d.uniformResourceIdentifier, out); break;
        case GEN_IPADD: add_address(one->d.iPAddress, out); break;
        default: break; /* kinds that have no text */
        }
    }
    GENERAL_NAMES_free(all);
    return out->len > 0;
}

static bool
add_client_sha256(SSL *ssl, struct text *out)
{
    const X509 *x = SSL_get0_peer_certificate(ssl);
    EVP_MD *sha256 = x == NULL ? NULL : EVP_MD_fetch(tls_library(), "SHA256", NULL);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    bool ok = sha256 != NULL && X509_digest(x, sha256, digest, &n) == 1;
    for (unsigned i = 0; ok && i < n; i++)
        text_printf(out, "%02x", digest[i]);
    EVP_MD_free(sha256);
    return ok;
}

/* ---- of the hello ---- */

static bool
add_ja3(SSL *ssl, struct text *out)
{
    const struct tls_layer *t = SSL_get_app_data(ssl);
    if (t->hello != NULL)
        tls_hello_ja3(t->hello, out);
    return t->hello != NULL;
}

static bool
add_ja4_as(SSL *ssl, unsigned how, struct text *out)
{
    const struct tls_layer *t = SSL_get_app_data(ssl);
    if (t->hello != NULL)
        tls_hello_ja4(t->hello, how, out);
    return t->hello != NULL;
}

static bool
add_ja4(SSL *ssl, struct text *out)
{
    return add_ja4_as(ssl, 0, out);
}

static bool
add_ja4_r(SSL *ssl, struct text *out)
{
    return add_ja4_as(ssl, TLS_JA4_RAW, out);
}

static bool
add_ja4_o(SSL *ssl, struct text *out)
{
    return add_ja4_as(ssl, TLS_JA4_ORIGINAL, out);
}

static bool
add_ja4_ro(SSL *ssl, struct text *out)
{
    return add_ja4_as(ssl, TLS_JA4_RAW | TLS_JA4_ORIGINAL, out);
}

/* ---- all ---- */

bool
tls_fact(const struct conn *c, enum tls_fact fact, struct text *out)
{
    static bool (*const adds[TLS_FACTS])(SSL *, struct text *) = {
        [TLS_FACT_VERSION] = add_version,
        [TLS_FACT_CIPHER] = add_cipher,
        [TLS_FACT_GROUP] = add_group,
        [TLS_FACT_AUTHORITY] = add_authority,
        [TLS_FACT_ALPN] = add_alpn,
        [TLS_FACT_CERT_SIGN] = add_cert_sign,
        [TLS_FACT_CERT_KEY] = add_cert_key,
        [TLS_FACT_CLIENT_VERIFY] = add_client_verify,
        [TLS_FACT_CLIENT_SUBJECT] = add_client_subject,
        [TLS_FACT_CLIENT_ISSUER] = add_client_issuer,
        [TLS_FACT_CLIENT_CN] = add_client_cn,
        [TLS_FACT_CLIENT_SERIAL] = add_client_serial,
        [TLS_FACT_CLIENT_SAN] = add_client_san,
        [TLS_FACT_CLIENT_SHA256] = add_client_sha256,
        [TLS_FACT_JA3] = add_ja3,
        [TLS_FACT_JA4] = add_ja4,
        [TLS_FACT_JA4_R] = add_ja4_r,
        [TLS_FACT_JA4_O] = add_ja4_o,
        [TLS_FACT_JA4_RO] = add_ja4_ro,
    };
    const struct tls_layer *t = tls_layer_of(c);
    CHECK(fact < TLS_FACTS && t->handshake == NULL && out->len == 0);
    if (t->assumed != NULL) {
        text_add(out, text_span(&t->assumed->words[fact]));
        return out->len > 0;
    }
    bool has = adds[fact](t->ssl, out);
    ERR_clear_error(); /* the next read or write must not see it */
    return has;
}

bool
tls_resumed(const struct conn *c)
{
    const struct tls_layer *t = tls_layer_of(c);
    return t->assumed != NULL ? t->assumed->resumed : SSL_session_reused(t->ssl) == 1;
}

bool
tls_client_has_certificate(const struct conn *c)
{
    const struct tls_layer *t = tls_layer_of(c);
    if (t->assumed != NULL)
        return !span_eq(text_span(&t->assumed->words[TLS_FACT_CLIENT_VERIFY]), SPAN_LIT("none"));
    return SSL_get0_peer_certificate(t->ssl) != NULL;
}

long
tls_client_verify(const struct conn *c)
{
    const struct tls_layer *t = tls_layer_of(c);
    if (!tls_client_has_certificate(c))
        return X509_V_OK;
    if (t->assumed == NULL)
        return SSL_get_verify_result(t->ssl);
    bool ok = span_eq(text_span(&t->assumed->words[TLS_FACT_CLIENT_VERIFY]), SPAN_LIT("ok"));
    return ok ? X509_V_OK : X509_V_ERR_UNSPECIFIED;
}
