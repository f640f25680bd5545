/* Answers of OCSP: see staple.h. */
#include "tls/staple.h"

#include <openssl/err.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"

#define BLOCK "OCSP RESPONSE"
#define CLOCKS_DIFFER_S 300 /* an authority's clock may be ahead of ours */

/* Seconds since 1970; -1: unreadable */
static int64_t
seconds_of(const ASN1_GENERALIZEDTIME *t)
{
    struct tm tm;
    return t != NULL && ASN1_TIME_to_tm(t, &tm) == 1 ? (int64_t)timegm(&tm) : -1;
}

static OCSP_BASICRESP *
basic_of(const unsigned char *bytes, size_t n)
{
    OCSP_RESPONSE *answer = d2i_OCSP_RESPONSE(NULL, &bytes, (long)n);
    bool ok = answer != NULL && OCSP_response_status(answer) == OCSP_RESPONSE_STATUS_SUCCESSFUL;
    OCSP_BASICRESP *basic = ok ? OCSP_response_get1_basic(answer) : NULL;
    OCSP_RESPONSE_free(answer);
    return basic;
}

/* ---- a check ---- */

/* Signed by the certificate's authority, or by a responder that has its certificate from there. */
static bool
is_signed(OCSP_BASICRESP *basic, const struct tls_chain *c)
{
    X509_STORE *store = X509_STORE_new();
    bool ok = store != NULL && X509_STORE_add_cert(store, sk_X509_value(c->others, 0)) == 1 &&
              X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN) == 1 &&
              OCSP_basic_verify(basic, c->others, store, 0) == 1;
    X509_STORE_free(store);
    return ok;
}

/* The status of the certificate. Authorities name it by digests of their choice. -1: it is not named */
static int
status_of(OCSP_BASICRESP *basic, const struct tls_chain *c, int64_t *from, int64_t *until)
{
    const EVP_MD *digests[] = { EVP_sha1(), EVP_sha256() };
    int status = -1;
    for (unsigned i = 0; status < 0 && i < sizeof digests / sizeof *digests; i++) {
        ASN1_GENERALIZEDTIME *begins, *ends;
        OCSP_CERTID *id = OCSP_cert_to_id(digests[i], c->leaf, sk_X509_value(c->others, 0));
        if (id != NULL && OCSP_resp_find_status(basic, id, &status, NULL, NULL, &begins, &ends) == 1) {
            *from = seconds_of(begins);
            *until = seconds_of(ends);
        }
        OCSP_CERTID_free(id);
    }
    return status;
}

static const char *
fault_of(OCSP_BASICRESP *basic, const struct tls_chain *c)
{
    int64_t now = clock_real_ns() / NSEC_PER_SEC, from = 0, until = 0;
    int status = basic == NULL ? -1 : status_of(basic, c, &from, &until);
    return basic == NULL                       ? "it is no answer of OCSP (DER)"
         : status < 0                          ? "it is for another certificate"
         : !is_signed(basic, c)                ? "its signature is not the authority's"
         : status == V_OCSP_CERTSTATUS_REVOKED ? "the certificate is revoked"
         : status != V_OCSP_CERTSTATUS_GOOD    ? "the authority does not know the certificate"
         : until < 0                           ? "it does not say until when it is valid"
         : until <= now                        ? "it is too old"
         : from > now + CLOCKS_DIFFER_S        ? "it is not valid yet"
                                               : NULL;
}

int
tls_staple_add(struct text *chain, struct span answer, struct text *why)
{
    struct tls_chain read;
    OCSP_BASICRESP *basic = basic_of((const unsigned char *)answer.ptr, answer.len);
    const char *fault = tls_chain_read(text_span(chain), &read) && sk_X509_num(read.others) > 0
                          ? fault_of(basic, &read)
                          : "the file of the certificate lacks the authority's";
    OCSP_BASICRESP_free(basic);
    tls_chain_release(&read);
    BIO *pem = fault == NULL ? BIO_new(BIO_s_mem()) : NULL;
    char *block;
    if (pem != NULL &&
        PEM_write_bio(pem, BLOCK, "", (const unsigned char *)answer.ptr, (long)answer.len) > 0) {
        long n = BIO_get_mem_data(pem, &block);
        text_add(chain, span_of(block, (size_t)n));
    } else if (fault == NULL)
        fault = "no memory";
    BIO_free(pem);
    ERR_clear_error();
    if (fault != NULL)
        text_str(why, fault);
    return fault == NULL ? 0 : ERR_SYNTAX;
}

/* ---- what the worker keeps ---- */

void
tls_staple_read(struct span chain, const struct tls_chain *of, struct tls_staple *out)
{
    BIO *pem = BIO_new_mem_buf(chain.ptr, (int)chain.len);
    char *name, *header;
    unsigned char *bytes;
    long n;
    *out = (struct tls_staple){ 0 };
    while (pem != NULL && out->bytes == NULL && PEM_read_bio(pem, &name, &header, &bytes, &n) == 1) {
        OCSP_BASICRESP *basic = strcmp(name, BLOCK) == 0 ? basic_of(bytes, (size_t)n) : NULL;
        int64_t from, until = 0;
        bool good = basic != NULL && sk_X509_num(of->others) > 0 &&
                    status_of(basic, of, &from, &until) == V_OCSP_CERTSTATUS_GOOD;
        *out = (struct tls_staple){ .bytes = good ? malloc((size_t)n) : NULL, .until_s = until };
        if (out->bytes != NULL)
            memcpy(out->bytes, bytes, out->n = (size_t)n);
        OCSP_BASICRESP_free(basic);
        OPENSSL_free(name);
        OPENSSL_free(header);
        OPENSSL_free(bytes);
    }
    BIO_free(pem);
    ERR_clear_error(); /* the end of a text is an error to OpenSSL */
}

void
tls_staple_release(struct tls_staple *s)
{
    free(s->bytes);
    *s = (struct tls_staple){ 0 };
}
