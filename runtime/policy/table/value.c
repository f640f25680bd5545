/* Values of tables: see value.h. */
#include "policy/table/value.h"

#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "vcl_literals.h"

#define INT_DIGITS_MAX 15u
#define REAL_DIGITS_MAX 12u
#define FRACTION_DIGITS_MAX 3u
#define ADDRESS_BYTES 46u

struct unit {
    const char *name;
    double factor;
};

static const struct unit durations[] = { VCL_DURATION_UNITS };
static const struct unit sizes[] = { { "B", 1 },       { "KB", 0x1p10 }, { "MB", 0x1p20 },
                                     { "GB", 0x1p30 }, { "TB", 0x1p40 }, { "PB", 0x1p50 } };

static const struct {
    const char *name, *fault;
} types[IMAGE_TABLE_OF_COUNT] = {
    [IMAGE_TABLE_OF_STRING] = { "STRING", "has a NUL byte" },
    [IMAGE_TABLE_OF_INT] = { "INT", "is not an INT: up to 15 digits" },
    [IMAGE_TABLE_OF_REAL] = { "REAL", "is not a REAL such as 1.5" },
    [IMAGE_TABLE_OF_DURATION] = { "DURATION", "is not a DURATION such as 10m" },
    [IMAGE_TABLE_OF_BYTES] = { "BYTES", "is not BYTES such as 64KB" },
    [IMAGE_TABLE_OF_BOOL] = { "BOOL", "is not a BOOL: true or false" },
    [IMAGE_TABLE_OF_IP] = { "IP", "is not an address" },
    [IMAGE_TABLE_OF_BACKEND] = { "BACKEND", "is not a backend of this policy" },
};

const char *
value_type_name(enum image_table_value type)
{
    return types[type].name;
}

/* ---- numbers ------------------------------------------------------------------------------------------- */

static size_t
digits(const char *p, const char *end)
{
    size_t n = 0;
    while (p + n < end && p[n] >= '0' && p[n] <= '9')
        n++;
    return n;
}

/* [-]digits[.digits], and what is left behind it. */
static bool
read_number(struct span text, double *out, struct span *rest)
{
    char copy[40];
    const char *p = text.ptr, *end = text.ptr + text.len;
    p += text.len > 0 && *p == '-';
    size_t whole = digits(p, end), fraction = 0;
    p += whole;
    if (p < end && *p == '.') {
        fraction = digits(p + 1, end);
        p += 1 + fraction;
        if (fraction == 0)
            return false;
    }
    if (whole == 0 || whole > REAL_DIGITS_MAX || fraction > FRACTION_DIGITS_MAX)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)(p - text.ptr), text.ptr);
    *out = strtod(copy, NULL);
    *rest = span_of(p, (size_t)(end - p));
    return true;
}

static bool
read_int(struct span text, int64_t *out)
{
    char copy[INT_DIGITS_MAX + 2];
    bool minus = text.len > 0 && text.ptr[0] == '-';
    size_t n = digits(text.ptr + minus, text.ptr + text.len);
    if (n == 0 || n > INT_DIGITS_MAX || n + minus != text.len)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.ptr);
    *out = strtoll(copy, NULL, 10);
    return true;
}

static bool
read_with_unit(struct span text, const struct unit *units, size_t n, double *out)
{
    struct span rest;
    double number;
    if (!read_number(text, &number, &rest))
        return false;
    for (size_t i = 0; i < n; i++)
        if (span_eq_nocase(rest, span_str(units[i].name))) {
            *out = number * units[i].factor;
            return true;
        }
    return false;
}

/* ---- texts to values ----------------------------------------------------------------------------------- */

static bool
read_ip(struct span text, struct vcl_ip *out)
{
    char copy[ADDRESS_BYTES];
    if (text.len >= sizeof copy || memchr(text.ptr, '\0', text.len) != NULL)
        return false;
    snprintf(copy, sizeof copy, "%.*s", (int)text.len, text.ptr);
    bool six = strchr(copy, ':') != NULL;
    *out = (struct vcl_ip){ .family = six ? 6 : 4 };
    return inet_pton(six ? AF_INET6 : AF_INET, copy, out->addr) == 1;
}

static bool
read_backend(const struct policy_image *im, struct span text, int64_t *out)
{
    for (uint32_t i = 0; i < im->n_backends; i++)
        if (span_eq(im->backends[i].name, text)) {
            *out = i;
            return true;
        }
    return false;
}

