/* Module std: text, headers, random, log. */
#include <ctype.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <syslog.h>
#include <time.h>

#include "base/check.h"
#include "exports_vmod.h"
#include "http/fields.h"
#include "origin/director.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

#define QUERY_PARAMETERS_MAX 4096u
#define STRFTIME_BYTES 512u
#define SYSLOG_BYTES 2048u
#define FNMATCH_STEPS_MAX (1u << 20) /* a few milliseconds; a client may supply the pattern */
#define LABEL_BYTES 64u

/* ---- numbers ------------------------------------------------------------------------------------------- */

double
vcl_std_random(struct policy_ctx *ctx, double lo, double hi)
{
    return lo + (hi - lo) * random_unit();
}

double
vcl_std_round(struct policy_ctx *ctx, double r)
{
    return round(r);
}

/* ---- text ---------------------------------------------------------------------------------------------- */

struct span
vcl_std_toupper(struct policy_ctx *ctx, struct span s)
{
    return text_upper(ctx, s);
}

struct span
vcl_std_tolower(struct policy_ctx *ctx, struct span s)
{
    return text_lower(ctx, s);
}

struct span
vcl_std_strstr(struct policy_ctx *ctx, struct span text, struct span wanted)
{
    if (text.ptr == NULL || wanted.ptr == NULL)
        return SPAN_NULL;
    const char *at = wanted.len == 0 ? text.ptr : memmem(text.ptr, text.len, wanted.ptr, wanted.len);
    return at == NULL ? SPAN_NULL : span_of(at, text.len - (size_t)(at - text.ptr));
}

/* Limits the work: after a `*` fnmatch scans the whole pattern for each byte of the subject, and scans for
 * the end of each `[`. */
static bool
is_too_much_to_match(struct span pattern, struct span subject)
{
    size_t brackets = 0;
    bool stars = false;
    for (size_t i = 0; i < pattern.len; i++) {
        brackets += pattern.ptr[i] == '[';
        stars |= pattern.ptr[i] == '*';
    }
    return pattern.len * brackets > FNMATCH_STEPS_MAX ||
           (stars && pattern.len * subject.len > FNMATCH_STEPS_MAX);
}

int32_t
vcl_std_fnmatch(struct policy_ctx *ctx, struct span pattern, struct span subject, int32_t pathname,
                int32_t noescape, int32_t period)
{
    if (pattern.ptr == NULL || subject.ptr == NULL) {
        vcl_fail(ctx,
                 pattern.ptr == NULL ? "std.fnmatch(): pattern is NULL" : "std.fnmatch(): subject is NULL");
        return 0;
    }
    if (is_too_much_to_match(pattern, subject)) {
        vcl_fail(ctx, "std.fnmatch(): pattern and subject are too long for each other");
        return 0;
    }
    int flags = (pathname ? FNM_PATHNAME : 0) | (noescape ? FNM_NOESCAPE : 0) | (period ? FNM_PERIOD : 0);
    pattern = vcl_keep(ctx, ctx->arena, pattern); /* NUL-ended, for fnmatch */
    subject = vcl_keep(ctx, ctx->arena, subject);
    return !ctx->failed && fnmatch(pattern.ptr, subject.ptr, flags) == 0;
}

static int
parameter_cmp(const void *a, const void *b)
{
    const struct span *x = a, *y = b;
    int cmp = memcmp(x->ptr, y->ptr, x->len < y->len ? x->len : y->len);
    return cmp != 0 ? cmp : x->len < y->len ? -1 : x->len > y->len;
}

