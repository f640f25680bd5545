/* Values of `log { ... }` as JSON (RFC 8259). The record is UTF-8 whatever a request contains: a byte that is
 * no part of a character becomes U+FFFD. */
#include <stdio.h>

#include "base/utf8.h"
#include "policy/exports.h"
#include "policy/lib.h"

#define ESCAPED_MAX 6 /* \uXXXX */

static char *
put_escaped(char *out, struct span text)
{
    while (text.len > 0) {
        unsigned char c = (unsigned char)*text.ptr;
        size_t n = utf8_len((const unsigned char *)text.ptr, text.len);
        if (n == 0)
            out = mempcpy(out, "\\ufffd", ESCAPED_MAX);
        else if (c == '"' || c == '\\')
            out = mempcpy(out, (char[]){ '\\', (char)c }, 2);
        else if (c < ' ' || c == 0x7f)
            out += sprintf(out, "\\u%04x", c);
        else
            out = mempcpy(out, text.ptr, n);
        text = span_of(text.ptr + (n == 0 ? 1 : n), text.len - (n == 0 ? 1 : n));
    }
    return out;
}

struct span
vcl_json_text(struct policy_ctx *ctx, struct span text)
{
    size_t room;
    if (text.ptr == NULL)
        return SPAN_LIT("null");
    if (__builtin_mul_overflow(text.len, (size_t)ESCAPED_MAX, &room))
        room = SIZE_MAX / 2;
    char *result = vcl_alloc(ctx, room + sizeof "\"\"");
    if (result == NULL)
        return SPAN_NULL;
    char *out = result;
    *out++ = '"';
    out = put_escaped(out, text);
    *out++ = '"';
    ctx->fresh = result;
    return span_of(result, (size_t)(out - result));
}
