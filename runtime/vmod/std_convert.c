/* Module std: conversions from text and between numbers. Invalid text gives the fallback; without a fallback
 * the transaction fails. The bits of `given` number the parameters as in the module's description. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "exports_vmod.h"
#include "http/fields.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "vmod/number.h"

#define GIVEN(i) (1u << (i))

static bool
one_given(struct policy_ctx *ctx, const char *name, uint32_t given)
{
    given &= ~GIVEN(1); /* the fallback */
    if (given != 0 && (given & (given - 1)) == 0)
        return true;
    vcl_fail_printf(ctx, "%s: %s arguments", name, given == 0 ? "not enough" : "too many");
    return false;
}

static void
no_fallback(struct policy_ctx *ctx, const char *name, uint32_t given)
{
    if ((given & GIVEN(1)) == 0)
        vcl_fail_printf(ctx, "%s: conversion failed", name);
}

/* Fails for text that is not a number. */
static void
no_number(struct policy_ctx *ctx, const char *name, uint32_t given, struct span s, double value)
{
    if ((given & GIVEN(1)) == 0 && (given & GIVEN(0)) != 0 && s.ptr != NULL && isnan(value))
        vcl_fail_printf(ctx, "%s: conversion failed: Invalid number", name);
    no_fallback(ctx, name, given);
}

double
vcl_std_duration(struct policy_ctx *ctx, uint32_t given, struct span s, double fallback, double real,
                 int64_t integer)
{
    double value = NAN;
    if (!one_given(ctx, "std.duration", given))
        return 0;
    if (given & GIVEN(0))
        value = parse_duration(s);
    else
        value = given & GIVEN(2) ? real : (double)integer;
    if (isfinite(value))
        return value;
    no_fallback(ctx, "std.duration", given);
    return fallback;
}

int64_t
vcl_std_bytes(struct policy_ctx *ctx, uint32_t given, struct span s, int64_t fallback, double real,
              int64_t integer)
{
    double value = NAN;
    if (!one_given(ctx, "std.bytes", given))
        return 0;
    if (given & GIVEN(3) && integer >= 0)
        return integer;
    if (given & GIVEN(0))
        value = parse_bytes(s);
    else if (given & GIVEN(2))
        value = real >= 0 ? trunc(real) : NAN;
    if (value >= 0 && value < 0x1p63)
        return (int64_t)value;
    no_fallback(ctx, "std.bytes", given);
    return fallback;
}

int64_t
vcl_std_integer(struct policy_ctx *ctx, uint32_t given, struct span s, int64_t fallback, int32_t boolean,
                int64_t bytes, double duration, double real, double time)
{
    if (!one_given(ctx, "std.integer", given))
        return 0;
    if (given & GIVEN(2))
        return boolean != 0;
    if (given & GIVEN(3))
        return bytes;
    double value = given & GIVEN(0) ? parse_number(s)
                 : given & GIVEN(4) ? duration
                 : given & GIVEN(5) ? real
                                    : time;
    if ((given & GIVEN(0)) != 0 && trunc(value) != value)
        value = NAN; /* truncation applies to numbers, not to text */
    value = trunc(value);
    if (fabs(value) <= (double)VCL_INT_MAX)
        return (int64_t)value;
    no_number(ctx, "std.integer", given, s, value);
    return fallback;
}

double
vcl_std_real(struct policy_ctx *ctx, uint32_t given, struct span s, double fallback, int64_t integer,
             int32_t boolean, int64_t bytes, double duration, double time)
{
    if (!one_given(ctx, "std.real", given))
        return 0;
    double value = given & GIVEN(0) ? parse_real(s)
                 : given & GIVEN(2) ? (double)integer
                 : given & GIVEN(3) ? (boolean != 0)
                 : given & GIVEN(4) ? (double)bytes
                 : given & GIVEN(5) ? duration
                                    : time;
    if (isfinite(value))
        return value;
    no_number(ctx, "std.real", given, s, value);
    return fallback;
}

double
vcl_std_time(struct policy_ctx *ctx, uint32_t given, struct span s, double fallback, double real,
             int64_t integer)
{
    if (!one_given(ctx, "std.time", given))
        return 0;
    double value = given & GIVEN(0) ? parse_time(s) : given & GIVEN(2) ? real : (double)integer;
    if (isfinite(value))
        return value;
    no_fallback(ctx, "std.time", given);
    return fallback;
}

static int64_t
rounded(double value, int64_t fallback)
{
    value = round(value);
    return fabs(value) <= (double)VCL_INT_MAX ? (int64_t)value : fallback;
}

int64_t
vcl_std_real2integer(struct policy_ctx *ctx, double r, int64_t fallback)
{
    return rounded(r, fallback);
}

int64_t
vcl_std_time2integer(struct policy_ctx *ctx, double t, int64_t fallback)
{
    return rounded(t, fallback);
}

double
vcl_std_real2time(struct policy_ctx *ctx, double r, double fallback)
{
    return isfinite(r) ? r : fallback;
}

double
vcl_std_time2real(struct policy_ctx *ctx, double t, double fallback)
{
    return isfinite(t) ? t : fallback;
}
