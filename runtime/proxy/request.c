/* A client request as a walk through steps: recv, hash, lookup, hit, miss, pass, fetch, deliver, synth, purge, pipe. Each step
 * calls at most one hook and returns the next step; what the hook may return is what the VCL manual allows there. Runs on a
 * fiber of the client's loop, so waiting (for another's fetch, for the origin) is a plain call. */
#include "proxy/request.h"

#include "base/check.h"
#include "base/params.h"
#include "cache/freshness.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "proxy/client.h"
#include "proxy/fetch.h"
#include "proxy/pipe.h"
#include "proxy/request_log.h"
#include "proxy/respond.h"

enum step {
    STEP_RECV, STEP_LOOKUP, STEP_HIT, STEP_MISS, STEP_PASS, STEP_DELIVER, STEP_SYNTH, STEP_PURGE, STEP_PIPE, STEP_RESTART,
    STEP_FAIL, STEP_DONE, STEP_HANDED
};

static enum vcl_action
run_hook(struct request *r, enum vcl_hook hook)
{
    r->ctx.now = nsec_seconds(loop_real(r->loop));
    r->ctx.obj = hook == HOOK_HIT || hook == HOOK_DELIVER ? r->object : NULL;
    return policy_run(&r->ctx, hook);
}

static enum step
synth(struct request *r, unsigned status, struct span reason)
{
    r->ctx.ret.status = status;
    r->ctx.ret.text = reason;
    return STEP_SYNTH;
}

/* What a hook returned instead of going on, where the manual allows synth and restart: all else is a failure. */
static enum step
instead(enum vcl_action action)
{
    switch (action) {
    case ACTION_SYNTH:
        return STEP_SYNTH;
    case ACTION_RESTART:
        return STEP_RESTART;
    default:
        return STEP_FAIL;
    }
}

/* ---- recv and hash ---- */

static enum step
after_recv(enum vcl_action action)
{
    switch (action) {
    case ACTION_HASH:
        return STEP_LOOKUP;
    case ACTION_PASS:
        return STEP_PASS;
    case ACTION_PIPE:
        return STEP_PIPE;
    case ACTION_PURGE:
        return STEP_PURGE;
    default:
        return instead(action);
    }
}

static nsec
body_deadline(const struct request *r)
{
    return nsec_add(loop_now(r->loop), nsec_of(params.timeout_idle_s));
}

/* A pipe hands the expectation on. */
static bool
wants_body_now(const struct request *r, enum vcl_action action)
{
    return action != ACTION_SYNTH && action != ACTION_PIPE && !r->vars.late_100_continue;
}

static enum step
step_recv(struct request *r)
{
    request_log_head(r);
    request_prepare(r);
    enum vcl_action action = run_hook(r, HOOK_RECV);
    if (action == ACTION_VCL) {
        if (!request_switch_policy(r))
            return synth(r, 503, SPAN_NULL);
        request_prepare(r);
        action = run_hook(r, HOOK_RECV);
        if (action == ACTION_VCL && !request_switch_policy(r))
            return synth(r, 503, SPAN_NULL);
    }
    if (action == ACTION_FAIL)
        return STEP_FAIL;
    if (r->body.failed) {               /* the client may still be sending: an answer might never be read */
        stream_close_after(&r->h1.stream, SC_RX_BODY);
        return STEP_DONE;
    }
    if (wants_body_now(r, action) && r->h1.stream.ops->send_continue(&r->h1.stream, body_deadline(r)) != 0)
        return STEP_DONE;
    if (action != ACTION_PASS && action != ACTION_PIPE)
        request_wash_accept_encoding(r);
    struct policy_return ret = r->ctx.ret;
    if (run_hook(r, HOOK_HASH) != ACTION_LOOKUP || r->vars.key.failed)
        return STEP_FAIL;
    r->ctx.ret = ret;
    return after_recv(action);
}

/* ---- lookup ---- */

static void
waiter_called(struct store_waiter *w)
{
    struct request *r = container_of(w, struct request, waiter);
    r->woken = true;
    fiber_wake(r->fiber);
}

/* Waits for another request's fetch. False: busy_wait_timeout is over. */
static bool
wait_for_busy(struct request *r)
{
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.busy_wait_timeout_s));
    r->server->counters->busy_sleep++;
    while (!r->woken)
        if (fiber_park_until(deadline) == ERR_TIMEOUT && !r->woken) {
            store_unwait(r->server->env->store, &r->waiter);
            r->server->counters->busy_killed++;
            return false;
        }
    r->server->counters->busy_wakeup++;
    return true;
}

