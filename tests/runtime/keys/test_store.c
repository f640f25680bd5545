/* The keys of the key process: each kind signs what OpenSSL verifies, faulty files are refused without a byte
 * of them in the answer, and nothing is signed that a server of TLS does not sign. */
#include "keys/store.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdlib.h>

#include "base/check.h"
#include "test.h"
#include "tls/key_wire.h"

#define DAY 86400L
#define DIGEST_BYTES 32
#define PUBLIC_BYTES (sizeof "public " - 1 + 64) /* of the first line, without its end */

/* ---- keys and certificates ---- */

/* OpenSSL finds many short primes soon, and two long ones after minutes. */
static EVP_PKEY *
new_long_rsa(size_t bits)
{
    EVP_PKEY *key = NULL;
    EVP_PKEY_CTX *ctx = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    CHECK(EVP_PKEY_keygen_init(ctx) == 1 && EVP_PKEY_CTX_set_rsa_keygen_bits(ctx, (int)bits) == 1 &&
          EVP_PKEY_CTX_set_rsa_keygen_primes(ctx, 5) == 1 && EVP_PKEY_generate(ctx, &key) == 1);
    EVP_PKEY_CTX_free(ctx);
    return key;
}

static EVP_PKEY *
new_key(const char *kind)
{
    if (strcmp(kind, "ED25519") == 0)
        return EVP_PKEY_Q_keygen(NULL, NULL, "ED25519");
    if (strncmp(kind, "RSA-", 4) == 0)
        return EVP_PKEY_Q_keygen(NULL, NULL, "RSA", (size_t)atoi(kind + 4));
    return EVP_PKEY_Q_keygen(NULL, NULL, "EC", kind);
}

static void
name_it(X509_NAME *name, const char *text)
{
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)text, -1, -1, 0);
}

static X509 *
new_certificate(const char *name, EVP_PKEY *key, X509 *issuer, EVP_PKEY *by)
{
    X509 *x = X509_new();
    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
    X509_gmtime_adj(X509_getm_notBefore(x), -DAY);
    X509_gmtime_adj(X509_getm_notAfter(x), DAY);
    X509_set_pubkey(x, key);
    name_it(X509_get_subject_name(x), name);
    X509_set_issuer_name(x, issuer == NULL ? X509_get_subject_name(x) : X509_get_subject_name(issuer));
    X509_sign(x, by, EVP_PKEY_is_a(by, "ED25519") ? NULL : EVP_sha256());
    return x;
}

static void
add_certificate(struct text *out, X509 *x)
{
    BIO *pem = BIO_new(BIO_s_mem());
    char *bytes;
    PEM_write_bio_X509(pem, x);
    long n = BIO_get_mem_data(pem, &bytes);
    text_add(out, span_of(bytes, (size_t)n));
    BIO_free(pem);
}

static void
add_key(struct text *out, EVP_PKEY *key, const char *password)
{
    BIO *pem = BIO_new(BIO_s_mem());
    char *bytes;
    PEM_write_bio_PrivateKey(pem, key, password == NULL ? NULL : EVP_aes_128_cbc(), NULL, 0, NULL,
                             (void *)password);
    long n = BIO_get_mem_data(pem, &bytes);
    text_add(out, span_of(bytes, (size_t)n));
    BIO_free(pem);
}

/* A file with the certificate of a key, and the key `with`. */
static void
make_file(struct text *out, EVP_PKEY *key, EVP_PKEY *with, const char *password)
{
    X509 *x = new_certificate("a.test", key, NULL, key);
    add_certificate(out, x);
    if (with != NULL)
        add_key(out, with, password);
    X509_free(x);
}

/* ---- content to sign ---- */

static size_t
content_tls13(char out[KEY_SIGNED_BYTES_MAX], const char *use, size_t digest)
{
    size_t n = strlen(use) + 1;
    memset(out, ' ', 64);
    memcpy(out + 64, use, n);
    memset(out + 64 + n, 7, digest);
    return 64 + n + digest;
}

