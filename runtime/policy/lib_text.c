/* Values as text: concatenation, substitution, and the text form of every type (language reference, "Types
 * and conversions"). */
#include <math.h>
#include <stdio.h>
#include <time.h>

#include "base/check.h"
#include "base/put.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"

/* The years 1000 to 9999, which have four digits. */
#define TIME_EARLIEST_S (-30610224000.0)
#define TIME_LATEST_S 253402300800.0

struct span
vcl_concat(struct policy_ctx *ctx, const struct span *parts, int64_t n)
{
    size_t total = 0;
    for (int64_t i = 0; i < n; i++)
        if (__builtin_add_overflow(total, parts[i].ptr == NULL ? 0 : parts[i].len, &total))
            total = SIZE_MAX / 2;
    char *text = vcl_alloc(ctx, total + 1);
    if (text == NULL)
        return SPAN_NULL;
    char *at = text;
    for (int64_t i = 0; i < n; i++) {
        if (parts[i].ptr == NULL || parts[i].len == 0)
            continue;
        memcpy(at, parts[i].ptr, parts[i].len);
        at += parts[i].len;
    }
    *at = '\0';
    ctx->joined = ctx->fresh = text;
    ctx->joined_first = n > 0 && parts[0].ptr != NULL ? parts[0].len : 0;
    return span_of(text, total);
}

struct span
text_first_part(const struct policy_ctx *ctx, struct span text)
{
    return text.ptr != NULL && text.ptr == ctx->joined ? span_of(text.ptr, ctx->joined_first) : text;
}

static struct span
substitute(struct policy_ctx *ctx, struct span text, const struct regex *re, struct span replacement,
           bool all)
{
    struct span subject = text.ptr != NULL ? text : SPAN_LIT("");
    struct span result = regex_substitute(re, ctx->arena, subject, replacement, all);
    if (result.ptr == NULL)
        vcl_fail(ctx, "regsub: out of workspace, or a match limit was reached");
    if (result.ptr != subject.ptr)
        ctx->fresh = result.ptr;
    return result;
}

struct span
vcl_regsub(struct policy_ctx *ctx, struct span text, const struct regex *re, struct span replacement)
{
    return substitute(ctx, text, re, replacement, false);
}

struct span
vcl_regsuball(struct policy_ctx *ctx, struct span text, const struct regex *re, struct span replacement)
{
    return substitute(ctx, text, re, replacement, true);
}

/* ---- case ---------------------------------------------------------------------------------------------- */

static struct span
convert_case(struct policy_ctx *ctx, struct span s, char from, char to, int shift)
{
    if (s.len == 0)
        return SPAN_LIT(""); /* empty text, also for unset input, as in Varnish */
    char *out = vcl_alloc(ctx, s.len);
    if (out == NULL)
        return SPAN_NULL;
    for (size_t i = 0; i < s.len; i++)
        out[i] = s.ptr[i] >= from && s.ptr[i] <= to ? (char)(s.ptr[i] + shift) : s.ptr[i];
    ctx->fresh = out;
    return span_of(out, s.len);
}

struct span
text_upper(struct policy_ctx *ctx, struct span s)
{
    return convert_case(ctx, s, 'a', 'z', 'A' - 'a');
}

struct span
text_lower(struct policy_ctx *ctx, struct span s)
{
    return convert_case(ctx, s, 'A', 'Z', 'a' - 'A');
}

/* The methods of STRING: empty input gives an unset result, as in Varnish. */
struct span
vcl_string_upper(struct policy_ctx *ctx, struct span s)
{
    return s.len == 0 ? SPAN_NULL : text_upper(ctx, s);
}

struct span
vcl_string_lower(struct policy_ctx *ctx, struct span s)
{
    return s.len == 0 ? SPAN_NULL : text_lower(ctx, s);
}

/* ---- text forms ---------------------------------------------------------------------------------------- */

struct span
vcl_to_string_int(struct policy_ctx *ctx, int64_t v)
{
    if (v < -VCL_INT_MAX || v > VCL_INT_MAX) {
        vcl_fail_printf(ctx, "INT overflow converting to string (%lld)", (long long)v);
        return SPAN_NULL;
    }
    char *text = vcl_alloc(ctx, 1 + DECIMAL_BYTES_MAX + 1);
    if (text == NULL)
        return SPAN_NULL;
    *text = '-';
    char *end = put_decimal(text + (v < 0), (uint64_t)(v < 0 ? -v : v));
    *end = '\0';
    ctx->fresh = text;
    return span_of(text, (size_t)(end - text));
}

struct span
vcl_to_string_real(struct policy_ctx *ctx, double v)
{
    if (!(v >= -VCL_REAL_MAX && v <= VCL_REAL_MAX)) {
        vcl_fail_printf(ctx, "REAL overflow converting to string (%g)", v);
        return SPAN_NULL;
    }
    return vcl_printf(ctx, "%.3f", v);
}

