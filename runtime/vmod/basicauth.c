/* Module basicauth: checks an Authorization field against a file in htpasswd's format. Each request reads the
 * file on the offload pool, which also computes the slow hashes. So an edit takes effect at once, and no loop
 * blocks.
 *
 * The schemes of entries are those of nginx, {MD5}, and plain text without a scheme. An entry of any other
 * scheme matches no password: as plain text it would let everyone in who has seen the file. */
#include <crypt.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "loop/offload.h"
#include "policy/exports.h"
#include "policy/lib.h"

#define FILE_BYTES_MAX (1u << 20)
#define WORD_BYTES_MAX 512u /* user name and password together */
#define MD5_BYTES 16u
#define APR1_PREFIX "$apr1$"
#define APR1_SALT_MAX 8u
#define APR1_ROUNDS 1000u
#define SALTED_BYTES_MAX 512u /* digest and salt of {SSHA} */
#define APR1_TEXT_BYTES 22u
#define SCHEME_BYTES_MAX 24u /* of an unknown scheme, in the log */
#define DES_TEXT_BYTES 13u   /* traditional crypt(3), which has no prefix */
#define CRYPT_DIGITS "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

struct attempt {
    const char *path;
    char user[WORD_BYTES_MAX], password[WORD_BYTES_MAX]; /* NUL-ended */
    bool matches;
    int error;                                 /* errno of reading the file */
    char unknown_scheme[SCHEME_BYTES_MAX + 1]; /* of the user's entry; empty: known */
    unsigned line;                             /* of the user's entry */
};

/* ---- $apr1$ -------------------------------------------------------------------------------------------- */

struct bytes { /* input of one MD5 */
    unsigned char at[2048];
    size_t n;
};

