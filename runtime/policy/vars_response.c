/* Variables of resp and obj, and helpers for accessors of all messages. */
#include "base/check.h"
#include "base/params.h"
#include "cache/object.h"
#include "filter/lists.h"
#include "http/fields.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"

/* ---- shared -------------------------------------------------------------------------------------------- */

/* A blank in a method or a line end in any part would change how the peer parses the message. Blanks in a URL
 * are sent escaped. */
static bool
is_line_part(struct span text, const char *blanks)
{
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.ptr[i];
        if (c == 0x7f || (c <= 0x20 && (c == '\0' || strchr(blanks, c) == NULL)))
            return false;
    }
    return true;
}

void
set_line_part(struct policy_ctx *ctx, struct http_message *m, struct span *part, struct span text,
              const char *name)
{
    if (text.len == 0) {
        vcl_fail_printf(ctx, "Setting %s to empty string", name);
    } else if (!is_line_part(text, part == &m->url ? " " : "")) {
        vcl_fail_printf(ctx, "%s cannot hold %scontrol characters", name,
                        part == &m->url ? "" : "blanks or ");
    } else if (text.ptr == part->ptr || (text = vcl_keep(ctx, m->arena, text)).ptr != NULL) {
        /* a prefix of the old value needs no copy */
        *part = text;
        log_text(m->log,
                 m->log_family + (part == &m->method ? LOG_METHOD
                                  : part == &m->url  ? LOG_URL
                                                     : LOG_PROTOCOL),
                 text);
    }
}

void
set_reason(struct policy_ctx *ctx, struct http_message *m, struct span text, const char *name)
{
    if (text.len == 0) {
        vcl_fail_printf(ctx, "Setting %s to empty string", name);
    } else if (!is_line_part(text, " \t")) {
        vcl_fail_printf(ctx, "%s cannot hold control characters", name);
    } else if ((text = vcl_keep(ctx, m->arena, text)).ptr != NULL) {
        m->reason = text;
        log_text(m->log, m->log_family + LOG_REASON, text);
    }
}

/* A status above 999 is for the policy only: the response carries its last three digits. */
bool
is_status(struct policy_ctx *ctx, int64_t status, const char *name)
{
    if (status < 0)
        vcl_fail_printf(ctx, "%s (%lld) is negative", name, (long long)status);
    else if (status > 65535)
        vcl_fail_printf(ctx, "%s (%lld) > 65535", name, (long long)status);
    else if (status % 1000 < 100)
        vcl_fail_printf(ctx, "illegal %s (%lld) (..0##)", name, (long long)status);
    return !ctx->failed;
}

void
set_status(struct policy_ctx *ctx, struct http_message *m, int64_t status, const char *name)
{
    if (!is_status(ctx, status, name))
        return;
    m->status = (uint16_t)status;
    m->reason = status_reason((unsigned)(status % 1000));
    if (m->log != NULL) {
        log_printf(m->log, m->log_family + LOG_STATUS, "%03u", (unsigned)(status % 1000));
        log_text(m->log, m->log_family + LOG_REASON, m->reason);
    }
}

const struct vcl_blob *
blob_of_key(struct policy_ctx *ctx, const struct cache_key *key)
{
    struct {
        struct vcl_blob blob;
        uint8_t digest[32];
    } *both = key == NULL ? NULL : vcl_alloc(ctx, sizeof *both);
    if (both == NULL)
        return NULL;
    key_digest(key, both->digest);
    both->blob = (struct vcl_blob){ .ptr = both->digest, .len = sizeof both->digest };
    return &both->blob;
}

/* ---- resp ---------------------------------------------------------------------------------------------- */

struct span
vcl_get_resp_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_RESP]->proto;
}

void
vcl_set_resp_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_RESP], &ctx->msg[MSG_RESP]->proto, text, "resp.proto");
}

struct span
vcl_get_resp_reason(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_RESP]->reason;
}

void
vcl_set_resp_reason(struct policy_ctx *ctx, struct span text)
{
    set_reason(ctx, ctx->msg[MSG_RESP], text, "resp.reason");
}

int64_t
vcl_get_resp_status(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_RESP]->status;
}

void
vcl_set_resp_status(struct policy_ctx *ctx, int64_t status)
{
    set_status(ctx, ctx->msg[MSG_RESP], status, "resp.status");
}

double
vcl_get_resp_time(struct policy_ctx *ctx)
{
    return ctx->client->resp_time;
}

int32_t
vcl_get_resp_is_streaming(struct policy_ctx *ctx)
{
    return ctx->client->is_streaming;
}

/* As for beresp.filters in vars_fetch.c. */
static bool
filters_are_open(struct policy_ctx *ctx)
{
    if (ctx->client->resp_filters.ptr == NULL)
        return true;
    vcl_fail(ctx, "resp.filters are already fixed, resp.do_esi is undefined");
    return false;
}