struct span
vcl_to_string_bytes(struct policy_ctx *ctx, int64_t v)
{
    return vcl_to_string_int(ctx, v);
}

struct span
vcl_to_string_duration(struct policy_ctx *ctx, double v)
{
    return vcl_to_string_real(ctx, v);
}

struct span
time_text(struct policy_ctx *ctx, double t)
{
    static const char days[7][4] = { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    static const char months[12][4] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
    struct tm tm;
    if (!(t >= TIME_EARLIEST_S && t < TIME_LATEST_S) || gmtime_r(&(time_t){ (time_t)t }, &tm) == NULL) {
        vcl_fail(ctx, "Unformatable VCL_TIME");
        return SPAN_NULL;
    }
    return vcl_printf(ctx, "%s, %02d %s %04d %02d:%02d:%02d GMT", days[tm.tm_wday], tm.tm_mday,
                      months[tm.tm_mon], tm.tm_year + 1900, tm.tm_hour, tm.tm_min, tm.tm_sec);
}

struct span
vcl_to_string_time(struct policy_ctx *ctx, double t)
{
    return time_text(ctx, t);
}

struct span
ip_text(struct policy_ctx *ctx, const struct vcl_ip *ip)
{
    if (ip == NULL)
        return SPAN_NULL;
    struct address a = { .family = ip->family == 6 ? 6 : 4, .zone = ip->zone, .port = ip->port };
    memcpy(a.addr, ip->addr, sizeof a.addr);
    if (ip->family == 0) /* a Unix socket shows as the unspecified address */
        memset(a.addr, 0, sizeof a.addr);
    address_unmap(&a); /* Varnish writes a mapped address as IPv4, though its ACLs treat it as IPv6 */
    char text[ADDRESS_TEXT_BYTES];
    size_t n = address_text(&a, text);
    return vcl_keep(ctx, ctx->arena, span_of(text, n));
}

struct span
vcl_to_string_ip(struct policy_ctx *ctx, const struct vcl_ip *ip)
{
    return ip_text(ctx, ip);
}

/* Copies names of declared things, because the policy may be unloaded before the transaction's text is
 * used. */
struct span
vcl_to_string_backend(struct policy_ctx *ctx, struct director *d)
{
    return d == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, d->name);
}

struct span
vcl_to_string_acl(struct policy_ctx *ctx, const struct acl *acl)
{
    return acl == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, acl_name(acl));
}

struct span
vcl_to_string_probe(struct policy_ctx *ctx, const struct image_probe *probe)
{
    return probe == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, probe->name);
}

struct span
vcl_to_string_stevedore(struct policy_ctx *ctx, struct storage *st)
{
    return st == NULL ? SPAN_NULL : vcl_printf(ctx, "storage.%.*s", (int)st->name.len, st->name.ptr);
}

size_t
base64_encode(const char digits[64], char pad, const void *from, size_t n, char *out)
{
    const uint8_t *p = from;
    char *at = out;
    for (size_t i = 0; i < n; i += 3) {
        size_t have = n - i < 3 ? n - i : 3;
        uint32_t v = (uint32_t)p[i] << 16 | (have > 1 ? (uint32_t)p[i + 1] << 8 : 0) |
                     (have > 2 ? p[i + 2] : 0);
        for (size_t d = 0; d < 4; d++) {
            if (d <= have)
                *at++ = digits[v >> (18 - 6 * d) & 63];
            else if (pad != '\0')
                *at++ = pad;
        }
    }
    return (size_t)(at - out);
}

struct span
vcl_to_string_blob(struct policy_ctx *ctx, const struct vcl_blob *blob)
{
    size_t n = blob == NULL ? 0 : blob->len;
    char *text = vcl_alloc(ctx, n / 3 * 4 + 4 + 2);
    if (text == NULL)
        return SPAN_NULL;
    text[0] = ':';
    size_t len = 1 + base64_encode(BASE64_STANDARD, '=', blob == NULL ? "" : blob->ptr, n, text + 1);
    text[len++] = ':';
    return span_of(text, len);
}

/* ---- HEADER arguments ---------------------------------------------------------------------------------- */

static const struct span families[MSG_COUNT] = MSG_FAMILIES;

struct span
header_family(enum vcl_msg msg)
{
    CHECK(msg < MSG_COUNT);
    return families[msg];
}

struct http_message *
header_of_text(struct policy_ctx *ctx, struct span text, struct span *name)
{
    for (int msg = 0; msg < MSG_COUNT; msg++) {
        struct span prefix = families[msg];
        if (text.len <= prefix.len || !span_eq_nocase(span_of(text.ptr, prefix.len), prefix))
            continue;
        *name = span_of(text.ptr + prefix.len, text.len - prefix.len);
        if (name->len > 2 && name->ptr[0] == '"' && name->ptr[name->len - 1] == '"')
            *name = span_of(name->ptr + 1, name->len - 2);
        return msg == MSG_OBJ ? message_of_object(ctx) : ctx->msg[msg];
    }
    return NULL;
}
