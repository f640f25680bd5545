/* The state that a policy finds in vcl_recv: initial values of the request variables, and the fields that a
 * proxy adds or joins. */
#include "proxy/request_prepare.h"

#include "base/params.h"
#include "proxy/coding/coding.h"
#include "proxy/request_body.h"
#include "proxy/request_log.h"
#include "proxy/respond/respond.h"
#include "proxy/respond/why.h"
#include "proxy/server.h"
#include "http/fields.h"
#include "stream/session.h"

static void
join(struct http_message *m, name_id id, struct span separator)
{
    if (!message_lacks(m, id))
        (void)message_collect(m, id, SPAN_NULL, separator);
}

static void
forwarded_for(struct request *r)
{
    struct span ip = request_client_text(r);
    if (ip.ptr == NULL) {
        r->req.failed = 1;
        return;
    }
    if (ip.len == 0)
        return;
    if (message_lacks(&r->req, NAME_X_FORWARDED_FOR)) {
        (void)message_add_line(&r->req, NAME_X_FORWARDED_FOR, sizeof "X-Forwarded-For" - 1, r->client_line);
        return;
    }
    join(&r->req, NAME_X_FORWARDED_FOR, SPAN_LIT(", "));
    struct span have = message_get(&r->req, NAME_X_FORWARDED_FOR), all = ip;
    if (have.len > 0)
        all = arena_printf(&r->arena, "%.*s, %.*s", (int)have.len, have.ptr, (int)ip.len, ip.ptr);
    if (all.ptr == NULL)
        r->req.failed = 1;
    else
        (void)message_set_sound(&r->req, NAME_X_FORWARDED_FOR, SPAN_NULL, all);
}

static void
add_proxy_fields(struct request *r)
{
    forwarded_for(r);
    join(&r->req, NAME_CACHE_CONTROL, SPAN_LIT(", "));
    join(&r->req, NAME_COOKIE, SPAN_LIT("; "));
}

void
request_forget_overflow(struct request *r)
{
    r->server->counters->ws_client_overflow += r->arena.overflowed;
    r->arena.overflowed = false;
}

/* std.rollback: restores the request as the client sent it, without our addition to X-Forwarded-For, as in
 * Varnish. In vcl_deliver and vcl_synth, makes the response head again. */
static void
roll_back(struct client_vars *v)
{
    struct request *r = request_of_vars(v);
    request_forget_overflow(r);
    if (r->vars.req_original == NULL || message_copy(&r->req, r->vars.req_original) != 0)
        return;
    if (r->ctx.hook == HOOK_DELIVER)
        r->resp.failed |= respond_prepare_object(r) != 0;
    else if (r->ctx.hook == HOOK_SYNTH)
        r->resp.failed |= respond_prepare_synth(r, r->resp.status, r->resp.reason) != 0;
}

static const struct client_ops client_ops = { .keep_content = request_body_keep, .roll_back = roll_back };

static void
fill_vars(struct request *r)
{
    struct session *s = r->stream->session;
    struct client_vars *v = &r->vars;
    client_vars_fill(v);
    v->client = *session_client(s);
    v->server = *session_server(s);
    v->remote = s->peer;
    v->peer_uid = s->peer_uid == UINT32_MAX ? -1 : (int64_t)s->peer_uid;
    v->peer_gid = s->peer_gid == UINT32_MAX ? -1 : (int64_t)s->peer_gid;
    v->local = s->local;
    v->listener = s->listen->name;
    v->endpoint = s->listen->endpoint;
    v->proxy_fields = s->proxy_info != NULL ? s->proxy_info->fields : SPAN_NULL;
    v->transport = r->stream->transport;
    v->connect_protocol = r->stream->connect_protocol;
    v->sess_xid = session_xid(s);
    v->req_top = &request_top(r)->req;
    if (r->page != NULL) {
        v->esi_level = r->page->vars.esi_level + 1;
        v->top_time = request_top(r)->vars.req_time;
    }
    v->ops = &client_ops;
    v->session = s;
    v->req_time = nsec_seconds(r->start);
    v->xid = r->xid;
    v->timeout_idle = s->timeouts.idle;
    v->timeout_linger = s->timeouts.linger;
    v->idle_send_timeout = s->timeouts.idle_send;
    v->send_timeout = s->timeouts.send;
}

/* Called only for policies that can roll back or switch, as it copies all fields. Without memory there is no
 * copy, and the request stays as it is. */
static void
keep_original(struct request *r)
{
    DEBUG_CHECK(r->vars.req_original == NULL);
    struct http_message *original = arena_zalloc(&r->arena, sizeof *original);
    if (original != NULL && message_init(original, &r->arena, r->req.n_fields) == 0 &&
        message_copy(original, &r->req) == 0)
        r->vars.req_original = original;
}

