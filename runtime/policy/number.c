/* Numbers and their units as text; see the header. Pure. */
#include "policy/number.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "http/fields.h"

#define NUMBER_DIGITS_MAX 300u
#define WEEKDAY_BYTES 3                 /* which all three forms of a date begin with */

static bool
take_digits(struct span *s, double *value, double *scale)
{
    size_t n = 0;
    while (n < s->len && n < NUMBER_DIGITS_MAX && s->ptr[n] >= '0' && s->ptr[n] <= '9') {
        *value = *value * 10 + (s->ptr[n] - '0');
        *scale *= 10;
        n++;
    }
    *s = span_of(s->ptr + n, s->len - n);
    return n > 0;
}

/* Takes a number off the front of *s; NaN and *s as it was when there is none. */
static double
take_real(struct span *s)
{
    struct span at = *s;
    double value = 0, scale = 1, sign = 1;
    if (at.len > 0 && (at.ptr[0] == '-' || at.ptr[0] == '+')) {
        sign = at.ptr[0] == '-' ? -1 : 1;
        at = span_of(at.ptr + 1, at.len - 1);
    }
    if (!take_digits(&at, &value, &scale))
        return NAN;
    scale = 1;
    if (at.len > 0 && at.ptr[0] == '.') {
        at = span_of(at.ptr + 1, at.len - 1);
        take_digits(&at, &value, &scale);       /* "1." is a number */
    }
    *s = at;
    return sign * value / scale;
}

double
parse_real(struct span s)
{
    s = span_trim(s);
    double value = take_real(&s);
    return s.len == 0 ? value : NAN;
}

double
parse_duration(struct span s)
{
    static const struct { const char *unit; double seconds; } units[] = {
        { "ms", 1e-3 }, { "s", 1 }, { "m", 60 }, { "h", 3600 }, { "d", 86400 }, { "w", 604800 }, { "y", 31536000 },
    };
    s = span_trim(s);
    double value = take_real(&s);
    s = span_trim(s);
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (span_eq(s, span_str(units[i].unit)))
            return value * units[i].seconds;
    return NAN;
}

double
parse_bytes(struct span s)
{
    static const char units[] = "bkmgtp";
    s = span_trim(s);
    double value = take_real(&s);
    s = span_trim(s);
    const char *unit = s.len == 0 ? units : memchr(units, ascii_lower(s.ptr[0]), sizeof units - 1);
    if (unit == NULL || s.len > 2 || (s.len == 2 && (unit == units || ascii_lower(s.ptr[1]) != 'b')))
        return NAN;
    if (unit == units && trunc(value) != value)
        return NAN;                     /* there are no parts of a byte */
    return trunc(ldexp(value, 10 * (int)(unit - units)));
}

static double
parse_iso_time(struct span s)
{
    char text[40];
    struct tm tm = { 0 };
    double fraction = 0, scale = 1;
    int n = 0;
    if (s.len < 19 || s.len >= sizeof text)
        return NAN;
    memcpy(text, s.ptr, s.len);
    text[s.len] = '\0';
    if (sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2d%n", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour, &tm.tm_min, &tm.tm_sec, &n) != 6 ||
        n != 19)
        return NAN;
    if (tm.tm_mon < 1 || tm.tm_mon > 12 || tm.tm_mday < 1 || tm.tm_mday > 31 || tm.tm_hour > 23 || tm.tm_min > 59 || tm.tm_sec > 60)
        return NAN;
    struct span rest = span_of(s.ptr + 19, s.len - 19);
    if (rest.len > 0 && (rest.ptr[0] == '.' || rest.ptr[0] == ',')) {
        rest = span_of(rest.ptr + 1, rest.len - 1);
        if (!take_digits(&rest, &fraction, &scale))
            return NAN;
    }
    if (rest.len > 0 && !span_eq(rest, SPAN_LIT("Z")))
        return NAN;
    tm.tm_year -= 1900;
    tm.tm_mon -= 1;
    return (double)timegm(&tm) + fraction / scale;
}

static double
parse_date(struct span s)
{
    nsec t;
    if (http_date_parse(s, &t) == 0) {
        char right[HTTP_DATE_BYTES];
        http_date_format(t, right);     /* a date of another weekday is none, as in Varnish */
        return memcmp(s.ptr, right, WEEKDAY_BYTES) == 0 ? nsec_seconds(t) : NAN;
    }
    return parse_iso_time(s);
}

/* The epoch itself is how many a sender says "long ago" or "no time": as in Varnish it is none. */
double
parse_time(struct span s)
{
    s = span_trim(s);
    double date = parse_date(s);
    if (!isnan(date))
        return date != 0 ? date : NAN;
    double number = parse_real(s);
    return number > 0 ? number : NAN;
}
