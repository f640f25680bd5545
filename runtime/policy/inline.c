/* Helpers of compiled policies. This file is not linked into the runtime. The build compiles it twice
 * (mk/native.mk):
 *
 * To bitcode, which the compiler links into every policy and inlines there. So these helpers must stay short.
 * They reach runtime functions through ctx->imports; `import` is the function's index in the import table of
 * the policy, a constant after inlining.
 *
 * With POLICY_SUPPORT, to an object with the functions that policies call and the few that LLVM may call on
 * its own. The compiler links it to policies that need them, because a policy must not have undefined
 * symbols. */
#include "http/message.h"
#include "policy_abi.h"

#ifndef POLICY_SUPPORT

#define HELPER __attribute__((always_inline, nothrow))
/* An unset text equals nothing, not even another unset text. */
HELPER int32_t
helper_string_eq(const char *a, uint64_t a_len, const char *b, uint64_t b_len)
{
    return a != NULL && b != NULL && a_len == b_len && __builtin_memcmp(a, b, a_len) == 0;
}

/* Compares texts byte by byte: negative, 0 or positive. Returns 1 if either text is unset. */
HELPER int32_t
helper_string_order(const char *a, uint64_t a_len, const char *b, uint64_t b_len)
{
    if (a == NULL || b == NULL)
        return 1;
    int32_t order = __builtin_memcmp(a, b, a_len < b_len ? a_len : b_len);
    if (order != 0)
        return order;
    return (a_len > b_len) - (a_len < b_len);
}

/* Match the patterns `^text`, `^text$` and `text$` without PCRE2. An unset subject matches as empty text. As
 * in PCRE2, `$` also matches before a final newline. */
HELPER int32_t
helper_string_begins(const char *s, uint64_t len, const char *text, uint64_t text_len)
{
    return len >= text_len && __builtin_memcmp(s, text, text_len) == 0;
}

HELPER int32_t
helper_string_is(const char *s, uint64_t len, const char *text, uint64_t text_len)
{
    return (len == text_len || (len == text_len + 1 && s[text_len] == '\n')) &&
           __builtin_memcmp(s, text, text_len) == 0;
}

HELPER int32_t
helper_string_ends(const char *s, uint64_t len, const char *text, uint64_t text_len)
{
    if (len >= text_len && __builtin_memcmp(s + len - text_len, text, text_len) == 0)
        return 1;
    return len > text_len && s[len - 1] == '\n' &&
           __builtin_memcmp(s + len - 1 - text_len, text, text_len) == 0;
}

/* Match one of several texts, which are not empty. Each follows a byte with its length. */
HELPER int32_t
helper_string_one_is(const char *s, uint64_t len, const char *texts, uint64_t texts_len)
{
    for (const char *at = texts, *end = texts + texts_len; at < end; at += 1 + (unsigned char)*at)
        if (len == (unsigned char)*at && s[0] == at[1] && __builtin_memcmp(s, at + 1, len) == 0)
            return 1;
    return 0;
}

HELPER int32_t
helper_string_one_begins(const char *s, uint64_t len, const char *texts, uint64_t texts_len)
{
    for (const char *at = texts, *end = texts + texts_len; at < end; at += 1 + (unsigned char)*at)
        if (len >= (unsigned char)*at && s[0] == at[1] &&
            __builtin_memcmp(s, at + 1, (unsigned char)*at) == 0)
            return 1;
    return 0;
}

HELPER int32_t
helper_string_one_ends(const char *s, uint64_t len, const char *texts, uint64_t texts_len)
{
    for (const char *at = texts, *end = texts + texts_len; at < end; at += 1 + (unsigned char)*at) {
        uint64_t text_len = (unsigned char)*at;
        if (len >= text_len && s[len - 1] == at[text_len] &&
            __builtin_memcmp(s + len - text_len, at + 1, text_len) == 0)
            return 1;
    }
    return 0;
}

/* Compares addresses without ports. NULL equals nothing. */
HELPER int32_t
helper_ip_eq(const struct vcl_ip *a, const struct vcl_ip *b)
{
    if (a == NULL || b == NULL || a->family != b->family)
        return 0;
    if (a->family == 4)
        return __builtin_memcmp(a->addr, b->addr, 4) == 0;
    return a->family != 6 || __builtin_memcmp(a->addr, b->addr, 16) == 0;
}

#else

#define SUPPORT __attribute__((nothrow, visibility("hidden")))

/* ---- called by policies: too long to inline, and optimised at every level ------------------------------ */

typedef struct span header_get_fn(struct policy_ctx *ctx, int64_t msg, int64_t name);
typedef void header_unset_fn(struct policy_ctx *ctx, int64_t msg, int64_t name);

/* Returns the first value of the field. In a message that is older than the policy that interned the name,
 * fields may have no id, so the runtime compares texts. */
SUPPORT struct span
local_header_get(struct policy_ctx *ctx, int64_t import, int64_t msg, int64_t name)
{
    const struct http_message *m = ctx->msg[msg];
    name_id id = ctx->names[name];
    if (__builtin_expect(m == NULL || !message_has_ids(m, id), 0))
        return ((header_get_fn *)ctx->imports[import])(ctx, msg, name);
    if (message_seen(m, id))
        for (const struct http_field *f = m->fields, *end = f + m->n_fields; f != end; f++)
            if (f->id == id)
                return f->value;
    return SPAN_NULL;
}

/* Most fields that a policy unsets are absent. */
SUPPORT void
local_header_unset(struct policy_ctx *ctx, int64_t import, int64_t msg, int64_t name)
{
    const struct http_message *m = ctx->msg[msg];
    if (m == NULL || !message_lacks(m, ctx->names[name]))
        ((header_unset_fn *)ctx->imports[import])(ctx, msg, name);
}

/* ---- called by LLVM ------------------------------------------------------------------------------------ */

SUPPORT int
memcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return x[i] < y[i] ? -1 : 1;
    return 0;
}

SUPPORT int
bcmp(const void *a, const void *b, size_t n)
{
    const unsigned char *x = a, *y = b;
    uint64_t v, w;
    if (x == y) /* as of a view that an edit left as it was */
        return 0;
    for (; n >= sizeof v; n -= sizeof v, x += sizeof v, y += sizeof v) {
        __builtin_memcpy(&v, x, sizeof v);
        __builtin_memcpy(&w, y, sizeof w);
        if (v != w)
            return 1;
    }
    for (size_t i = 0; i < n; i++)
        if (x[i] != y[i])
            return 1;
    return 0;
}

SUPPORT void *
memset(void *to, int byte, size_t n)
{
    unsigned char *t = to;
    for (size_t i = 0; i < n; i++)
        t[i] = (unsigned char)byte;
    return to;
}

SUPPORT void *
memmove(void *to, const void *from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    if ((uintptr_t)t <= (uintptr_t)f) {
        for (size_t i = 0; i < n; i++)
            t[i] = f[i];
    } else {
        while (n-- > 0)
            t[n] = f[n];
    }
    return to;
}

SUPPORT void *
memcpy(void *restrict to, const void *restrict from, size_t n)
{
    unsigned char *t = to;
    const unsigned char *f = from;
    for (size_t i = 0; i < n; i++)
        t[i] = f[i];
    return to;
}

#endif