static unsigned
split_query(struct span query, struct span *out)
{
    unsigned n = 0;
    for (const char *at = query.ptr, *end = at + query.len; at <= end;) {
        const char *stop = memchr(at, '&', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        if (stop > at && n < QUERY_PARAMETERS_MAX)
            out[n++] = span_of(at, (size_t)(stop - at));
        at = stop + 1;
    }
    return n;
}

/* Sorts the parameters, so that their order does not make another cache key. Drops empty parameters. */
struct span
vcl_std_querysort(struct policy_ctx *ctx, struct span url)
{
    const char *mark = url.ptr == NULL ? NULL : memchr(url.ptr, '?', url.len);
    if (mark == NULL)
        return url;
    struct span query = span_of(mark + 1, url.len - (size_t)(mark + 1 - url.ptr));
    unsigned most = 1;
    for (size_t i = 0; i < query.len; i++)
        most += query.ptr[i] == '&';
    if (most > QUERY_PARAMETERS_MAX) {
        vcl_fail(ctx, "std.querysort: too many parameters");
        return SPAN_NULL;
    }
    struct span *list = vcl_alloc(ctx, most * sizeof *list);
    char *text = vcl_alloc(ctx, url.len + 1);
    if (list == NULL || text == NULL)
        return SPAN_NULL;
    unsigned n = split_query(query, list);
    qsort(list, n, sizeof *list, parameter_cmp);
    size_t len = (size_t)(mark - url.ptr);
    memcpy(text, url.ptr, len);
    if (n == 0)
        text[len++] = '?';
    for (unsigned i = 0; i < n; i++) {
        text[len++] = i == 0 ? '?' : '&';
        memcpy(text + len, list[i].ptr, list[i].len);
        len += list[i].len;
    }
    return span_of(text, len);
}

struct span
vcl_std_strftime(struct policy_ctx *ctx, double t, struct span format)
{
    struct tm tm;
    char out[STRFTIME_BYTES];
    if (format.ptr == NULL)
        return SPAN_NULL;
    if (!(fabs(t) < 1e15) || gmtime_r(&(time_t){ (time_t)t }, &tm) == NULL)
        return SPAN_LIT("");
    format = vcl_keep(ctx, ctx->arena, format);
    if (ctx->failed)
        return SPAN_NULL;
    size_t n = format.len == 0 ? 0 : strftime(out, sizeof out, format.ptr, &tm);
    /* set even for empty or truncated text, as in Varnish */
    return vcl_keep(ctx, ctx->arena, span_of(out, n));
}

/* ---- fields -------------------------------------------------------------------------------------------- */

void
vcl_std_collect(struct policy_ctx *ctx, struct span field, struct span separator)
{
    struct span name = SPAN_NULL;
    struct http_message *m = field.ptr == NULL ? NULL : header_of_text(ctx, field, &name);
    if (m == NULL || m == ctx->msg[MSG_OBJ] || (m == ctx->msg[MSG_REQ_TOP] && m != ctx->msg[MSG_REQ]))
        vcl_fail(ctx, "std.collect(): header argument can not be used here");
    else if (!is_field_value(separator))
        vcl_fail(ctx, "std.collect(): the separator cannot be in a field");
    else if (message_collect(m, name_lookup(name), name,
                             separator.ptr == NULL ? SPAN_LIT(", ") : separator) != 0)
        vcl_fail(ctx, "std.collect(): Workspace overflow");
}

/* ---- log ----------------------------------------------------------------------------------------------- */

void
vcl_std_log(struct policy_ctx *ctx, struct span text)
{
    log_text(log_of(ctx), TAG_VCL_LOG, text);
}

void
vcl_std_syslog(struct policy_ctx *ctx, int64_t priority, struct span text)
{
    char line[SYSLOG_BYTES];
    snprintf(line, sizeof line, "%.*s", (int)(text.len < sizeof line ? text.len : sizeof line),
             text.ptr != NULL ? text.ptr : "");
    syslog((int)(priority & (LOG_PRIMASK | LOG_FACMASK)), "%s", line);
}

void
vcl_std_timestamp(struct policy_ctx *ctx, struct span label)
{
    char text[LABEL_BYTES];
    if (label.len == 0)
        return;
    snprintf(text, sizeof text, "%.*s", (int)(label.len < sizeof text ? label.len : sizeof text), label.ptr);
    log_timestamp(ctx->log, text, clock_real_ns());
}

struct span
vcl_std_getenv(struct policy_ctx *ctx, struct span name)
{
    if (name.len == 0)
        return SPAN_NULL;
    name = vcl_keep(ctx, ctx->arena, name);
    const char *value = ctx->failed ? NULL : getenv(name.ptr);
    return value == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, span_str(value));
}
