/* Module digest: digests and keyed digests from OpenSSL, checksums, and base64 in both alphabets. Unset text
 * counts as empty. An unset key gives an unset result. */
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/provider.h>
#include <pthread.h>

#include "exports_vmod.h"
#include "http/chars.h"
#include "policy/exports.h"
#include "policy/lib.h"

#define VERSION_TEXT "vernis digest 1"
#define NO_PAD '\0'

static struct span
in_hex(struct policy_ctx *ctx, const char *before, const unsigned char *bytes, size_t n)
{
    static const char digits[] = "0123456789abcdef";
    size_t begin = strlen(before);
    char *out = vcl_alloc(ctx, begin + 2 * n);
    if (out == NULL)
        return SPAN_NULL;
    memcpy(out, before, begin);
    for (size_t i = 0; i < n; i++) {
        out[begin + 2 * i] = digits[bytes[i] >> 4];
        out[begin + 2 * i + 1] = digits[bytes[i] & 15];
    }
    return span_of(out, begin + 2 * n);
}

static struct span
digest(struct policy_ctx *ctx, const EVP_MD *kind, struct span s)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    if (EVP_Digest(s.ptr == NULL ? "" : s.ptr, s.len, bytes, &n, kind, NULL) != 1) {
        vcl_fail(ctx, "digest: this digest is not available here");
        return SPAN_NULL;
    }
    return in_hex(ctx, "", bytes, n);
}

static struct span
keyed(struct policy_ctx *ctx, const EVP_MD *kind, struct span key, struct span s)
{
    unsigned char bytes[EVP_MAX_MD_SIZE];
    unsigned n = 0;
    /* A digest without a secret would look like a keyed one. An empty key is the policy's choice. */
    if (key.ptr == NULL)
        return SPAN_NULL;
    if (key.len > INT32_MAX || HMAC(kind, key.ptr, (int)key.len,
                                    (const unsigned char *)(s.ptr == NULL ? "" : s.ptr), s.len, bytes, &n) == NULL) {
        vcl_fail(ctx, "digest: this digest is not available here");
        return SPAN_NULL;
    }
    return in_hex(ctx, "0x", bytes, n);
}

struct span vcl_digest_hash_md5(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_md5(), s); }
struct span vcl_digest_hash_sha1(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_sha1(), s); }
struct span vcl_digest_hash_sha224(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_sha224(), s); }
struct span vcl_digest_hash_sha256(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_sha256(), s); }
struct span vcl_digest_hash_sha384(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_sha384(), s); }
struct span vcl_digest_hash_sha512(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_sha512(), s); }
struct span vcl_digest_hmac_md5(struct policy_ctx *ctx, struct span k, struct span s) { return keyed(ctx, EVP_md5(), k, s); }
struct span vcl_digest_hmac_sha1(struct policy_ctx *ctx, struct span k, struct span s) { return keyed(ctx, EVP_sha1(), k, s); }
struct span vcl_digest_hmac_sha256(struct policy_ctx *ctx, struct span k, struct span s) { return keyed(ctx, EVP_sha256(), k, s); }

/* ---- outdated digests: do not use them for secrets ---- */

/* OpenSSL keeps these digests in the provider "legacy". It is loaded on first use, into a library context of
 * its own. The pointers stay NULL if the provider is not installed. */
static EVP_MD *md4, *whirlpool;
static pthread_once_t legacy_once = PTHREAD_ONCE_INIT;

static void
legacy_load(void)
{
    OSSL_LIB_CTX *apart = OSSL_LIB_CTX_new();
    if (apart == NULL || OSSL_PROVIDER_load(apart, "legacy") == NULL)
        return;
    md4 = EVP_MD_fetch(apart, "MD4", NULL);
    whirlpool = EVP_MD_fetch(apart, "WHIRLPOOL", NULL);
}

static struct span
legacy_digest(struct policy_ctx *ctx, EVP_MD *const *kind, struct span s)
{
    (void)pthread_once(&legacy_once, legacy_load);
    if (*kind != NULL)
        return digest(ctx, *kind, s);
    vcl_fail(ctx, "digest: this digest is not available here");
    return SPAN_NULL;
}

struct span vcl_digest_hash_md4(struct policy_ctx *ctx, struct span s) { return legacy_digest(ctx, &md4, s); }
struct span vcl_digest_hash_whirlpool(struct policy_ctx *ctx, struct span s) { return legacy_digest(ctx, &whirlpool, s); }
struct span vcl_digest_hash_ripemd160(struct policy_ctx *ctx, struct span s) { return digest(ctx, EVP_ripemd160(), s); }

/* ---- checksums: lowest byte first, as in the library mhash ---- */

#define CRC_POLYNOMIAL 0x04c11db7u      /* of Ethernet; 0xedb88320 is the same with reversed bits */
#define ADLER_MODULUS 65521u            /* RFC 1950 */

static struct span
checksum(struct policy_ctx *ctx, uint32_t sum)
{
    return in_hex(ctx, "", (unsigned char[]){ (unsigned char)sum, (unsigned char)(sum >> 8), (unsigned char)(sum >> 16),
                                              (unsigned char)(sum >> 24) }, 4);
}

