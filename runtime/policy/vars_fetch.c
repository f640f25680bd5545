/* Variables of the fetch side: bereq and beresp. vcl_pipe runs on the client side with a fetch record made
 * for it. */
#include "base/check.h"
#include "base/params.h"
#include "filter/lists.h"
#include "http/fields.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"

void
fetch_vars_init(struct fetch_vars *v)
{
    *v = (struct fetch_vars){
        .connect_timeout = -1,
        .first_byte_timeout = -1,
        .between_bytes_timeout = -1,
        .task_deadline = -1,
        .transit_buffer = -1,
        .retry_connect = true,
        .do_stream = true,
    };
}

static struct fetch_vars *
fetch_of(struct policy_ctx *ctx)
{
    CHECK(ctx->fetch != NULL);
    return ctx->fetch;
}

/* ---- bereq: the message -------------------------------------------------------------------------------- */

struct span
vcl_get_bereq_method(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->method;
}

void
vcl_set_bereq_method(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->method, text, "bereq.method");
}

struct span
vcl_get_bereq_url(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->url;
}

void
vcl_set_bereq_url(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->url, text, "bereq.url");
}

struct span
vcl_get_bereq_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BEREQ]->proto;
}

void
vcl_set_bereq_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BEREQ], &ctx->msg[MSG_BEREQ]->proto, text, "bereq.proto");
}

/* ---- bereq: variables ---------------------------------------------------------------------------------- */

struct director *
vcl_get_bereq_backend(struct policy_ctx *ctx)
{
    struct director *d = fetch_of(ctx)->backend;
    return d == backend_director(ctx->policy->nothing) ? NULL : d;
}

void
vcl_set_bereq_backend(struct policy_ctx *ctx, struct director *d)
{
    fetch_of(ctx)->backend = d != NULL ? d : backend_director(ctx->policy->nothing);
}

/* The timeout of the fetch as far as known: a director may still choose a backend with its own timeout. */
static double
timeout_of(struct policy_ctx *ctx, double own, double (*of_backend)(const struct backend *), double parameter)
{
    if (own >= 0)
        return own;
    struct backend *b = director_backend(fetch_of(ctx)->backend);
    return b != NULL ? of_backend(b) : parameter;
}

double
vcl_get_bereq_connect_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->connect_timeout, backend_connect_timeout, params.connect_timeout_s);
}

void
vcl_set_bereq_connect_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->connect_timeout = s > 0 ? s : 0;
}

void
vcl_unset_bereq_connect_timeout(struct policy_ctx *ctx)
{
    fetch_of(ctx)->connect_timeout = -1;
}

double
vcl_get_bereq_first_byte_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->first_byte_timeout, backend_first_byte_timeout,
                      params.first_byte_timeout_s);
}

void
vcl_set_bereq_first_byte_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->first_byte_timeout = s > 0 ? s : 0;
}

void
vcl_unset_bereq_first_byte_timeout(struct policy_ctx *ctx)
{
    fetch_of(ctx)->first_byte_timeout = -1;
}

double
vcl_get_bereq_between_bytes_timeout(struct policy_ctx *ctx)
{
    return timeout_of(ctx, fetch_of(ctx)->between_bytes_timeout, backend_between_bytes_timeout,
                      params.between_bytes_timeout_s);
}

void
vcl_set_bereq_between_bytes_timeout(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->between_bytes_timeout = s > 0 ? s : 0;
}

void
vcl_unset_bereq_between_bytes_timeout(struct policy_ctx *ctx)
{
    fetch_of(ctx)->between_bytes_timeout = -1;
}

double
vcl_get_bereq_task_deadline(struct policy_ctx *ctx)
{
    double own = fetch_of(ctx)->task_deadline;
    return own >= 0 ? own : params.pipe_task_deadline_s;
}

void
vcl_set_bereq_task_deadline(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->task_deadline = s > 0 ? s : 0;
}

void
vcl_unset_bereq_task_deadline(struct policy_ctx *ctx)
{
    fetch_of(ctx)->task_deadline = -1;
}

int32_t
vcl_get_bereq_retry_connect(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->retry_connect;
}

void
vcl_set_bereq_retry_connect(struct policy_ctx *ctx, int32_t on)
{
    fetch_of(ctx)->retry_connect = on != 0;
}

void
vcl_unset_bereq_body(struct policy_ctx *ctx)
{
    fetch_of(ctx)->body_unset = true;
}

