/* Variables of the fetch side: bereq and beresp. In vcl_pipe, which belongs to the client, ctx->fetch is a record made for it. */
#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"

void
fetch_vars_init(struct fetch_vars *v)
{
    *v = (struct fetch_vars){
        .connect_timeout = -1, .first_byte_timeout = -1, .between_bytes_timeout = -1, .do_stream = true,
    };
}

static struct fetch_vars *
fetch_of(struct policy_ctx *ctx)
{
    CHECK(ctx->fetch != NULL);
    return ctx->fetch;
}

/* ---- bereq: the message ------------------------------------------------------------------------------------------------------ */

static struct span
vcl_get_bereq_method(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->method;
}

static void
vcl_set_bereq_method(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->method, text, "bereq.method");
}

static struct span
vcl_get_bereq_url(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->url;
}

static void
vcl_set_bereq_url(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->url, text, "bereq.url");
}

static struct span
vcl_get_bereq_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->proto;
}

static void
vcl_set_bereq_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->proto, text, "bereq.proto");
}

/* ---- bereq: variables -------------------------------------------------------------------------------------------------------- */

static struct director *
vcl_get_bereq_backend(struct policy_ctx *ctx)
{
    struct director *d = fetch_of(ctx)->backend;
    return d == backend_director(ctx->policy->nothing) ? NULL : d;
}

static void
vcl_set_bereq_backend(struct policy_ctx *ctx, struct director *d)
{
    fetch_of(ctx)->backend = d != NULL ? d : backend_director(ctx->policy->nothing);
}

/* What the fetch will use as far as is known: a director may still choose a backend with a value of its own. */
static double
timeout_of(struct policy_ctx *ctx, double own, double (*of_backend)(const struct backend *), double parameter)
{
    if (own >= 0)
        return own;
    struct backend *b = director_backend(fetch_of(ctx)->backend);
    return b != NULL ? of_backend(b) : parameter;
}

static double
vcl_get_bereq_connect_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->connect_timeout, backend_connect_timeout, params.connect_timeout_s);
}

static void
vcl_set_bereq_connect_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->connect_timeout = s > 0 ? s : 0;
}

static double
vcl_get_bereq_first_byte_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->first_byte_timeout, backend_first_byte_timeout, params.first_byte_timeout_s);
}

static void
vcl_set_bereq_first_byte_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->first_byte_timeout = s > 0 ? s : 0;
}

static double
vcl_get_bereq_between_bytes_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->between_bytes_timeout, backend_between_bytes_timeout, params.between_bytes_timeout_s);
}

static void
vcl_set_bereq_between_bytes_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->between_bytes_timeout = s > 0 ? s : 0;
}

static void
vcl_unset_bereq_body(struct policy_ctx *ctx)
{
    fetch_of(ctx)->body_unset = true;
}

static const struct vcl_blob *
vcl_get_bereq_hash(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    return blob_of_key(ctx, f->key != NULL ? f->key : f->client != NULL ? &f->client->key : NULL);
}

static int32_t
vcl_get_bereq_is_bgfetch(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->is_bgfetch;
}

static int32_t
vcl_get_bereq_is_hitmiss(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->is_hitmiss;
}

static int32_t
vcl_get_bereq_is_hitpass(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->is_hitpass;
}

static int64_t
vcl_get_bereq_retries(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->retries;
}

static double
vcl_get_bereq_time(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->time_start;
}

static int32_t
vcl_get_bereq_uncacheable(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->uncacheable;
}

static struct span
vcl_get_bereq_xid(struct policy_ctx *ctx)
{
    return vcl_printf(ctx, "%llu", (unsigned long long)fetch_of(ctx)->xid);
}

/* ---- beresp: the message ----------------------------------------------------------------------------------------------------- */

static struct span
vcl_get_beresp_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->proto;
}

static void
vcl_set_beresp_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BERESP], &ctx->msg[MSG_BERESP]->proto, text, "beresp.proto");
}

static struct span
vcl_get_beresp_reason(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->reason;
}

static void
vcl_set_beresp_reason(struct policy_ctx *ctx, struct span text)
{
    set_reason(ctx, ctx->msg[MSG_BERESP], text, "beresp.reason");
}

static int64_t
vcl_get_beresp_status(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->status;
}

