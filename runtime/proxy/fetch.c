/* A fetch as a walk through steps: backend_fetch, the exchange with the origin, backend_response, storing; backend_error and
 * retry beside it. Runs on its own fiber on the requester's loop. See fetch.h. */
#include "proxy/fetch.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"

enum step { STEP_FETCH, STEP_RESPONSE, STEP_STORE, STEP_RETRY, STEP_ERROR, STEP_FAIL, STEP_DONE };

static enum vcl_action
run_hook(struct fetch *f, enum vcl_hook hook)
{
    f->ctx.now = nsec_seconds(loop_real(f->loop));
    f->ctx.obj = f->stale;
    f->ctx.msg[MSG_BERESP] = hook == HOOK_BACKEND_FETCH ? NULL : &f->beresp;
    return policy_run(&f->ctx, hook);
}

/* No hook can run any more: a slow body must not pin the policy. */
static void
drop_policy(struct fetch *f)
{
    if (f->policy != NULL)
        policy_unref(f->policy, f->loop);
    f->policy = NULL;
}

static enum step
error(struct fetch *f, int64_t status, struct span reason)
{
    f->ctx.ret.status = status;
    f->ctx.ret.text = reason;
    return STEP_ERROR;
}

static bool
can_replay(const struct fetch *f)
{
    const struct request *r = f->request;
    return r == NULL || !r->body.started || r->body.cached.ptr != NULL;
}

/* ---- fetch ---- */

static enum step
exchange_failed(struct fetch *f, int err)
{
    f->server->counters->fetch_failed++;
    log_line(LOG_LEVEL_DEBUG, "fetch %llu: %s (%s)", (unsigned long long)f->vars.xid, f->why, err_name(err));
    f->ctx.ret = (struct policy_return){ .seconds = -1 };
    return STEP_ERROR;
}

static enum step
step_fetch(struct fetch *f)
{
    enum vcl_action action = run_hook(f, HOOK_BACKEND_FETCH);
    switch (action) {
    case ACTION_FETCH:
        break;
    case ACTION_ERROR:
        return STEP_ERROR;
    case ACTION_ABANDON:
    default:
        return STEP_FAIL;
    }
    int err = fetch_exchange(f);
    return err == 0 ? STEP_RESPONSE : exchange_failed(f, err);
}

/* ---- response ---- */

static int
understand_response(struct fetch *f)
{
    if (f->conditional && f->beresp.status == 304) {
        f->server->counters->fetch_304++;
        int err = fetch_merge_304(f);
        if (err != 0) {
            f->why = "workspace_backend is too small for the refreshed head";
            return err;
        }
    }
    fetch_propose(f);
    return 0;
}

static enum step
step_response(struct fetch *f)
{
    int err = understand_response(f);
    if (err != 0) {
        fetch_drop_connection(f);
        return exchange_failed(f, err);
    }
    enum vcl_action action = run_hook(f, HOOK_BACKEND_RESPONSE);
    if (f->beresp.failed) {
        fetch_drop_connection(f);
        return error(f, 503, SPAN_NULL);
    }
    switch (action) {
    case ACTION_PASS:
        f->vars.uncacheable = true;
        f->vars.hit_for_pass = f->ctx.ret.seconds >= 0 ? f->ctx.ret.seconds : f->vars.ttl;
        return STEP_STORE;
    case ACTION_DELIVER:
        return STEP_STORE;
    case ACTION_RETRY:
        fetch_drop_connection(f);
        return STEP_RETRY;
    case ACTION_ERROR:
        fetch_drop_connection(f);
        return STEP_ERROR;
    case ACTION_ABANDON:
    default:
        fetch_drop_connection(f);
        return STEP_FAIL;
    }
}

static enum step
step_retry(struct fetch *f)
{
    if (f->vars.retries >= params.max_retries || !can_replay(f))
        return error(f, 503, SPAN_NULL);
    f->vars.retries++;
    f->vars.xid = server_xid(f->server);
    f->vars.uncacheable = f->kind == FETCH_PASS;
    f->vars.hit_for_pass = 0;
    f->vars.was_304 = false;
    struct span id = arena_printf(&f->arena, "%llu", (unsigned long long)f->vars.xid);
    if (id.ptr == NULL)
        return error(f, 503, SPAN_NULL);
    (void)message_set(&f->bereq, NAME_X_VARNISH, SPAN_NULL, id);
    return STEP_FETCH;
}

/* ---- storing ---- */

