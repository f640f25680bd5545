/* A client request as a walk through steps: recv, hash, lookup, hit, miss, pass, deliver, synth, purge, pipe.
 * Each step calls at most one hook and returns the next step. The VCL manual lists the actions that a hook
 * may return. Runs on a fiber of the client's loop, so waiting for another fetch or for the origin is a plain
 * call. */
#include "proxy/request.h"

#include "base/check.h"
#include "base/params.h"
#include "cache/invalidation.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "proxy/bereq.h"
#include "proxy/esi/packed.h"
#include "proxy/fetch.h"
#include "proxy/pipe.h"
#include "proxy/request_body.h"
#include "proxy/parts/hole.h"
#include "proxy/reason/reason.h"
#include "proxy/request_log.h"
#include "proxy/request_prepare.h"
#include "proxy/request_steps.h"
#include "proxy/respond/acme.h"
#include "proxy/respond/ready_head.h"
#include "proxy/respond/respond.h"
#include "proxy/respond/why.h"
#include "proxy/server.h"

enum vcl_action
request_hook(struct request *r, enum vcl_hook hook)
{
    DEBUG_CHECK(r->fiber == fiber_current());
    CHECK(r->policy != NULL && r->fiber != NULL);
    r->ctx.now = nsec_seconds(loop_real(r->loop));
    r->ctx.obj = hook == HOOK_HIT || hook == HOOK_DELIVER ? r->object : NULL;
    enum vcl_action action = policy_run(&r->ctx, hook);
    if (r->why != NULL)
        why_note(r, hook, action);
    return action;
}

enum request_step
request_synth(struct request *r, unsigned status, struct span reason)
{
    DEBUG_CHECK(request_holds_nothing(r));
    r->ctx.ret.status = status;
    r->ctx.ret.text = reason;
    return REQUEST_STEP_SYNTH;
}

static enum request_step
exit_step(enum vcl_action action)
{
    switch (action) {
    case ACTION_SYNTH: return REQUEST_STEP_SYNTH;
    case ACTION_RESTART: return REQUEST_STEP_RESTART;
    default: return REQUEST_STEP_FAIL;
    }
}

enum request_step
request_exit_step(struct request *r, enum vcl_action action)
{
    reason_of_action(r, action);
    return exit_step(action);
}

static enum request_step
finish_send(struct request *r, int sent)
{
    CHECK(r->busy == NULL && r->stale == NULL);
    if (sent == DELIVERY_PENDING)
        return REQUEST_STEP_HANDED;
    return REQUEST_STEP_DONE;
}

/* ---- recv and hash ---- */

static enum request_step
after_recv(enum vcl_action action)
{
    switch (action) {
    case ACTION_HASH: return REQUEST_STEP_LOOKUP;
    case ACTION_PASS: return REQUEST_STEP_PASS;
    case ACTION_PIPE: return REQUEST_STEP_PIPE;
    case ACTION_PURGE: return REQUEST_STEP_PURGE;
    default: return exit_step(action);
    }
}

static nsec
body_deadline(const struct request *r)
{
    return nsec_add(loop_now(r->loop), nsec_of(params.timeout_idle_s));
}

/* For a pipe the origin sees Expect and answers it. */
static bool
wants_body_now(const struct request *r, enum vcl_action action)
{
    return action != ACTION_SYNTH && action != ACTION_PIPE && !r->vars.late_100_continue;
}

/* An origin of HTTP/1.1 would take CONNECT for a request to a proxy. */
static bool
needs_pipe(const struct request *r, enum vcl_action action)
{
    return r->stream->connect_protocol.len > 0 && (action == ACTION_HASH || action == ACTION_PASS);
}

enum vcl_action
request_recv(struct request *r)
{
    request_prepare(r);
    enum vcl_action action = request_hook(r, HOOK_RECV);
    if (action != ACTION_VCL || !request_switch_policy(r))
        return action;
    request_prepare(r);
    action = request_hook(r, HOOK_RECV);
    if (action == ACTION_VCL)
        (void)request_switch_policy(r); /* logs that a second switch is not allowed */
    return action;
}

bool
request_hash(struct request *r, enum vcl_action action)
{
    DEBUG_CHECK(r->vars.key.len == 0 && !r->vars.key.failed);
    if (action != ACTION_PASS && action != ACTION_PIPE)
        request_normalise_accept_encoding(r);
    struct policy_return ret = r->ctx.ret;
    bool hashed = request_hook(r, HOOK_HASH) == ACTION_LOOKUP && !r->vars.key.failed;
    r->ctx.ret = ret;
    return hashed;
}