static bool
read_text(struct value_reader *r, struct span text, struct span *out)
{
    struct span rest = SPAN_NULL;
    double size;
    switch (r->type) {
    case IMAGE_TABLE_OF_STRING: *out = text; return text.len == 0 || memchr(text.ptr, '\0', text.len) == NULL;
    case IMAGE_TABLE_OF_INT:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return read_int(text, &r->bytes.whole);
    case IMAGE_TABLE_OF_REAL:
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return read_number(text, &r->bytes.real, &rest) && rest.len == 0;
    case IMAGE_TABLE_OF_DURATION:
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return read_with_unit(text, durations, sizeof durations / sizeof *durations, &r->bytes.real);
    case IMAGE_TABLE_OF_BYTES:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        if (!read_with_unit(text, sizes, sizeof sizes / sizeof *sizes, &size) || size < 0 || size >= 0x1p53)
            return false;
        r->bytes.whole = (int64_t)size;
        return true;
    case IMAGE_TABLE_OF_BOOL:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        r->bytes.whole = span_eq(text, SPAN_LIT("true"));
        return r->bytes.whole != 0 || span_eq(text, SPAN_LIT("false"));
    case IMAGE_TABLE_OF_IP:
        *out = span_of((const char *)&r->bytes.ip, sizeof r->bytes.ip);
        return read_ip(text, &r->bytes.ip);
    case IMAGE_TABLE_OF_BACKEND:
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return read_backend(r->image, text, &r->bytes.whole);
    case IMAGE_TABLE_OF_COUNT: break;
    }
    WRONG("type of a table's values");
}

int
value_of_text(void *arg, struct span text, struct span *out, char *why, size_t why_cap)
{
    struct value_reader *r = arg;
    if (read_text(r, text, out))
        return 0;
    snprintf(why, why_cap, "%s", types[r->type].fault);
    return ERR_SYNTAX;
}

/* A constant address: its family, and the address, which may be padded. */
static int
ip_of_row(struct span text, struct vcl_ip *out)
{
    size_t bytes = text.len > 0 && text.ptr[0] == 4 ? 4 : 16;
    if (text.len < 1 + bytes || (text.ptr[0] != 4 && text.ptr[0] != 6))
        return ERR_SYNTAX;
    *out = (struct vcl_ip){ .family = (uint8_t)text.ptr[0] };
    memcpy(out->addr, text.ptr + 1, bytes);
    return 0;
}

int
value_of_row(struct value_reader *r, const struct image_table_row *row, struct span *out)
{
    switch (r->type) {
    case IMAGE_TABLE_OF_STRING: *out = row->text; return row->text.ptr == NULL ? ERR_SYNTAX : 0;
    case IMAGE_TABLE_OF_REAL:
    case IMAGE_TABLE_OF_DURATION:
        r->bytes.real = row->real;
        *out = span_of((const char *)&r->bytes.real, sizeof r->bytes.real);
        return 0;
    case IMAGE_TABLE_OF_IP:
        *out = span_of((const char *)&r->bytes.ip, sizeof r->bytes.ip);
        return ip_of_row(row->text, &r->bytes.ip);
    case IMAGE_TABLE_OF_INT:
    case IMAGE_TABLE_OF_BYTES:
    case IMAGE_TABLE_OF_BOOL:
    case IMAGE_TABLE_OF_BACKEND:
        r->bytes.whole = row->whole;
        *out = span_of((const char *)&r->bytes.whole, sizeof r->bytes.whole);
        return 0;
    case IMAGE_TABLE_OF_COUNT: break;
    }
    WRONG("type of a table's values");
}

/* ---- values to texts ----------------------------------------------------------------------------------- */

/* A duration in seconds, a size in bytes: with the unit that a literal needs. */
struct span
value_text(enum image_table_value type, const struct policy_image *image, struct span value,
           char buf[VALUE_TEXT_BYTES])
{
    struct value_reader r = { .type = type };
    if (type == IMAGE_TABLE_OF_STRING)
        return value;
    CHECK(value.len <= sizeof r.bytes);
    memcpy(&r.bytes, value.ptr, value.len);
    int n = 0;
    switch (type) {
    case IMAGE_TABLE_OF_INT:
    case IMAGE_TABLE_OF_BYTES:
        n = snprintf(buf, VALUE_TEXT_BYTES, "%lld%s", (long long)r.bytes.whole,
                     type == IMAGE_TABLE_OF_INT ? "" : "B");
        break;
    case IMAGE_TABLE_OF_REAL:
    case IMAGE_TABLE_OF_DURATION:
        n = snprintf(buf, VALUE_TEXT_BYTES, "%.3f%s", r.bytes.real, type == IMAGE_TABLE_OF_REAL ? "" : "s");
        break;
    case IMAGE_TABLE_OF_BOOL: return r.bytes.whole != 0 ? SPAN_LIT("true") : SPAN_LIT("false");
    case IMAGE_TABLE_OF_IP:
        CHECK(inet_ntop(r.bytes.ip.family == 4 ? AF_INET : AF_INET6, r.bytes.ip.addr, buf,
                        VALUE_TEXT_BYTES) != NULL);
        return span_str(buf);
    case IMAGE_TABLE_OF_BACKEND:
        CHECK((uint64_t)r.bytes.whole < image->n_backends);
        return image->backends[r.bytes.whole].name;
    case IMAGE_TABLE_OF_STRING:
    case IMAGE_TABLE_OF_COUNT: WRONG("type of a table's values");
    }
    return span_of(buf, (size_t)n);
}
