/* Writes numbers as text: see put.h. Two digits per step halve the number of divisions. */
#include "base/put.h"

#include "base/mem.h"

const char put_two_digits[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";

static inline char *
put_below_100(char *p, uint32_t n)
{
    if (n < 10) {
        *p = (char)('0' + n);
        return p + 1;
    }
    memcpy(p, put_two_digits + n * 2, 2);
    return p + 2;
}

static inline char *
put_four_digits(char *p, uint32_t n) /* with leading zeros */
{
    memcpy(p, put_two_digits + n / 100 * 2, 2);
    memcpy(p + 2, put_two_digits + n % 100 * 2, 2);
    return p + 4;
}

/* Not inline, so that short numbers save no registers. */
__attribute__((noinline)) static char *
put_five_or_more(char *p, uint64_t n)
{
    p = put_decimal(p, n / 10000);
    return put_four_digits(p, (uint32_t)(n % 10000));
}

char *
put_long_decimal(char *p, uint64_t n)
{
    if (n >= 10000)
        return put_five_or_more(p, n);
    if (n < 100)
        return put_below_100(p, (uint32_t)n);
    p = put_below_100(p, (uint32_t)n / 100);
    memcpy(p, put_two_digits + n % 100 * 2, 2);
    return p + 2;
}

struct span
arena_decimal(struct arena *a, uint64_t n)
{
    char *p = arena_alloc(a, DECIMAL_BYTES_MAX);
    return p == NULL ? SPAN_NULL : span_of(p, (size_t)(put_decimal(p, n) - p));
}
