/* Answers of OCSP: which are sent, and until when. */
#include "tls/staple.h"

#include <openssl/evp.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <time.h>

#include "base/check.h"
#include "test.h"

#define DAY 86400

static EVP_PKEY *key;
static X509 *authority, *leaf;

static X509 *
certificate(const char *name, long serial, const X509 *issuer)
{
    X509 *x = X509_new();
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC, (const unsigned char *)name, -1,
                               -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(issuer == NULL ? x : issuer));
    ASN1_INTEGER_set(X509_get_serialNumber(x), serial);
    X509_gmtime_adj(X509_getm_notBefore(x), -DAY);
    X509_gmtime_adj(X509_getm_notAfter(x), DAY);
    X509_set_pubkey(x, key);
    EXPECT(X509_sign(x, key, EVP_sha256()) > 0);
    return x;
}

static struct text
chain_of(X509 *first, X509 *second)
{
    BIO *pem = BIO_new(BIO_s_mem());
    char *bytes;
    struct text made = { 0 };
    PEM_write_bio_X509(pem, first);
    if (second != NULL)
        PEM_write_bio_X509(pem, second);
    long n = BIO_get_mem_data(pem, &bytes);
    text_add(&made, span_of(bytes, (size_t)n));
    BIO_free(pem);
    return made;
}

/* For the leaf, behind one for another certificate that lasts longer; from and until are seconds from now.
 * `digest` names the certificate. */
static size_t
answer(int status, long from, long until, const EVP_MD *digest, unsigned char **der)
{
    OCSP_BASICRESP *basic = OCSP_BASICRESP_new();
    ASN1_TIME *begins = X509_gmtime_adj(NULL, from), *ends = X509_gmtime_adj(NULL, until),
              *revoked = X509_gmtime_adj(NULL, -DAY);
    ASN1_TIME *late = X509_gmtime_adj(NULL, until + DAY);
    OCSP_CERTID *other = OCSP_cert_to_id(digest, authority, authority);
    OCSP_basic_add1_status(basic, other, V_OCSP_CERTSTATUS_GOOD, 0, NULL, begins, late);
    OCSP_CERTID_free(other);
    ASN1_TIME_free(late);
    OCSP_CERTID *id = OCSP_cert_to_id(digest, leaf, authority);
    OCSP_basic_add1_status(basic, id, status, 0, revoked, begins, ends);
    OCSP_CERTID_free(id);
    EXPECT(OCSP_basic_sign(basic, authority, key, EVP_sha256(), NULL, 0) == 1);
    OCSP_RESPONSE *response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic);
    *der = NULL;
    int n = i2d_OCSP_RESPONSE(response, der);
    OCSP_RESPONSE_free(response);
    OCSP_BASICRESP_free(basic);
    ASN1_TIME_free(begins);
    ASN1_TIME_free(ends);
    ASN1_TIME_free(revoked);
    return (size_t)n;
}

/* The fault of an answer; "" if it is behind the chain now. */
static struct text
said(int status, long from, long until)
{
    unsigned char *der;
    struct text chain = chain_of(leaf, authority), why = { 0 };
    size_t n = answer(status, from, until, EVP_sha1(), &der);
    EXPECT((tls_staple_add(&chain, span_of((char *)der, n), &why) == 0) == (why.len == 0));
    OPENSSL_free(der);
    text_release(&chain);
    return why;
}

static void
read_staple(struct span chain, struct tls_staple *out)
{
    struct tls_chain read;
    EXPECT(tls_chain_read(chain, &read));
    tls_staple_read(chain, &read, out);
    tls_chain_release(&read);
}

static void
make_certificates(void)
{
    key = EVP_EC_gen("P-256");
    authority = certificate("authority", 1, NULL);
    leaf = certificate("site.test", 2, authority);
}