static int64_t
announced_length(const struct fetch *f)
{
    if (f->vars.was_304)
        return (int64_t)atomic_load(&f->stale->body_bytes);
    switch (f->framing.kind) {
    case BODY_NONE:
        return 0;
    case BODY_LENGTH:
        return (int64_t)f->framing.length;
    case BODY_CHUNKED:
    case BODY_EOF:
        break;
    }
    return -1;
}

static int
store_body(struct fetch *f)
{
    if (!f->vars.was_304)
        return fetch_body(f);
    f->framing.kind = BODY_NONE;
    int err = fetch_body(f);            /* gives the connection back */
    return err != 0 ? err : object_body_copy(f->busy, f->stale);
}

/* Readers see the body as it grows. */
static enum step
store_streaming(struct fetch *f)
{
    int err = fetch_publish(f, announced_length(f));
    drop_policy(f);
    if (err == 0)
        err = store_body(f);
    if (err == 0) {
        object_complete(f->busy);
        return STEP_DONE;
    }
    fetch_drop_connection(f);
    if (err != ERR_CANCELLED) {
        f->server->counters->fetch_failed++;
        log_line(LOG_LEVEL_DEBUG, "fetch %llu: %s (%s)", (unsigned long long)f->vars.xid, f->why, err_name(err));
    }
    return STEP_FAIL;
}

/* Nothing is visible before all of it is there, so a failure still becomes a proper error response. */
static enum step
store_whole(struct fetch *f)
{
    int err = store_body(f);
    if (err != 0) {
        object_body_drop(f->busy);
        return exchange_failed(f, err);
    }
    err = fetch_publish(f, (int64_t)atomic_load(&f->busy->body_bytes));
    drop_policy(f);
    if (err != 0)
        return STEP_FAIL;
    object_complete(f->busy);
    return STEP_DONE;
}

static enum step
step_store(struct fetch *f)
{
    int err = fetch_settle(f);
    if (err != 0) {
        fetch_drop_connection(f);
        return exchange_failed(f, err);
    }
    return f->vars.do_stream ? store_streaming(f) : store_whole(f);
}

/* ---- errors ---- */

static int
make_error_response(struct fetch *f)
{
    struct http_message *m = &f->beresp;
    int64_t status = f->ctx.ret.status == 0 ? 503 : f->ctx.ret.status;
    struct span reason = f->ctx.ret.text;
    if (reason.ptr == NULL)
        reason = f->ctx.ret.status == 0 ? SPAN_LIT("Backend fetch failed") : status_reason((unsigned)(status % 1000));
    int err = message_init(m, &f->arena, params.http_max_hdr + 16);
    if (err != 0)
        return err;
    m->minor = 1;
    m->proto = SPAN_LIT("HTTP/1.1");
    m->status = (uint16_t)(status < 100 || status > 65535 ? 503 : status);
    m->reason = reason;
    f->framing = (struct http1_framing){ .kind = BODY_NONE };
    f->response_time = f->origin_time = loop_real(f->loop);
    f->vars.ttl = f->vars.grace = f->vars.keep = f->vars.age = 0;
    f->vars.was_304 = false;
    f->vars.synth_body = SPAN_NULL;
    f->vars.time_resp = nsec_seconds(f->response_time);
    char *p = arena_alloc(&f->arena, HTTP_DATE_BYTES);
    if (p == NULL)
        return ERR_NOMEM;
    http_date_format(f->response_time, p);
    (void)message_set(m, NAME_DATE, SPAN_NULL, span_of(p, HTTP_DATE_BYTES));
    return message_set(m, NAME_SERVER, SPAN_NULL, SPAN_LIT("Varnish"));
}

static int
store_error_body(struct fetch *f)
{
    struct span body = f->vars.synth_body;
    while (body.len > 0) {
        char *p;
        size_t n;
        int err = object_body_space(f->busy, body.len, &p, &n);
        if (err != 0)
            return err;
        n = n < body.len ? n : body.len;
        memcpy(p, body.ptr, n);
        object_body_commit(f->busy, n);
        body.ptr += n;
        body.len -= n;
    }
    return 0;
}

static enum step
store_error(struct fetch *f)
{
    /* A refresh that failed must not push out the stale response it was to replace, unless the policy gave the error a life. */
    if (f->kind == FETCH_BACKGROUND && f->vars.ttl <= 0)
        return STEP_FAIL;
    size_t n = f->vars.synth_body.len;
    if (fetch_settle(f) != 0 || store_error_body(f) != 0 || fetch_publish(f, (int64_t)n) != 0)
        return STEP_FAIL;
    drop_policy(f);
    object_complete(f->busy);
    return STEP_DONE;
}

