/* Text as {pointer, length}. Not NUL-ended, never owned. ptr == NULL means "not set" (an absent header),
 * which differs from a set but empty text. Used unchanged at the policy contract, so the layout is fixed. */
#ifndef VERNIS_BASE_SPAN_H
#define VERNIS_BASE_SPAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct span {
    const char *ptr;
    size_t len;
};

#define SPAN_NULL ((struct span){ NULL, 0 })
#define SPAN_LIT(text) ((struct span){ "" text, sizeof(text) - 1 }) /* string literals only */

static inline struct span
span_of(const char *ptr, size_t len)
{
    return (struct span){ ptr, len };
}

static inline struct span
span_str(const char *text)
{
    return (struct span){ text, text == NULL ? 0 : strlen(text) };
}

static inline bool
span_eq(struct span a, struct span b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline char
ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

/* Compares without regard to ASCII case, as field names compare (RFC 9110, 5.1). */
static inline bool
span_eq_nocase(struct span a, struct span b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (ascii_lower(a.ptr[i]) != ascii_lower(b.ptr[i]))
            return false;
    return true;
}

#endif
