/* Text methods of vcl 5.0. They are lifted: the result for an unset text is unset. A result that is a part of
 * the text is not copied. */
#include "base/check.h"
#include "http/chars.h"
#include "policy/exports.h"
#include "policy/lib.h"

/* An empty separator is found at the start, the last one at the end. NULL: not found, or no text. */
static const char *
find(struct span text, struct span wanted)
{
    if (text.ptr == NULL || wanted.ptr == NULL)
        return NULL;
    return wanted.len == 0 ? text.ptr : memmem(text.ptr, text.len, wanted.ptr, wanted.len);
}

static const char *
find_last(struct span text, struct span wanted)
{
    if (text.ptr == NULL || wanted.ptr == NULL || wanted.len > text.len)
        return NULL;
    for (size_t at = text.len - wanted.len + 1; at-- > 0;)
        if (span_eq(span_of(text.ptr + at, wanted.len), wanted))
            return text.ptr + at;
    return NULL;
}

static struct span
before(struct span text, const char *at)
{
    return at == NULL ? SPAN_NULL : span_of(text.ptr, (size_t)(at - text.ptr));
}

static struct span
behind(struct span text, const char *at, size_t skip)
{
    return at == NULL ? SPAN_NULL : span_of(at + skip, text.len - (size_t)(at - text.ptr) - skip);
}

struct span
vcl_text_before(struct policy_ctx *ctx, struct span text, struct span separator)
{
    return before(text, find(text, separator));
}

struct span
vcl_text_after(struct policy_ctx *ctx, struct span text, struct span separator)
{
    return behind(text, find(text, separator), separator.len);
}

struct span
vcl_text_before_last(struct policy_ctx *ctx, struct span text, struct span separator)
{
    return before(text, find_last(text, separator));
}

struct span
vcl_text_after_last(struct policy_ctx *ctx, struct span text, struct span separator)
{
    return behind(text, find_last(text, separator), separator.len);
}

static bool
has_byte_between(struct span text, char from, char to)
{
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] >= from && text.ptr[i] <= to)
            return true;
    return false;
}

struct span
vcl_text_lower(struct policy_ctx *ctx, struct span text)
{
    return has_byte_between(text, 'A', 'Z') ? text_lower(ctx, text) : text;
}

struct span
vcl_text_upper(struct policy_ctx *ctx, struct span text)
{
    return has_byte_between(text, 'a', 'z') ? text_upper(ctx, text) : text;
}

struct span
vcl_text_trim(struct policy_ctx *ctx, struct span text)
{
    while (text.len > 0 && char_is_space(*text.ptr))
        text = span_of(text.ptr + 1, text.len - 1);
    while (text.len > 0 && char_is_space(text.ptr[text.len - 1]))
        text.len--;
    return text;
}

int64_t
vcl_text_length(struct policy_ctx *ctx, struct span text)
{
    return (int64_t)text.len;
}

int32_t
vcl_text_length_is(struct policy_ctx *ctx, struct span text)
{
    return text.ptr != NULL;
}

static size_t
occurrences(struct span text, struct span old)
{
    size_t n = 0;
    for (const char *at; (at = find(text, old)) != NULL; n++)
        text = behind(text, at, old.len);
    return n;
}

/* From left to right; what a replacement brings in is not searched. */
struct span
vcl_text_replace(struct policy_ctx *ctx, struct span text, struct span old, struct span new)
{
    size_t n = old.len == 0 ? 0 : occurrences(text, old), more;
    if (n == 0)
        return text;
    if (__builtin_mul_overflow(n, new.len, &more) ||
        __builtin_add_overflow(more, text.len - n * old.len, &more))
        more = SIZE_MAX / 2;
    char *result = vcl_alloc(ctx, more + 1), *out = result;
    if (result == NULL)
        return SPAN_NULL;
    for (const char *at; (at = find(text, old)) != NULL; text = behind(text, at, old.len)) {
        out = mempcpy(out, text.ptr, (size_t)(at - text.ptr));
        if (new.len > 0)
            out = mempcpy(out, new.ptr, new.len);
    }
    out = mempcpy(out, text.ptr, text.len);
    ctx->fresh = result;
    return span_of(result, (size_t)(out - result));
}
