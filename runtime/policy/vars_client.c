/* Variables of the client side: client, server, local, remote, req, req_top, sess, now, storage. Values that
 * a policy sets are copied into the transaction's memory. The compiler checks which hook may use which
 * variable. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/vars_text.h"
#include "stream/proxy_fields.h"
#include "stream/session.h"

void
client_vars_fill(struct client_vars *v)
{
    v->transport = SPAN_LIT("http/1");
    v->grace_limit = v->ttl_limit = -1;
    v->timeout_idle = v->timeout_linger = v->idle_send_timeout = v->send_timeout = -1;
    v->esi = true;
}

/* ---- addresses and names ------------------------------------------------------------------------------- */

const struct vcl_ip *
ip_of_address(struct policy_ctx *ctx, const struct address *a)
{
    struct vcl_ip *ip = vcl_alloc(ctx, sizeof *ip);
    if (ip == NULL)
        return NULL;
    *ip = (struct vcl_ip){ .family = 4 };
    if (a != NULL && (a->family == 4 || a->family == 6)) {
        ip->family = a->family;
        ip->zone = a->zone;
        ip->port = a->port;
        memcpy(ip->addr, a->addr, sizeof ip->addr);
    }
    return ip;
}

const struct vcl_ip *
vcl_get_client_ip(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return ip_of_address(ctx, c == NULL ? NULL : &c->client);
}

const struct vcl_ip *
vcl_get_server_ip(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return ip_of_address(ctx, c == NULL ? NULL : &c->server);
}

const struct vcl_ip *
vcl_get_remote_ip(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return ip_of_address(ctx, c == NULL ? NULL : &c->remote);
}

const struct vcl_ip *
vcl_get_local_ip(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return ip_of_address(ctx, c == NULL ? NULL : &c->local);
}

struct span
vcl_get_client_identity(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    if (c != NULL && c->identity.ptr != NULL)
        return c->identity;
    return ip_text(ctx, vcl_get_client_ip(ctx));
}

void
vcl_set_client_identity(struct policy_ctx *ctx, struct span text)
{
    ctx->client->identity = vcl_keep(ctx, ctx->arena, text);
}

struct span
vcl_get_local_endpoint(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return c == NULL ? SPAN_NULL : c->endpoint;
}

struct span
vcl_get_local_socket(struct policy_ctx *ctx)
{
    const struct client_vars *c = client_of(ctx);
    return c == NULL ? SPAN_NULL : c->listener;
}

static char this_host[256];
static pthread_once_t this_host_once = PTHREAD_ONCE_INIT;

static void
look_up_this_host(void)
{
    if (gethostname(this_host, sizeof this_host - 1) != 0)
        strcpy(this_host, "localhost");
}

struct span
vcl_get_server_hostname(struct policy_ctx *ctx)
{
    pthread_once(&this_host_once, look_up_this_host);
    struct span given = ctx->policy->env.hostname;
    return given.ptr != NULL ? given : span_str(this_host);
}

struct span
vcl_get_server_identity(struct policy_ctx *ctx)
{
    struct span given = ctx->policy->env.identity;
    return given.ptr != NULL ? given : vcl_get_server_hostname(ctx);
}

int32_t
vcl_get_server_rfc9111(struct policy_ctx *ctx)
{
    return policy_follows_rfc9111(ctx->policy);
}

/* ---- req: the message ---------------------------------------------------------------------------------- */

struct span
vcl_get_req_method(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_REQ]->method;
}

struct span
vcl_get_req_url(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_REQ]->url;
}

struct span
vcl_get_req_proto(struct policy_ctx *ctx)
{
    return ctx->msg[MSG_REQ]->proto;
}

void
vcl_set_req_method(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_REQ], &ctx->msg[MSG_REQ]->method, text, "req.method");
}

void
vcl_set_req_url(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_REQ], &ctx->msg[MSG_REQ]->url, text, "req.url");
}

void
vcl_set_req_proto(struct policy_ctx *ctx, struct span text)
{
    set_line_part(ctx, ctx->msg[MSG_REQ], &ctx->msg[MSG_REQ]->proto, text, "req.proto");
}

static const struct http_message *
top_of(const struct policy_ctx *ctx)
{
    if (ctx->msg[MSG_REQ_TOP] != NULL)
        return ctx->msg[MSG_REQ_TOP];
    return ctx->client->req_top != NULL ? ctx->client->req_top : ctx->msg[MSG_REQ];
}

struct span
vcl_get_req_top_method(struct policy_ctx *ctx)
{
    return top_of(ctx)->method;
}

struct span
vcl_get_req_top_url(struct policy_ctx *ctx)
{
    return top_of(ctx)->url;
}

