/* Module math: functions of the C library. An infinite result, or none that is a number, is the policy's to
 * test: its conversion to text fails. */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "policy/exports.h"
#include "vcl_literals.h"

#define FORMAT_DIGITS_MAX 3u
#define ORDER_MAX 1000           /* of Bessel functions */
#define STRFROMD_BYTES_MAX 1536u /* 1,000 digits behind 309 of DBL_MAX */
#define STRFROMD_PRECISION_MAX 1000

#define REAL_OF_REAL(name) \
    double vcl_math_##name(struct policy_ctx *ctx, double x) \
    { \
        return name(x); \
    }
#define REAL_OF_TWO(name) \
    double vcl_math_##name(struct policy_ctx *ctx, double x, double y) \
    { \
        return name(x, y); \
    }
#define INT_OF_REAL(name) \
    int64_t vcl_math_##name(struct policy_ctx *ctx, double x) \
    { \
        return name(x); \
    }
#define BIT_OF_REAL(name) \
    int64_t vcl_math_##name(struct policy_ctx *ctx, double x) \
    { \
        return name(x) != 0; \
    }
#define BIT_OF_TWO(name) \
    int64_t vcl_math_##name(struct policy_ctx *ctx, double x, double y) \
    { \
        return name(x, y) != 0; \
    }

REAL_OF_REAL(acos)
REAL_OF_REAL(asin)
REAL_OF_REAL(atan)
REAL_OF_REAL(cos)
REAL_OF_REAL(sin)
REAL_OF_REAL(tan)
REAL_OF_REAL(acosh)
REAL_OF_REAL(asinh)
REAL_OF_REAL(atanh)
REAL_OF_REAL(cosh)
REAL_OF_REAL(sinh)
REAL_OF_REAL(tanh)
REAL_OF_REAL(exp)
REAL_OF_REAL(exp2)
REAL_OF_REAL(expm1)
REAL_OF_REAL(log)
REAL_OF_REAL(log10)
REAL_OF_REAL(log1p)
REAL_OF_REAL(log2)
REAL_OF_REAL(logb)
REAL_OF_REAL(cbrt)
REAL_OF_REAL(sqrt)
REAL_OF_REAL(fabs)
REAL_OF_REAL(erf)
REAL_OF_REAL(erfc)
REAL_OF_REAL(lgamma)
REAL_OF_REAL(tgamma)
REAL_OF_REAL(ceil)
REAL_OF_REAL(floor)
REAL_OF_REAL(nearbyint)
REAL_OF_REAL(rint)
REAL_OF_REAL(round)
REAL_OF_REAL(trunc)
REAL_OF_REAL(j0)
REAL_OF_REAL(j1)
REAL_OF_REAL(y0)
REAL_OF_REAL(y1)
REAL_OF_TWO(atan2)
REAL_OF_TWO(copysign)
REAL_OF_TWO(fdim)
REAL_OF_TWO(fmax)
REAL_OF_TWO(fmin)
REAL_OF_TWO(fmod)
REAL_OF_TWO(hypot)
REAL_OF_TWO(nextafter)
REAL_OF_TWO(pow)
REAL_OF_TWO(remainder)
INT_OF_REAL(ilogb)
INT_OF_REAL(fpclassify)
BIT_OF_REAL(isfinite)
BIT_OF_REAL(isinf)
BIT_OF_REAL(isnan)
BIT_OF_REAL(isnormal)
BIT_OF_REAL(signbit)
BIT_OF_TWO(isgreater)
BIT_OF_TWO(isgreaterequal)
BIT_OF_TWO(isless)
BIT_OF_TWO(islessequal)
BIT_OF_TWO(islessgreater)
BIT_OF_TWO(isunordered)

double
vcl_math_fma(struct policy_ctx *ctx, double x, double y, double z)
{
    return fma(x, y, z);
}

/* An exponent or order that no int holds acts as the largest one. */
static int
bounded(int64_t n)
{
    return n > INT_MAX ? INT_MAX : n < INT_MIN ? INT_MIN : (int)n;
}

double
vcl_math_ldexp(struct policy_ctx *ctx, double x, int64_t e)
{
    return ldexp(x, bounded(e));
}

double
vcl_math_scalbn(struct policy_ctx *ctx, double x, int64_t y)
{
    return scalbn(x, bounded(y));
}

double
vcl_math_scalbln(struct policy_ctx *ctx, double x, int64_t e)
{
    return scalbln(x, e);
}

/* A result that no INT holds fails the transaction. */
static int64_t
whole(struct policy_ctx *ctx, double rounded)
{
    if (fabs(rounded) <= (double)VCL_INT_MAX)
        return (int64_t)rounded;
    vcl_fail_printf(ctx, "math: %g has no INT", rounded);
    return 0;
}

int64_t
vcl_math_lrint(struct policy_ctx *ctx, double x)
{
    return whole(ctx, rint(x));
}

