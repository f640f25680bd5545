/* Private keys: see store.h. */
#include "keys/store.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "tls/key_wire.h"

#define RSA_BITS_MIN 2048
#define CHAIN_MAX 16 /* as the words of fault_of_chain say */

static struct held {
    uint32_t number;
    EVP_PKEY *key;
} *held;
static unsigned n_held;

static struct held *
find(uint32_t number)
{
    for (unsigned i = 0; i < n_held; i++)
        if (held[i].number == number)
            return &held[i];
    return NULL;
}

/* ---- loading ---- */

struct file {
    X509 *certs[CHAIN_MAX];
    int n;
    bool broken, too_long; /* a certificate cannot be read; there are more than CHAIN_MAX */
    EVP_PKEY *key;
    bool wants_password;
};

static int
no_password(char *buf, int cap, int write, void *arg)
{
    *(bool *)arg = true;
    return -1;
}

/* A chain that ends at a broken certificate would be incomplete for clients. */
static void
read_certificates(struct span text, struct file *f)
{
    BIO *pem = BIO_new_mem_buf(text.ptr, (int)text.len);
    X509 *x = NULL;
    ERR_clear_error();
    while (pem != NULL && (x = PEM_read_bio_X509(pem, NULL, NULL, NULL)) != NULL && f->n < CHAIN_MAX)
        f->certs[f->n++] = x;
    f->too_long = x != NULL;
    f->broken = x == NULL && ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE;
    X509_free(x);
    ERR_clear_error();
    BIO_free(pem);
}

static void
read_key(struct span text, struct file *f)
{
    BIO *pem = BIO_new_mem_buf(text.ptr, (int)text.len);
    if (pem != NULL)
        f->key = PEM_read_bio_PrivateKey(pem, NULL, no_password, &f->wants_password);
    BIO_free(pem);
}

static bool
strong(EVP_PKEY *key)
{
    static const char *const curves[] = { "prime256v1", "secp384r1", "secp521r1" };
    char curve[64] = "";
    size_t n = 0;
    if (EVP_PKEY_is_a(key, "RSA"))
        return EVP_PKEY_get_bits(key) >= RSA_BITS_MIN &&
               EVP_PKEY_get_size(key) <= (int)KEY_SIGNATURE_BYTES_MAX;
    if (EVP_PKEY_is_a(key, "ED25519"))
        return true;
    if (!EVP_PKEY_is_a(key, "EC") || EVP_PKEY_get_group_name(key, curve, sizeof curve, &n) != 1)
        return false;
    for (unsigned i = 0; i < sizeof curves / sizeof *curves; i++)
        if (strcmp(curve, curves[i]) == 0)
            return true;
    return false;
}

/* Each certificate is signed by the next. */
static bool
in_order(const struct file *f)
{
    for (int i = 0; i + 1 < f->n; i++)
        if (X509_check_issued(f->certs[i + 1], f->certs[i]) != X509_V_OK ||
            X509_verify(f->certs[i], X509_get0_pubkey(f->certs[i + 1])) != 1)
            return false;
    return true;
}

/* NULL: nothing is wrong. Names no byte of the file. */
static const char *
fault_of_key(const struct file *f)
{
    if (f->wants_password)
        return "its key wants a passphrase: remove it with `openssl pkey -in FILE`";
    if (f->key == NULL)
        return "it has no private key that can be read (a PEM block PRIVATE KEY)";
    return strong(f->key)
             ? NULL
             : "its key is too weak, too long or of another kind: use RSA from 2048 to 8192 bits, "
               "EC P-256, P-384 or P-521, or Ed25519";
}

static const char *
fault_of_chain(const struct file *f)
{
    if (f->broken)
        return "one of its certificates cannot be read";
    if (f->n == 0)
        return "it has no certificate (a PEM block CERTIFICATE, the server's first)";
    return f->too_long ? "its chain has more than 16 certificates" : NULL;
}

static const char *
fault(const struct file *f)
{
    const char *wrong = fault_of_chain(f);
    if (wrong == NULL)
        wrong = fault_of_key(f);
    if (wrong == NULL && X509_check_private_key(f->certs[0], f->key) != 1)
        wrong = "its key does not belong to its first certificate";
    if (wrong == NULL && !in_order(f))
        wrong = "its chain is not in order: each certificate must be signed by the next one";
    return wrong;
}