struct span
vcl_get_req_top_proto(struct policy_ctx *ctx)
{
    return top_of(ctx)->proto;
}

/* Time of the top request of an ESI include; a top request gets its own time. */
double
vcl_get_req_top_time(struct policy_ctx *ctx)
{
    return ctx->client->top_time > 0 ? ctx->client->top_time : ctx->client->req_time;
}

/* ---- req: variables ------------------------------------------------------------------------------------ */

/* The record holds the always-sick placeholder for "no backend"; the policy sees an unset BACKEND. */
struct director *
vcl_get_req_backend_hint(struct policy_ctx *ctx)
{
    struct director *d = ctx->client->backend_hint;
    return d == backend_director(ctx->policy->nothing) ? NULL : d;
}

void
vcl_set_req_backend_hint(struct policy_ctx *ctx, struct director *d)
{
    ctx->client->backend_hint = d != NULL ? d : backend_director(ctx->policy->nothing);
}

int32_t
vcl_get_req_can_gzip(struct policy_ctx *ctx)
{
    return accepts_gzip(message_get(ctx->msg[MSG_REQ], NAME_ACCEPT_ENCODING));
}

int32_t
vcl_get_req_esi(struct policy_ctx *ctx)
{
    return ctx->client->esi;
}

void
vcl_set_req_esi(struct policy_ctx *ctx, int32_t on)
{
    ctx->client->esi = on != 0;
    /* for vcl_deliver, where resp.do_esi is already set; not for includes, as in Varnish */
    if (ctx->client->esi_level == 0)
        ctx->client->resp_do_esi = on != 0;
}

int64_t
vcl_get_req_esi_level(struct policy_ctx *ctx)
{
    return ctx->client->esi_level;
}

double
vcl_get_req_grace(struct policy_ctx *ctx)
{
    return ctx->client->grace_limit;
}

void
vcl_set_req_grace(struct policy_ctx *ctx, double s)
{
    ctx->client->grace_limit = s > 0 ? s : 0;
    ctx->client->grace_limit_site = ctx->site + 1;
}

void
vcl_unset_req_grace(struct policy_ctx *ctx)
{
    ctx->client->grace_limit = -1;
    ctx->client->grace_limit_site = 0;
}

double
vcl_get_req_ttl(struct policy_ctx *ctx)
{
    return ctx->client->ttl_limit;
}

void
vcl_set_req_ttl(struct policy_ctx *ctx, double s)
{
    ctx->client->ttl_limit = s > 0 ? s : 0;
    ctx->client->ttl_limit_site = ctx->site + 1;
}

void
vcl_unset_req_ttl(struct policy_ctx *ctx)
{
    ctx->client->ttl_limit = -1;
    ctx->client->ttl_limit_site = 0;
}

double
vcl_get_req_max_age(struct policy_ctx *ctx)
{
    return vcl_get_req_ttl(ctx);
}

void
vcl_set_req_max_age(struct policy_ctx *ctx, double s)
{
    vcl_set_req_ttl(ctx, s);
}

void
vcl_unset_req_max_age(struct policy_ctx *ctx)
{
    vcl_unset_req_ttl(ctx);
}

const struct vcl_blob *
vcl_get_req_hash(struct policy_ctx *ctx)
{
    return blob_of_key(ctx, &ctx->client->key);
}

int32_t
vcl_get_req_hash_always_miss(struct policy_ctx *ctx)
{
    return ctx->client->hash_always_miss;
}

void
vcl_set_req_hash_always_miss(struct policy_ctx *ctx, int32_t on)
{
    ctx->client->hash_always_miss = on != 0;
    ctx->client->always_miss_site = ctx->site + 1;
}

int32_t
vcl_get_req_hash_ignore_busy(struct policy_ctx *ctx)
{
    return ctx->client->hash_ignore_busy;
}

void
vcl_set_req_hash_ignore_busy(struct policy_ctx *ctx, int32_t on)
{
    ctx->client->hash_ignore_busy = on != 0;
}

int32_t
vcl_get_req_hash_ignore_vary(struct policy_ctx *ctx)
{
    return ctx->client->hash_ignore_vary;
}

void
vcl_set_req_hash_ignore_vary(struct policy_ctx *ctx, int32_t on)
{
    ctx->client->hash_ignore_vary = on != 0;
}

int32_t
vcl_get_req_is_hitmiss(struct policy_ctx *ctx)
{
    return ctx->client->found == FOUND_HIT_FOR_MISS;
}

int32_t
vcl_get_req_is_hitpass(struct policy_ctx *ctx)
{
    return ctx->client->found == FOUND_HIT_FOR_PASS;
}

