/* HTTP dates (RFC 9110, 5.6.7): reads all three forms, writes IMF-fixdate. The C library's calendar functions
 * depend on locale and time zone, so we have our own. */
#include "base/check.h"
#include "http/chars.h"
#include "http/fields.h"

#define SECONDS_PER_DAY 86400

static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
static const char weekdays[] = "SunMonTueWedThuFriSat";
static const char *const weekdays_long[] = {
    "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
};

/* Days since 1970-01-01 in the proleptic Gregorian calendar. Counting years from March puts the leap day at
 * the end of a year. */
static int64_t
days_of(int year, int month, int day)
{
    int64_t y = month <= 2 ? year - 1 : year;
    int64_t era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static void
civil_of(int64_t days, struct civil *out)
{
    days += 719468;
    int64_t era = (days >= 0 ? days : days - 146096) / 146097, of_era = days - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
    int64_t m = (5 * of_year + 2) / 153;
    out->day = (int)(of_year - (153 * m + 2) / 5 + 1);
    out->month = (int)(m < 10 ? m + 3 : m - 9);
    out->year = (int)(year + era * 400 + (out->month <= 2));
}

static bool
is_leap(int year)
{
    return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

int
civil_seconds(const struct civil *c, int64_t *out)
{
    static const int lengths[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (c->month < 1 || c->month > 12 || c->day < 1 || c->hour > 23 || c->minute > 59 || c->second > 60)
        return ERR_SYNTAX;
    if (c->day > lengths[c->month - 1] + (c->month == 2 && is_leap(c->year)))
        return ERR_SYNTAX;
    /* POSIX time does not count leap seconds: use the second before. */
    int second = c->second == 60 ? 59 : c->second;
    *out = days_of(c->year, c->month, c->day) * SECONDS_PER_DAY + c->hour * 3600 + c->minute * 60 + second;
    return 0;
}

static int64_t
days_in(int64_t seconds)
{
    return seconds / SECONDS_PER_DAY - (seconds % SECONDS_PER_DAY < 0);
}

int
civil_weekday(int64_t seconds)
{
    return (int)(((days_in(seconds) + 4) % 7 + 7) % 7); /* 1970 began on a Thursday */
}

static nsec
nanoseconds(int64_t seconds)
{
    return seconds > NSEC_NEVER / NSEC_PER_SEC - 1 ? NSEC_NEVER - 1
         : seconds < INT64_MIN / NSEC_PER_SEC      ? INT64_MIN
                                                   : seconds * NSEC_PER_SEC;
}

/* A cursor that remembers the first mismatch; steps after it do nothing. The steps are inlined: each miss
 * reads a Date, and comparing a space by a call takes longer than the space. */
struct reader {
    const char *p, *end;
    bool any_case, failed;
};

#define STEP static inline __attribute__((always_inline))

STEP bool
reads(const struct reader *r, const char *text, size_t n)
{
    struct span here = span_of(r->p, n), wanted = span_of(text, n);
    return (size_t)(r->end - r->p) >= n &&
           (r->any_case ? span_eq_nocase(here, wanted) : span_eq(here, wanted));
}

STEP void
read_text(struct reader *r, const char *text)
{
    size_t n = strlen(text);
    r->failed |= !reads(r, text, n);
    if (!r->failed)
        r->p += n;
}

STEP int
read_digits(struct reader *r, int n)
{
    int value = 0;
    for (int i = 0; i < n; i++) {
        r->failed |= r->p >= r->end || !char_is(*r->p, CHAR_DIGIT);
        if (r->failed)
            return 0;
        value = value * 10 + (*r->p++ - '0');
    }
    return value;
}

/* Reads a three-letter name and returns its index. */
STEP int
read_name(struct reader *r, const char *names)
{
    r->failed |= r->end - r->p < 3;
    for (int i = 0; !r->failed && names[3 * i] != '\0'; i++)
        if (reads(r, names + 3 * i, 3)) {
            r->p += 3;
            return i;
        }
    r->failed = true;
    return 0;
}

STEP void
read_time(struct reader *r, struct civil *c)
{
    c->hour = read_digits(r, 2);
    read_text(r, ":");
    c->minute = read_digits(r, 2);
    read_text(r, ":");
    c->second = read_digits(r, 2);
}

/* Sun, 06 Nov 1994 08:49:37 GMT. Accepts a day without its leading zero, as some origins send it. */
static void
read_imf(struct reader *r, struct civil *c)
{
    read_name(r, weekdays);
    read_text(r, ", ");
    bool one_digit = r->end - r->p >= 2 && r->p[1] == ' ';
    c->day = read_digits(r, one_digit ? 1 : 2);
    read_text(r, " ");
    c->month = read_name(r, months) + 1;
    read_text(r, " ");
    c->year = read_digits(r, 4);
    read_text(r, " ");
    read_time(r, c);
    read_text(r, " GMT");
}

/* Sunday, 06-Nov-94 08:49:37 GMT. Two-digit years below 70 are in this century, the others in the last. RFC
 * 9110's rule ("more than 50 years ahead") would change the meaning of a text as time passes, and RFC 850
 * dates are obsolete. */
static void
read_rfc850(struct reader *r, struct civil *c)
{
    size_t n = 0;
    for (int i = 0; i < 7 && n == 0; i++) {
        size_t len = strlen(weekdays_long[i]);
        if (reads(r, weekdays_long[i], len))
            n = len;
    }
    r->failed |= n == 0;
    r->p += n;
    read_text(r, ", ");
    c->day = read_digits(r, 2);
    read_text(r, "-");
    c->month = read_name(r, months) + 1;
    read_text(r, "-");
    int year = read_digits(r, 2);
    c->year = year < 70 ? 2000 + year : 1900 + year;
    read_text(r, " ");
    read_time(r, c);
    read_text(r, " GMT");
}

/* Sun Nov  6 08:49:37 1994 */
static void
read_asctime(struct reader *r, struct civil *c)
{
    read_name(r, weekdays);
    read_text(r, " ");
    c->month = read_name(r, months) + 1;
    read_text(r, " ");
    if (!r->failed && r->p < r->end && *r->p == ' ') {
        r->p++;
        c->day = read_digits(r, 1);
    } else {
        c->day = read_digits(r, 2);
    }
    read_text(r, " ");
    read_time(r, c);
    read_text(r, " ");
    c->year = read_digits(r, 4);
}

static int
parse_seconds(struct span s, bool any_case, int64_t *out)
{
    struct civil c = { 0 };
    if (s.ptr == NULL || s.len < 4)
        return ERR_SYNTAX;
    struct reader r = { .p = s.ptr, .end = s.ptr + s.len, .any_case = any_case };
    if (s.ptr[3] == ',')
        read_imf(&r, &c);
    else if (s.ptr[3] == ' ')
        read_asctime(&r, &c);
    else
        read_rfc850(&r, &c);
    return r.failed || r.p != r.end ? ERR_SYNTAX : civil_seconds(&c, out);
}

static int
parse(struct span s, bool any_case, nsec *out)
{
    int64_t seconds;
    int err = parse_seconds(span_trim(s), any_case, &seconds);
    if (err == 0)
        *out = nanoseconds(seconds);
    return err;
}

int
http_date_parse(struct span s, nsec *out)
{
    return parse(s, false, out);
}

int
http_date_seconds(struct span s, int64_t *out)
{
    return parse_seconds(s, false, out);
}

int
http_date_parse_any_case(struct span s, nsec *out)
{
    return parse(s, true, out);
}

static char *
put_digits(char *p, int value, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        p[i] = (char)('0' + value % 10);
        value /= 10;
    }
    return p + n;
}

static char *
put_text(char *p, const char *text, size_t n)
{
    return (char *)memcpy(p, text, n) + n;
}

void
http_date_format(nsec t, char out[HTTP_DATE_BYTES])
{
    int64_t seconds = t / NSEC_PER_SEC - (t % NSEC_PER_SEC < 0);
    int64_t days = days_in(seconds);
    int rest = (int)(seconds - days * SECONDS_PER_DAY);
    struct civil c;
    civil_of(days, &c);
    char *p = put_text(out, weekdays + 3 * civil_weekday(seconds), 3);
    p = put_text(p, ", ", 2);
    p = put_digits(p, c.day, 2);
    *p++ = ' ';
    p = put_text(p, months + 3 * (c.month - 1), 3);
    *p++ = ' ';
    p = put_digits(p, c.year, 4);
    *p++ = ' ';
    p = put_digits(p, rest / 3600, 2);
    *p++ = ':';
    p = put_digits(p, rest / 60 % 60, 2);
    *p++ = ':';
    p = put_digits(p, rest % 60, 2);
    p = put_text(p, " GMT", 4);
    CHECK(p == out + HTTP_DATE_BYTES);
}