static enum request_step
step_recv(struct request *r)
{
    CHECK(request_holds_nothing(r));
    request_log_head(r);
    if (acme_is_challenge(r))
        return finish_send(r, acme_send(r));
    enum vcl_action action = request_recv(r);
    if (action == ACTION_VCL)
        return request_synth(r, 503, SPAN_NULL);
    if (action != ACTION_HASH)
        reason_of_action(r, action); /* before vcl_hash, which has places of its own */
    if (action == ACTION_FAIL)
        return REQUEST_STEP_FAIL;
    if (needs_pipe(r, action)) {
        log_text(r->ctx.log, TAG_VCL_ERROR, SPAN_LIT("only return (pipe) can serve an extended CONNECT"));
        return request_synth(r, 501, SPAN_NULL);
    }
    if (r->body.failed) { /* the client may still be sending, and might never read a response */
        stream_close_after(r->stream, SC_RX_BODY);
        return REQUEST_STEP_DONE;
    }
    if (wants_body_now(r, action) &&
        r->stream->ops->send_interim(r->stream, 100, NULL, body_deadline(r)) != 0)
        return REQUEST_STEP_DONE;
    if (request_hash(r, action))
        return after_recv(action);
    reason_of_action(r, ACTION_FAIL);
    return REQUEST_STEP_FAIL;
}

/* ---- answers ---- */

static enum request_step
step_deliver(struct request *r)
{
    CHECK(r->object != NULL && r->busy == NULL && r->stale == NULL);
    if (respond_prepare_object(r) != 0) {
        object_release(&r->object); /* vcl_synth may restart and look up another object */
        return request_synth(r, 500, SPAN_NULL);
    }
    enum vcl_action action = request_hook(r, HOOK_DELIVER);
    request_log_stamp(r, "Process");
    /* A head that did not fit is answered by 500, even if parts of it fitted */
    if (action == ACTION_DELIVER) {
        request_body_drain(r, params.unread_body_wait_s);
        packed_wait(r);
        return finish_send(r, respond_send_object(r));
    }
    object_release(&r->object);
    return request_exit_step(r, action);
}

/* If the client still waits for 100 Continue, close the connection instead, unless the policy removed
 * `Connection: close`. */
static void
drain_after_synth(struct request *r)
{
    struct stream *s = r->stream;
    if (list_has_token(message_get(&r->resp, NAME_CONNECTION), SPAN_LIT("close")))
        stream_close_after(s, SC_RESP_CLOSE);
    bool invited = s->continue_due && s->close == SC_NONE;
    if (invited)
        (void)s->ops->send_interim(s, 100, NULL, body_deadline(r));
    request_body_drain(r, invited ? params.timeout_idle_s : params.unread_body_wait_s);
}

static enum request_step
step_synth(struct request *r)
{
    CHECK(request_holds_nothing(r));
    r->server->counters->s_synth++;
    if (respond_prepare_synth(r, r->ctx.ret.status, r->ctx.ret.text) != 0)
        return finish_send(r, respond_send_bare(r, 500));
    enum vcl_action action = request_hook(r, HOOK_SYNTH);
    request_log_stamp(r, "Process");
    if (action == ACTION_RESTART && r->vars.restarts > params.max_restarts)
        action = ACTION_DELIVER; /* this synthetic response reports the excess of restarts */
    if (action != ACTION_DELIVER)
        reason_of_action(r, action);
    switch (action) {
    case ACTION_DELIVER:
        drain_after_synth(r);
        return finish_send(r, r->resp.failed ? respond_send_bare(r, 500) : respond_send_synth(r));
    case ACTION_RESTART: return REQUEST_STEP_RESTART;
    default: return finish_send(r, respond_send_bare(r, 500));
    }
}

enum request_step
request_answer_here(struct request *r)
{
    CHECK(request_holds_nothing(r));
    request_body_drain(r, params.unread_body_wait_s);
    return finish_send(r, respond_send_received(r));
}

/* A client-side hook failed: answer 503 and close the connection. Forget the memory overflow, because only
 * that hook saw it. */
static enum request_step
step_fail(struct request *r)
{
    CHECK(request_holds_nothing(r));
    request_forget_overflow(r);
    r->stream->close = SC_VCL_FAILURE;
    return request_synth(r, 503, SPAN_LIT("VCL failed"));
}