const struct vcl_blob *
vcl_get_bereq_hash(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    return blob_of_key(ctx, f->key != NULL ? f->key : f->client != NULL ? &f->client->key : NULL);
}

int32_t
vcl_get_bereq_is_bgfetch(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->is_bgfetch;
}

int32_t
vcl_get_bereq_is_hitmiss(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->found == FOUND_HIT_FOR_MISS;
}

int32_t
vcl_get_bereq_is_hitpass(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->found == FOUND_HIT_FOR_PASS;
}

int64_t
vcl_get_bereq_retries(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->retries;
}

double
vcl_get_bereq_time(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->time_start;
}

int32_t
vcl_get_bereq_uncacheable(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->uncacheable;
}

struct span
vcl_get_bereq_xid(struct policy_ctx *ctx)
{
    return vcl_printf(ctx, "%llu", (unsigned long long)fetch_of(ctx)->xid);
}

/* ---- beresp: the message ------------------------------------------------------------------------------- */

struct span
vcl_get_beresp_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->proto;
}

void
vcl_set_beresp_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_BERESP], &ctx->msg[MSG_BERESP]->proto, text, "beresp.proto");
}

struct span
vcl_get_beresp_reason(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->reason;
}

void
vcl_set_beresp_reason(struct policy_ctx *ctx, struct span text)
{
    set_reason(ctx, ctx->msg[MSG_BERESP], text, "beresp.reason");
}

int64_t
vcl_get_beresp_status(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_BERESP]->status;
}

void
vcl_set_beresp_status(struct policy_ctx *ctx, int64_t status)
{
    set_status(ctx, ctx->msg[MSG_BERESP], status, "beresp.status");
}

/* ---- beresp: lifetimes --------------------------------------------------------------------------------- */

double
vcl_get_beresp_age(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->age;
}

int64_t
vcl_get_beresp_transit_buffer(struct policy_ctx *ctx)
{
    int64_t own = fetch_of(ctx)->transit_buffer;
    return own >= 0 ? own : (int64_t)params.transit_buffer_bytes;
}

void
vcl_set_beresp_transit_buffer(struct policy_ctx *ctx, int64_t bytes)
{
    fetch_of(ctx)->transit_buffer = bytes > 0 ? bytes : 0;
}

double
vcl_get_beresp_ttl(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->ttl;
}

/* Logs the current lifetimes. The record's ttl counts from the origin time, which the record also shows. */
static void
log_lifetimes(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    if (ctx->log == NULL || !log_wants(TAG_TTL))
        return;
    policy_trace(ctx);
    double origin = f->time_resp - f->age;
    log_printf(ctx->log, TAG_TTL, "VCL %.0f %.0f %.0f %.0f %s", f->ttl + ctx->now - origin, f->grace, f->keep,
               origin, f->uncacheable ? "uncacheable" : "cacheable");
}

void
vcl_set_beresp_ttl(struct policy_ctx *ctx, double s)
{
    struct fetch_vars *f = fetch_of(ctx);
    f->ttl_before = f->ttl;
    f->ttl = s > 0 ? s : 0;
    f->ttl_before_site = f->ttl_site;
    f->ttl_site = ctx->site + 1;
    log_lifetimes(ctx);
}

double
vcl_get_beresp_grace(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->grace;
}

void
vcl_set_beresp_grace(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->grace = s > 0 ? s : 0;
    log_lifetimes(ctx);
}

double
vcl_get_beresp_keep(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->keep;
}

void
vcl_set_beresp_keep(struct policy_ctx *ctx, double s)
{
    fetch_of(ctx)->keep = s > 0 ? s : 0;
    log_lifetimes(ctx);
}

double
vcl_get_beresp_time(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->time_resp;
}

int32_t
vcl_get_beresp_was_304(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->was_304;
}

int32_t
vcl_get_beresp_targeted(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->targeted;
}

int32_t
vcl_get_beresp_uncacheable(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->uncacheable;
}

/* uncacheable cannot be reset: other requests may already have been told not to wait for this response. */
void
vcl_set_beresp_uncacheable(struct policy_ctx *ctx, int32_t on)
{
    struct fetch_vars *f = fetch_of(ctx);
    if (on != 0 && !f->uncacheable)
        f->uncacheable_site = ctx->site + 1;
    if (on != 0)
        f->uncacheable = true;
    else if (f->uncacheable)
        log_text(ctx->log, TAG_VCL_ERROR, SPAN_LIT("Ignoring attempt to reset beresp.uncacheable"));
    log_lifetimes(ctx);
}

