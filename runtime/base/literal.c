/* Parses values from text; see the header. */
#include "base/literal.h"

#include <arpa/inet.h>
#include <math.h>

#include "vcl_literals.h"

#define DIGITS_MAX 18u /* of a number with its fraction; further digits are ignored */

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes digits from the front of *s, and the first `most` of them into *value. Returns the number of digits.
 */
static size_t
take_digits(struct span *s, size_t most, uint64_t *value)
{
    size_t n = 0;
    while (n < s->len && is_digit(s->ptr[n])) {
        if (n < most)
            *value = *value * 10 + (uint64_t)(s->ptr[n] - '0');
        n++;
    }
    *s = span_of(s->ptr + n, s->len - n);
    return n;
}

static bool
take_byte(struct span *s, char c)
{
    bool found = s->len > 0 && s->ptr[0] == c;
    *s = span_of(s->ptr + found, s->len - found);
    return found;
}

/* Takes a number from the front of *s. A division of two numbers that are exact is rounded once, so the
 * result is the nearest to the decimal number of 15 or fewer digits. */
static bool
take_number(struct span *s, double *out)
{
    static const double scales[] = { 1e0, 1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,
                                     1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17 };
    uint64_t digits = 0;
    bool negative = take_byte(s, '-');
    size_t whole = take_digits(s, VCL_REAL_DIGITS, &digits), fraction = 0;
    if (whole == 0 || whole > VCL_REAL_DIGITS)
        return false;
    if (take_byte(s, '.')) {
        fraction = take_digits(s, DIGITS_MAX - whole, &digits);
        if (fraction == 0)
            return false;
        fraction = fraction < DIGITS_MAX - whole ? fraction : DIGITS_MAX - whole;
    }
    double value = (double)digits / scales[fraction];
    *out = negative ? -value : value;
    return true;
}

bool
literal_int(struct span s, int64_t *out)
{
    uint64_t value = 0;
    bool negative = take_byte(&s, '-');
    size_t n = take_digits(&s, VCL_INT_DIGITS, &value);
    if (n == 0 || n > VCL_INT_DIGITS || s.len > 0)
        return false;
    *out = negative ? -(int64_t)value : (int64_t)value;
    return true;
}

bool
literal_real(struct span s, double *out)
{
    double value;
    if (!take_number(&s, &value) || s.len > 0 || fabs(value) > VCL_REAL_MAX)
        return false;
    *out = value;
    return true;
}

bool
literal_duration(struct span s, double *out)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { VCL_DURATION_UNITS };
    double value;
    if (!take_number(&s, &value))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (span_eq(s, span_str(units[i].unit))) {
            *out = value * units[i].seconds;
            return true;
        }
    return false;
}

bool
literal_bytes(struct span s, int64_t *out)
{
    static const char *const units[] = { "b", "kb", "mb", "gb", "tb", "pb" };
    double value;
    if (!take_number(&s, &value))
        return false;
    for (int i = 0; i < (int)(sizeof units / sizeof *units); i++) {
        if (!span_eq_nocase(s, span_str(units[i])) && (i > 0 || s.len > 0))
            continue;
        double bytes = trunc(ldexp(value, 10 * i));
        if (signbit(value) || bytes >= 0x1p63 || (i == 0 && bytes != value))
            return false;
        *out = (int64_t)bytes;
        return true;
    }
    return false;
}

bool
literal_address(struct span s, uint8_t out[16], size_t *bytes)
{
    char text[INET6_ADDRSTRLEN];
    uint8_t address[16];
    if (s.len == 0 || s.len >= sizeof text || memchr(s.ptr, '\0', s.len) != NULL)
        return false;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    size_t n = inet_pton(AF_INET, text, address) == 1 ? 4 : inet_pton(AF_INET6, text, address) == 1 ? 16 : 0;
    if (n == 0)
        return false;
    memcpy(out, address, n);
    *bytes = n;
    return true;
}