static enum step
step_error(struct fetch *f)
{
    if (make_error_response(f) != 0)
        return STEP_FAIL;
    switch (run_hook(f, HOOK_BACKEND_ERROR)) {
    case ACTION_DELIVER:
        return f->beresp.failed ? STEP_FAIL : store_error(f);
    case ACTION_RETRY:
        return f->vars.retries >= params.max_retries || !can_replay(f) ? STEP_FAIL : STEP_RETRY;
    case ACTION_ABANDON:
    default:
        return STEP_FAIL;
    }
}

/* ---- the walk ---- */

static enum step
take_step(struct fetch *f, enum step s)
{
    switch (s) {
    case STEP_FETCH:
        return step_fetch(f);
    case STEP_RESPONSE:
        return step_response(f);
    case STEP_STORE:
        return step_store(f);
    case STEP_RETRY:
        return step_retry(f);
    case STEP_ERROR:
        return step_error(f);
    case STEP_FAIL:
    case STEP_DONE:
        break;
    }
    WRONG("step");
}

static void
fetch_free(struct fetch *f)
{
    fetch_drop_connection(f);
    drop_policy(f);
    object_release(&f->stale);
    object_release(&f->busy);
    arena_release(&f->arena);
    free(f);
}

static void
fetch_fiber(void *arg)
{
    struct fetch *f = arg;
    f->fiber = fiber_current();
    enum step s = STEP_FETCH;
    while (s != STEP_FAIL && s != STEP_DONE)
        s = take_step(f, s);
    if (s == STEP_FAIL)
        object_fail(f->busy);           /* leaves the index too, and wakes who waits */
    fetch_free(f);
}

/* ---- start ---- */

static int
copy_client(struct fetch *f, struct request *r)
{
    f->client = r->vars;
    f->client.request = f->kind == FETCH_BACKGROUND ? NULL : r;
    f->client.req_top = NULL;           /* as all that follows: lives in the request's arena */
    f->client.cookies = NULL;
    f->client.synth_body = f->client.resp_filters = SPAN_NULL;
    struct span key = arena_copy(&f->arena, span_of(r->vars.key.bytes, r->vars.key.len));
    struct span identity = arena_copy(&f->arena, r->vars.identity);
    if ((key.ptr == NULL && r->vars.key.len > 0) || (identity.ptr == NULL && r->vars.identity.ptr != NULL))
        return ERR_NOMEM;
    f->client.key.bytes = (char *)(uintptr_t)key.ptr;
    f->client.key.cap = f->client.key.len;
    f->client.identity = identity;
    return 0;
}

static int
fill(struct fetch *f, struct request *r)
{
    uint64_t xid = server_xid(f->server);
    int err = copy_client(f, r);
    if (err == 0)
        err = bereq_make(r, f->kind == FETCH_PASS ? BEREQ_PASS : BEREQ_MISS, xid, &f->arena, &f->bereq);
    if (err != 0)
        return err;
    fetch_vars_init(&f->vars);
    f->vars.backend = r->vars.backend_hint;
    f->vars.xid = xid;
    f->vars.sess_xid = r->vars.sess_xid;
    f->vars.time_start = nsec_seconds(loop_real(f->loop));
    f->vars.is_bgfetch = f->kind == FETCH_BACKGROUND;
    f->vars.is_hitmiss = r->vars.is_hitmiss;
    f->vars.is_hitpass = r->vars.is_hitpass;
    f->vars.uncacheable = f->kind == FETCH_PASS;
    f->vars.key = &f->client.key;
    f->vars.client = &f->client;
    f->conditional = f->stale != NULL && object_state(f->stale) == OBJECT_COMPLETE
                     && bereq_add_validators(&f->bereq, f->stale);
    policy_ctx_init(&f->ctx, f->policy, f->loop, &f->arena);
    f->ctx.msg[MSG_BEREQ] = &f->bereq;
    f->ctx.fetch = &f->vars;
    f->ctx.client = &f->client;
    return 0;
}

int
fetch_start(struct request *r, enum fetch_kind kind, struct object *busy, struct object *stale)
{
    struct fetch *f = calloc(1, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    arena_init(&f->arena, params.workspace_backend_bytes);
    f->loop = r->loop;
    f->server = r->server;
    f->kind = kind;
    f->request = kind == FETCH_BACKGROUND ? NULL : r;
    f->busy = busy;
    f->stale = stale;
    f->in_index = kind != FETCH_PASS;
    object_ref(busy);
    if (stale != NULL)
        object_ref(stale);
    f->policy = r->policy;
    policy_ref(f->policy, f->loop);
    int err = fill(f, r);
    if (err == 0)
        err = fiber_spawn(f->loop, fetch_fiber, f);
    if (err != 0)
        fetch_free(f);
    return err;
}
