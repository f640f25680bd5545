/* Module str: texts compared and taken apart without regular expressions. An unset text has nothing in it and is in nothing. */
#include "base/split.h"
#include "policy/exports.h"

static int64_t
vcl_str_count(struct policy_ctx *ctx, struct span s)
{
    return s.ptr == NULL ? -1 : (int64_t)s.len;
}

static int32_t
vcl_str_startswith(struct policy_ctx *ctx, struct span s, struct span with)
{
    return s.ptr != NULL && with.ptr != NULL && with.len <= s.len && memcmp(s.ptr, with.ptr, with.len) == 0;
}

static int32_t
vcl_str_endswith(struct policy_ctx *ctx, struct span s, struct span with)
{
    return s.ptr != NULL && with.ptr != NULL && with.len <= s.len && memcmp(s.ptr + s.len - with.len, with.ptr, with.len) == 0;
}

static int32_t
vcl_str_contains(struct policy_ctx *ctx, struct span s, struct span part)
{
    return s.ptr != NULL && part.ptr != NULL && memmem(s.ptr, s.len, part.ptr, part.len) != NULL;
}

static int64_t
within(int64_t at, size_t len)
{
    return at < 0 ? 0 : at > (int64_t)len ? (int64_t)len : at;
}

/* n bytes from `offset` on; a negative offset counts from the end, a negative n takes what lies before the offset, or, when that is 0,
 * the last ones. */
static struct span
vcl_str_take(struct policy_ctx *ctx, struct span s, int64_t n, int64_t offset)
{
    int64_t from, to;
    if (s.ptr == NULL)
        return SPAN_NULL;
    if ((offset < 0 || (offset == 0 && n < 0)) && __builtin_add_overflow(offset, (int64_t)s.len, &offset))
        offset = 0;
    if (__builtin_add_overflow(offset, n, &to))
        to = n < 0 ? 0 : (int64_t)s.len;
    from = within(n < 0 ? to : offset, s.len);
    to = within(n < 0 ? offset : to, s.len);
    return vcl_keep(ctx, ctx->arena, span_of(s.ptr + from, (size_t)(to - from)));
}

static struct span
vcl_str_reverse(struct policy_ctx *ctx, struct span s)
{
    char *out = s.ptr == NULL ? NULL : vcl_alloc(ctx, s.len);
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++)
        out[i] = s.ptr[s.len - 1 - i];
    return span_of(out, s.len);
}

/* The n-th token, counted from 1; from the end when n is negative. Unset when there are fewer. */
static struct span
vcl_str_split(struct policy_ctx *ctx, struct span s, int64_t n, struct span separators)
{
    struct span rest = s, token;
    int64_t count = 0;
    if (s.ptr == NULL || n == 0)
        return SPAN_NULL;
    if (n < 0) {
        while (split_next(&rest, separators, &token))
            count++;
        n += count + 1;
        rest = s;
    }
    for (int64_t i = 1; n > 0 && split_next(&rest, separators, &token); i++)
        if (i == n)
            return vcl_keep(ctx, ctx->arena, token);
    return SPAN_NULL;
}

static bool
has_token(struct span list, struct span separators, struct span wanted)
{
    struct span token;
    while (split_next(&list, separators, &token))
        if (span_eq(token, wanted))
            return true;
    return false;
}

static int32_t
vcl_str_token_intersect(struct policy_ctx *ctx, struct span a, struct span b, struct span separators)
{
    struct span token;
    if (a.ptr == NULL || b.ptr == NULL)
        return 0;
    while (split_next(&a, separators, &token))
        if (has_token(b, separators, token))
            return 1;
    return 0;
}

static const struct policy_export rows[] = {
    { "str_count", "INT(STRING)", (export_fn *)vcl_str_count },
    { "str_startswith", "BOOL(STRING,STRING)", (export_fn *)vcl_str_startswith },
    { "str_endswith", "BOOL(STRING,STRING)", (export_fn *)vcl_str_endswith },
    { "str_contains", "BOOL(STRING,STRING)", (export_fn *)vcl_str_contains },
    { "str_take", "STRING(STRING,INT,INT)", (export_fn *)vcl_str_take },
    { "str_reverse", "STRING(STRING)", (export_fn *)vcl_str_reverse },
    { "str_split", "STRING(STRING,INT,STRING)", (export_fn *)vcl_str_split },
    { "str_token_intersect", "BOOL(STRING,STRING,STRING)", (export_fn *)vcl_str_token_intersect },
};
const struct export_table exports_str = EXPORT_TABLE(rows);
