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

/* An error that others wait for is kept that long, so that they need not all try in turn. */
#define ERROR_TTL_S 1.0
#define ERROR_GRACE_S 5.0

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
    return !f->no_replay && (r == NULL || !r->body.started || r->body.cached.ptr != NULL);
}

/* ---- fetch ---- */

static bool
says_close(const struct http_message *m)
{
    struct span value = message_get(m, NAME_CONNECTION);
    return value.ptr != NULL && list_has_token(value, SPAN_LIT("close"));
}

/* Why is in the log of transactions already. */
static enum step
exchange_failed(struct fetch *f, int err)
{
    log_line(LOG_LEVEL_DEBUG, "fetch %llu: %s (%s)", (unsigned long long)f->vars.xid, f->why, err_name(err));
    f->ctx.ret = (struct policy_return){ .seconds = -1 };
    return STEP_ERROR;
}

static enum step
step_fetch(struct fetch *f)
{
    struct store *st = f->server->env->store;
    f->vars.storage = f->kind == FETCH_PASS ? store_transient(st) : store_storage(st, SPAN_NULL);
    enum vcl_action action = run_hook(f, HOOK_BACKEND_FETCH);
    switch (action) {
    case ACTION_FETCH:
        break;
    case ACTION_ERROR:
        f->by_policy = true;
        return STEP_ERROR;
    case ACTION_ABANDON:
    default:
        return STEP_FAIL;
    }
    int err = fetch_exchange(f);
    f->framing.keep_alive &= !says_close(&f->bereq);
    return err == 0 ? STEP_RESPONSE : exchange_failed(f, err);
}

/* ---- response ---- */

static int
understand_response(struct fetch *f)
{
    if (f->conditional && f->beresp.status == 304) {
        int err = fetch_merge_304(f);
        if (err != 0)
            return fetch_failed(f, err, "workspace_backend is too small for the refreshed head");
        message_log(&f->beresp, &f->log, TAG_BERESP);
    } else if (f->beresp.status == 304 && f->kind != FETCH_PASS) {
        log_text(&f->log, TAG_ERROR, SPAN_LIT("304 response but not conditional fetch"));
        f->why = "the origin confirmed what was not asked";
        f->bc->close_why = CLOSE_RX_BAD;
        return ERR_SYNTAX;
    }
    fetch_propose(f);
    return 0;
}

static bool
has_content(const struct fetch *f)
{
    return f->framing.kind != BODY_NONE && (f->framing.kind != BODY_LENGTH || f->framing.length > 0);
}

/* Another try, if there may be one. */
static enum step
retry_or(struct fetch *f, const char *complaint, enum step otherwise)
{
    if (!can_replay(f))
        complaint = "The request body is gone: no retry";
    else if (f->vars.retries < params.max_retries)
        return STEP_RETRY;
    log_text(&f->log, TAG_VCL_ERROR, span_str(complaint));
    f->ctx.ret = (struct policy_return){ .seconds = -1 };
    return otherwise;
}

static enum step
step_response(struct fetch *f)
{
    int err = understand_response(f);
    if (err != 0) {
        fetch_drop_connection(f);
        return exchange_failed(f, err);
    }
    f->vars.rolled_back = false;
    enum vcl_action action = run_hook(f, HOOK_BACKEND_RESPONSE);
    if (f->vars.rolled_back && (action == ACTION_DELIVER || action == ACTION_PASS)) {
        fetch_drop_connection(f);
        f->why = "the policy gave the response up";
        return exchange_failed(f, ERR_CANCELLED);
    }
    f->framing.keep_alive &= !says_close(&f->beresp);
    if (f->beresp.failed) {
        fetch_drop_connection(f);
        return error(f, 503, SPAN_NULL);
    }
    switch (action) {
    case ACTION_PASS:
        f->vars.uncacheable = true;
        f->vars.hit_for_pass = f->ctx.ret.seconds >= 0 ? f->ctx.ret.seconds : f->vars.ttl;
        log_printf(&f->log, TAG_TTL, "HFP %.0f 0 0 %.0f uncacheable", f->vars.hit_for_pass, nsec_seconds(f->response_time));
        log_timestamp(&f->log, "Process", clock_real_ns());
        return STEP_STORE;
    case ACTION_DELIVER:
        log_timestamp(&f->log, "Process", clock_real_ns());
        return STEP_STORE;
    case ACTION_RETRY:
        if (has_content(f))
            fetch_drop_connection(f);
        else
            fetch_leave_connection(f);
        return retry_or(f, "Too many retries, delivering 503", STEP_ERROR);
    case ACTION_ERROR:
        fetch_drop_connection(f);
        f->by_policy = true;
        return STEP_ERROR;
    case ACTION_ABANDON:
    default:
        fetch_drop_connection(f);
        return STEP_FAIL;
    }
}