static enum request_step
step_purge(struct request *r)
{
    CHECK(request_holds_nothing(r));
    if (store_is_retired(r->server->env->store)) {
        log_text(r->ctx.log, TAG_VCL_ERROR, SPAN_LIT("purge: " STORE_RETIRED_TEXT));
        return request_synth(r, 503, SPAN_NULL);
    }
    struct invalidated done = { 0 };
    store_purge(r->server->env->store, &r->vars.key, 0, &done);
    r->server->counters->n_purges++;
    r->server->counters->n_obj_purged += done.objects;
    r->vars.hash_always_miss = true; /* as in Varnish; a restart clears it */
    enum vcl_action action = request_hook(r, HOOK_PURGE);
    return action == ACTION_SYNTH ? REQUEST_STEP_SYNTH : request_exit_step(r, action);
}

static enum request_step
step_restart(struct request *r)
{
    CHECK(request_holds_nothing(r) && r->stream->taken == 0);
    if (++r->vars.restarts > params.max_restarts) {
        log_text(r->ctx.log, TAG_VCL_ERROR, SPAN_LIT("Too many restarts"));
        return request_synth(r, 503, SPAN_NULL);
    }
    r->server->counters->req_restarts++;
    request_log_restart(r);
    r->vars.xid = r->xid;
    r->vars.synth_body = SPAN_NULL;
    return REQUEST_STEP_RECV;
}

/* ---- pipe ---- */

/* Ends the preparation of a pipe: the policy chose another action, or the pipe is impossible. */
static enum request_step
leave_pipe(struct request *r, enum request_step then)
{
    CHECK(r->route != ROUTE_PIPE && then != REQUEST_STEP_HANDED);
    r->ctx.fetch = NULL;
    pipe_log_end(r);
    return then;
}

/* No tunnel has begun, so the client still gets a response. Bytes behind its head may belong to the other
 * protocol: do not read them as a request. */
static enum request_step
pipe_failed(struct request *r)
{
    stream_close_after(r->stream, SC_TX_ERROR);
    (void)request_synth(r, 503, SPAN_LIT("Backend connection failed"));
    return leave_pipe(r, REQUEST_STEP_SYNTH);
}

static enum request_step
step_pipe(struct request *r)
{
    struct exchange *x = NULL;
    struct http_message bereq;
    CHECK(request_holds_nothing(r));
    r->server->counters->s_pipe++;
    if (bereq_forwards_left(&r->req) == 0)
        return request_answer_here(r);
    if ((r->body.started || r->body.ahead_bytes > 0) && r->body.cached.ptr == NULL)
        return request_synth(r, 503, SPAN_LIT("Request body is gone"));
    if (r->page != NULL) {
        log_text(r->ctx.log, TAG_VCL_ERROR,
                 SPAN_LIT("vcl_recv{} returns pipe for ESI included object.  Doing pass."));
        return REQUEST_STEP_PASS;
    }
    if (!r->stream->can_tunnel) { /* as Varnish does on HTTP/2 */
        log_text(r->ctx.log, TAG_VCL_ERROR,
                 SPAN_LIT("vcl_recv{} returned pipe on a stream that cannot be one: pass"));
        return REQUEST_STEP_PASS;
    }
    if (!fetch_may_wait(r))
        return request_synth(r, 503, SPAN_LIT("Too many requests wait"));
    if (pipe_prepare(r, &bereq) != 0)
        return leave_pipe(r, REQUEST_STEP_FAIL);
    enum vcl_action action = request_hook(r, HOOK_PIPE);
    r->ctx.msg[MSG_BEREQ] = NULL;
    if (action != ACTION_PIPE || bereq.failed)
        return leave_pipe(r, action == ACTION_PIPE ? REQUEST_STEP_FAIL : request_exit_step(r, action));
    if (!pipe_allowed()) {
        r->server->counters->pipe_limited++;
        return leave_pipe(r, REQUEST_STEP_FAIL);
    }
    if (pipe_connect(r, &bereq, &x) != 0)
        return pipe_failed(r);
    r->route = ROUTE_PIPE;
    request_log_stamp(r, "Process");
    why_log(r);
    pipe_start(r, &x);
    return REQUEST_STEP_HANDED;
}

/* The client has left or has reset the stream, and no further hook shall run. */
static bool
is_gone(const struct request *r)
{
    return r->stream->broken && (params.features & FEATURE_VCL_REQ_RESET) != 0;
}

static enum request_step
step_gone(struct request *r)
{
    CHECK(r->stream->broken);
    r->server->counters->requests_reset++;
    request_log_stamp(r, "Reset");
    return REQUEST_STEP_DONE;
}