static void
vcl_set_beresp_status(struct policy_ctx *ctx, int64_t status)
{
    set_status(ctx, ctx->msg[MSG_BERESP], status, "beresp.status");
}

/* ---- beresp: lifetimes ------------------------------------------------------------------------------------------------------- */

static double
vcl_get_beresp_age(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->age;
}

static double
vcl_get_beresp_ttl(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->ttl;
}

/* Lifetimes as they are now; the ttl counts from when the response originated, which is told too. */
static void
log_lifetimes(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    if (ctx->log == NULL || !log_wants(TAG_TTL))
        return;
    double origin = f->time_resp - f->age;
    log_printf(ctx->log, TAG_TTL, "VCL %.0f %.0f %.0f %.0f %s", f->ttl + ctx->now - origin, f->grace, f->keep, origin,
               f->uncacheable ? "uncacheable" : "cacheable");
}

static void
vcl_set_beresp_ttl(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->ttl = s > 0 ? s : 0;
    log_lifetimes(ctx);
}

static double
vcl_get_beresp_grace(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->grace;
}

static void
vcl_set_beresp_grace(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->grace = s > 0 ? s : 0;
    log_lifetimes(ctx);
}

static double
vcl_get_beresp_keep(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->keep;
}

static void
vcl_set_beresp_keep(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->keep = s > 0 ? s : 0;
    log_lifetimes(ctx);
}

static double
vcl_get_beresp_time(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->time_resp;
}

static int32_t
vcl_get_beresp_was_304(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->was_304;
}

static int32_t
vcl_get_beresp_uncacheable(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->uncacheable;
}

/* One way: others may already have been told not to wait for this response. */
static void
vcl_set_beresp_uncacheable(struct policy_ctx *ctx, int32_t on)
{
    if (on != 0)
        fetch_of(ctx)->uncacheable = true;
    else if (fetch_of(ctx)->uncacheable)
        log_text(ctx->log, TAG_VCL_ERROR, SPAN_LIT("Ignoring attempt to reset beresp.uncacheable"));
    log_lifetimes(ctx);
}

/* ---- beresp: where from, where to -------------------------------------------------------------------------------------------- */

static struct director *
vcl_get_beresp_backend(struct policy_ctx *ctx)
{
    struct backend *b = fetch_of(ctx)->used;
    return b == NULL ? NULL : backend_director(b);
}

static struct span
vcl_get_beresp_backend_name(struct policy_ctx *ctx)
{
    struct backend *b = fetch_of(ctx)->used;
    return b == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, backend_name(b));
}

static const struct vcl_ip *
vcl_get_beresp_backend_ip(struct policy_ctx *ctx)
{
    return ip_of_address(ctx, &fetch_of(ctx)->used_address);
}

static struct storage *
vcl_get_beresp_storage(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->storage;
}

static void
vcl_set_beresp_storage(struct policy_ctx *ctx, struct storage *st)
{
    fetch_of(ctx)->storage = st;
}

static struct span
vcl_get_beresp_storage_hint(struct policy_ctx *ctx)
{
    const struct storage *st = fetch_of(ctx)->storage;
    return st == NULL ? SPAN_NULL : vcl_printf(ctx, "storage.%.*s", (int)st->name.len, st->name.ptr);
}

/* The old way of naming a storage: an unknown name changes nothing. */
static void
vcl_set_beresp_storage_hint(struct policy_ctx *ctx, struct span name)
{
    struct storage *st = ctx->policy->env.store == NULL || name.ptr == NULL ? NULL : store_storage(ctx->policy->env.store, name);
    fetch_of(ctx)->storage_hint = vcl_keep(ctx, ctx->arena, name);
    if (st != NULL)
        fetch_of(ctx)->storage = st;
}

/* ---- beresp: body ------------------------------------------------------------------------------------------------------------ */

/* Filters that the policy names itself are all there will be, so the do_ variables mean nothing behind that: as in Varnish. */
static bool
filters_are_open(struct policy_ctx *ctx, const char *variable)
{
    if (fetch_of(ctx)->filters.ptr == NULL)
        return true;
    vcl_fail_printf(ctx, "beresp.filters are already fixed, beresp.%s is undefined", variable);
    return false;
}