static size_t
content_tls12(char out[KEY_SIGNED_BYTES_MAX], unsigned char point)
{
    static const unsigned char params[] = { 3, 0, 29 }; /* a named curve: x25519 */
    memset(out, 9, 64);
    memcpy(out + 64, params, sizeof params);
    out[67] = (char)point;
    memset(out + 68, 5, point);
    return 68u + point;
}

#define SERVER_USE "TLS 1.3, server CertificateVerify"

static bool
verifies(EVP_PKEY *key, const char *digest, bool pss, struct span what, const unsigned char *sig, size_t n)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *how = NULL;
    bool ok = EVP_DigestVerifyInit_ex(ctx, &how, digest, NULL, NULL, key, NULL) == 1;
    if (pss)
        ok = ok && EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING) == 1 &&
             EVP_PKEY_CTX_set_rsa_pss_saltlen(how, RSA_PSS_SALTLEN_DIGEST) == 1;
    ok = ok && EVP_DigestVerify(ctx, sig, n, (const unsigned char *)what.ptr, what.len) == 1;
    EVP_MD_CTX_free(ctx);
    return ok;
}

/* ---- tests ---- */

static void
each_kind_of_key_signs_what_openssl_verifies(void)
{
    static const struct {
        const char *kind;
        uint16_t scheme;
        const char *digest;
        bool pss;
    } rows[] = {
        { "RSA-2048", 0x0401, "SHA256", false }, { "RSA-2048", 0x0501, "SHA384", false },
        { "RSA-2048", 0x0601, "SHA512", false }, { "RSA-2048", 0x0804, "SHA256", true },
        { "RSA-2048", 0x0805, "SHA384", true },  { "RSA-2048", 0x0806, "SHA512", true },
        { "P-256", 0x0403, "SHA256", false },    { "P-384", 0x0503, "SHA384", false },
        { "P-521", 0x0603, "SHA512", false },    { "ED25519", 0x0807, NULL, false },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        char what[KEY_SIGNED_BYTES_MAX];
        unsigned char sig[KEY_SIGNATURE_BYTES_MAX];
        struct text file = { 0 }, said = { 0 };
        EVP_PKEY *key = new_key(rows[i].kind);
        make_file(&file, key, key, NULL);
        EXPECT_EQ_INT(key_store_load(1, text_span(&file), text_span(&file), &said), 0);
        for (int tls12 = 0; tls12 < 2; tls12++) {
            size_t n = tls12 ? content_tls12(what, 32) : content_tls13(what, SERVER_USE, DIGEST_BYTES);
            ssize_t got = key_store_sign(1, rows[i].scheme, span_of(what, n), sig, sizeof sig);
            EXPECT(got > 0 && verifies(key, rows[i].digest, rows[i].pss, span_of(what, n), sig, (size_t)got));
        }
        EVP_PKEY_free(key);
        text_release(&file);
        text_release(&said);
    }
    key_store_release();
}