/* ---- the walk ---- */

/* Each assertion holds between any two steps. */
static void
check_between(const struct request *r)
{
    DEBUG_CHECK(loop_may_use(r->loop) && r->fiber == fiber_current());
    DEBUG_CHECK(r->stream->user == &r->user && r->stream->waiter == NULL);
    DEBUG_CHECK(r->fetching == NULL && r->watch.object == NULL);
    DEBUG_CHECK(r->policy != NULL && r->route != ROUTE_PIPE);
    DEBUG_CHECK(r->stale == NULL || (r->busy != NULL && r->stale != r->busy));
    DEBUG_CHECK(r->synth_bytes == 0 && r->work == WORK_NONE);
    DEBUG_CHECK(r->body.cached.ptr == NULL || r->body.cached.len <= r->body.cache_bytes);
    DEBUG_CHECK(r->body.ahead_bytes <= r->body.cache_bytes);
}

static enum request_step
take_step(struct request *r, enum request_step s)
{
    switch (s) {
    case REQUEST_STEP_RECV: return step_recv(r);
    case REQUEST_STEP_LOOKUP: return request_step_lookup(r);
    case REQUEST_STEP_HIT: return request_step_hit(r);
    case REQUEST_STEP_MISS: return request_step_miss(r);
    case REQUEST_STEP_PASS: return request_step_pass(r);
    case REQUEST_STEP_DELIVER: return step_deliver(r);
    case REQUEST_STEP_SYNTH: return step_synth(r);
    case REQUEST_STEP_PURGE: return step_purge(r);
    case REQUEST_STEP_PIPE: return step_pipe(r);
    case REQUEST_STEP_RESTART: return step_restart(r);
    case REQUEST_STEP_FAIL: return step_fail(r);
    case REQUEST_STEP_GONE: return step_gone(r);
    case REQUEST_STEP_DONE:
    case REQUEST_STEP_HANDED: break;
    }
    WRONG("step");
}

void
request_tell(const struct check_place *place, struct check_report *out)
{
    static const char *const names[] = {
        [REQUEST_STEP_RECV] = "recv",   [REQUEST_STEP_LOOKUP] = "lookup",
        [REQUEST_STEP_HIT] = "hit",     [REQUEST_STEP_MISS] = "miss",
        [REQUEST_STEP_PASS] = "pass",   [REQUEST_STEP_DELIVER] = "deliver",
        [REQUEST_STEP_SYNTH] = "synth", [REQUEST_STEP_PURGE] = "purge",
        [REQUEST_STEP_PIPE] = "pipe",   [REQUEST_STEP_RESTART] = "restart",
        [REQUEST_STEP_FAIL] = "fail",   [REQUEST_STEP_GONE] = "gone",
    };
    const struct request *r = container_of(place, struct request, place);
    *out = (struct check_report){ .task = "request",
                                  .xid = r->xid,
                                  .step = r->step < REQUEST_STEP_DONE ? names[r->step] : NULL };
    policy_tell(&r->ctx, r->policy, out);
}

enum request_end
request_run(struct request *r)
{
    CHECK(r->fiber != NULL && r->log.id != 0 && r->stream->waiter == NULL);
    if (r->policy == NULL) {
        stream_close_after(r->stream, SC_OVERLOAD);
        return respond_send_bare(r, 503) == DELIVERY_PENDING ? REQUEST_HANDED : REQUEST_DONE;
    }
    enum request_step s = r->req.failed ? REQUEST_STEP_FAIL : REQUEST_STEP_RECV;
    while (s != REQUEST_STEP_DONE && s != REQUEST_STEP_HANDED) {
        check_between(r);
        r->step = is_gone(r) ? REQUEST_STEP_GONE : s;
        s = take_step(r, (enum request_step)r->step);
    }
    return s == REQUEST_STEP_HANDED ? REQUEST_HANDED : REQUEST_DONE;
}

void
request_release(struct request *r)
{
    object_release(&r->object);
    object_release(&r->stale);
    if (r->synth_bytes > 0)
        store_give(store_transient(r->server->env->store), USE_BODIES, r->synth_bytes);
    r->synth_bytes = 0;
    request_withdraw_busy(r);
    interim_release(r);
    hole_leave(&r->hole);
    CHECK(r->fetching == NULL);
    request_leave_policy(r);
    request_body_release(r);
    ready_head_release(&r->ready);
}