/* The work goes on under a new number; the time it has taken so far counts on. */
static void
log_retry(struct fetch *f, uint64_t from)
{
    log_timestamp(&f->log, "Retry", clock_real_ns());
    nsec began = f->log.began, last = f->log.last;
    log_link(&f->log, "bereq", f->vars.xid, "retry");
    log_end(&f->log);
    log_begin(&f->log, LOG_BACKEND, f->vars.xid, "bereq", from, "retry");
    f->log.began = began;
    f->log.last = last;
    log_timestamp(&f->log, "Start", last);
    message_log(&f->bereq, &f->log, TAG_BEREQ);
}

/* What a policy said of one response, and how long that one was waited for, does not hold for the next. Varnish forgets all
 * but do_gzip and do_gunzip. */
static void
forget_response(struct fetch *f)
{
    struct fetch_vars *v = &f->vars;
    v->uncacheable = f->kind == FETCH_PASS;
    v->hit_for_pass = 0;
    v->was_304 = v->do_esi = v->do_gzip = v->do_gunzip = false;
    v->do_stream = true;
    v->filters = v->storage_hint = SPAN_NULL;
    v->connect_timeout = v->first_byte_timeout = v->between_bytes_timeout = -1;
    f->is_error = false;
}

static enum step
step_retry(struct fetch *f)
{
    uint64_t from = f->vars.xid;
    f->vars.retries++;
    f->vars.xid = server_xid(f->server);
    forget_response(f);
    log_retry(f, from);
    struct span id = arena_printf(&f->arena, "%llu", (unsigned long long)f->vars.xid);
    if (id.ptr == NULL)
        return error(f, 503, SPAN_NULL);
    (void)message_set(&f->bereq, NAME_X_VARNISH, SPAN_NULL, id);
    return STEP_FETCH;
}

/* ---- storing ---- */