static void
only_what_a_server_of_tls_signs_is_signed(void)
{
    char what[KEY_SIGNED_BYTES_MAX] = { 0 };
    unsigned char sig[KEY_SIGNATURE_BYTES_MAX];
    struct text file = { 0 }, said = { 0 };
    EVP_PKEY *key = new_key("P-256");
    make_file(&file, key, key, NULL);
    EXPECT_EQ_INT(key_store_load(1, text_span(&file), text_span(&file), &said), 0);
#define SIGN(n) key_store_sign(1, 0x0403, span_of(what, n), sig, sizeof sig)
    EXPECT(SIGN(content_tls13(what, SERVER_USE, 48)) > 0);
    EXPECT_EQ_INT(SIGN(content_tls13(what, "TLS 1.3, client CertificateVerify", 32)), ERR_SYNTAX);
    EXPECT_EQ_INT(SIGN(content_tls13(what, SERVER_USE, 20)), ERR_SYNTAX); /* no digest of TLS 1.3 */
    EXPECT_EQ_INT(SIGN(content_tls13(what, SERVER_USE, 0)), ERR_SYNTAX);
    size_t n = content_tls13(what, SERVER_USE, 32);
    what[63] = '!';
    EXPECT_EQ_INT(SIGN(n), ERR_SYNTAX);
    n = content_tls12(what, 65);
    EXPECT(SIGN(n) > 0);
    EXPECT_EQ_INT(SIGN(n - 1), ERR_SYNTAX); /* a point cut off */
    EXPECT_EQ_INT(SIGN(n + 1), ERR_SYNTAX); /* and more behind it */
    what[64] = 1;                           /* explicit parameters of a curve */
    EXPECT_EQ_INT(SIGN(n), ERR_SYNTAX);
    EXPECT_EQ_INT(SIGN(0), ERR_SYNTAX);
    EXPECT_EQ_INT(SIGN(32), ERR_SYNTAX); /* a digest alone */
#undef SIGN
    EVP_PKEY_free(key);
    text_release(&file);
    text_release(&said);
    key_store_release();
}

static void
a_key_signs_only_by_its_schemes(void)
{
    char what[KEY_SIGNED_BYTES_MAX];
    unsigned char sig[KEY_SIGNATURE_BYTES_MAX];
    struct text file = { 0 }, said = { 0 };
    EVP_PKEY *key = new_key("P-256");
    make_file(&file, key, key, NULL);
    EXPECT_EQ_INT(key_store_load(1, text_span(&file), text_span(&file), &said), 0);
    struct span content = span_of(what, content_tls13(what, SERVER_USE, DIGEST_BYTES));
    EXPECT_EQ_INT(key_store_sign(1, 0x0804, content, sig, sizeof sig), ERR_SYNTAX); /* RSA */
    EXPECT_EQ_INT(key_store_sign(1, 0x0203, content, sig, sizeof sig), ERR_SYNTAX); /* SHA-1 */
    EXPECT_EQ_INT(key_store_sign(2, 0x0403, content, sig, sizeof sig), ERR_NOTFOUND);
    EXPECT_EQ_INT(key_store_sign(1, 0x0403, content, sig, 8), ERR_SYNTAX); /* no room */
    EVP_PKEY_free(key);
    text_release(&file);
    text_release(&said);
    key_store_release();
}

static void
a_dropped_key_signs_no_more(void)
{
    char what[KEY_SIGNED_BYTES_MAX];
    unsigned char sig[KEY_SIGNATURE_BYTES_MAX];
    struct text file = { 0 }, said = { 0 };
    EVP_PKEY *key = new_key("P-256");
    make_file(&file, key, key, NULL);
    struct span content = span_of(what, content_tls13(what, SERVER_USE, DIGEST_BYTES));
    for (uint32_t number = 1; number <= 3; number++)
        EXPECT_EQ_INT(key_store_load(number, text_span(&file), text_span(&file), &said), 0);
    key_store_drop(1);
    key_store_drop(1); /* harmless */
    EXPECT_EQ_INT(key_store_sign(1, 0x0403, content, sig, sizeof sig), ERR_NOTFOUND);
    EXPECT(key_store_sign(2, 0x0403, content, sig, sizeof sig) > 0);
    EXPECT(key_store_sign(3, 0x0403, content, sig, sizeof sig) > 0);
    EVP_PKEY_free(key);
    text_release(&file);
    text_release(&said);
    key_store_release();
}

/* Loads a file, expects a refusal that has this part, and that the answer has no line of the file. */
static void
refused(struct span chain, struct span key, const char *part)
{
    struct text said = { 0 };
    EXPECT_EQ_INT(key_store_load(9, chain, key, &said), ERR_SYNTAX);
    if (!EXPECT(strstr(text_cstr(&said), part) != NULL))
        fprintf(stderr, "  not \"%s\": %s\n", part, text_cstr(&said));
    for (size_t at = 0; at + 16 <= key.len; at += 16) {
        char piece[17] = "";
        memcpy(piece, key.ptr + at, 16);
        EXPECT(strstr(text_cstr(&said), piece) == NULL);
    }
    text_release(&said);
}

