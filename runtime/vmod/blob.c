/* Module blob: converts bytes to text and back, and compares blobs. The codecs are rows of a table: output
 * size, encoder, decoder. */
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/chars.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

struct coding {         /* settings of an encoder or decoder */
    const char *digits; /* base64 alphabet */
    char pad;
    bool upper; /* for hexadecimal digits and URL escapes */
};

struct codec {
    struct span name;
    size_t (*room)(size_t n); /* text size for n bytes */
    size_t (*encode)(const struct coding *c, const uint8_t *from, size_t n, char *out);
    /* Returns the bytes written (at most n), or -1 if the text is not valid in this coding. */
    ssize_t (*decode)(const struct coding *c, const char *from, size_t n, uint8_t *out);
    const char *digits;
    char pad;
    bool cased;
};

/* ---- the codings --------------------------------------------------------------------------------------- */

static size_t
room_same(size_t n)
{
    return n;
}

static size_t
room_base64(size_t n)
{
    return n / 3 * 4 + 4;
}

static size_t
room_hex(size_t n)
{
    return 2 * n;
}

static size_t
room_url(size_t n)
{
    return 3 * n;
}

static size_t
encode_same(const struct coding *c, const uint8_t *from, size_t n, char *out)
{
    if (n > 0)
        memcpy(out, from, n);
    return n;
}

static ssize_t
decode_same(const struct coding *c, const char *from, size_t n, uint8_t *out)
{
    if (n > 0)
        memcpy(out, from, n);
    return (ssize_t)n;
}

static size_t
encode_base64(const struct coding *c, const uint8_t *from, size_t n, char *out)
{
    return base64_encode(c->digits, c->pad, from, n, out);
}

static ssize_t
decode_base64(const struct coding *c, const char *from, size_t n, uint8_t *out)
{
    uint32_t bits = 0;
    unsigned n_bits = 0;
    size_t len = 0, i = 0;
    for (; i < n && (c->pad == '\0' || from[i] != c->pad); i++) {
        const char *digit = from[i] == '\0' ? NULL : strchr(c->digits, from[i]);
        if (digit == NULL)
            return -1;
        bits = bits << 6 | (uint32_t)(digit - c->digits);
        n_bits += 6;
        if (n_bits >= 8) {
            n_bits -= 8;
            out[len++] = (uint8_t)(bits >> n_bits);
        }
    }
    /* by number of digits in the last group; all padding may be missing */
    static const size_t padding_max[] = { 0, 0, 2, 1 };
    size_t digits = i;
    while (i < n && from[i] == c->pad)
        i++;
    return i < n || digits % 4 == 1 || i - digits > padding_max[digits % 4] ? -1 : (ssize_t)len;
}

static char
hex_digit(const struct coding *c, unsigned v)
{
    return (c->upper ? "0123456789ABCDEF" : "0123456789abcdef")[v & 15];
}

static bool
all_hex(struct span text)
{
    for (size_t i = 0; i < text.len; i++)
        if (char_hex_value(text.ptr[i]) < 0)
            return false;
    return true;
}

static size_t
encode_hex(const struct coding *c, const uint8_t *from, size_t n, char *out)
{
    for (size_t i = 0; i < n; i++) {
        out[2 * i] = hex_digit(c, from[i] >> 4);
        out[2 * i + 1] = hex_digit(c, from[i]);
    }
    return 2 * n;
}