int64_t
vcl_math_lround(struct policy_ctx *ctx, double x)
{
    return whole(ctx, round(x));
}

/* The time of jn() and yn() grows with the order. */
static bool
order_is_legal(struct policy_ctx *ctx, int64_t n)
{
    if (n >= -ORDER_MAX && n <= ORDER_MAX)
        return true;
    vcl_fail_printf(ctx, "math: order %lld of a Bessel function is beyond %d", (long long)n, ORDER_MAX);
    return false;
}

double
vcl_math_jn(struct policy_ctx *ctx, int64_t n, double x)
{
    return order_is_legal(ctx, n) ? jn((int)n, x) : 0;
}

double
vcl_math_yn(struct policy_ctx *ctx, int64_t n, double x)
{
    return order_is_legal(ctx, n) ? yn((int)n, x) : 0;
}

double
vcl_math_nan(struct policy_ctx *ctx, struct span tag)
{
    return (double)NAN;
}

/* By Bruce Dawson's article "Comparing Floating Point Numbers" (2012). */
int32_t
vcl_math_approx(struct policy_ctx *ctx, double a, double b, double most, double most_relative)
{
    double apart = fabs(a - b);
    most = most == 0 ? 4 * DBL_EPSILON : most;
    most_relative = most_relative == 0 ? DBL_EPSILON : most_relative;
    return apart <= most || apart <= fmax(fabs(a), fabs(b)) * most_relative;
}

/* The format of strfromd(3): a percent sign, a precision, a conversion. */
static bool
format_is_legal(struct span format, int *precision)
{
    size_t at = 1, digits = 0;
    *precision = -1;
    if (format.len < 2 || format.ptr[0] != '%')
        return false;
    if (format.ptr[at] == '.') {
        *precision = 0;
        for (at++; at < format.len && format.ptr[at] >= '0' && format.ptr[at] <= '9'; at++)
            *precision = ++digits > FORMAT_DIGITS_MAX + 1 ? INT_MAX
                                                          : *precision * 10 + (format.ptr[at] - '0');
    }
    return at + 1 == format.len && memchr("aAeEfFgG", format.ptr[at], 8) != NULL &&
         *precision <= STRFROMD_PRECISION_MAX;
}

struct span
vcl_math_strfromd(struct policy_ctx *ctx, struct span format, double x)
{
    char text[8], made[STRFROMD_BYTES_MAX];
    int precision;
    if (!format_is_legal(format, &precision)) {
        vcl_fail_printf(ctx, "math.strfromd: \"%.*s\" is not a format such as %%.3f, of at most %d digits",
                        (int)(format.len < 32 ? format.len : 32), format.ptr, STRFROMD_PRECISION_MAX);
        return SPAN_NULL;
    }
    memcpy(text, format.ptr, format.len);
    text[format.len] = '\0';
    strfromd(made, sizeof made, text, x);
    return vcl_printf(ctx, "%s", made);
}

double
vcl_math_constant(struct policy_ctx *ctx, struct span name)
{
    static const struct {
        const char *name;
        double value;
    } known[] = {
        { "DBL_MANT_DIG", DBL_MANT_DIG },
        { "DBL_DIG", DBL_DIG },
        { "DBL_MIN_EXP", DBL_MIN_EXP },
        { "DBL_MIN_10_EXP", DBL_MIN_10_EXP },
        { "DBL_MAX_EXP", DBL_MAX_EXP },
        { "DBL_MAX_10_EXP", DBL_MAX_10_EXP },
        { "DBL_MAX", DBL_MAX },
        { "DBL_EPSILON", DBL_EPSILON },
        { "DBL_MIN", DBL_MIN },
        { "HUGE_VAL", HUGE_VAL },
        { "M_E", M_E },
        { "M_LOG2E", M_LOG2E },
        { "M_LOG10E", M_LOG10E },
        { "M_LN2", M_LN2 },
        { "M_LN10", M_LN10 },
        { "M_PI", M_PI },
        { "M_PI_2", M_PI_2 },
        { "M_PI_4", M_PI_4 },
        { "M_1_PI", M_1_PI },
        { "M_2_PI", M_2_PI },
        { "M_2_SQRTPI", M_2_SQRTPI },
        { "M_SQRT2", M_SQRT2 },
        { "M_SQRT1_2", M_SQRT1_2 },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_eq(name, span_str(known[i].name)))
            return known[i].value;
    WRONG("constant");
}

int64_t
vcl_math_fpclass(struct policy_ctx *ctx, struct span name)
{
    static const struct {
        const char *name;
        int64_t value;
    } known[] = {
        { "FP_INFINITE", FP_INFINITE },   { "FP_NAN", FP_NAN },   { "FP_NORMAL", FP_NORMAL },
        { "FP_SUBNORMAL", FP_SUBNORMAL }, { "FP_ZERO", FP_ZERO },
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (span_eq(name, span_str(known[i].name)))
            return known[i].value;
    WRONG("fpclass");
}
