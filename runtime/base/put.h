/* Writes text into a buffer that has room for it and returns the end of the written text. A response has a
 * hundred short texts (fields, log records), and calling a function for each would cost more than the copy.
 * always_inline, because gcc counts the checks of _FORTIFY_SOURCE, although most vanish, and would call
 * both functions: 5 % more instructions per hit.
 */
#ifndef VERNIS_BASE_PUT_H
#define VERNIS_BASE_PUT_H

#include "base/span.h"

struct arena;

#define DECIMAL_BYTES_MAX 20 /* UINT64_MAX */

static inline __attribute__((always_inline)) char *
put_short(char *p, const char *from, size_t n) /* at most 32 bytes; copies two halves that may overlap */
{
    if (n > 16) {
        memcpy(p, from, 16);
        memcpy(p + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(p, from, 8);
        memcpy(p + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(p, from, 4);
        memcpy(p + n - 4, from + n - 4, 4);
    } else if (n > 0) {
        p[0] = from[0];
        p[n / 2] = from[n / 2];
        p[n - 1] = from[n - 1];
    }
    return p + n;
}

static inline __attribute__((always_inline)) char *
put_span(char *p, struct span text)
{
    if (text.len <= 32)
        return put_short(p, text.ptr, text.len);
    return (char *)memcpy(p, text.ptr, text.len) + text.len;
}

#define PUT_SPAN_INLINE_MAX 64

/* As put_span, for at most PUT_SPAN_INLINE_MAX bytes: calls nothing, so that its caller need not save
 * registers. */
static inline __attribute__((always_inline)) char *
put_span_inline(char *p, struct span text)
{
    size_t n = text.len;
    if (n <= 32)
        return put_short(p, text.ptr, n);
    memcpy(p, text.ptr, 32);
    memcpy(p + n - 32, text.ptr + n - 32, 32);
    return p + n;
}

extern const char put_two_digits[]; /* "00" to "99" */
char *put_long_decimal(char *p, uint64_t n);

static inline char *
put_decimal(char *p, uint64_t n) /* at most DECIMAL_BYTES_MAX */
{
    if (n >= 10)
        return put_long_decimal(p, n);
    *p = (char)('0' + n);
    return p + 1;
}

static inline char *
put_six_digits(char *p, uint32_t n) /* with leading zeros; n < 1,000,000 */
{
    uint32_t high = n / 10000, rest = n - high * 10000, middle = rest / 100, low = rest - middle * 100;
    memcpy(p, put_two_digits + high * 2, 2);
    memcpy(p + 2, put_two_digits + middle * 2, 2);
    memcpy(p + 4, put_two_digits + low * 2, 2);
    return p + 6;
}

struct span arena_decimal(struct arena *a, uint64_t n); /* SPAN_NULL: the arena is full */

#endif