static nsec
limit_of(double s)
{
    return s < 0 ? -1 : nsec_of(s);
}

/* What was fresh when the request came is fresh for it, however long it took to get here: also what another has fetched
 * meanwhile. */
static enum lookup_result
look_up(struct request *r, struct lookup *l)
{
    bool patient = true, waited = false;
    for (;;) {
        r->waiter.loop = r->loop;
        r->waiter.fn = waiter_called;
        r->woken = false;
        *l = (struct lookup){
            .key = &r->vars.key, .request = &r->req, .now = r->start,
            .grace_limit = limit_of(r->vars.grace_limit), .ttl_limit = limit_of(r->vars.ttl_limit),
            .always_miss = r->vars.hash_always_miss, .ignore_busy = r->vars.hash_ignore_busy || !patient,
            .ignore_vary = r->vars.hash_ignore_vary, .waiter = patient ? &r->waiter : NULL,
            .log = r->ctx.log,
        };
        enum lookup_result found = store_lookup(r->server->env->store, l);
        if (found != LOOKUP_WAIT) {
            if (waited)
                request_log_stamp(r, "Waitinglist");
            return found;
        }
        waited = true;
        patient = wait_for_busy(r);
    }
}

static enum step
step_lookup(struct request *r)
{
    struct counters *n = r->server->counters;
    struct lookup l;
    enum lookup_result found = look_up(r, &l);
    r->busy = l.busy;
    switch (found) {
    case LOOKUP_HIT:
    case LOOKUP_HIT_GRACE:
    case LOOKUP_HIT_GRACE_FETCH:
        r->object = l.object;
        r->in_grace = found != LOOKUP_HIT;
        request_log_hit(r, r->object);
        store_touch(r->object);
        return STEP_HIT;
    case LOOKUP_MISS:
        r->stale = l.object;
        return STEP_MISS;
    case LOOKUP_HIT_FOR_MISS:
        request_log_marker(r, TAG_HIT_MISS, l.object);
        object_release(&l.object);
        r->vars.is_hitmiss = true;
        n->cache_hitmiss++;
        return STEP_MISS;
    case LOOKUP_HIT_FOR_PASS:
        request_log_marker(r, TAG_HIT_PASS, l.object);
        object_release(&l.object);
        r->vars.is_hitpass = true;
        n->cache_hitpass++;
        return STEP_PASS;
    case LOOKUP_FULL:
        return synth(r, 503, SPAN_LIT("Cache memory is full"));
    case LOOKUP_WAIT:
        break;
    }
    WRONG("lookup result");
}

/* The fetch that lookup asked for will not happen: someone else may. */
static void
withdraw_busy(struct request *r)
{
    if (r->busy == NULL)
        return;
    store_withdraw(r->server->env->store, r->busy);
    object_release(&r->busy);
}

static void
fetch_moved(struct watch *w)
{
    fiber_wake(container_of(w, struct request, watch)->fiber);
}

static void
wait_until(struct request *r, enum object_state state)
{
    object_watch(r->busy, &r->watch, r->loop, fetch_moved);
    while (object_state(r->busy) < state)
        fiber_park();
    object_unwatch(&r->watch);
}

static void
refresh_in_background(struct request *r)
{
    if (r->busy == NULL)
        return;
    if (fetch_start(r, FETCH_BACKGROUND, r->busy, r->object) != 0) {
        withdraw_busy(r);
        return;
    }
    r->server->counters->s_bgfetch++;
    if (r->body.framing.kind != BODY_NONE)
        wait_until(r, OBJECT_REQ_DONE); /* the fetch sends our body */
    object_release(&r->busy);
}

/* The policy wants something else than what the look-up gave. */
static enum step
leave_lookup(struct request *r, enum vcl_action action)
{
    withdraw_busy(r);
    object_release(&r->object);
    object_release(&r->stale);
    return action == ACTION_PASS ? STEP_PASS : instead(action);
}

static enum step
step_hit(struct request *r)
{
    struct counters *n = r->server->counters;
    if (respond_show_object(r) != 0)
        return leave_lookup(r, ACTION_FAIL);
    enum vcl_action action = run_hook(r, HOOK_HIT);
    r->ctx.msg[MSG_OBJ] = NULL;
    r->is_hit = action == ACTION_DELIVER || action == ACTION_PASS;
    n->cache_hit += r->is_hit;
    if (action != ACTION_DELIVER)
        return leave_lookup(r, action);
    n->cache_hit_grace += r->in_grace;
    refresh_in_background(r);
    return STEP_DELIVER;
}