static void
a_faulty_file_is_refused_with_its_fault(void)
{
    EVP_PKEY *key = new_key("P-256"), *other = new_key("P-256"), *weak = new_key("RSA-1024");
    EVP_PKEY *curve = new_key("secp256k1"), *vast = new_long_rsa(8200);
    struct text chain = { 0 }, alone = { 0 }, mixed = { 0 }, locked = { 0 }, soft = { 0 }, odd = { 0 };
    struct text cut = { 0 }, endless = { 0 }, huge = { 0 };
    make_file(&chain, key, NULL, NULL);
    add_key(&alone, key, NULL);
    make_file(&mixed, key, other, NULL);
    make_file(&locked, key, key, "a passphrase");
    make_file(&soft, weak, weak, NULL);
    make_file(&odd, curve, curve, NULL);
    refused(SPAN_LIT(""), SPAN_LIT(""), "no certificate");
    refused(SPAN_LIT("a line that is no PEM, a secret 12345\n"), SPAN_LIT("a secret 1234567890\n"),
            "no certificate");
    refused(text_span(&alone), text_span(&alone), "no certificate");
    refused(text_span(&chain), text_span(&chain), "no private key");
    refused(text_span(&mixed), text_span(&mixed), "does not belong");
    refused(text_span(&locked), text_span(&locked), "passphrase");
    refused(text_span(&soft), text_span(&soft), "too weak");
    refused(text_span(&odd), text_span(&odd), "another kind");
    make_file(&huge, vast, vast, NULL);
    refused(text_span(&huge), text_span(&huge), "too long"); /* the answer has no room for its signature */
    make_file(&cut, key, NULL, NULL);
    text_str(&cut, "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    refused(text_span(&cut), text_span(&alone), "one of its certificates cannot be read");
    for (unsigned i = 0; i < 17; i++)
        make_file(&endless, key, NULL, NULL);
    refused(text_span(&endless), text_span(&alone), "more than 16");
    struct text *all[] = { &chain, &alone, &mixed, &locked, &soft, &odd, &cut, &endless, &huge };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        text_release(all[i]);
    EVP_PKEY_free(key);
    EVP_PKEY_free(other);
    EVP_PKEY_free(weak);
    EVP_PKEY_free(curve);
    EVP_PKEY_free(vast);
    key_store_release();
}

static void
each_certificate_of_a_chain_is_signed_by_the_next(void)
{
    EVP_PKEY *root = new_key("P-384"), *middle = new_key("P-256"), *leaf = new_key("RSA-2048");
    X509 *r = new_certificate("root", root, NULL, root), *m = new_certificate("middle", middle, r, root);
    X509 *l = new_certificate("a.test", leaf, m, middle);
    struct text key = { 0 }, right = { 0 }, twisted = { 0 }, gap = { 0 }, said = { 0 };
    add_key(&key, leaf, NULL);
    X509 *const in_order[] = { l, m, r }, *const turned[] = { l, r, m }, *const short_of[] = { l, r };
    for (unsigned i = 0; i < 3; i++) {
        add_certificate(&right, in_order[i]);
        add_certificate(&twisted, turned[i]);
    }
    add_certificate(&gap, short_of[0]);
    add_certificate(&gap, short_of[1]);
    EXPECT_EQ_INT(key_store_load(1, text_span(&right), text_span(&key), &said), 0);
    EXPECT(strstr(text_cstr(&said), "\nkind RSA\nnames a.test\n") == text_cstr(&said) + PUBLIC_BYTES);
    const char *pem = strstr(text_cstr(&said), "\n\n");
    EXPECT(pem != NULL && strcmp(pem + 2, text_cstr(&right)) == 0);
    refused(text_span(&twisted), text_span(&key), "not in order");
    refused(text_span(&gap), text_span(&key), "not in order");
    struct text *all[] = { &key, &right, &twisted, &gap, &said };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        text_release(all[i]);
    X509_free(r);
    X509_free(m);
    X509_free(l);
    EVP_PKEY_free(root);
    EVP_PKEY_free(middle);
    EVP_PKEY_free(leaf);
    key_store_release();
}

/* The manager splits the answer at its lines. */
static void
a_name_with_a_line_end_is_not_told(void)
{
    EVP_PKEY *key = new_key("P-256");
    X509 *x = new_certificate("a.test\nnot_after 0", key, NULL, key);
    struct text file = { 0 }, said = { 0 };
    add_certificate(&file, x);
    add_key(&file, key, NULL);
    EXPECT_EQ_INT(key_store_load(1, text_span(&file), text_span(&file), &said), 0);
    EXPECT(strstr(text_cstr(&said), "\nkind EC\nnames\nnot_before ") == text_cstr(&said) + PUBLIC_BYTES);
    X509_free(x);
    EVP_PKEY_free(key);
    text_release(&file);
    text_release(&said);
    key_store_release();
}

/* Its public key is the same, and it signs; the chain is not looked at. */
static void
a_key_is_read_again_alone(void)
{
    char what[KEY_SIGNED_BYTES_MAX];
    unsigned char sig[KEY_SIGNATURE_BYTES_MAX];
    struct text file = { 0 }, alone = { 0 }, first = { 0 }, again = { 0 }, other = { 0 };
    EVP_PKEY *key = new_key("P-256"), *another = new_key("P-256");
    make_file(&file, key, key, NULL);
    add_key(&alone, key, NULL);
    EXPECT_EQ_INT(key_store_load(1, text_span(&file), text_span(&file), &first), 0);
    key_store_drop(1);
    EXPECT_EQ_INT(key_store_load_again(1, text_span(&alone), &again), 0);
    EXPECT_EQ_INT(again.len, PUBLIC_BYTES + 1);
    EXPECT(again.len < first.len && memcmp(first.ptr, again.ptr, again.len) == 0);
    size_t n = content_tls13(what, SERVER_USE, DIGEST_BYTES);
    EXPECT(key_store_sign(1, 0x0403, span_of(what, n), sig, sizeof sig) > 0);
    text_clear(&alone);
    add_key(&alone, another, NULL);
    EXPECT_EQ_INT(key_store_load_again(2, text_span(&alone), &other), 0);
    EXPECT(other.len == again.len && memcmp(other.ptr, again.ptr, again.len) != 0);
    text_clear(&other);
    EXPECT_EQ_INT(key_store_load_again(3, SPAN_LIT("half a file"), &other), ERR_SYNTAX);
    EXPECT(strstr(text_cstr(&other), "no private key") != NULL);
    struct text *all[] = { &file, &alone, &first, &again, &other };
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        text_release(all[i]);
    EVP_PKEY_free(key);
    EVP_PKEY_free(another);
    key_store_release();
}

static const struct test tests[] = {
    { "each_kind_of_key_signs_what_openssl_verifies", each_kind_of_key_signs_what_openssl_verifies },
    { "only_what_a_server_of_tls_signs_is_signed", only_what_a_server_of_tls_signs_is_signed },
    { "a_key_signs_only_by_its_schemes", a_key_signs_only_by_its_schemes },
    { "a_key_is_read_again_alone", a_key_is_read_again_alone },
    { "a_dropped_key_signs_no_more", a_dropped_key_signs_no_more },
    { "a_faulty_file_is_refused_with_its_fault", a_faulty_file_is_refused_with_its_fault },
    { "a_name_with_a_line_end_is_not_told", a_name_with_a_line_end_is_not_told },
    { "each_certificate_of_a_chain_is_signed_by_the_next",
      each_certificate_of_a_chain_is_signed_by_the_next },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
