/* Values of parameters as an operator types them: see params_parse.h. */
#include "daemon/params_parse.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/span.h"
#include "vcl_literals.h"

static const char *
parse_bool(const char *text, double *out)
{
    static const char *const on[] = { "yes", "on", "true", "enable" }, *const off[] = { "no", "off", "false",
                                                                                        "disable" };
    for (unsigned i = 0; i < 4; i++) {
        if (span_eq_nocase(span_str(text), span_str(on[i])))
            return *out = 1, NULL;
        if (span_eq_nocase(span_str(text), span_str(off[i])))
            return *out = 0, NULL;
    }
    return "use \"on\" or \"off\"";
}

/* Parses a decimal number and returns the rest of the text. Rejects exponents and hex, which strtod would
 * accept. Accepts a minus sign, so that the check of bounds can report it. */
static bool
parse_decimal(const char *text, double *out, const char **rest)
{
    if (*text == '-') {
        bool right = text[1] != '-' && parse_decimal(text + 1, out, rest);
        *out = -*out;
        return right;
    }
    size_t n = strspn(text, "0123456789.");
    if (n == 0 || n > 40 || strspn(text, ".") == n)
        return false;
    char digits[48];
    memcpy(digits, text, n);
    digits[n] = '\0';
    char *end;
    *out = strtod(digits, &end);
    *rest = text + n;
    return *end == '\0' && isfinite(*out);
}

static const char *
parse_uint(const char *text, double *out)
{
    if (strcmp(text, "unlimited") == 0)
        return *out = UINT32_MAX, NULL;
    const char *rest;
    if (!parse_decimal(text, out, &rest) || *rest != '\0' || *out != floor(*out) || *text == '-')
        return NOT_A_NUMBER;
    return *out > UINT32_MAX ? "Number too large" : NULL;
}

static const char *
parse_real(const char *text, double *out)
{
    const char *rest;
    return parse_decimal(text, out, &rest) && *rest == '\0' ? NULL : INVALID_NUMBER;
}

static const char *
parse_bytes(const char *text, double *out)
{
    const char *rest;
    if (*text == '-' || !parse_decimal(text, out, &rest))
        return "Not a size: digits and one of b, k, m, g, t";
    static const char units[] = "bkmgt";
    if (*rest != '\0') {
        const char *unit = strchr(units, ascii_lower(*rest));
        if (unit == NULL || (rest[1] != '\0' && !(ascii_lower(rest[1]) == 'b' && rest[2] == '\0')))
            return "Unknown unit of size: use b, k, m, g or t";
        *out = ldexp(*out, (int)(unit - units) * 10);
    }
    if (*out != floor(*out))
        return "Not a whole number of bytes";
    return *out > 0x1p53 ? "Size too large" : NULL;
}

static const char *
parse_duration(const char *text, double *out)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = { VCL_DURATION_UNITS, { "", 1 } };
    const char *rest;
    if (strcmp(text, "never") == 0) {
        *out = PARAM_NEVER_S;
        return NULL;
    }
    if (!parse_decimal(text, out, &rest))
        return INVALID_NUMBER;
    rest += strspn(rest, " ");
    for (unsigned i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(rest, units[i].name) == 0) {
            *out *= units[i].seconds;
            return *out > PARAM_NEVER_S ? "Duration too long" : NULL;
        }
    }
    return "Unknown unit of duration: use ms, s, m, h, d, w or y";
}

const char *
param_parse_pool(const char *text)
{
    double numbers[3];
    for (unsigned i = 0; i < 3; i++) {
        const char *rest;
        if (!parse_decimal(text, &numbers[i], &rest) || *text == '-' || *rest != (i < 2 ? ',' : '\0') ||
            numbers[i] != floor(numbers[i]))
            return "Expected three numbers: min,max,max_age";
        if (numbers[i] > UINT32_MAX)
            return "Number too large";
        text = rest + 1;
    }
    return numbers[0] > numbers[1] ? "max must be at least min" : NULL;
}

const char *
param_parse_number(const struct param_row *row, const char *text, double *out)
{
    switch (row->kind) {
    case PARAM_BOOL: return parse_bool(text, out);
    case PARAM_UINT: return parse_uint(text, out);
    case PARAM_REAL: return parse_real(text, out);
    case PARAM_BYTES: return parse_bytes(text, out);
    case PARAM_DURATION: return parse_duration(text, out);
    case PARAM_TEXT:
    case PARAM_POOL:
    case PARAM_BITS: break;
    }
    WRONG("parameter without a number");
}