int32_t
vcl_get_resp_do_esi(struct policy_ctx *ctx)
{
    return filters_are_open(ctx) && ctx->client->resp_do_esi;
}

void
vcl_set_resp_do_esi(struct policy_ctx *ctx, int32_t on)
{
    if (filters_are_open(ctx))
        ctx->client->resp_do_esi = on != 0;
}

/* The filters that delivery will apply, unless the policy set resp.filters. */
struct span
vcl_get_resp_filters(struct policy_ctx *ctx)
{
    const struct client_vars *c = ctx->client;
    if (c->resp_filters.ptr != NULL)
        return c->resp_filters;
    if (c->coding_filters.ptr != NULL)
        return span_trim(c->coding_filters);
    bool gunzip = params.http_gzip_support && ctx->msg[MSG_REQ] != NULL && ctx->obj != NULL &&
                  object_form(ctx->obj).gzipped && vcl_get_req_can_gzip(ctx) == 0;
    bool range = params.http_range_support && ctx->msg[MSG_REQ] != NULL &&
                 ctx->msg[MSG_RESP]->status == 200 && message_has(ctx->msg[MSG_REQ], NAME_RANGE);
    struct span text = filters_of_delivery(c->resp_do_esi && c->can_esi, gunzip, range);
    return text.len > 0 ? span_of(text.ptr + 1, text.len - 1) : text;
}

void
vcl_set_resp_filters(struct policy_ctx *ctx, struct span text)
{
    ctx->client->resp_filters = vcl_keep(ctx, ctx->arena, text);
}

/* ---- obj ----------------------------------------------------------------------------------------------- */

double
vcl_get_obj_age(struct policy_ctx *ctx)
{
    return nsec_seconds(object_age(ctx->obj, nsec_of(ctx->now)));
}

/* Before vcl_deliver, the ttl at the time of the lookup. */
double
vcl_get_obj_ttl(struct policy_ctx *ctx)
{
    double now = ctx->hook == HOOK_DELIVER ? ctx->now : ctx->client->req_time;
    return nsec_seconds(object_ttl_left(ctx->obj, nsec_of(now)));
}

double
vcl_get_obj_grace(struct policy_ctx *ctx)
{
    return nsec_seconds(ctx->obj->grace);
}

double
vcl_get_obj_keep(struct policy_ctx *ctx)
{
    return nsec_seconds(ctx->obj->keep);
}

double
vcl_get_obj_time(struct policy_ctx *ctx)
{
    return nsec_seconds(ctx->obj->origin_time);
}

int64_t
vcl_get_obj_hits(struct policy_ctx *ctx)
{
    if (ctx->hook == HOOK_DELIVER && ctx->client != NULL && !found_answers(ctx->client->found))
        return 0; /* this request fetched: hits by requests that waited for the same response do not count */
    return object_hits(ctx->obj);
}

int32_t
vcl_get_obj_can_esi(struct policy_ctx *ctx)
{
    return ctx->client->can_esi;
}

int32_t
vcl_get_obj_uncacheable(struct policy_ctx *ctx)
{
    unsigned flags = ctx->obj->flags; /* a purged object left the index, but was shared before */
    return object_is_marker(ctx->obj) || (flags & (OBJECT_PRIVATE | OBJECT_PURGED)) == OBJECT_PRIVATE;
}

struct storage *
vcl_get_obj_storage(struct policy_ctx *ctx)
{
    return object_storage(ctx->obj);
}

int64_t
vcl_get_obj_status(struct policy_ctx *ctx)
{
    return ctx->obj->status;
}

/* Unpacks the stored head on first use, because few policies read it. policy_run drops it after the hook. */
struct http_message *
message_of_object(struct policy_ctx *ctx)
{
    struct http_message *m = ctx->msg[MSG_OBJ];
    if (m != NULL || ctx->obj == NULL || (m = vcl_alloc(ctx, sizeof *m)) == NULL)
        return m;
    if (message_init(m, ctx->arena, object_fields(ctx->obj)) != 0 || object_head_load(ctx->obj, m) != 0) {
        vcl_fail(ctx, "Workspace overflow");
        return NULL;
    }
    ctx->msg[MSG_OBJ] = m;
    return m;
}

struct span
vcl_get_obj_proto(struct policy_ctx *ctx)
{
    const struct http_message *m = message_of_object(ctx);
    return m == NULL ? SPAN_NULL : m->proto;
}

struct span
vcl_get_obj_reason(struct policy_ctx *ctx)
{
    const struct http_message *m = message_of_object(ctx);
    return m == NULL ? SPAN_NULL : m->reason;
}
