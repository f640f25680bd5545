/* Module urlcode: percent encoding (RFC 3986, 2.1). */
#include "exports_vmod.h"
#include "http/chars.h"
#include "policy/exports.h"

static const char hex[] = "0123456789ABCDEF";

struct span
vcl_urlcode_encode(struct policy_ctx *ctx, struct span s)
{
    char *out = s.ptr == NULL ? NULL : vcl_alloc(ctx, s.len * 3), *at = out;
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++) {
        if (char_is(s.ptr[i], CHAR_UNRESERVED)) {
            *at++ = s.ptr[i];
            continue;
        }
        *at++ = '%';
        *at++ = hex[(unsigned char)s.ptr[i] >> 4];
        *at++ = hex[(unsigned char)s.ptr[i] & 15];
    }
    return span_of(out, (size_t)(at - out));
}

struct span
vcl_urlcode_decode(struct policy_ctx *ctx, struct span s)
{
    char *out = s.ptr == NULL ? NULL : vcl_alloc(ctx, s.len), *at = out;
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++) {
        int high = s.ptr[i] == '%' && s.len - i > 2 ? char_hex_value(s.ptr[i + 1]) : -1;
        int low = high < 0 ? -1 : char_hex_value(s.ptr[i + 2]);
        *at++ = low < 0 ? s.ptr[i] : (char)(high << 4 | low);
        i += low < 0 ? 0 : 2;
    }
    if (memchr(out, '\0', (size_t)(at - out)) != NULL) {
        vcl_fail(ctx, "urlcode.decode: a NUL byte cannot be in a text");
        return SPAN_NULL;
    }
    return span_of(out, (size_t)(at - out));
}