/* Processes the highest bit of each byte first. */
struct span
vcl_digest_hash_crc32(struct policy_ctx *ctx, struct span s)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < s.len; i++) {
        crc ^= (uint32_t)(unsigned char)s.ptr[i] << 24;
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc << 1 ^ (CRC_POLYNOMIAL & -(crc >> 31));
    }
    return checksum(ctx, ~crc);
}

/* Processes the lowest bit of each byte first: gzip's CRC. */
struct span
vcl_digest_hash_crc32b(struct policy_ctx *ctx, struct span s)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < s.len; i++) {
        crc ^= (unsigned char)s.ptr[i];
        for (unsigned bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (0xedb88320u & -(crc & 1));
    }
    return checksum(ctx, ~crc);
}

struct span
vcl_digest_hash_adler32(struct policy_ctx *ctx, struct span s)
{
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < s.len; i++) {
        a = (a + (unsigned char)s.ptr[i]) % ADLER_MODULUS;
        b = (b + a) % ADLER_MODULUS;
    }
    return checksum(ctx, b << 16 | a);
}

/* ---- base64 -------------------------------------------------------------------------------------------- */

static struct span
encode(struct policy_ctx *ctx, const char *digits, char pad, const void *from, size_t n)
{
    char *out = vcl_alloc(ctx, n / 3 * 4 + 4);
    return out == NULL ? SPAN_NULL : span_of(out, base64_encode(digits, pad, from, n, out));
}

/* Decodes hex digits and encodes the bytes as base64. */
static struct span
encode_hex(struct policy_ctx *ctx, const char *digits, char pad, struct span s)
{
    if (s.len >= 2 && s.ptr[0] == '0' && (s.ptr[1] == 'x' || s.ptr[1] == 'X'))
        s = span_of(s.ptr + 2, s.len - 2);
    char *bytes = vcl_alloc(ctx, s.len / 2);
    if (bytes == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i + 1 < s.len; i += 2) {
        int high = char_hex_value(s.ptr[i]), low = char_hex_value(s.ptr[i + 1]);
        if (high < 0 || low < 0) {
            vcl_fail(ctx, "digest: not a hex digit");
            return SPAN_NULL;
        }
        bytes[i / 2] = (char)(high << 4 | low);
    }
    return encode(ctx, digits, pad, bytes, s.len / 2);
}

/* Decodes base64 up to the padding. Invalid text may come from clients, so it gives empty text and a log
 * record, as in Varnish's module. A NUL in the result fails, because texts cannot hold NUL. */
static struct span
decode(struct policy_ctx *ctx, const char *digits, struct span s)
{
    while (s.len > 0 && s.ptr[s.len - 1] == '=')
        s.len--;
    char *out = vcl_alloc(ctx, s.len / 4 * 3 + 3), *at = out;
    uint32_t bits = 0;
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++) {
        const char *digit = memchr(digits, s.ptr[i], 64);
        if (digit == NULL) {
            log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("digest: Base64 input contains invalid characters"));
            return SPAN_LIT("");
        }
        bits = bits << 6 | (uint32_t)(digit - digits);
        if (i % 4 > 0)
            *at++ = (char)(bits >> (6 - 2 * (i % 4)));
    }
    if (memchr(out, '\0', (size_t)(at - out)) != NULL) {
        vcl_fail(ctx, "digest: a NUL byte cannot be in a text");
        return SPAN_NULL;
    }
    return span_of(out, (size_t)(at - out));
}

struct span vcl_digest_base64(struct policy_ctx *ctx, struct span s) { return encode(ctx, BASE64_STANDARD, '=', s.ptr, s.len); }
struct span vcl_digest_base64_hex(struct policy_ctx *ctx, struct span s) { return encode_hex(ctx, BASE64_STANDARD, '=', s); }
struct span vcl_digest_base64_decode(struct policy_ctx *ctx, struct span s) { return decode(ctx, BASE64_STANDARD, s); }
struct span vcl_digest_base64url(struct policy_ctx *ctx, struct span s) { return encode(ctx, BASE64_URL, '=', s.ptr, s.len); }
struct span vcl_digest_base64url_hex(struct policy_ctx *ctx, struct span s) { return encode_hex(ctx, BASE64_URL, '=', s); }
struct span vcl_digest_base64url_decode(struct policy_ctx *ctx, struct span s) { return decode(ctx, BASE64_URL, s); }
struct span vcl_digest_base64url_nopad_decode(struct policy_ctx *ctx, struct span s) { return decode(ctx, BASE64_URL, s); }
struct span vcl_digest_base64url_nopad(struct policy_ctx *ctx, struct span s) { return encode(ctx, BASE64_URL, NO_PAD, s.ptr, s.len); }
struct span vcl_digest_base64url_nopad_hex(struct policy_ctx *ctx, struct span s) { return encode_hex(ctx, BASE64_URL, NO_PAD, s); }

struct span
vcl_digest_version(struct policy_ctx *ctx)
{
    return SPAN_LIT(VERSION_TEXT);
}
