/* Writes numbers as text: see put.h. Two digits per step halve the number of divisions. */
#include "base/put.h"

#include "base/mem.h"

const char put_two_digits[] = "00010203040506070809101112131415161718192021222324"
                              "25262728293031323334353637383940414243444546474849"
                              "50515253545556575859606162636465666768697071727374"
                              "75767778798081828384858687888990919293949596979899";

static unsigned
digits_of(uint64_t n)
{
    for (unsigned k = 0;; k += 4, n /= 10000)
        if (n < 10000)
            return k + (n < 100 ? 1 + (n >= 10) : 3 + (n >= 1000));
}

char *
put_long_decimal(char *p, uint64_t n)
{
    char *end = p + digits_of(n), *d = end;
    for (; n >= 100; n /= 100)
        memcpy(d -= 2, put_two_digits + n % 100 * 2, 2);
    if (n >= 10)
        memcpy(p, put_two_digits + n * 2, 2);
    else
        *p = (char)('0' + n);
    return end;
}

struct span
arena_decimal(struct arena *a, uint64_t n)
{
    char *p = arena_alloc(a, DECIMAL_BYTES_MAX);
    return p == NULL ? SPAN_NULL : span_of(p, (size_t)(put_decimal(p, n) - p));
}