/* A name with a blank or a line end in it would be more than one word, or a line, of the answer. */
static void
tell_name(struct span name, struct text *out)
{
    for (size_t i = 0; i < name.len; i++)
        if (name.ptr[i] <= ' ' || name.ptr[i] >= 127)
            return;
    text_printf(out, " %.*s", (int)name.len, name.ptr);
}

static void
tell_names(X509 *leaf, struct text *out)
{
    GENERAL_NAMES *all = X509_get_ext_d2i(leaf, NID_subject_alt_name, NULL, NULL);
    text_str(out, "names");
    for (int i = 0; i < sk_GENERAL_NAME_num(all); i++) {
        const GENERAL_NAME *one = sk_GENERAL_NAME_value(all, i);
        if (one->type == GEN_DNS)
            tell_name(span_of((const char *)ASN1_STRING_get0_data(one->d.dNSName),
                              (size_t)ASN1_STRING_length(one->d.dNSName)),
                      out);
    }
    GENERAL_NAMES_free(all);
    char name[256];
    if (all == NULL &&
        X509_NAME_get_text_by_NID(X509_get_subject_name(leaf), NID_commonName, name, sizeof name) > 0)
        tell_name(span_str(name), out);
    text_str(out, "\n");
}

static long long
seconds(const ASN1_TIME *t)
{
    struct tm tm = { 0 };
    return ASN1_TIME_to_tm(t, &tm) == 1 ? (long long)timegm(&tm) : 0;
}

static bool
tell_public(EVP_PKEY *key, struct text *out)
{
    unsigned char digest[EVP_MAX_MD_SIZE], *der = NULL;
    size_t n = 0;
    int len = i2d_PUBKEY(key, &der);
    bool ok = len > 0 && EVP_Q_digest(NULL, "SHA256", NULL, der, (size_t)len, digest, &n) == 1;
    text_str(out, "public ");
    for (size_t i = 0; ok && i < n; i++)
        text_printf(out, "%02x", digest[i]);
    text_str(out, "\n");
    OPENSSL_free(der);
    return ok;
}

static void
tell_chain(const struct file *f, struct text *out)
{
    BIO *pem = BIO_new(BIO_s_mem());
    char *bytes = NULL;
    for (int i = 0; pem != NULL && i < f->n; i++)
        PEM_write_bio_X509(pem, f->certs[i]);
    long n = pem == NULL ? 0 : BIO_get_mem_data(pem, &bytes);
    text_add(out, span_of(bytes, (size_t)n));
    BIO_free(pem);
}

static void
tell(const struct file *f, struct text *out)
{
    text_printf(out, "kind %s\n", EVP_PKEY_get0_type_name(f->key));
    tell_names(f->certs[0], out);
    text_printf(out, "not_before %lld\nnot_after %lld\n\n", seconds(X509_get0_notBefore(f->certs[0])),
                seconds(X509_get0_notAfter(f->certs[0])));
    tell_chain(f, out);
}

static int
keep(uint32_t number, EVP_PKEY *key)
{
    struct held *h = find(number), *more;
    if (h == NULL) {
        more = realloc(held, (n_held + 1) * sizeof *held);
        if (more == NULL)
            return ERR_NOMEM;
        held = more;
        h = &held[n_held++];
        *h = (struct held){ .number = number };
    }
    EVP_PKEY_free(h->key);
    h->key = key;
    return EVP_PKEY_up_ref(key) == 1 ? 0 : ERR_NOMEM;
}

/* Keeps the key unless something is `wrong`. */
static int
take(uint32_t number, const struct file *f, const char *wrong, struct text *out)
{
    if (wrong != NULL) {
        text_str(out, wrong);
        return ERR_SYNTAX;
    }
    if (!tell_public(f->key, out) || keep(number, f->key) != 0) {
        text_clear(out);
        text_str(out, "the key process has no memory for its key");
        return ERR_NOMEM;
    }
    return 0;
}

