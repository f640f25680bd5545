/* The responses that may be coded, and the codings that clients may ask for: see coding.h. */
#include "base/check.h"
#include "base/params.h"
#include "http/cache_control.h"
#include "http/codings.h"
#include "http/fields.h"
#include "proxy/coding/coding.h"

unsigned
codings_enabled(void)
{
    if (!params.http_gzip_support)
        return 0;
    return (params.http_brotli_support ? 1u << CODING_BR : 0) |
           (params.http_zstd_support ? 1u << CODING_ZSTD : 0);
}

struct span
coding_normalise(struct span accept_encoding)
{
    static const char *const values[2][4] = {
        { NULL, "br", "zstd", "br, zstd" },
        { "gzip", "br, gzip", "zstd, gzip", "br, zstd, gzip" },
    };
    unsigned preferred = codings_preferred(accept_encoding, codings_enabled());
    DEBUG_CHECK(preferred < 4);
    const char *value = values[accepts_gzip(accept_encoding)][preferred];
    return value == NULL ? SPAN_NULL : span_str(value);
}

/* ---- what may be coded ---- */

static bool
ends_with(struct span text, struct span end)
{
    return text.len >= end.len && span_eq_nocase(span_of(text.ptr + text.len - end.len, end.len), end);
}

/* Types whose content compresses well. Most other types are compressed already. */
static bool
packs_well(struct span type)
{
    static const struct span types[] = {
        { "application/javascript", 22 },
        { "application/json", 16 },
        { "application/wasm", 16 },
        { "application/x-javascript", 24 },
        { "application/xml", 15 },
        { "application/manifest+json", 25 },
        { "font/otf", 8 },
        { "font/ttf", 8 },
        { "image/bmp", 9 },
    };
    const char *semi = type.len == 0 ? NULL : memchr(type.ptr, ';', type.len);
    struct span name = span_trim(semi == NULL ? type : span_of(type.ptr, (size_t)(semi - type.ptr)));
    if (name.len > 5 && span_eq_nocase(span_of(name.ptr, 5), SPAN_LIT("text/")))
        return true;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (span_eq_nocase(name, types[i]))
            return true;
    return ends_with(name, SPAN_LIT("+json")) || ends_with(name, SPAN_LIT("+xml"));
}

bool
coding_fits(const struct http_message *head, bool gzipped)
{
    struct cache_control cc;
    if (codings_enabled() == 0 || head->status != 200)
        return false;
    cache_control_parse(head, &cc);
    if (cc.no_transform) /* RFC 9111, 5.2.2.6 */
        return false;
    return gzipped ||
           (!message_has(head, NAME_CONTENT_ENCODING) && packs_well(message_get(head, NAME_CONTENT_TYPE)));
}
