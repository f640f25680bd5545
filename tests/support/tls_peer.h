/* Clients of TLS and the key process for tests, all on the thread of the test: each step of the loop is
 * followed by one of the client and one of the keys. */
#ifndef VERNIS_TESTS_SUPPORT_TLS_PEER_H
#define VERNIS_TESTS_SUPPORT_TLS_PEER_H

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/check.h"
#include "base/text.h"
#include "tls/key_wire.h"

#define TEST_KEYS_MAX 8u

static _Thread_local struct {
    int fd; /* of the key process; the loop has the other end */
    EVP_PKEY *by_number[TEST_KEYS_MAX];
    unsigned n_asked;
    bool silent;
} test_keys;

static inline EVP_PKEY *
test_key_new(const char *kind)
{
    EVP_PKEY *key = strcmp(kind, "RSA") == 0     ? EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)2048)
                  : strcmp(kind, "ED25519") == 0 ? EVP_PKEY_Q_keygen(NULL, NULL, "ED25519")
                                                 : EVP_PKEY_Q_keygen(NULL, NULL, "EC", kind);
    CHECK(key != NULL);
    return key;
}

/* A certificate that signs itself, as PEM. names: as in "DNS:a.test,DNS:*.b.test". */
static inline void
test_certificate(EVP_PKEY *key, const char *names, struct text *pem)
{
    X509 *x = X509_new();
    X509_NAME *subject = X509_get_subject_name(x);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -3600);
    X509_gmtime_adj(X509_getm_notAfter(x), 3600);
    X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, (const unsigned char *)"test", -1, -1, 0);
    X509_set_version(x, X509_VERSION_3);
    X509_set_issuer_name(x, subject);
    X509_set_pubkey(x, key);
    X509_EXTENSION *san = X509V3_EXT_conf_nid(NULL, NULL, NID_subject_alt_name, names);
    X509_add_ext(x, san, -1);
    X509_EXTENSION_free(san);
    CHECK(X509_sign(x, key, EVP_PKEY_is_a(key, "ED25519") ? NULL : EVP_sha256()) > 0);
    BIO *out = BIO_new(BIO_s_mem());
    char *bytes;
    CHECK(PEM_write_bio_X509(out, x) == 1);
    long n = BIO_get_mem_data(out, &bytes);
    text_add(pem, span_of(bytes, (size_t)n));
    BIO_free(out);
    X509_free(x);
}

static inline size_t
test_sign(const struct key_request *r, const char *what, unsigned char *out, size_t cap)
{
    static const struct {
        uint16_t scheme;
        const char *digest;
        bool pss;
    } schemes[] = { { 0x0804, "SHA256", true },  { 0x0805, "SHA384", true },  { 0x0806, "SHA512", true },
                    { 0x0401, "SHA256", false }, { 0x0403, "SHA256", false }, { 0x0503, "SHA384", false },
                    { 0x0603, "SHA512", false }, { 0x0807, NULL, false } };
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *key;
    size_t n = 0;
    for (unsigned i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        if (schemes[i].scheme != r->scheme)
            continue;
        n = cap;
        CHECK(EVP_DigestSignInit_ex(ctx, &key, schemes[i].digest, NULL, NULL, test_keys.by_number[r->key],
                                    NULL) == 1);
        if (schemes[i].pss)
            CHECK(EVP_PKEY_CTX_set_rsa_padding(key, RSA_PKCS1_PSS_PADDING) == 1 &&
                  EVP_PKEY_CTX_set_rsa_pss_saltlen(key, RSA_PSS_SALTLEN_DIGEST) == 1);
        CHECK(EVP_DigestSign(ctx, out, &n, (const unsigned char *)what, r->bytes) == 1);
    }
    EVP_MD_CTX_free(ctx);
    return n;
}

/* Answers the requests that have come. */
static inline void
test_keys_answer(void)
{
    char packet[sizeof(struct key_request) + KEY_SIGNED_BYTES_MAX];
    unsigned char reply[sizeof(struct key_answer) + KEY_SIGNATURE_BYTES_MAX];
    while (!test_keys.silent) {
        struct key_request r;
        ssize_t got = recv(test_keys.fd, packet, sizeof packet, MSG_DONTWAIT);
        if (got < (ssize_t)sizeof r)
            return;
        memcpy(&r, packet, sizeof r);
        CHECK((size_t)got == sizeof r + r.bytes && r.key < TEST_KEYS_MAX);
        size_t n = test_sign(&r, packet + sizeof r, reply + sizeof(struct key_answer),
                             KEY_SIGNATURE_BYTES_MAX);
        struct key_answer a = { .id = r.id, .bytes = n == 0 ? ERR_NOTFOUND : (int32_t)n };
        memcpy(reply, &a, sizeof a);
        test_keys.n_asked++;
        CHECK(send(test_keys.fd, reply, sizeof a + n, 0) == (ssize_t)(sizeof a + n));
    }
}

/* ---- clients ---- */

struct tls_client {
    SSL_CTX *ctx;
    SSL *ssl;
    bool done, failed;
};

/* max: TLS1_2_VERSION or TLS1_3_VERSION; name: NULL for none; session: NULL for none */
static inline void
tls_client_open(struct tls_client *t, int fd, int max, const char *name, SSL_SESSION *session)
{
    *t = (struct tls_client){ .ctx = SSL_CTX_new(TLS_client_method()) };
    SSL_CTX_set_max_proto_version(t->ctx, max);
    t->ssl = SSL_new(t->ctx);
    SSL_set_fd(t->ssl, fd);
    if (name != NULL)
        SSL_set_tlsext_host_name(t->ssl, name);
    if (session != NULL)
        SSL_set_session(t->ssl, session);
    SSL_set_connect_state(t->ssl);
}

static inline void
tls_client_step(struct tls_client *t)
{
    if (t->done || t->failed)
        return;
    ERR_clear_error();
    int n = SSL_do_handshake(t->ssl), why = SSL_get_error(t->ssl, n);
    t->done = n == 1;
    t->failed = n != 1 && why != SSL_ERROR_WANT_READ && why != SSL_ERROR_WANT_WRITE;
}

/* Bytes read; 0: none now, or the end */
static inline size_t
tls_client_read(struct tls_client *t, char *out, size_t cap)
{
    size_t n = 0;
    ERR_clear_error();
    return SSL_read_ex(t->ssl, out, cap, &n) == 1 ? n : 0;
}

static inline bool
tls_client_saw_end(const struct tls_client *t)
{
    return (SSL_get_shutdown(t->ssl) & SSL_RECEIVED_SHUTDOWN) != 0;
}

static inline void
tls_client_close(struct tls_client *t)
{
    SSL_set_shutdown(t->ssl,
                     SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN); /* else its session cannot be resumed */
    SSL_free(t->ssl);
    SSL_CTX_free(t->ctx);
}

#endif