int
key_store_load(uint32_t number, struct span chain, struct span key, struct text *out)
{
    struct file f = { 0 };
    read_certificates(chain, &f);
    read_key(key, &f);
    int err = take(number, &f, fault(&f), out);
    if (err == 0)
        tell(&f, out);
    if (err == 0 && out->len > KEY_LOADED_BYTES_MAX) {
        text_clear(out);
        text_str(out, "its chain is longer than 100 KB");
        key_store_drop(number);
        err = ERR_LIMIT;
    }
    for (int i = 0; i < f.n; i++)
        X509_free(f.certs[i]);
    EVP_PKEY_free(f.key);
    ERR_clear_error();
    return err;
}

int
key_store_load_again(uint32_t number, struct span key, struct text *out)
{
    struct file f = { 0 };
    read_key(key, &f);
    int err = take(number, &f, fault_of_key(&f), out);
    EVP_PKEY_free(f.key);
    ERR_clear_error();
    return err;
}

void
key_store_drop(uint32_t number)
{
    struct held *h = find(number);
    if (h == NULL)
        return;
    EVP_PKEY_free(h->key); /* OpenSSL wipes it */
    *h = held[--n_held];
}

void
key_store_release(void)
{
    while (n_held > 0)
        key_store_drop(held[0].number);
    free(held);
    held = NULL;
}

/* ---- signing ---- */

/* RFC 8446, 4.4.3: 64 spaces, the name of the use, a zero, a digest. */
static bool
is_of_tls13(struct span what)
{
    static const char use[] = "TLS 1.3, server CertificateVerify";
    char begin[64 + sizeof use];
    memset(begin, ' ', 64);
    memcpy(begin + 64, use, sizeof use);
    size_t digest = what.len - sizeof begin;
    return what.len > sizeof begin && (digest == 32 || digest == 48) &&
           memcmp(what.ptr, begin, sizeof begin) == 0;
}

/* RFC 8422, 5.4: two randoms, then the parameters of ECDHE: named curve, its number, a point. */
static bool
is_of_tls12(struct span what)
{
    return what.len > 68 && what.ptr[64] == 3 && what.len == 68 + (size_t)(unsigned char)what.ptr[67];
}

static const struct scheme {
    uint16_t number;
    const char *type, *digest;
    bool pss;
} schemes[] = {
    { 0x0401, "RSA", "SHA256", false }, { 0x0501, "RSA", "SHA384", false },
    { 0x0601, "RSA", "SHA512", false }, { 0x0804, "RSA", "SHA256", true },
    { 0x0805, "RSA", "SHA384", true },  { 0x0806, "RSA", "SHA512", true },
    { 0x0403, "EC", "SHA256", false },  { 0x0503, "EC", "SHA384", false },
    { 0x0603, "EC", "SHA512", false },  { 0x0807, "ED25519", NULL, false },
};

static ssize_t
sign(EVP_PKEY *key, const struct scheme *s, struct span what, unsigned char *out, size_t cap)
{
    EVP_MD_CTX *ctx = EVP_MD_CTX_new();
    EVP_PKEY_CTX *how = NULL;
    size_t n = cap;
    bool ok = ctx != NULL && EVP_DigestSignInit_ex(ctx, &how, s->digest, NULL, NULL, key, NULL) == 1 &&
              (!s->pss || (EVP_PKEY_CTX_set_rsa_padding(how, RSA_PKCS1_PSS_PADDING) == 1 &&
                           EVP_PKEY_CTX_set_rsa_pss_saltlen(how, RSA_PSS_SALTLEN_DIGEST) == 1)) &&
              EVP_DigestSign(ctx, out, &n, (const unsigned char *)what.ptr, what.len) == 1;
    EVP_MD_CTX_free(ctx);
    ERR_clear_error();
    return ok ? (ssize_t)n : ERR_SYNTAX;
}

ssize_t
key_store_sign(uint32_t number, uint16_t scheme, struct span what, unsigned char *out, size_t cap)
{
    const struct held *h = find(number);
    if (h == NULL)
        return ERR_NOTFOUND;
    if (!is_of_tls13(what) && !is_of_tls12(what))
        return ERR_SYNTAX;
    for (unsigned i = 0; i < sizeof schemes / sizeof *schemes; i++)
        if (schemes[i].number == scheme && EVP_PKEY_is_a(h->key, schemes[i].type))
            return sign(h->key, &schemes[i], what, out, cap);
    return ERR_SYNTAX;
}