static void
add(struct bytes *b, const void *from, size_t n)
{
    if (n > sizeof b->at - b->n)
        n = sizeof b->at - b->n; /* never happens: all parts are bounded */
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

static bool
md5(const struct bytes *b, unsigned char out[MD5_BYTES])
{
    return EVP_Digest(b->at, b->n, out, NULL, EVP_md5(), NULL) == 1;
}

static char *
put_digits(char *p, unsigned v, unsigned n)
{
    for (; n > 0; n--, v >>= 6)
        *p++ = CRYPT_DIGITS[v & 63];
    return p;
}

/* Writes the digest as text: each three bytes, in the order of `order`, give four digits. */
static void
apr1_text(const unsigned char d[MD5_BYTES], char out[APR1_TEXT_BYTES + 1])
{
    static const unsigned char order[5][3] = {
        { 0, 6, 12 }, { 1, 7, 13 }, { 2, 8, 14 }, { 3, 9, 15 }, { 4, 10, 5 }
    };
    char *p = out;
    for (int i = 0; i < 5; i++)
        p = put_digits(p, (unsigned)d[order[i][0]] << 16 | (unsigned)d[order[i][1]] << 8 | d[order[i][2]], 4);
    p = put_digits(p, d[11], 2);
    *p = '\0';
}

/* Apache's variant of FreeBSD's MD5 crypt, which differs only in the prefix. */
static bool
apr1(const char *password, struct span salt, char out[APR1_TEXT_BYTES + 1])
{
    size_t n = strlen(password);
    unsigned char d[MD5_BYTES];
    struct bytes b = { .n = 0 };
    add(&b, password, n);
    add(&b, salt.ptr, salt.len);
    add(&b, password, n);
    if (!md5(&b, d))
        return false;
    b.n = 0;
    add(&b, password, n);
    add(&b, APR1_PREFIX, sizeof APR1_PREFIX - 1);
    add(&b, salt.ptr, salt.len);
    for (size_t left = n; left > 0; left -= left > MD5_BYTES ? MD5_BYTES : left)
        add(&b, d, left > MD5_BYTES ? MD5_BYTES : left);
    for (size_t i = n; i > 0; i >>= 1)
        add(&b, (i & 1) != 0 ? "" : password, 1);
    if (!md5(&b, d))
        return false;
    for (unsigned i = 0; i < APR1_ROUNDS; i++) {
        b.n = 0;
        add(&b, (i & 1) != 0 ? (const void *)password : d, (i & 1) != 0 ? n : MD5_BYTES);
        if (i % 3 != 0)
            add(&b, salt.ptr, salt.len);
        if (i % 7 != 0)
            add(&b, password, n);
        add(&b, (i & 1) != 0 ? (const void *)d : password, (i & 1) != 0 ? MD5_BYTES : n);
        if (!md5(&b, d))
            return false;
    }
    apr1_text(d, out);
    return true;
}

/* ---- one password -------------------------------------------------------------------------------------- */

/* Compares in constant time for texts of equal length, so that timing reveals no prefix. */
static bool
is_equal(const char *a, const char *b)
{
    size_t n = strlen(a);
    return n == strlen(b) && CRYPTO_memcmp(a, b, n) == 0;
}

static bool
apr1_matches(const char *password, const char *salt)
{
    const char *end = strchr(salt, '$');
    char text[APR1_TEXT_BYTES + 1];
    size_t n = end == NULL ? 0 : (size_t)(end - salt);
    return end != NULL && apr1(password, span_of(salt, n < APR1_SALT_MAX ? n : APR1_SALT_MAX), text) &&
           is_equal(text, end + 1);
}

static bool
digest_matches(const EVP_MD *kind, const char *password, const char *stored)
{
    unsigned char digest[EVP_MAX_MD_SIZE], text[EVP_MAX_MD_SIZE * 2];
    unsigned n;
    if (EVP_Digest(password, strlen(password), digest, &n, kind, NULL) != 1)
        return false;
    EVP_EncodeBlock(text, digest, (int)n);
    return is_equal((const char *)text, stored);
}

static bool
sha_matches(const char *password, const char *stored)
{
    return digest_matches(EVP_sha1(), password, stored);
}

static bool
md5_matches(const char *password, const char *stored)
{
    return digest_matches(EVP_md5(), password, stored);
}

/* The stored bytes are SHA-1(password salt), then the salt. */
static bool
salted_sha_matches(const char *password, const char *stored)
{
    unsigned char bytes[SALTED_BYTES_MAX], digest[SHA_DIGEST_LENGTH];
    size_t n = strlen(stored), password_len = strlen(password);
    if (n == 0 || n % 4 != 0 || n / 4 * 3 > sizeof bytes)
        return false;
    int len = EVP_DecodeBlock(bytes, (const unsigned char *)stored, (int)n);
    if (len < 0)
        return false;
    len -= (stored[n - 1] == '=') + (stored[n - 2] == '=');
    if (len < SHA_DIGEST_LENGTH)
        return false;
    struct bytes b = { .n = 0 };
    add(&b, password, password_len);
    add(&b, bytes + SHA_DIGEST_LENGTH, (size_t)(len - SHA_DIGEST_LENGTH));
    return EVP_Digest(b.at, b.n, digest, NULL, EVP_sha1(), NULL) == 1 &&
           CRYPTO_memcmp(digest, bytes, sizeof digest) == 0;
}

/* Nobody logs in without a password. */
static bool
plain_matches(const char *password, const char *stored)
{
    return *stored != '\0' && is_equal(password, stored);
}

enum verdict { MATCHES, DIFFERS, UNKNOWN_SCHEME };

static enum verdict
crypt_verdict(const char *password, const char *stored)
{
    struct crypt_data *data = mem_zalloc(sizeof *data); /* 32 KiB: too large for the stack */
    const char *text = crypt_r(password, stored, data);
    enum verdict v = text == NULL || *text == '*' ? UNKNOWN_SCHEME
                   : is_equal(text, stored)       ? MATCHES
                                                  : DIFFERS;
    free(data);
    return v;
}

/* False if the stored text looks like a hash or is empty. Otherwise a client could log in with the hash
 * itself, or without a password. */
static bool
may_be_plain(const char *stored)
{
    size_t n = strlen(stored);
    bool traditional = n == DES_TEXT_BYTES && strspn(stored, CRYPT_DIGITS) == n;
    return n > 0 && *stored != '$' && *stored != '_' && !traditional;
}

static enum verdict
verdict_of(const char *password, const char *stored)
{
    static const struct {
        const char *name;
        bool (*matches)(const char *password, const char *stored);
    } schemes[] = {
        { APR1_PREFIX, apr1_matches }, { "{SHA}", sha_matches },     { "{SSHA}", salted_sha_matches },
        { "{MD5}", md5_matches },      { "{PLAIN}", plain_matches },
    };
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        size_t n = strlen(schemes[i].name);
        if (strncmp(stored, schemes[i].name, n) == 0)
            return schemes[i].matches(password, stored + n) ? MATCHES : DIFFERS;
    }
    if (*stored == '{' && strchr(stored, '}') != NULL)
        return UNKNOWN_SCHEME;
    enum verdict v = crypt_verdict(password, stored);
    if (v != MATCHES && may_be_plain(stored))
        return is_equal(password, stored) ? MATCHES : DIFFERS;
    return *stored == '\0' ? DIFFERS : v;
}