static void
an_answer_counts_from_its_beginning_to_its_end(void)
{
    static const struct {
        int status;
        long from, until;
        const char *says;
    } rows[] = {
        { V_OCSP_CERTSTATUS_GOOD, -60, DAY, "" },
        { V_OCSP_CERTSTATUS_GOOD, 60, DAY, "" }, /* clocks differ */
        { V_OCSP_CERTSTATUS_GOOD, 3600, DAY, "it is not valid yet" },
        { V_OCSP_CERTSTATUS_GOOD, -DAY, -60, "it is too old" },
        { V_OCSP_CERTSTATUS_REVOKED, -60, DAY, "the certificate is revoked" },
        { V_OCSP_CERTSTATUS_UNKNOWN, -60, DAY, "the authority does not know the certificate" },
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text why = said(rows[i].status, rows[i].from, rows[i].until);
        EXPECT_EQ_STR(text_span(&why), rows[i].says);
        text_release(&why);
    }
}

static void
a_chain_keeps_the_answer_and_its_end(void)
{
    const EVP_MD *digests[] = { EVP_sha1(), EVP_sha256() };
    for (unsigned i = 0; i < 2; i++) {
        unsigned char *der;
        struct text chain = chain_of(leaf, authority), why = { 0 };
        struct tls_staple kept;
        size_t n = answer(V_OCSP_CERTSTATUS_GOOD, -60, DAY, digests[i], &der);
        int64_t now = (int64_t)time(NULL);
        EXPECT(tls_staple_add(&chain, span_of((char *)der, n), &why) == 0);
        read_staple(text_span(&chain), &kept);
        EXPECT(kept.n == n && memcmp(kept.bytes, der, n) == 0);
        EXPECT(kept.until_s >= now + DAY - 60 && kept.until_s <= now + DAY);
        EXPECT(tls_staple_is_valid(&kept, kept.until_s - 1) && !tls_staple_is_valid(&kept, kept.until_s));
        tls_staple_release(&kept);
        EXPECT(!tls_staple_is_valid(&kept, 0));
        OPENSSL_free(der);
        text_release(&chain);
    }
}

static void
a_chain_without_the_authority_cannot_be_answered_for(void)
{
    unsigned char *der;
    struct text chain = chain_of(leaf, NULL), why = { 0 };
    struct tls_staple kept;
    size_t n = answer(V_OCSP_CERTSTATUS_GOOD, -60, DAY, EVP_sha1(), &der), before = chain.len;
    EXPECT(tls_staple_add(&chain, span_of((char *)der, n), &why) == ERR_SYNTAX);
    EXPECT_EQ_STR(text_span(&why), "the file of the certificate lacks the authority's");
    EXPECT(chain.len == before);
    read_staple(text_span(&chain), &kept);
    EXPECT(kept.bytes == NULL);
    OPENSSL_free(der);
    text_release(&chain);
    text_release(&why);
}

static void
a_block_that_cannot_be_read_is_none(void)
{
    struct tls_staple kept;
    struct text chain = chain_of(leaf, authority);
    text_str(&chain, "-----BEGIN OCSP RESPONSE-----\nQUJD\n-----END OCSP RESPONSE-----\n");
    read_staple(text_span(&chain), &kept);
    EXPECT(kept.bytes == NULL);
    text_release(&chain);
}

static const struct test tests[] = {
    { "an_answer_counts_from_its_beginning_to_its_end", an_answer_counts_from_its_beginning_to_its_end },
    { "a_chain_keeps_the_answer_and_its_end", a_chain_keeps_the_answer_and_its_end },
    { "a_chain_without_the_authority_cannot_be_answered_for",
      a_chain_without_the_authority_cannot_be_answered_for },
    { "a_block_that_cannot_be_read_is_none", a_block_that_cannot_be_read_is_none },
};

int
main(int argc, char **argv)
{
    make_certificates();
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    X509_free(authority);
    X509_free(leaf);
    EVP_PKEY_free(key);
    return failed;
}
