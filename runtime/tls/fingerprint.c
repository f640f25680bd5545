/* Fingerprints of hellos: see fingerprint.h. The bytes come from any client, and before OpenSSL has judged
 * them. */
#include "tls/fingerprint.h"

#include <openssl/evp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/check.h"
#include "tls/library.h"

#define CLIENT_HELLO 1
#define RANDOM_BYTES 32u
#define COUNT_MAX 99u /* of JA4 */
#define DIGEST_CHARS 12

enum extension {
    EXTENSION_NAME = 0,
    EXTENSION_GROUPS = 10,
    EXTENSION_FORMATS = 11,
    EXTENSION_SCHEMES = 13,
    EXTENSION_ALPN = 16,
    EXTENSION_VERSIONS = 43
};

struct numbers {
    unsigned at, n; /* in tls_hello.numbers */
};

struct tls_hello {
    uint16_t version, newest; /* newest: of the extension for versions; 0: none */
    bool has_name;
    char alpn[2]; /* first and last character of JA4 */
    struct numbers ciphers, extensions, groups, formats, schemes;
    uint16_t numbers[];
};

/* ---- reading ---- */

static bool
take(struct span *in, size_t n, struct span *out)
{
    if (n > in->len)
        return false;
    *out = span_of(in->ptr, n);
    *in = span_of(in->ptr + n, in->len - n);
    return true;
}

static bool
take_number(struct span *in, size_t bytes, size_t *out)
{
    struct span text;
    if (!take(in, bytes, &text))
        return false;
    *out = 0;
    for (size_t i = 0; i < bytes; i++)
        *out = *out << 8 | (unsigned char)text.ptr[i];
    return true;
}

/* A list behind its length. */
static bool
take_list(struct span *in, size_t bytes, struct span *out)
{
    size_t n;
    return take_number(in, bytes, &n) && take(in, n, out);
}

static bool
is_grease(size_t number)
{
    return (number & 0x0f0f) == 0x0a0a && number >> 8 == (number & 0xff);
}

struct parts { /* of a hello; a part that it lacks is empty */
    size_t version;
    struct span ciphers, extensions, groups, formats, schemes, versions, alpn;
    bool has_name;
};

/* The first extension of a kind counts; OpenSSL refuses a hello with a second one. */
static void
note_extension(struct parts *p, size_t kind, struct span body)
{
    struct span list = SPAN_NULL;
    struct span *const two[] = { [EXTENSION_GROUPS] = &p->groups,
                                 [EXTENSION_SCHEMES] = &p->schemes,
                                 [EXTENSION_ALPN] = &p->alpn };
    struct span *const one[] = { [EXTENSION_FORMATS] = &p->formats, [EXTENSION_VERSIONS] = &p->versions };
    p->has_name = p->has_name || kind == EXTENSION_NAME;
    struct span *at = kind < sizeof two / sizeof *two ? two[kind] : NULL;
    size_t bytes = at != NULL ? 2 : 1;
    if (at == NULL && kind < sizeof one / sizeof *one)
        at = one[kind];
    if (at != NULL && at->ptr == NULL && take_list(&body, bytes, &list))
        *at = list;
}

static bool
split(struct span message, struct parts *p)
{
    struct span body, skipped, rest, one;
    size_t kind;
    *p = (struct parts){ 0 };
    if (!take_number(&message, 1, &kind) || kind != CLIENT_HELLO || !take_list(&message, 3, &body) ||
        !take_number(&body, 2, &p->version) || !take(&body, RANDOM_BYTES, &skipped) ||
        !take_list(&body, 1, &skipped) || !take_list(&body, 2, &p->ciphers) || !take_list(&body, 1, &skipped))
        return false;
    if (body.len == 0) /* before TLS 1.3 a hello may have no extensions */
        return true;
    if (!take_list(&body, 2, &p->extensions))
        return false;
    for (rest = p->extensions; rest.len > 0; note_extension(p, kind, one))
        if (!take_number(&rest, 2, &kind) || !take_list(&rest, 2, &one))
            return false;
    return true;
}

static void
add_number(struct tls_hello *h, struct numbers *list, size_t number)
{
    h->numbers[list->at + list->n++] = (uint16_t)number;
}

static struct numbers
begin(struct numbers before)
{
    return (struct numbers){ .at = before.at + before.n };
}

static void
add_list(struct tls_hello *h, struct numbers *list, struct span text, size_t bytes)
{
    for (size_t number; take_number(&text, bytes, &number);)
        if (bytes == 1 || !is_grease(number))
            add_number(h, list, number);
}

static void
add_extensions(struct tls_hello *h, struct span text)
{
    struct span body;
    for (size_t kind; take_number(&text, 2, &kind) && take_list(&text, 2, &body);)
        if (!is_grease(kind))
            add_number(h, &h->extensions, kind);
}

static uint16_t
newest_of(struct span versions)
{
    size_t newest = 0;
    for (size_t one; take_number(&versions, 2, &one);)
        newest = !is_grease(one) && one > newest ? one : newest;
    return (uint16_t)newest;
}