int64_t
fetch_content_length(const struct fetch *f)
{
    if (f->is_error)
        return (int64_t)f->vars.synth_body.len;
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

/* How the content comes, by the numbers and names that readers of the log know. */
static void
log_body(struct fetch *f)
{
    static const struct { unsigned number; const char *name; } modes[] = {
        [BODY_NONE] = { 0, "none" }, [BODY_CHUNKED] = { 2, "chunked" }, [BODY_LENGTH] = { 3, "length" }, [BODY_EOF] = { 4, "eof" },
    };
    bool content = has_content(f);
    enum body_kind kind = content ? f->framing.kind : BODY_NONE;
    log_printf(&f->log, TAG_FETCH_BODY, "%u %s %s", modes[kind].number, modes[kind].name,
               content && f->vars.do_stream ? "stream" : "-");
}

static int
copy_stale_body(struct fetch *f)
{
    f->framing.kind = BODY_NONE;
    int err = fetch_body(f);            /* gives the connection back */
    if (err != 0 || object_body_copy(f->busy, f->stale) == 0)
        return err;
    return fetch_failed(f, ERR_NOMEM, "Could not get storage");
}

static int
store_body(struct fetch *f)
{
    if (!f->vars.was_304)
        log_body(f);
    int err = f->vars.was_304 ? copy_stale_body(f) : fetch_body(f);
    if (err == 0)
        log_timestamp(&f->log, "BerespBody", clock_real_ns());
    return err;
}

/* Readers see the body as it grows. */
static enum step
store_streaming(struct fetch *f)
{
    int err = fetch_publish(f, fetch_content_length(f));
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

static void
stale_moved(struct watch *w)
{
    fiber_wake(container_of(w, struct fetch, growing)->fiber);
}

/* What was confirmed may itself still be on its way, and may yet fail: nothing is made of it before it is complete. */
static bool
stale_is_whole(struct fetch *f)
{
    if (object_state(f->stale) < OBJECT_COMPLETE) {
        log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: Conditional fetch wait for streaming object"));
        fetch_leave_connection(f);
        object_watch(f->stale, &f->growing, f->loop, stale_moved);
        while (object_state(f->stale) < OBJECT_COMPLETE)
            fiber_park();
        object_unwatch(&f->growing);
    }
    return object_state(f->stale) == OBJECT_COMPLETE;
}

static enum step
template_failed(struct fetch *f)
{
    (void)fetch_failed(f, ERR_EOF, "Template object failed");
    fetch_drop_connection(f);
    f->server->counters->fetch_failed++;
    return STEP_FAIL;
}

/* A request whose body goes with a refresh in the background waits no longer than that takes. */
static void
give_request_back(struct fetch *f)
{
    if (f->kind != FETCH_BACKGROUND || f->request == NULL)
        return;
    f->request = NULL;
    f->no_replay = true;
    object_request_done(f->busy);
}

static enum step
step_store(struct fetch *f)
{
    give_request_back(f);
    if (f->vars.was_304 && !stale_is_whole(f))
        return template_failed(f);
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
    log_timestamp(&f->log, "Error", clock_real_ns());
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
    if (f->in_index && store_is_awaited(f->server->env->store, f->busy)) {
        f->vars.ttl = ERROR_TTL_S;
        f->vars.grace = f->vars.keep = ERROR_GRACE_S;
    }
    f->vars.was_304 = false;
    if (f->vars.storage == NULL)
        f->vars.storage = store_storage(f->server->env->store, SPAN_NULL);
    f->vars.synth_body = SPAN_NULL;
    f->vars.time_resp = nsec_seconds(f->response_time);
    char *p = arena_alloc(&f->arena, HTTP_DATE_BYTES);
    if (p == NULL)
        return ERR_NOMEM;
    http_date_format(f->response_time, p);
    (void)message_set(m, NAME_DATE, SPAN_NULL, span_of(p, HTTP_DATE_BYTES));
    err = message_set(m, NAME_SERVER, SPAN_NULL, SPAN_LIT("Varnish"));
    message_log(m, &f->log, TAG_BERESP);
    return err;
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
    f->server->counters->fetch_failed += !f->by_policy;
    f->by_policy = false;
    f->is_error = true;
    if (make_error_response(f) != 0)
        return STEP_FAIL;
    switch (run_hook(f, HOOK_BACKEND_ERROR)) {
    case ACTION_DELIVER:
        return f->beresp.failed ? STEP_FAIL : store_error(f);
    case ACTION_RETRY:
        return retry_or(f, "Too many retries, failing", STEP_FAIL);
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
log_finish(struct fetch *f)
{
    const struct fetch_bytes *n = &f->bytes;
    if (object_state(f->busy) == OBJECT_COMPLETE)
        log_number(&f->log, TAG_LENGTH, atomic_load(&f->busy->body_bytes));
    if (f->log.id != 0 && log_wants(TAG_BEREQ_ACCT))
        log_numbers(&f->log, TAG_BEREQ_ACCT, (uint64_t[]){ n->bereq_head, n->bereq_body, n->bereq_head + n->bereq_body,
                    n->beresp_head, n->beresp_body, n->beresp_head + n->beresp_body }, 6);
    log_end(&f->log);
}

static void
fetch_free(struct fetch *f)
{
    f->server->counters->fetch_live--;
    fetch_drop_connection(f);
    drop_policy(f);
    log_finish(f);
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
    f->client.tasks = NULL;
    f->client.synth_body = f->client.resp_filters = SPAN_NULL;
    struct span key = arena_copy(&f->arena, span_of(r->vars.key.bytes, r->vars.key.len));
    struct span identity = arena_copy(&f->arena, r->vars.identity);
    struct span fields = arena_copy(&f->arena, r->vars.proxy_fields);
    if (fields.ptr == NULL && r->vars.proxy_fields.len > 0)
        return ERR_NOMEM;
    if ((key.ptr == NULL && r->vars.key.len > 0) || (identity.ptr == NULL && r->vars.identity.ptr != NULL))
        return ERR_NOMEM;
    f->client.key.bytes = (char *)(uintptr_t)key.ptr;
    f->client.key.cap = f->client.key.len;
    f->client.identity = identity;
    f->client.proxy_fields = fields;
    return 0;
}

static void
log_start(struct fetch *f, struct request *r)
{
    static const char *const kinds[] = { [FETCH_MISS] = "fetch", [FETCH_PASS] = "pass", [FETCH_BACKGROUND] = "bgfetch" };
    log_link(r->ctx.log, "bereq", f->vars.xid, kinds[f->kind]);
    log_begin(&f->log, LOG_BACKEND, f->vars.xid, "bereq", r->xid, kinds[f->kind]);
    log_text(&f->log, TAG_VCL_USE, policy_name(f->policy));
    log_timestamp(&f->log, "Start", clock_real_ns());
    message_log(&f->bereq, &f->log, TAG_BEREQ);
}

/* NULL when there is no room for it. */
static const struct http_message *
copy_of(const struct http_message *m)
{
    struct http_message *copy = arena_zalloc(m->arena, sizeof *copy);
    bool done = copy != NULL && message_init(copy, m->arena, m->n_fields) == 0 && message_copy(copy, m) == 0;
    return done ? copy : NULL;
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
    f->conditional = f->stale != NULL && object_state(f->stale) != OBJECT_FAILED && bereq_add_validators(&f->bereq, f->stale);
    if (policy_rolls_back(f->policy))
        f->vars.bereq_original = copy_of(&f->bereq);
    log_start(f, r);
    policy_ctx_init(&f->ctx, f->policy, f->loop, &f->arena);
    f->ctx.log = &f->log;
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
    f->server->counters->fetch_live++;
    f->kind = kind;
    f->request = kind != FETCH_BACKGROUND || r->body.framing.kind != BODY_NONE ? r : NULL;
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
        err = fiber_spawn(f->loop, fetch_fiber, f);     /* may be over when this returns */
    if (err != 0) {
        fetch_free(f);
        return err;
    }
    r->server->counters->s_fetch++;
    return 0;
}
