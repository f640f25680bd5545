/* Parses numbers with units; see the header. Pure functions. */
#include "vmod/number.h"

#include <math.h>

#include "base/params.h"
#include "http/fields.h"
#include "vcl_literals.h"

#define INTEGER_DIGITS_MAX 15u /* RFC 8941, 3.3.1 */
#define FRACTION_DIGITS 3u     /* further digits are ignored: RFC 8941, 3.3.2 */
#define DECIMAL_MAX 999999999999.999
#define BYTES_MAX (0x1p53 - 1) /* exact in a double */
#define YEAR_MIN 1899
#define SHORT_YEARS_FROM 69 /* 69 means 1969; lower two-digit years belong to this century */
#define SHORT_NAME_BYTES 3

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void
skip(struct span *s, size_t n)
{
    *s = span_of(s->ptr + n, s->len - n);
}

static void
skip_blanks(struct span *s)
{
    while (s->len > 0 && (s->ptr[0] == ' ' || s->ptr[0] == '\t'))
        skip(s, 1);
}

static unsigned
take_digits(struct span *s, unsigned most, double *value)
{
    unsigned n = 0;
    while (n < most && s->len > 0 && is_digit(s->ptr[0])) {
        *value = *value * 10 + (s->ptr[0] - '0');
        skip(s, 1);
        n++;
    }
    return n;
}

/* Takes the fraction after the point. False: a strict number has no digits there, or too many. */
static bool
take_fraction(struct span *s, bool strict, double *value)
{
    static const double scales[FRACTION_DIGITS + 1] = { 1, 10, 100, 1000 };
    double fraction = 0;
    unsigned n = take_digits(s, FRACTION_DIGITS, &fraction);
    *value += fraction / scales[n];
    if (strict)
        return n > 0 && (s->len == 0 || !is_digit(s->ptr[0]));
    while (s->len > 0 && is_digit(s->ptr[0]))
        skip(s, 1);
    return true;
}

/* Takes a number with surrounding blanks from the front of *s; NaN: not a number. */
static double
take_number(struct span *s, bool strict)
{
    double value = 0, sign = 1;
    skip_blanks(s);
    if (s->len > 0 && s->ptr[0] == '-') {
        sign = -1;
        skip(s, 1);
    }
    unsigned whole = take_digits(s, INTEGER_DIGITS_MAX, &value);
    if (s->len > 0 && is_digit(s->ptr[0]))
        return NAN;
    if (whole == 0 && (strict || s->len < 2 || s->ptr[0] != '.' || !is_digit(s->ptr[1])))
        return NAN;
    skip_blanks(s);
    if (s->len > 0 && s->ptr[0] == '.') {
        skip(s, 1);
        if (value > DECIMAL_MAX || !take_fraction(s, strict, &value))
            return NAN;
    }
    skip_blanks(s);
    return sign * value;
}

double
parse_number(struct span s)
{
    double value = take_number(&s, false);
    return s.len == 0 ? value : NAN;
}

double
parse_real(struct span s)
{
    double value = parse_number(s);
    return fabs(value) <= DECIMAL_MAX ? value : NAN;
}

double
parse_duration(struct span s)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = { VCL_DURATION_UNITS };
    double value = take_number(&s, false);
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
    double value = take_number(&s, true);
    s = span_trim(s);
    const char *unit = s.len == 0 ? units : memchr(units, ascii_lower(s.ptr[0]), sizeof units - 1);
    if (unit == NULL || s.len > 2 || (s.len == 2 && (unit == units || ascii_lower(s.ptr[1]) != 'b')))
        return NAN;
    if (unit == units && trunc(value) != value)
        return NAN; /* a fraction of a byte is invalid */
    value = trunc(ldexp(value, 10 * (int)(unit - units)));
    return value >= 0 && value <= BYTES_MAX ? value : NAN;
}

/* ---- times --------------------------------------------------------------------------------------------- */

struct date {
    int year, month, day, hour, minute, second;
    int weekday; /* 0 = Sunday; -1: not given */
};

/* Forms as for strftime, except that %W is a full weekday name and %e a day with a blank or digit first. Case
 * and every part must match. An ISO time has neither a fraction nor a zone: it is UTC. */