static int32_t
vcl_get_beresp_do_esi(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_esi") && fetch_of(ctx)->do_esi;
}

static void
vcl_set_beresp_do_esi(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_esi"))
        fetch_of(ctx)->do_esi = on != 0;
}

static int32_t
vcl_get_beresp_do_gunzip(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_gunzip") && fetch_of(ctx)->do_gunzip;
}

static void
vcl_set_beresp_do_gunzip(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_gunzip"))
        fetch_of(ctx)->do_gunzip = on != 0;
}

static int32_t
vcl_get_beresp_do_gzip(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_gzip") && fetch_of(ctx)->do_gzip;
}

static void
vcl_set_beresp_do_gzip(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_gzip"))
        fetch_of(ctx)->do_gzip = on != 0;
}

static int32_t
vcl_get_beresp_do_stream(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->do_stream;
}

static void
vcl_set_beresp_do_stream(struct policy_ctx *ctx, int32_t on)
{
    fetch_of(ctx)->do_stream = on != 0;
}

/* What the do_ variables come to for this response, until the policy names filters itself. */
static struct span
vcl_get_beresp_filters(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    if (f->filters.ptr != NULL)
        return f->filters;
    struct span coding = message_get(ctx->msg[MSG_BERESP], NAME_CONTENT_ENCODING);
    bool gzipped = list_has_token(coding, SPAN_LIT("gzip"));
    bool gunzip = gzipped && f->do_gunzip, gzip = coding.ptr == NULL && f->do_gzip;
    bool esi_gzip = f->do_esi && gzipped && !gunzip;
    struct span text = vcl_printf(ctx, "%s%s%s", gunzip ? " gunzip" : gzipped && !f->do_esi ? " testgunzip" : "",
                                  esi_gzip ? " esi_gzip" : f->do_esi ? " esi" : "", gzip ? " gzip" : "");
    return text.len > 0 ? span_of(text.ptr + 1, text.len - 1) : text;
}

static void
vcl_set_beresp_filters(struct policy_ctx *ctx, struct span text)
{
    fetch_of(ctx)->filters = vcl_keep(ctx, ctx->arena, text);
}

