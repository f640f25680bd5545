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

/* Whether eight bytes are those of another eight, but for the case of ASCII letters: then they differ in bit
 * 5 only, and there they are letters. */
static inline bool
eight_eq_nocase(const char *a, const char *b)
{
    const uint64_t each = 0x0101010101010101u, case_bits = 0x20 * each, top_bits = 0x80 * each;
    uint64_t x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    uint64_t differ = x ^ y, lower = x | case_bits, seven = lower & ~top_bits;
    uint64_t from_a = seven + (0x80 - 'a') * each, above_z = seven + (0x7f - 'z') * each;
    uint64_t letters = from_a & ~above_z & ~lower & top_bits;
    return (differ & ~case_bits) == 0 && ((differ << 2) & ~letters) == 0;
}

/* Compares without regard to ASCII case, as field names compare (RFC 9110, 5.1). */
static inline bool
span_eq_nocase(struct span a, struct span b)
{
    if (a.len != b.len)
        return false;
    size_t i = 0;
    for (; i + 8 <= a.len; i += 8)
        if (!eight_eq_nocase(a.ptr + i, b.ptr + i))
            return false;
    if (i > 0) /* the last eight, some of them again */
        return eight_eq_nocase(a.ptr + a.len - 8, b.ptr + a.len - 8);
    for (; i < a.len; i++)
        if (ascii_lower(a.ptr[i]) != ascii_lower(b.ptr[i]))
            return false;
    return true;
}

#endif
