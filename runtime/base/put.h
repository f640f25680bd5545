/* Writes text into a buffer that has room for it and returns the end of the written text. A response has a
 * hundred short texts (fields, log records), and calling a function for each would cost more than the copy.
 * always_inline, because gcc counts the checks of _FORTIFY_SOURCE, although most vanish, and would call
 * both functions: 5 % more instructions per hit.
 */
#ifndef VERNIS_PUT_H
#define VERNIS_PUT_H

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

char *put_decimal(char *p, uint64_t n);                 /* at most DECIMAL_BYTES_MAX */
char *put_six_digits(char *p, uint32_t n);              /* with leading zeros; n < 1,000,000 */
struct span arena_decimal(struct arena *a, uint64_t n); /* SPAN_NULL: the arena is full */

#endif