/* The name of the scheme, without any byte of the hash: "{NAME}", "$name$", or the first character. */
static void
name_scheme(const char *stored, char out[SCHEME_BYTES_MAX + 1])
{
    const char *end = strchr(stored + 1, *stored == '{' ? '}' : '$');
    size_t n = end != NULL && (size_t)(end - stored) < SCHEME_BYTES_MAX ? (size_t)(end - stored) + 1 : 1;
    memcpy(out, stored, n);
    out[n] = '\0';
}

/* ---- the file ------------------------------------------------------------------------------------------ */

static char *
read_file(const char *path, int *error)
{
    struct stat st;
    char *text = NULL;
    ssize_t n = -1;
    int fd = file_open(path, FILE_BYTES_MAX);
    if (fd >= 0 && fstat(fd, &st) == 0) {
        text = mem_alloc((size_t)st.st_size + 1);
        n = read(fd, text, (size_t)st.st_size);
    }
    *error = n < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    if (n < 0) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

static void
try_entry(struct attempt *a, const char *stored)
{
    enum verdict v = verdict_of(a->password, stored);
    a->matches = v == MATCHES;
    if (v == UNKNOWN_SCHEME)
        name_scheme(stored, a->unknown_scheme);
}

/* The file has lines of user:hash; the first line of a user counts. */
static void
try_password(void *arg)
{
    struct attempt *a = arg;
    size_t user_len = strlen(a->user);
    char *text = read_file(a->path, &a->error);
    for (char *rest = text, *line; text != NULL && (line = strsep(&rest, "\n")) != NULL;) {
        a->line++;
        if (*line == '#' || strncmp(line, a->user, user_len) != 0 || line[user_len] != ':')
            continue;
        char *stored = line + user_len + 1;
        stored[strcspn(stored, ":\r")] = '\0';
        try_entry(a, stored);
        break;
    }
    free(text);
}

/* ---- the field ----------------------------------------------------------------------------------------- */

/* Parses "Basic dXNlcjpwYXNz". */
static bool
credentials_of(struct span field, struct attempt *a)
{
    unsigned char text[WORD_BYTES_MAX + 4];
    if (field.len < 7 || !span_eq_nocase(span_of(field.ptr, 6), SPAN_LIT("Basic ")))
        return false;
    const char *from = field.ptr + 6;
    size_t n = field.len - 6;
    for (; n > 0 && *from == ' '; from++, n--)
        continue;
    if (n == 0 || n % 4 != 0 || n / 4 * 3 > WORD_BYTES_MAX)
        return false;
    int len = EVP_DecodeBlock(text, (const unsigned char *)from, (int)n);
    if (len < 0)
        return false;
    len -= (from[n - 1] == '=') + (from[n - 2] == '=');
    const unsigned char *colon = memchr(text, ':', (size_t)len);
    if (colon == NULL || colon == text || memchr(text, '\0', (size_t)len) != NULL ||
        memchr(text, '\n', (size_t)len) != NULL)
        return false;
    size_t user = (size_t)(colon - text), password = (size_t)len - user - 1;
    memcpy(a->user, text, user);
    a->user[user] = '\0';
    memcpy(a->password, colon + 1, password);
    a->password[password] = '\0';
    return true;
}

/* An unreadable file fails the transaction. Otherwise a misspelt path would look like a wrong password. */
int32_t
vcl_basicauth_match(struct policy_ctx *ctx, struct span file, struct span field)
{
    struct attempt a = { .matches = false };
    struct span path = vcl_keep(ctx, ctx->arena, file);
    char *at = ctx->failed ? NULL : vcl_alloc(ctx, path.len + 1);
    if (at == NULL || field.ptr == NULL || !credentials_of(field, &a))
        return 0;
    memcpy(at, path.ptr, path.len);
    at[path.len] = '\0';
    a.path = at;
    offload_or_block(try_password, &a);
    OPENSSL_cleanse(a.password, sizeof a.password);
    if (a.error != 0)
        vcl_fail_printf(ctx, "basicauth: cannot read %s: %s", a.path, strerror(a.error));
    if (*a.unknown_scheme != '\0')
        log_printf(
            ctx->log, TAG_VCL_ERROR,
            "basicauth: %s, line %u: no password matches an entry of scheme %s; use $2y$, $6$, $apr1$, "
            "{SSHA}, {SHA}, {MD5} or {PLAIN}",
            a.path, a.line, a.unknown_scheme);
    return a.matches;
}