static const struct policy_export rows[] = {
    { "get_bereq_method", "STRING()", (export_fn *)vcl_get_bereq_method },
    { "set_bereq_method", "VOID(STRING)", (export_fn *)vcl_set_bereq_method },
    { "get_bereq_url", "STRING()", (export_fn *)vcl_get_bereq_url },
    { "set_bereq_url", "VOID(STRING)", (export_fn *)vcl_set_bereq_url },
    { "get_bereq_proto", "STRING()", (export_fn *)vcl_get_bereq_proto },
    { "set_bereq_proto", "VOID(STRING)", (export_fn *)vcl_set_bereq_proto },
    { "get_bereq_backend", "BACKEND()", (export_fn *)vcl_get_bereq_backend },
    { "set_bereq_backend", "VOID(BACKEND)", (export_fn *)vcl_set_bereq_backend },
    { "get_bereq_connect_timeout", "DURATION()", (export_fn *)vcl_get_bereq_connect_timeout },
    { "set_bereq_connect_timeout", "VOID(DURATION)", (export_fn *)vcl_set_bereq_connect_timeout },
    { "get_bereq_first_byte_timeout", "DURATION()", (export_fn *)vcl_get_bereq_first_byte_timeout },
    { "set_bereq_first_byte_timeout", "VOID(DURATION)", (export_fn *)vcl_set_bereq_first_byte_timeout },
    { "get_bereq_between_bytes_timeout", "DURATION()", (export_fn *)vcl_get_bereq_between_bytes_timeout },
    { "set_bereq_between_bytes_timeout", "VOID(DURATION)", (export_fn *)vcl_set_bereq_between_bytes_timeout },
    { "unset_bereq_body", "VOID()", (export_fn *)vcl_unset_bereq_body },
    { "get_bereq_hash", "BLOB()", (export_fn *)vcl_get_bereq_hash },
    { "get_bereq_is_bgfetch", "BOOL()", (export_fn *)vcl_get_bereq_is_bgfetch },
    { "get_bereq_is_hitmiss", "BOOL()", (export_fn *)vcl_get_bereq_is_hitmiss },
    { "get_bereq_is_hitpass", "BOOL()", (export_fn *)vcl_get_bereq_is_hitpass },
    { "get_bereq_retries", "INT()", (export_fn *)vcl_get_bereq_retries },
    { "get_bereq_time", "TIME()", (export_fn *)vcl_get_bereq_time },
    { "get_bereq_uncacheable", "BOOL()", (export_fn *)vcl_get_bereq_uncacheable },
    { "get_bereq_xid", "STRING()", (export_fn *)vcl_get_bereq_xid },
    { "get_beresp_proto", "STRING()", (export_fn *)vcl_get_beresp_proto },
    { "set_beresp_proto", "VOID(STRING)", (export_fn *)vcl_set_beresp_proto },
    { "get_beresp_reason", "STRING()", (export_fn *)vcl_get_beresp_reason },
    { "set_beresp_reason", "VOID(STRING)", (export_fn *)vcl_set_beresp_reason },
    { "get_beresp_status", "INT()", (export_fn *)vcl_get_beresp_status },
    { "set_beresp_status", "VOID(INT)", (export_fn *)vcl_set_beresp_status },
    { "get_beresp_age", "DURATION()", (export_fn *)vcl_get_beresp_age },
    { "get_beresp_ttl", "DURATION()", (export_fn *)vcl_get_beresp_ttl },
    { "set_beresp_ttl", "VOID(DURATION)", (export_fn *)vcl_set_beresp_ttl },
    { "get_beresp_grace", "DURATION()", (export_fn *)vcl_get_beresp_grace },
    { "set_beresp_grace", "VOID(DURATION)", (export_fn *)vcl_set_beresp_grace },
    { "get_beresp_keep", "DURATION()", (export_fn *)vcl_get_beresp_keep },
    { "set_beresp_keep", "VOID(DURATION)", (export_fn *)vcl_set_beresp_keep },
    { "get_beresp_time", "TIME()", (export_fn *)vcl_get_beresp_time },
    { "get_beresp_was_304", "BOOL()", (export_fn *)vcl_get_beresp_was_304 },
    { "get_beresp_uncacheable", "BOOL()", (export_fn *)vcl_get_beresp_uncacheable },
    { "set_beresp_uncacheable", "VOID(BOOL)", (export_fn *)vcl_set_beresp_uncacheable },
    { "get_beresp_backend", "BACKEND()", (export_fn *)vcl_get_beresp_backend },
    { "get_beresp_backend_name", "STRING()", (export_fn *)vcl_get_beresp_backend_name },
    { "get_beresp_backend_ip", "IP()", (export_fn *)vcl_get_beresp_backend_ip },
    { "get_beresp_storage", "STEVEDORE()", (export_fn *)vcl_get_beresp_storage },
    { "set_beresp_storage", "VOID(STEVEDORE)", (export_fn *)vcl_set_beresp_storage },
    { "get_beresp_storage_hint", "STRING()", (export_fn *)vcl_get_beresp_storage_hint },
    { "set_beresp_storage_hint", "VOID(STRING)", (export_fn *)vcl_set_beresp_storage_hint },
    { "get_beresp_do_esi", "BOOL()", (export_fn *)vcl_get_beresp_do_esi },
    { "set_beresp_do_esi", "VOID(BOOL)", (export_fn *)vcl_set_beresp_do_esi },
    { "get_beresp_do_gunzip", "BOOL()", (export_fn *)vcl_get_beresp_do_gunzip },
    { "set_beresp_do_gunzip", "VOID(BOOL)", (export_fn *)vcl_set_beresp_do_gunzip },
    { "get_beresp_do_gzip", "BOOL()", (export_fn *)vcl_get_beresp_do_gzip },
    { "set_beresp_do_gzip", "VOID(BOOL)", (export_fn *)vcl_set_beresp_do_gzip },
    { "get_beresp_do_stream", "BOOL()", (export_fn *)vcl_get_beresp_do_stream },
    { "set_beresp_do_stream", "VOID(BOOL)", (export_fn *)vcl_set_beresp_do_stream },
    { "get_beresp_filters", "STRING()", (export_fn *)vcl_get_beresp_filters },
    { "set_beresp_filters", "VOID(STRING)", (export_fn *)vcl_set_beresp_filters },
};
const struct export_table exports_vars_fetch = EXPORT_TABLE(rows);
