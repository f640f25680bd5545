/* Parsed views of vcl 5.0: parts of a URL, of Cookie and of Cache-Control. Each function parses its text
 * anew: a policy that asks twice about one text gets the same parts, and nothing has to be kept in step with
 * the messages. An unset text has no parts. */
#include "http/cache_control.h"
#include "http/pairs.h"
#include "http/target.h"
#include "policy/exports.h"

struct span
vcl_url_path(struct policy_ctx *ctx, struct span url)
{
    return target_path(url);
}

struct span
vcl_url_ext(struct policy_ctx *ctx, struct span url)
{
    return target_extension(url);
}

struct span
vcl_url_query(struct policy_ctx *ctx, struct span url, struct span name)
{
    return target_parameter(url, name);
}

int32_t
vcl_url_query_has(struct policy_ctx *ctx, struct span url, struct span patterns)
{
    return target_has(url, patterns);
}

/* The result of an edit: a text of the arena is the newest, so a message may take it without a copy. */
static struct span
edited(struct policy_ctx *ctx, struct span before, struct span after)
{
    if (after.ptr == NULL)
        vcl_fail(ctx, "Workspace overflow");
    else if (after.ptr != before.ptr)
        ctx->fresh = after.ptr;
    return after;
}

struct span
vcl_url_query_edit(struct policy_ctx *ctx, struct span url, int64_t keep, struct span patterns)
{
    return url.ptr == NULL ? url : edited(ctx, url, target_select(url, patterns, keep != 0, ctx->arena));
}

struct span
vcl_url_query_sort(struct policy_ctx *ctx, struct span url)
{
    return url.ptr == NULL ? url : edited(ctx, url, target_sort(url, ctx->arena));
}

/* A "?" in the path would begin a query, and the path of a request is never empty. */
struct span
vcl_url_set_path(struct policy_ctx *ctx, struct span url, struct span path)
{
    size_t old_bytes = target_path(url).len;
    if (path.len == 0 || memchr(path.ptr, '?', path.len) != NULL) {
        vcl_fail_printf(ctx, "the path of a URL cannot be \"%.*s\"", (int)path.len,
                        path.ptr == NULL ? "" : path.ptr);
        return SPAN_NULL;
    }
    if (url.len == old_bytes || span_eq(path, span_of(url.ptr, old_bytes)))
        return url.len == old_bytes ? path : url;
    struct span parts[] = { path, span_of(url.ptr + old_bytes, url.len - old_bytes) };
    return vcl_concat(ctx, parts, 2);
}

struct span
vcl_cookie_value(struct policy_ctx *ctx, struct span header, struct span name)
{
    return pairs_value(&pairs_cookie, header, name);
}

int32_t
vcl_cookie_has(struct policy_ctx *ctx, struct span header, struct span patterns)
{
    return pairs_has(&pairs_cookie, header, patterns);
}

/* Unset if no cookie is left, so that the field goes. */
struct span
vcl_cookie_edit(struct policy_ctx *ctx, struct span header, int64_t keep, struct span patterns)
{
    size_t n;
    if (header.ptr == NULL)
        return SPAN_NULL;
    struct span after = pairs_select(&pairs_cookie, header, 0, patterns, keep != 0, ctx->arena, &n);
    after = edited(ctx, header, after);
    return n == 0 ? SPAN_NULL : after;
}

struct span
vcl_cache_control_value(struct policy_ctx *ctx, struct span header, struct span directive)
{
    return cache_control_value(header, directive);
}

int32_t
vcl_cache_control_has(struct policy_ctx *ctx, struct span header, struct span names)
{
    return cache_control_has(header, names);
}