static bool
is_alnum(char c)
{
    return (c >= '0' && c <= '9') || (ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z');
}

/* Of the first protocol; if one is neither letter nor digit, those of its bytes in hexadecimal. */
static void
note_alpn(struct tls_hello *h, struct span alpn)
{
    static const char digits[] = "0123456789abcdef";
    struct span first;
    h->alpn[0] = h->alpn[1] = '0';
    if (!take_list(&alpn, 1, &first) || first.len == 0)
        return;
    char a = first.ptr[0], z = first.ptr[first.len - 1];
    bool plain = is_alnum(a) && is_alnum(z);
    h->alpn[0] = plain ? a : digits[(unsigned char)a >> 4];
    h->alpn[1] = plain ? z : digits[(unsigned char)z & 15];
}

struct tls_hello *
tls_hello_read(struct span message)
{
    struct parts p;
    if (!split(message, &p))
        return NULL;
    struct tls_hello *h = calloc(1, sizeof *h + message.len * sizeof h->numbers[0]); /* each takes a byte */
    if (h == NULL)
        return NULL;
    h->version = (uint16_t)p.version;
    h->newest = newest_of(p.versions);
    h->has_name = p.has_name;
    note_alpn(h, p.alpn);
    add_list(h, &h->ciphers, p.ciphers, 2);
    h->extensions = begin(h->ciphers);
    add_extensions(h, p.extensions);
    h->groups = begin(h->extensions);
    add_list(h, &h->groups, p.groups, 2);
    h->formats = begin(h->groups);
    add_list(h, &h->formats, p.formats, 1);
    h->schemes = begin(h->formats);
    add_list(h, &h->schemes, p.schemes, 2);
    size_t n = h->schemes.at + h->schemes.n;
    struct tls_hello *less = realloc(h, sizeof *h + n * sizeof h->numbers[0]);
    return less != NULL ? less : h;
}

/* ---- JA3 ---- */

static void
add_decimals(const struct tls_hello *h, struct numbers list, struct text *out)
{
    text_str(out, ",");
    for (unsigned i = 0; i < list.n; i++)
        text_printf(out, "%s%u", i > 0 ? "-" : "", h->numbers[list.at + i]);
}

void
tls_hello_ja3(const struct tls_hello *h, struct text *out)
{
    text_printf(out, "%u", h->version);
    add_decimals(h, h->ciphers, out);
    add_decimals(h, h->extensions, out);
    add_decimals(h, h->groups, out);
    add_decimals(h, h->formats, out);
}

/* ---- JA4 ---- */

static const char *
version_name(uint16_t version)
{
    switch (version) {
    case 0x0304: return "13";
    case 0x0303: return "12";
    case 0x0302: return "11";
    case 0x0301: return "10";
    case 0x0300: return "s3";
    default: return "00";
    }
}

static int
by_number(const void *a, const void *b)
{
    return (int)*(const uint16_t *)a - (int)*(const uint16_t *)b;
}

/* The sorted list lacks the extensions that the first part of the fingerprint tells of. */
static void
add_hex(const struct tls_hello *h, struct numbers list, bool sorted, struct text *out)
{
    uint16_t *copy = list.n == 0 ? NULL : malloc(list.n * sizeof *copy);
    unsigned n = 0;
    for (unsigned i = 0; copy != NULL && i < list.n; i++) {
        uint16_t number = h->numbers[list.at + i];
        bool told = list.at == h->extensions.at && (number == EXTENSION_NAME || number == EXTENSION_ALPN);
        if (!sorted || !told)
            copy[n++] = number;
    }
    if (sorted && n > 0)
        qsort(copy, n, sizeof *copy, by_number);
    for (unsigned i = 0; i < n; i++)
        text_printf(out, "%s%04x", i > 0 ? "," : "", copy[i]);
    free(copy);
}

static void
add_part(const struct text *part, unsigned how, struct text *out)
{
    unsigned char digest[EVP_MAX_MD_SIZE] = { 0 };
    size_t n;
    text_str(out, "_");
    if (how & TLS_JA4_RAW) {
        text_add(out, text_span(part));
        return;
    }
    if (part->len > 0)
        (void)EVP_Q_digest(tls_library(), "SHA256", NULL, part->ptr, part->len, digest, &n);
    for (unsigned i = 0; i < DIGEST_CHARS / 2; i++)
        text_printf(out, "%02x", digest[i]);
}

static unsigned
at_most(unsigned n)
{
    return n < COUNT_MAX ? n : COUNT_MAX;
}

void
tls_hello_ja4(const struct tls_hello *h, unsigned how, struct text *out)
{
    struct text part = { 0 };
    bool sorted = (how & TLS_JA4_ORIGINAL) == 0;
    text_printf(out, "t%s%c%02u%02u%c%c", version_name(h->newest != 0 ? h->newest : h->version),
                h->has_name ? 'd' : 'i', at_most(h->ciphers.n), at_most(h->extensions.n), h->alpn[0],
                h->alpn[1]);
    add_hex(h, h->ciphers, sorted, &part);
    add_part(&part, how, out);
    text_clear(&part);
    add_hex(h, h->extensions, sorted, &part);
    if (h->schemes.n > 0)
        text_str(&part, "_");
    add_hex(h, h->schemes, false, &part);
    add_part(&part, how, out);
    text_release(&part);
}

/* ---- whether any is wanted ---- */

static atomic_int wanted;

void
tls_hello_want(int change)
{
    atomic_fetch_add(&wanted, change);
}

bool
tls_hello_wanted(void)
{
    return atomic_load_explicit(&wanted, memory_order_relaxed) > 0;
}