/* All includes of a page begin with the first policy of the client's request. */
static struct policy *
first_policy(struct request *r)
{
    struct request *top = request_top(r);
    if (top == r)
        return r->server->policy;
    return top->first_policy != NULL ? top->first_policy : top->policy;
}

void
request_enter_policy(struct request *r)
{
    DEBUG_CHECK(r->policy == NULL && r->first_policy == NULL && r->vars.restarts == 0);
    r->start = r->page != NULL ? r->page->start : loop_real(r->loop);
    r->policy = first_policy(r);
    r->rfc9111 = policy_follows_rfc9111(r->policy);
    message_mark_named(&r->req);
    /* Decides whether the client expects content, whatever the policy makes of the method */
    r->is_head = span_eq(r->req.method, SPAN_LIT("HEAD"));
    fill_vars(r); /* also without a policy: the 503 needs the timeouts */
    if (r->policy == NULL)
        return;
    policy_ref(r->policy, r->loop);
    r->switched = false;
    policy_ctx_fill(&r->ctx, r->policy, r->loop, &r->arena);
    r->ctx.client = &r->vars;
    r->ctx.log = &r->log;
    r->ctx.msg[MSG_REQ] = &r->req;
    r->ctx.msg[MSG_REQ_TOP] = r->vars.req_top;
    log_text(&r->log, TAG_VCL_USE, policy_name(r->policy));
    r->req.log = &r->log;
    r->req.log_family = TAG_REQ;
    message_unset(&r->req, NAME_EXPECT, SPAN_NULL); /* this proxy answers it */
    why_begin(r);
    if (policy_keeps_original(r->policy))
        keep_original(r);
}

bool
request_switch_policy(struct request *r)
{
    DEBUG_CHECK(r->first_policy == NULL || r->switched);
    struct span label = r->ctx.ret.text;
    const char *why = r->vars.restarts > 0 ? "Not after restarts"
                    : r->switched          ? "Only from active VCL"
                                           : NULL;
    struct policy *to = server_labelled(r->server, label), *from = r->policy;
    if (why == NULL && to == NULL)
        why = "No such label";
    if (why != NULL) {
        log_printf(r->ctx.log, TAG_VCL_ERROR, "Illegal return(vcl): %s", why);
        return false;
    }
    log_printf(r->ctx.log, TAG_VCL_USE, "%.*s via %.*s", (int)policy_name(to).len, policy_name(to).ptr,
               (int)label.len, label.ptr);
    policy_ref(to, r->loop);
    if (policy_pages_possible())
        r->first_policy = from; /* keeps its count: includes begin with it */
    else
        policy_unref(from, r->loop); /* the code below does not use its image */
    r->policy = to;
    r->switched = true;
    r->rfc9111 = policy_follows_rfc9111(to);
    r->ctx.policy = to;
    r->vars.grace_limit_site = r->vars.ttl_limit_site = r->vars.always_miss_site = 0;
    r->vars.synth_body = SPAN_NULL;
    r->vars.tasks = NULL; /* modules may hold objects of the old policy */
    table_pin_release(&r->vars.tables);
    if (r->vars.req_original != NULL) {
        (void)message_copy(&r->req, r->vars.req_original);
        add_proxy_fields(r);
    }
    return true;
}

/* A restart keeps the hints that the policy set, as in Varnish. A switch to a labelled policy resets them. */
static void
reset_hints(struct request *r)
{
    struct client_vars *v = &r->vars;
    v->backend_hint = policy_default_director(r->policy);
    v->storage = NULL;
    v->grace_limit = v->ttl_limit = -1;
    v->hash_always_miss = v->hash_ignore_busy = v->hash_ignore_vary = false;
    v->esi = true;
    v->identity = SPAN_NULL;
}

void
request_prepare(struct request *r)
{
    DEBUG_CHECK(r->policy != NULL && r->object == NULL && r->busy == NULL);
    struct client_vars *v = &r->vars;
    if (v->restarts == 0) {
        if (!r->switched)
            add_proxy_fields(r);
        reset_hints(r);
    }
    v->key.len = 0;
    v->key.failed = false;
    v->found = FOUND_NOTHING;
    r->route = ROUTE_CACHE;
}

/* Stored responses vary on Accept-Encoding. Without normalisation, each spelling of it would be a variant of
 * its own. */
void
request_normalise_accept_encoding(struct request *r)
{
    struct span ae = message_get(&r->req, NAME_ACCEPT_ENCODING);
    if (!params.http_gzip_support || ae.ptr == NULL)
        return;
    struct span normalised = coding_normalise(ae);
    if (normalised.ptr == NULL)
        message_unset(&r->req, NAME_ACCEPT_ENCODING, SPAN_NULL);
    else if (!span_eq(ae, normalised))
        (void)message_set(&r->req, NAME_ACCEPT_ENCODING, SPAN_NULL, normalised);
}