/* ---- beresp: backend and storage ----------------------------------------------------------------------- */

struct director *
vcl_get_beresp_backend(struct policy_ctx *ctx)
{
    struct backend *b = fetch_of(ctx)->used;
    return b == NULL ? NULL : backend_director(b);
}

struct span
vcl_get_beresp_backend_name(struct policy_ctx *ctx)
{
    struct backend *b = fetch_of(ctx)->used;
    return b == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, backend_name(b));
}

const struct vcl_ip *
vcl_get_beresp_backend_ip(struct policy_ctx *ctx)
{
    return ip_of_address(ctx, &fetch_of(ctx)->used_address);
}

struct storage *
vcl_get_beresp_storage(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->storage;
}

void
vcl_set_beresp_storage(struct policy_ctx *ctx, struct storage *st)
{
    fetch_of(ctx)->storage = st;
}

struct span
vcl_get_beresp_storage_hint(struct policy_ctx *ctx)
{
    const struct storage *st = fetch_of(ctx)->storage;
    return st == NULL ? SPAN_NULL : vcl_printf(ctx, "storage.%.*s", (int)st->name.len, st->name.ptr);
}

/* Deprecated form of beresp.storage: an unknown name changes nothing. */
void
vcl_set_beresp_storage_hint(struct policy_ctx *ctx, struct span name)
{
    struct storage *st = ctx->policy->env.store == NULL || name.ptr == NULL
                           ? NULL
                           : store_storage(ctx->policy->env.store, name);
    fetch_of(ctx)->storage_hint = vcl_keep(ctx, ctx->arena, name);
    if (st != NULL)
        fetch_of(ctx)->storage = st;
}

/* ---- beresp: body -------------------------------------------------------------------------------------- */

/* After the policy sets beresp.filters, that list is final, and the do_ variables are undefined, as in
 * Varnish. */
static bool
filters_are_open(struct policy_ctx *ctx, const char *variable)
{
    if (fetch_of(ctx)->filters.ptr == NULL)
        return true;
    vcl_fail_printf(ctx, "beresp.filters are already fixed, beresp.%s is undefined", variable);
    return false;
}

int32_t
vcl_get_beresp_do_esi(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_esi") && fetch_of(ctx)->do_esi;
}

void
vcl_set_beresp_do_esi(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_esi"))
        fetch_of(ctx)->do_esi = on != 0;
}

int32_t
vcl_get_beresp_do_gunzip(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_gunzip") && fetch_of(ctx)->do_gunzip;
}

void
vcl_set_beresp_do_gunzip(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_gunzip"))
        fetch_of(ctx)->do_gunzip = on != 0;
}

int32_t
vcl_get_beresp_do_gzip(struct policy_ctx *ctx)
{
    return filters_are_open(ctx, "do_gzip") && fetch_of(ctx)->do_gzip;
}

void
vcl_set_beresp_do_gzip(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx, "do_gzip"))
        fetch_of(ctx)->do_gzip = on != 0;
}

int32_t
vcl_get_beresp_do_stream(struct policy_ctx *ctx)
{
    return fetch_of(ctx)->do_stream;
}

void
vcl_set_beresp_do_stream(struct policy_ctx *ctx, int32_t on)
{
    fetch_of(ctx)->do_stream = on != 0;
}

/* The filters that follow from the do_ variables, unless the policy set beresp.filters. */
struct span
vcl_get_beresp_filters(struct policy_ctx *ctx)
{
    const struct fetch_vars *f = fetch_of(ctx);
    if (f->filters.ptr != NULL)
        return f->filters;
    if (f->no_content)
        return SPAN_LIT("");
    struct span text = filters_of_fetch(ctx->arena, ctx->msg[MSG_BERESP], f->do_esi, f->do_gzip,
                                        f->do_gunzip);
    if (text.ptr == NULL)
        vcl_fail(ctx, "Workspace overflow");
    return text.len > 0 ? span_of(text.ptr + 1, text.len - 1) : text;
}

void
vcl_set_beresp_filters(struct policy_ctx *ctx, struct span text)
{
    fetch_of(ctx)->filters = vcl_keep(ctx, ctx->arena, text);
}