int64_t
vcl_get_req_restarts(struct policy_ctx *ctx)
{
    return ctx->client->restarts;
}

struct span
vcl_get_req_scheme(struct policy_ctx *ctx)
{
    const struct client_vars *v = ctx->client;
    bool ours = v->session != NULL && session_tls(v->session) != NULL;
    return ours || proxy_field_tls_bit(v->proxy_fields, PROXY_TLS_CONNECTED) ? SPAN_LIT("https")
                                                                             : SPAN_LIT("http");
}

struct storage *
vcl_get_req_storage(struct policy_ctx *ctx)
{
    return ctx->client->storage;
}

void
vcl_set_req_storage(struct policy_ctx *ctx, struct storage *st)
{
    ctx->client->storage = st;
}

double
vcl_get_req_time(struct policy_ctx *ctx)
{
    return ctx->client->req_time;
}

struct span
vcl_get_req_transport(struct policy_ctx *ctx)
{
    return ctx->client->transport;
}

struct span
vcl_get_req_connect_protocol(struct policy_ctx *ctx)
{
    return ctx->client->connect_protocol;
}

struct span
vcl_get_req_xid(struct policy_ctx *ctx)
{
    return vcl_printf(ctx, "%llu", (unsigned long long)ctx->client->xid);
}

double
vcl_get_now(struct policy_ctx *ctx)
{
    return ctx->now;
}

/* ---- sess ---------------------------------------------------------------------------------------------- */

static double
or_parameter(double value, double parameter)
{
    return value >= 0 ? value : parameter;
}

double
vcl_get_sess_timeout_idle(struct policy_ctx *ctx)
{
    return or_parameter(ctx->client->timeout_idle, params.timeout_idle_s);
}

void
vcl_set_sess_timeout_idle(struct policy_ctx *ctx, double s)
{
    ctx->client->timeout_idle = s > 0 ? s : 0;
}

void
vcl_unset_sess_timeout_idle(struct policy_ctx *ctx)
{
    ctx->client->timeout_idle = -1;
}

double
vcl_get_sess_timeout_linger(struct policy_ctx *ctx)
{
    return or_parameter(ctx->client->timeout_linger, params.timeout_linger_s);
}

void
vcl_set_sess_timeout_linger(struct policy_ctx *ctx, double s)
{
    ctx->client->timeout_linger = s > 0 ? s : 0;
}

void
vcl_unset_sess_timeout_linger(struct policy_ctx *ctx)
{
    ctx->client->timeout_linger = -1;
}

double
vcl_get_sess_idle_send_timeout(struct policy_ctx *ctx)
{
    return or_parameter(ctx->client->idle_send_timeout, params.idle_send_timeout_s);
}

void
vcl_set_sess_idle_send_timeout(struct policy_ctx *ctx, double s)
{
    ctx->client->idle_send_timeout = s > 0 ? s : 0;
}

void
vcl_unset_sess_idle_send_timeout(struct policy_ctx *ctx)
{
    ctx->client->idle_send_timeout = -1;
}

double
vcl_get_sess_send_timeout(struct policy_ctx *ctx)
{
    return or_parameter(ctx->client->send_timeout, params.send_timeout_s);
}

void
vcl_set_sess_send_timeout(struct policy_ctx *ctx, double s)
{
    ctx->client->send_timeout = s > 0 ? s : 0;
}

void
vcl_unset_sess_send_timeout(struct policy_ctx *ctx)
{
    ctx->client->send_timeout = -1;
}

struct span
vcl_get_sess_xid(struct policy_ctx *ctx)
{
    uint64_t xid = ctx->client != NULL ? ctx->client->sess_xid : ctx->fetch->sess_xid;
    return vcl_printf(ctx, "%llu", (unsigned long long)xid);
}

/* ---- storage ------------------------------------------------------------------------------------------- */

int64_t
vcl_get_storage_used_space(struct policy_ctx *ctx, struct storage *st)
{
    return st == NULL ? 0 : (int64_t)storage_used(st);
}

int64_t
vcl_get_storage_free_space(struct policy_ctx *ctx, struct storage *st)
{
    if (st == NULL)
        return 0;
    /* for example Transient without a size */
    if (st->backing != NULL || st->limit_bytes == 0 || st->limit_bytes > INT64_MAX)
        return VCL_INT_MAX;
    int64_t used = vcl_get_storage_used_space(ctx, st);
    return (int64_t)st->limit_bytes > used ? (int64_t)st->limit_bytes - used : 0;
}

int32_t
vcl_get_storage_happy(struct policy_ctx *ctx, struct storage *st)
{
    return st != NULL;
}
