/* Module str: compares and splits texts without regular expressions. An unset text contains nothing and is
 * contained in nothing. */
#include "base/split.h"
#include "exports_vmod.h"
#include "policy/exports.h"
#include "vmod/text_set.h"

#define SEPARATORS_MAX 256 /* number of distinct bytes */

int64_t
vcl_str_count(struct policy_ctx *ctx, struct span s)
{
    return s.ptr == NULL ? -1 : (int64_t)s.len;
}

int32_t
vcl_str_startswith(struct policy_ctx *ctx, struct span s, struct span with)
{
    return s.ptr != NULL && with.ptr != NULL && with.len <= s.len && memcmp(s.ptr, with.ptr, with.len) == 0;
}

int32_t
vcl_str_endswith(struct policy_ctx *ctx, struct span s, struct span with)
{
    return s.ptr != NULL && with.ptr != NULL && with.len <= s.len &&
           memcmp(s.ptr + s.len - with.len, with.ptr, with.len) == 0;
}

int32_t
vcl_str_contains(struct policy_ctx *ctx, struct span s, struct span part)
{
    return s.ptr != NULL && part.ptr != NULL && memmem(s.ptr, s.len, part.ptr, part.len) != NULL;
}

static int64_t
within(int64_t at, size_t len)
{
    return at<0 ? 0 : at>(int64_t) len ? (int64_t)len : at;
}

/* Returns n bytes from `offset`. A negative offset counts from the end. A negative n takes the bytes before
 * the offset, or the last bytes if the offset is 0. */
struct span
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

struct span
vcl_str_reverse(struct policy_ctx *ctx, struct span s)
{
    char *out = s.ptr == NULL ? NULL : vcl_alloc(ctx, s.len);
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++)
        out[i] = s.ptr[s.len - 1 - i];
    return span_of(out, s.len);
}

/* Removes repeated separators, because every byte of the text is compared with all of them. */
static struct span
without_repeats(struct span separators, char out[SEPARATORS_MAX])
{
    bool seen[SEPARATORS_MAX] = { false };
    size_t n = 0;
    for (size_t i = 0; i < separators.len; i++) {
        unsigned char c = (unsigned char)separators.ptr[i];
        if (!seen[c])
            out[n++] = (char)c;
        seen[c] = true;
    }
    return span_of(out, n);
}

/* Returns the n-th token, from 1, or from the end if n is negative. Unset if the text has fewer tokens. */
struct span
vcl_str_split(struct policy_ctx *ctx, struct span s, int64_t n, struct span separators)
{
    struct span rest = s, token;
    int64_t count = 0;
    char each[SEPARATORS_MAX];
    if (s.ptr == NULL || n == 0)
        return SPAN_NULL;
    separators = without_repeats(separators, each);
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

int32_t
vcl_str_token_intersect(struct policy_ctx *ctx, struct span a, struct span b, struct span separators)
{
    struct span token;
    struct text_set tokens;
    char each[SEPARATORS_MAX];
    bool found = false;
    if (a.ptr == NULL || b.ptr == NULL)
        return 0;
    separators = without_repeats(separators, each);
    text_set_init(&tokens, b.len / 2 + 1);
    while (split_next(&b, separators, &token))
        text_set_add(&tokens, token);
    while (!found && split_next(&a, separators, &token))
        found = text_set_has(&tokens, token);
    text_set_release(&tokens);
    return found;
}