/* With an odd number of digits, the first digit is a byte of its own. */
static ssize_t
decode_hex(const struct coding *c, const char *from, size_t n, uint8_t *out)
{
    size_t len = 0;
    unsigned value = 0;
    for (size_t i = 0; i < n; i++) {
        int digit = char_hex_value(from[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | (unsigned)digit;
        if ((n - i) % 2 == 1)
            out[len++] = (uint8_t)value;
    }
    return (ssize_t)len;
}

static size_t
encode_url(const struct coding *c, const uint8_t *from, size_t n, char *out)
{
    char *at = out;
    for (size_t i = 0; i < n; i++) {
        if (char_is((char)from[i], CHAR_UNRESERVED)) {
            *at++ = (char)from[i];
            continue;
        }
        *at++ = '%';
        *at++ = hex_digit(c, from[i] >> 4);
        *at++ = hex_digit(c, from[i]);
    }
    return (size_t)(at - out);
}

static ssize_t
decode_url(const struct coding *c, const char *from, size_t n, uint8_t *out)
{
    size_t len = 0;
    for (size_t i = 0; i < n; i++) {
        if (from[i] != '%') {
            out[len++] = (uint8_t)from[i];
            continue;
        }
        int high = i + 2 < n ? char_hex_value(from[i + 1]) : -1,
            low = high < 0 ? -1 : char_hex_value(from[i + 2]);
        if (low < 0)
            return -1;
        out[len++] = (uint8_t)(high << 4 | low);
        i += 2;
    }
    return (ssize_t)len;
}

#define CF_DIGITS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-~"

static const struct codec codecs[] = {
    { { "IDENTITY", 8 }, room_same, encode_same, decode_same, NULL, 0, false },
    { { "BASE64", 6 }, room_base64, encode_base64, decode_base64, BASE64_STANDARD, '=', false },
    { { "BASE64URL", 9 }, room_base64, encode_base64, decode_base64, BASE64_URL, '=', false },
    { { "BASE64URLNOPAD", 14 }, room_base64, encode_base64, decode_base64, BASE64_URL, '\0', false },
    { { "BASE64CF", 8 }, room_base64, encode_base64, decode_base64, CF_DIGITS, '_', false },
    { { "HEX", 3 }, room_hex, encode_hex, decode_hex, NULL, 0, true },
    { { "URL", 3 }, room_url, encode_url, decode_url, NULL, 0, true },
};

/* ---- codecs by name ------------------------------------------------------------------------------------ */

static const struct codec *
codec_named(struct policy_ctx *ctx, struct span name)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (span_eq(codecs[i].name, name))
            return &codecs[i];
    vcl_fail(ctx, "blob: unknown codec");
    return NULL;
}

static struct vcl_blob *
blob_new(struct policy_ctx *ctx, const void *bytes, size_t n)
{
    struct vcl_blob *b = vcl_alloc(ctx, sizeof *b);
    if (b != NULL)
        *b = (struct vcl_blob){ .ptr = bytes, .len = n };
    return b;
}

/* A length of 0 or less means all of the text. */
static size_t
length_of(struct span text, int64_t length)
{
    if (text.ptr == NULL)
        return 0;
    return length > 0 && (uint64_t)length < text.len ? (size_t)length : text.len;
}

static const char nothing[] = ""; /* shared by all empty blobs, so that blob.same() holds for them */

/* Returns NULL and sets *wrong if the text is not valid. Hexadecimal text is checked to its end whatever the
 * length. */
static const struct vcl_blob *
decode(struct policy_ctx *ctx, const struct codec *codec, int64_t length, struct span text, bool *wrong)
{
    size_t n = length_of(text, length);
    uint8_t *out = codec == NULL ? NULL : vcl_alloc(ctx, n + 1);
    if (out == NULL)
        return NULL;
    *wrong = codec->decode == decode_hex && !all_hex(text);
    ssize_t len = *wrong
                    ? -1
                    : codec->decode(&(struct coding){ codec->digits, codec->pad, false }, text.ptr, n, out);
    *wrong = len < 0;
    return *wrong ? NULL : blob_new(ctx, len == 0 ? nothing : (const char *)out, (size_t)len);
}

static const struct vcl_blob *
decode_or_fail(struct policy_ctx *ctx, const struct codec *codec, int64_t length, struct span text)
{
    bool wrong = false;
    const struct vcl_blob *blob = decode(ctx, codec, length, text, &wrong);
    struct span shown = text_first_part(ctx, text);
    if (wrong)
        vcl_fail_printf(ctx, "vmod blob error: cannot decode, illegal encoding beginning with \"%.*s\"",
                        (int)shown.len, shown.ptr);
    return blob;
}

const struct vcl_blob *
vcl_blob_decode(struct policy_ctx *ctx, struct span decoding, int64_t length, struct span text)
{
    return decode_or_fail(ctx, codec_named(ctx, decoding), length, text);
}

/* Fails unless the codec has upper and lower case, or the case is DEFAULT. */
static bool
case_fits(struct policy_ctx *ctx, const struct codec *codec, struct span letters)
{
    if (codec->cased || span_eq(letters, SPAN_LIT("DEFAULT")))
        return true;
    vcl_fail_printf(ctx, "vmod blob error: case %.*s is illegal with encoding %.*s", (int)letters.len,
                    letters.ptr, (int)codec->name.len, codec->name.ptr);
    return false;
}

struct span
vcl_blob_encode(struct policy_ctx *ctx, struct span encoding, struct span letters,
                const struct vcl_blob *blob)
{
    const struct codec *codec = codec_named(ctx, encoding);
    if (codec == NULL || !case_fits(ctx, codec, letters) || blob == NULL)
        return SPAN_NULL;
    char *out = vcl_alloc(ctx, codec->room(blob->len) + 1);
    if (out == NULL)
        return SPAN_NULL;
    struct coding c = { codec->digits, codec->pad, span_eq(letters, SPAN_LIT("UPPER")) };
    size_t len = codec->encode(&c, blob->ptr, blob->len, out);
    /* cut at the first NUL, because the text may go into a header field */
    return span_of(out, strnlen(out, len));
}

/* True if the text is too short to give a byte. As in Varnish, transcode() and objects then return empty
 * without checking the text. */
static bool
makes_no_byte(const struct codec *codec, struct span text)
{
    return text.len == 0 || (codec->decode == decode_base64 && text.len == 1);
}

/* A valid text transcoded to its own coding is returned unchanged, including missing padding. Codings with
 * upper and lower case are encoded again, because the case may change. */
struct span
vcl_blob_transcode(struct policy_ctx *ctx, struct span decoding, struct span encoding, struct span letters,
                   int64_t length, struct span text)
{
    const struct codec *from = codec_named(ctx, decoding), *to = codec_named(ctx, encoding);
    if (from == NULL || to == NULL || !case_fits(ctx, to, letters))
        return SPAN_NULL;
    if (makes_no_byte(from, text))
        return SPAN_LIT("");
    const struct vcl_blob *blob = decode_or_fail(ctx, from, length, text);
    if (blob == NULL)
        return SPAN_NULL;
    return from == to && length <= 0 && !to->cased ? text : vcl_blob_encode(ctx, encoding, letters, blob);
}

/* ---- blobs --------------------------------------------------------------------------------------------- */

int32_t
vcl_blob_same(struct policy_ctx *ctx, const struct vcl_blob *a, const struct vcl_blob *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->ptr == b->ptr && a->len == b->len;
}

int32_t
vcl_blob_equal(struct policy_ctx *ctx, const struct vcl_blob *a, const struct vcl_blob *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return span_eq(span_of(a->ptr, a->len), span_of(b->ptr, b->len));
}

int64_t
vcl_blob_length(struct policy_ctx *ctx, const struct vcl_blob *b)
{
    return b == NULL ? 0 : (int64_t)b->len;
}

const struct vcl_blob *
vcl_blob_sub(struct policy_ctx *ctx, const struct vcl_blob *b, int64_t length, int64_t offset)
{
    if (b == NULL || b->len == 0)
        vcl_fail(ctx, "vmod blob error: blob is empty in blob.sub()");
    else if (length < 0 || offset < 0)
        vcl_fail(ctx, "vmod blob error: size or offset negative in blob.sub()");
    else if ((uint64_t)offset > b->len || (uint64_t)length > b->len - (uint64_t)offset)
        vcl_fail_printf(
            ctx,
            "vmod blob error: size %lld from offset %lld requires more bytes than blob length %llu in blob.sub()",
            (long long)length, (long long)offset, (unsigned long long)b->len);
    else
        return blob_new(ctx, (const char *)b->ptr + offset, (size_t)length);
    return NULL;
}

/* The object owns a copy that lives as long as the policy. */
void *
vcl_blob_blob_new(struct policy_ctx *ctx, struct span decoding, struct span text)
{
    bool wrong = false;
    const struct codec *codec = codec_named(ctx, decoding);
    if (codec != NULL && makes_no_byte(codec, text))
        text = SPAN_LIT("");
    const struct vcl_blob *from = decode(ctx, codec, 0, text, &wrong);
    struct span name = policy_new_name(ctx), shown = text_first_part(ctx, text);
    if (wrong)
        vcl_fail_printf(ctx,
                        "vmod blob error: cannot create blob %.*s, illegal encoding beginning with \"%.*s\"",
                        (int)name.len, name.ptr, (int)shown.len, shown.ptr);
    if (from == NULL)
        return NULL;
    struct {
        struct vcl_blob blob;
        char bytes[];
    } *kept = mem_zalloc(sizeof *kept + from->len + 1);
    if (from->len > 0)
        memcpy(kept->bytes, from->ptr, from->len);
    /* all empty blobs share one address */
    kept->blob = (struct vcl_blob){ .ptr = from->len > 0 ? kept->bytes : from->ptr, .len = from->len };
    return kept;
}

void
vcl_blob_blob_fini(struct policy_ctx *ctx, void *instance)
{
    free(instance);
}

const struct vcl_blob *
vcl_blob_blob_get(struct policy_ctx *ctx, void *instance)
{
    return instance; /* the blob is the first field of the instance */
}

struct span
vcl_blob_blob_encode(struct policy_ctx *ctx, void *instance, struct span encoding, struct span letters)
{
    return vcl_blob_encode(ctx, encoding, letters, instance);
}