/* ---- fetching ---- */

/* Until the head is there, or all of it when the policy does not want streaming (the fetch publishes late then). */
static enum step
wait_for_head(struct request *r)
{
    wait_until(r, OBJECT_STREAMING);
    object_release(&r->stale);
    request_log_stamp(r, "Fetch");
    if (object_state(r->busy) == OBJECT_FAILED) {   /* nothing was sent yet: a clean error beats a cut response */
        object_release(&r->busy);
        return synth(r, 503, SPAN_LIT("Service Unavailable"));
    }
    r->object = r->busy;
    r->busy = NULL;
    return STEP_DELIVER;
}

static enum step
start_fetch(struct request *r, enum fetch_kind kind)
{
    if (fetch_start(r, kind, r->busy, r->stale) == 0)
        return wait_for_head(r);
    withdraw_busy(r);
    object_release(&r->stale);
    return synth(r, 503, SPAN_LIT("Too many fetches"));
}

static enum step
step_miss(struct request *r)
{
    enum vcl_action action = run_hook(r, HOOK_MISS);
    if (action != ACTION_FETCH)
        return leave_lookup(r, action);
    r->server->counters->cache_miss++;
    return start_fetch(r, FETCH_MISS);
}

static enum step
step_pass(struct request *r)
{
    r->is_pass = true;
    enum vcl_action action = run_hook(r, HOOK_PASS);
    if (action != ACTION_FETCH)
        return instead(action);
    if (r->body.started && r->body.cached.ptr == NULL && r->body.framing.kind != BODY_NONE)
        return synth(r, 503, SPAN_LIT("Request body is gone"));
    if (object_new(store_transient(r->server->env->store), OBJECT_PRIVATE, &r->busy) != 0)
        return synth(r, 503, SPAN_LIT("Cache memory is full"));
    r->server->counters->s_pass++;
    return start_fetch(r, FETCH_PASS);
}

/* ---- answers ---- */

static enum step
finish_send(struct request *r, int sent)
{
    if (sent == DELIVERY_PENDING)
        return STEP_HANDED;
    return STEP_DONE;
}

static enum step
step_deliver(struct request *r)
{
    if (respond_prepare_object(r) != 0) {
        object_release(&r->object);     /* vcl_synth may restart, and look up another */
        return synth(r, 500, SPAN_NULL);
    }
    enum vcl_action action = run_hook(r, HOOK_DELIVER);
    request_log_stamp(r, "Process");
    if (action == ACTION_DELIVER) {     /* a head that did not fit is answered by 500, whatever of it did */
        request_body_drain(r);
        return finish_send(r, respond_send_object(r));
    }
    object_release(&r->object);
    return instead(action);
}

/* A client that still waits for 100 Continue is told to close instead, unless the policy took that back. */
static void
drain_after_synth(struct request *r)
{
    struct stream *s = &r->h1.stream;
    if (list_has_token(message_get(&r->resp, NAME_CONNECTION), SPAN_LIT("close")))
        stream_close_after(s, SC_RESP_CLOSE);
    if (s->close == SC_NONE)
        (void)s->ops->send_continue(s, body_deadline(r));
    request_body_drain(r);
}

static enum step
step_synth(struct request *r)
{
    r->server->counters->s_synth++;
    if (respond_prepare_synth(r, r->ctx.ret.status, r->ctx.ret.text) != 0)
        return finish_send(r, respond_send_bare(r, 500));
    enum vcl_action action = run_hook(r, HOOK_SYNTH);
    request_log_stamp(r, "Process");
    if (action == ACTION_RESTART && r->vars.restarts > params.max_restarts)
        action = ACTION_DELIVER;        /* it is what says that there were too many */
    switch (action) {
    case ACTION_DELIVER:
        drain_after_synth(r);
        return finish_send(r, r->resp.failed ? respond_send_bare(r, 500) : respond_send_synth(r));
    case ACTION_RESTART:
        return STEP_RESTART;
    default:
        return finish_send(r, respond_send_bare(r, 500));
    }
}

/* A client-side hook failed: the answer says so, and nothing more is served on this connection. */
static enum step
step_fail(struct request *r)
{
    r->h1.stream.close = SC_VCL_FAILURE;
    return synth(r, 503, SPAN_LIT("VCL failed"));
}

