/* What a policy finds when vcl_recv runs: the request's variables at their beginning, and the fields a proxy adds or joins. */
#include "base/params.h"
#include "loop/fiber.h"
#include "proxy/client.h"
#include "proxy/request.h"
#include "proxy/respond.h"

static void
forwarded_for(struct request *r)
{
    char ip[ADDRESS_TEXT_BYTES];
    size_t n = address_text(&r->vars.client, ip);
    if (n == 0)
        return;
    (void)message_collect(&r->req, NAME_X_FORWARDED_FOR, SPAN_NULL, SPAN_LIT(", "));
    struct span have = message_get(&r->req, NAME_X_FORWARDED_FOR);
    struct span all = have.len > 0 ? arena_printf(&r->arena, "%.*s, %s", (int)have.len, have.ptr, ip)
                                   : arena_copy(&r->arena, span_of(ip, n));
    if (all.ptr == NULL)
        r->req.failed = 1;
    else
        (void)message_set(&r->req, NAME_X_FORWARDED_FOR, SPAN_NULL, all);
}

static void
fill_vars(struct request *r)
{
    struct client *c = r->client;
    struct client_vars *v = &r->vars;
    client_vars_init(v);
    v->client = c->client;
    v->server = c->server_address;
    v->remote = c->peer;
    v->local = c->local;
    v->listener = c->listen->name;
    v->endpoint = c->listen->endpoint;
    v->transport = SPAN_LIT("HTTP/1");
    v->sess_xid = c->xid;
    v->req_top = &r->req;
    v->request = r;
    v->req_time = nsec_seconds(r->start);
}

void
request_begin(struct request *r)
{
    r->fiber = fiber_current();
    r->start = loop_real(r->loop);
    r->policy = r->server->policy;
    r->xid = server_xid(r->server);
    fill_vars(r);
    r->vars.xid = r->xid;
    r->is_head = span_eq(r->req.method, SPAN_LIT("HEAD"));  /* what the client waits for, whatever the policy makes of it */
    if (r->policy == NULL)
        return;
    policy_ref(r->policy, r->loop);
    policy_ctx_init(&r->ctx, r->policy, r->loop, &r->arena);
    r->ctx.client = &r->vars;
    r->ctx.msg[MSG_REQ] = r->ctx.msg[MSG_REQ_TOP] = &r->req;
    forwarded_for(r);
    (void)message_collect(&r->req, NAME_COOKIE, SPAN_NULL, SPAN_LIT("; "));
}

/* What begins anew with each restart. */
void
request_reset_hints(struct request *r)
{
    struct client_vars *v = &r->vars;
    v->backend_hint = policy_default_director(r->policy);
    v->storage = NULL;
    v->grace_limit = v->ttl_limit = -1;
    v->hash_always_miss = v->hash_ignore_busy = v->hash_ignore_vary = v->is_hitmiss = v->is_hitpass = false;
    v->esi = true;
    v->identity = SPAN_NULL;
    v->cache_req_body_bytes = -1;
    v->key.len = 0;
    v->key.failed = false;
    r->is_pass = false;
}

/* Objects stored for clients that take gzip and for those that don't are two variants; all spellings of Accept-Encoding would
 * be many. */
void
request_wash_accept_encoding(struct request *r)
{
    struct span ae = message_get(&r->req, NAME_ACCEPT_ENCODING);
    if (!params.http_gzip_support || ae.ptr == NULL)
        return;
    if (request_accepts_gzip(&r->req))
        (void)message_set(&r->req, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("gzip"));
    else
        message_unset(&r->req, NAME_ACCEPT_ENCODING, SPAN_NULL);
}