static const char *const date_forms[] = {
    "%a, %d %b %Y %H:%M:%S GMT",
    "%W, %d-%b-%y %H:%M:%S GMT",
    "%a %b %e %H:%M:%S %Y",
    "%Y-%m-%dT%H:%M:%S",
};
static const char *const weekdays[] = { "Sunday",   "Monday", "Tuesday", "Wednesday",
                                        "Thursday", "Friday", "Saturday" };
static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static bool
take_name(struct span *s, const char *const *names, unsigned count, size_t most, int *which)
{
    for (unsigned i = 0; i < count; i++) {
        size_t n = strlen(names[i]) < most ? strlen(names[i]) : most;
        if (s->len >= n && memcmp(s->ptr, names[i], n) == 0) {
            skip(s, n);
            *which = (int)i;
            return true;
        }
    }
    return false;
}

static bool
take_fixed(struct span *s, unsigned digits, int *value)
{
    double number = 0;
    bool taken = take_digits(s, digits, &number) == digits;
    *value = (int)number;
    return taken;
}

static bool
take_short_year(struct span *s, int *year)
{
    if (!take_fixed(s, 2, year))
        return false;
    *year += *year < SHORT_YEARS_FROM ? 2000 : 1900;
    return true;
}

/* Two digits, or one with the feature http_date_postel. */
static bool
take_day(struct span *s, int *day)
{
    bool one_digit = (params.features & FEATURE_HTTP_DATE_POSTEL) != 0 && s->len >= 2 && !is_digit(s->ptr[1]);
    return take_fixed(s, one_digit ? 1 : 2, day);
}

static bool
take_field(struct span *s, char kind, struct date *d)
{
    switch (kind) {
    case 'a': return take_name(s, weekdays, COUNT(weekdays), SHORT_NAME_BYTES, &d->weekday);
    case 'W': return take_name(s, weekdays, COUNT(weekdays), SIZE_MAX, &d->weekday);
    case 'b': return take_name(s, months, COUNT(months), SHORT_NAME_BYTES, &d->month) && ++d->month;
    case 'm': return take_fixed(s, 2, &d->month);
    case 'Y': return take_fixed(s, 4, &d->year);
    case 'y': return take_short_year(s, &d->year);
    case 'H': return take_fixed(s, 2, &d->hour);
    case 'M': return take_fixed(s, 2, &d->minute);
    case 'S': return take_fixed(s, 2, &d->second);
    case 'd': return take_day(s, &d->day);
    case 'e':
        if (s->len == 0 || s->ptr[0] != ' ')
            return take_fixed(s, 2, &d->day);
        skip(s, 1);
        return take_fixed(s, 1, &d->day);
    }
    return false;
}

static bool
take_form(struct span s, const char *form, struct date *d)
{
    for (; *form != '\0'; form++) {
        if (*form == '%') {
            if (!take_field(&s, *++form, d))
                return false;
        } else if (s.len > 0 && s.ptr[0] == *form) {
            skip(&s, 1);
        } else {
            return false;
        }
    }
    return s.len == 0;
}

/* Returns NaN for a day or time that does not exist, or for a wrong weekday. */
static double
seconds_of(const struct date *d)
{
    struct civil c = { d->year, d->month, d->day, d->hour, d->minute, d->second };
    int64_t seconds;
    if (d->year < YEAR_MIN || civil_seconds(&c, &seconds) != 0)
        return NAN;
    return d->weekday < 0 || d->weekday == civil_weekday(seconds) ? (double)seconds : NAN;
}

static double
parse_date(struct span s)
{
    while (s.len > 0 && s.ptr[0] == ' ')
        skip(&s, 1);
    while (s.len > 0 && s.ptr[s.len - 1] == ' ')
        s.len--;
    for (unsigned i = 0; i < COUNT(date_forms); i++) {
        struct date d = { .weekday = -1 };
        if (take_form(s, date_forms[i], &d))
            return seconds_of(&d);
    }
    return NAN;
}

/* The epoch itself gives NaN, as in Varnish, because many senders use it for "long ago" or "no time". */
double
parse_time(struct span s)
{
    double date = parse_date(s);
    if (!isnan(date))
        return date != 0 ? date : NAN;
    double number = parse_number(s);
    return number > 0 ? number : NAN;
}