static enum step
step_purge(struct request *r)
{
    unsigned n = store_purge(r->server->env->store, &r->vars.key);
    r->server->counters->n_purges++;
    r->server->counters->n_obj_purged += n;
    r->vars.hash_always_miss = true;            /* as Varnish has it there; a restart takes it back */
    return instead(run_hook(r, HOOK_PURGE));
}

static enum step
step_restart(struct request *r)
{
    if (++r->vars.restarts > params.max_restarts) {
        log_text(r->ctx.log, TAG_VCL_ERROR, SPAN_LIT("Too many restarts"));
        return synth(r, 503, SPAN_NULL);
    }
    r->server->counters->req_restarts++;
    request_log_restart(r);
    r->vars.xid = r->xid;
    r->vars.synth_body = SPAN_NULL;
    return STEP_RECV;
}

/* ---- pipe ---- */

/* The policy decided otherwise, or the pipe can't be. */
static enum step
no_pipe(struct request *r, enum step then)
{
    r->ctx.fetch = NULL;
    pipe_log_end(r);
    return then;
}

/* Nothing was answered yet, but what the client waits for is not ours to answer: it is told by the end of the connection. */
static enum step
pipe_failed(struct request *r)
{
    r->piped = true;
    r->h1.stream.close = SC_TX_ERROR;
    request_log_stamp(r, "Process");
    return no_pipe(r, STEP_DONE);
}

static enum step
step_pipe(struct request *r)
{
    struct backend_conn *bc = NULL;
    struct span head;
    struct http_message bereq;
    r->server->counters->s_pipe++;
    if ((r->body.started || r->body.ahead_bytes > 0) && r->body.cached.ptr == NULL)
        return synth(r, 503, SPAN_LIT("Request body is gone"));
    if (pipe_prepare(r, &bereq) != 0)
        return no_pipe(r, STEP_FAIL);
    enum vcl_action action = run_hook(r, HOOK_PIPE);
    r->ctx.msg[MSG_BEREQ] = NULL;
    if (action == ACTION_SYNTH)
        return no_pipe(r, STEP_SYNTH);
    if (action != ACTION_PIPE || bereq.failed)
        return no_pipe(r, STEP_FAIL);
    if (!pipe_allowed()) {
        r->server->counters->pipe_limited++;
        return no_pipe(r, STEP_FAIL);
    }
    if (pipe_connect(r, &bereq, &bc, &head) != 0)
        return pipe_failed(r);
    r->piped = true;
    request_log_stamp(r, "Process");
    pipe_start(r, &bc, head);
    return STEP_HANDED;
}

/* ---- the walk ---- */

static enum step
take_step(struct request *r, enum step s)
{
    switch (s) {
    case STEP_RECV:
        return step_recv(r);
    case STEP_LOOKUP:
        return step_lookup(r);
    case STEP_HIT:
        return step_hit(r);
    case STEP_MISS:
        return step_miss(r);
    case STEP_PASS:
        return step_pass(r);
    case STEP_DELIVER:
        return step_deliver(r);
    case STEP_SYNTH:
        return step_synth(r);
    case STEP_PURGE:
        return step_purge(r);
    case STEP_PIPE:
        return step_pipe(r);
    case STEP_RESTART:
        return step_restart(r);
    case STEP_FAIL:
        return step_fail(r);
    case STEP_DONE:
    case STEP_HANDED:
        break;
    }
    WRONG("step");
}

enum request_end
request_run(struct request *r)
{
    request_begin(r);
    if (r->policy == NULL) {
        stream_close_after(&r->h1.stream, SC_OVERLOAD);
        return respond_send_bare(r, 503) == DELIVERY_PENDING ? REQUEST_HANDED : REQUEST_DONE;
    }
    enum step s = r->req.failed ? STEP_FAIL : STEP_RECV;
    while (s != STEP_DONE && s != STEP_HANDED)
        s = take_step(r, s);
    return s == STEP_HANDED ? REQUEST_HANDED : REQUEST_DONE;
}

void
request_finish(struct request *r)
{
    object_release(&r->object);
    object_release(&r->stale);
    if (r->synth_bytes > 0)
        store_give(store_transient(r->server->env->store), r->synth_bytes);
    r->synth_bytes = 0;
    withdraw_busy(r);
    if (r->policy != NULL)
        policy_unref(r->policy, r->loop);
    r->policy = NULL;
    request_body_release(r);
}
