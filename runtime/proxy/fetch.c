/* A fetch as a walk through steps: backend_fetch, the exchange with the origin, backend_response, storing;
 * backend_error and retry beside it. Runs on its own fiber on the requester's loop. See fetch.h. */
#include "proxy/fetch.h"

#include "base/check.h"
#include "base/params.h"
#include "cache/invalidation.h"
#include "http/fields.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "proxy/fetch_internal.h"
#include "reason_texts.h"

enum vcl_action
fetch_hook(struct fetch *f, enum vcl_hook hook)
{
    DEBUG_CHECK(f->fiber == fiber_current());
    CHECK(f->policy != NULL);
    f->ctx.now = nsec_seconds(loop_real(f->loop));
    f->ctx.obj = f->stale;
    f->ctx.msg[MSG_BERESP] = hook == HOOK_BACKEND_FETCH ? NULL : &f->beresp;
    enum vcl_action action = policy_run(&f->ctx, hook);
    if (action == ACTION_FAIL || action == ACTION_ABANDON) {
        fetch_refuse(f, action == ACTION_FAIL ? REASON_POLICY_FAILED : REASON_ABANDONED);
        f->refused_at = policy_decided_at(&f->ctx);
    }
    return action;
}

void
fetch_drop_policy(struct fetch *f)
{
    if (f->policy != NULL)
        policy_unref(f->policy, f->loop);
    f->policy = NULL;
    table_pin_release(&f->vars.tables);
}

static enum fetch_step
error(struct fetch *f, int64_t status, struct span reason)
{
    DEBUG_CHECK(f->exchange == NULL && !f->published);
    f->ctx.ret.status = status;
    f->ctx.ret.text = reason;
    return FETCH_STEP_ERROR;
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

/* The reason is in the log of the transaction already. */
static enum fetch_step
failed_try(struct fetch *f, int err)
{
    DEBUG_CHECK(f->exchange == NULL && f->why != NULL && err < 0);
    log_line(LOG_LEVEL_DEBUG, "fetch %llu: %s (%s)", (unsigned long long)f->vars.xid, f->why, err_name(err));
    fetch_refuse(f, REASON_FETCH_FAILED);
    if (fetch_falls_back(f, 0))
        return FETCH_STEP_FAIL;
    f->ctx.ret = (struct policy_return){ .seconds = -1 };
    return FETCH_STEP_ERROR;
}

static enum fetch_step
step_fetch(struct fetch *f)
{
    CHECK(f->policy != NULL && f->exchange == NULL && object_state(f->busy) < OBJECT_STREAMING);
    CHECK(!f->conditional || f->stale != NULL);
    struct store *st = f->server->env->store;
    f->vars.storage = f->in_index ? store_storage(st, SPAN_NULL) : store_transient(st);
    enum vcl_action action = fetch_hook(f, HOOK_BACKEND_FETCH);
    switch (action) {
    case ACTION_FETCH: break;
    case ACTION_ERROR: f->by_policy = true; return FETCH_STEP_ERROR;
    case ACTION_ABANDON:
    default: return FETCH_STEP_FAIL;
    }
    if (f->in_index)
        f->vars.born = store_born(st, f->busy);
    fetch_part_sent(f);
    int err = fetch_exchange(f);
    if (err != 0)
        return failed_try(f, err);
    f->exchange->close_after |= says_close(&f->bereq);
    return FETCH_STEP_RESPONSE;
}

/* ---- response ---- */

static int
interpret_response(struct fetch *f)
{
    if (f->vars.was_304) {
        message_log(&f->beresp, &f->log, TAG_BERESP);
    } else if (f->beresp.status == 304 && f->kind != FETCH_PASS) {
        log_text(&f->log, TAG_ERROR, SPAN_LIT("304 response but not conditional fetch"));
        f->why = "the origin sent 304 to an unconditional request";
        f->exchange->close_why = CLOSE_RX_BAD;
        return ERR_SYNTAX;
    }
    fetch_propose(f);
    const char *complaint = f->beresp.status == 206 && f->kind != FETCH_PASS ? fetch_judge_206(f) : NULL;
    if (complaint != NULL) {
        f->exchange->close_why = CLOSE_RX_BAD;
        return fetch_failed(f, ERR_SYNTAX, complaint);
    }
    if (fetch_has_part(f))
        fetch_part_announce(f);
    return 0;
}

bool
fetch_has_content(const struct fetch *f)
{
    return f->content.kind != CONTENT_NONE && (f->content.kind != CONTENT_KNOWN || f->content.bytes > 0);
}

enum fetch_step
fetch_retry_or(struct fetch *f, const char *complaint, enum fetch_step otherwise)
{
    DEBUG_CHECK(f->exchange == NULL && (otherwise == FETCH_STEP_ERROR || otherwise == FETCH_STEP_FAIL));
    /* A refused retry counts, too: vcl_backend_error sees it, as in Varnish */
    bool again = f->vars.retries++ < params.max_retries;
    if (!can_replay(f))
        complaint = "The request body is gone: no retry";
    else if (again)
        return FETCH_STEP_RETRY;
    log_text(&f->log, TAG_VCL_ERROR, span_str(complaint));
    f->ctx.ret = (struct policy_return){ .seconds = -1 };
    return otherwise;
}

/* The part cannot be used: fetch the whole content. The proxy decides this retry, so it does not count as one
 * of the policy. */
static enum fetch_step
ask_for_whole(struct fetch *f)
{
    CHECK(f->part != NULL && f->exchange != NULL);
    fetch_cancel_exchange(f);
    fetch_part_forget(f);
    return FETCH_STEP_RETRY;
}

/* The 304 does not renew the stored response (RFC 9111, 4.3.4). The proxy decides this retry, too. */
static enum fetch_step
ask_unconditionally(struct fetch *f, const char *why)
{
    CHECK(f->conditional && f->stale != NULL);
    log_printf(&f->log, TAG_NOTICE, "vsl: Fetched again without conditions: %s", why);
    fetch_end_exchange(f);
    if (!can_replay(f))
        return failed_try(f, fetch_failed(f, ERR_CANCELLED, why));
    fetch_drop_conditions(f);
    return FETCH_STEP_RETRY;
}

static enum fetch_step
step_response(struct fetch *f)
{
    CHECK(f->policy != NULL && f->exchange != NULL && object_state(f->busy) < OBJECT_STREAMING);
    if (f->part != NULL && !fetch_part_take(f))
        return ask_for_whole(f);
    const char *other = f->conditional && f->beresp.status == 304 ? fetch_take_304(f) : NULL;
    if (other != NULL)
        return ask_unconditionally(f, other);
    int err = interpret_response(f);
    if (err != 0) {
        fetch_cancel_exchange(f);
        return failed_try(f, err);
    }
    if (fetch_falls_back(f, f->beresp.status)) {
        fetch_refuse(f, REASON_STALE_USED);
        fetch_cancel_exchange(f);
        return FETCH_STEP_FAIL;
    }
    f->vars.rolled_back = false;
    enum vcl_action action = fetch_hook(f, HOOK_BACKEND_RESPONSE);
    if (f->vars.rolled_back && (action == ACTION_DELIVER || action == ACTION_PASS)) {
        fetch_cancel_exchange(f);
        f->why = "std.rollback discarded the response";
        return failed_try(f, ERR_CANCELLED);
    }
    if ((action == ACTION_DELIVER || action == ACTION_PASS) && fetch_part_is_unwanted(f))
        return ask_for_whole(f);
    f->exchange->close_after |= says_close(&f->beresp);
    if (f->beresp.failed) {
        fetch_cancel_exchange(f);
        return error(f, 503, SPAN_NULL);
    }
    switch (action) {
    case ACTION_PASS:
        f->vars.uncacheable = true;
        f->vars.hit_for_pass = f->ctx.ret.seconds >= 0 ? f->ctx.ret.seconds : f->vars.ttl;
        log_printf(&f->log, TAG_TTL, "HFP %.0f 0 0 %.0f uncacheable", f->vars.hit_for_pass,
                   nsec_seconds(f->response_time));
        log_timestamp(&f->log, "Process", clock_real_ns());
        return FETCH_STEP_STORE;
    case ACTION_DELIVER: log_timestamp(&f->log, "Process", clock_real_ns()); return FETCH_STEP_STORE;
    case ACTION_RETRY:
        fetch_end_exchange(f); /* closes the connection if content is left */
        return fetch_retry_or(f, "Too many retries, delivering 503", FETCH_STEP_ERROR);
    case ACTION_ERROR:
        fetch_cancel_exchange(f);
        f->by_policy = true;
        return FETCH_STEP_ERROR;
    case ACTION_ABANDON:
    default: fetch_cancel_exchange(f); return FETCH_STEP_FAIL;
    }
}

/* Continues under a new transaction number; the elapsed time carries over. */
static void
log_retry(struct fetch *f, uint64_t from)
{
    CHECK(f->vars.xid != from);
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

/* Resets what the policy set for one response, including timeouts: it does not hold for the next response.
 * Varnish keeps do_gzip and do_gunzip. */
static void
forget_response(struct fetch *f)
{
    struct fetch_vars *v = &f->vars;
    v->uncacheable = f->kind == FETCH_PASS;
    v->hit_for_pass = 0;
    v->targeted = v->was_304 = v->do_esi = v->do_gzip = v->do_gunzip = false;
    v->do_stream = true;
    v->filters = v->storage_hint = SPAN_NULL;
    v->connect_timeout = v->first_byte_timeout = v->between_bytes_timeout = -1;
    v->uncacheable_site = v->ttl_site = 0;
    f->is_error = false;
    fetch_refuse_none(f);
    if (f->in_index) /* otherwise nothing of this fetch is stored */
        f->busy->flags &= ~(OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS);
}

static enum fetch_step
step_retry(struct fetch *f)
{
    CHECK(f->policy != NULL && f->exchange == NULL && object_state(f->busy) < OBJECT_STREAMING);
    uint64_t from = f->vars.xid;
    f->vars.xid = server_xid(f->server);
    forget_response(f);
    log_retry(f, from);
    struct span id = arena_printf(&f->arena, "%llu", (unsigned long long)f->vars.xid);
    if (id.ptr == NULL)
        return error(f, 503, SPAN_NULL);
    (void)message_set(&f->bereq, NAME_X_VARNISH, SPAN_NULL, id);
    return FETCH_STEP_FETCH;
}

/* ---- storing ---- */

/* Logs the framing of the content, with the numbers and names of Varnish. */
static void
log_body(struct fetch *f)
{
    static const char *const modes[] = {
        [CONTENT_NONE] = "0 none",
        [CONTENT_KNOWN] = "3 length",
        [CONTENT_UNKNOWN] = "2 chunked",
    };
    bool content = fetch_has_content(f);
    enum content_kind kind = content ? f->content.kind : CONTENT_NONE;
    bool eof = kind == CONTENT_UNKNOWN && f->until_close;
    struct span words[] = {
        span_str(eof ? "4 eof" : modes[kind]),
        content && f->vars.do_stream ? SPAN_LIT("stream") : SPAN_LIT("-"),
    };
    log_words(&f->log, TAG_FETCH_BODY, words, sizeof words / sizeof *words);
}

static int
keep_stale_body(struct fetch *f)
{
    DEBUG_CHECK(object_state(f->stale) == OBJECT_COMPLETE && f->chain == NULL);
    f->content.kind = CONTENT_NONE;
    int err = fetch_body(f); /* ends the exchange */
    const struct gzip_facts *gzip = object_gzip(f->stale);
    struct span note = object_note(f->stale), trailers = object_trailers(f->stale);
    if (err == 0 && gzip != NULL)
        object_set_gzip(f->busy, gzip);
    if (err == 0 && trailers.ptr != NULL)
        /* Without memory, drop the trailers: a recipient may do so */
        (void)object_set_trailers(f->busy, trailers);
    if (err == 0 && note.ptr != NULL && object_set_note(f->busy, note) != 0)
        return fetch_failed(f, ERR_NOMEM, "Could not get storage");
    return err;
}

static int
store_body(struct fetch *f)
{
    if (!f->vars.was_304)
        log_body(f);
    int err = f->vars.was_304 ? keep_stale_body(f) : fetch_body(f);
    if (err == 0)
        log_timestamp(&f->log, "BerespBody", clock_real_ns());
    return err;
}

/* The client of a marker has left. The marker needs no content: it only says that responses of this key are
 * not shared. */
static bool
is_marker_left(const struct fetch *f, int err)
{
    return err == ERR_CANCELLED && f->in_index && object_is_marker(f->busy);
}

/* Stores while readers already see the growing body. */
static enum fetch_step
store_streaming(struct fetch *f)
{
    CHECK(!f->published && f->policy != NULL);
    int err = fetch_publish(f, fetch_content_length(f));
    fetch_drop_policy(f);
    if (err == 0)
        err = store_body(f);
    if (err == 0 || is_marker_left(f, err)) {
        object_complete(f->busy);
        return FETCH_STEP_DONE;
    }
    fetch_cancel_exchange(f);
    if (err != ERR_CANCELLED) {
        f->server->counters->fetch_failed++;
        log_line(LOG_LEVEL_DEBUG, "fetch %llu: %s (%s)", (unsigned long long)f->vars.xid, f->why,
                 err_name(err));
    }
    return FETCH_STEP_FAIL;
}

/* Stores the whole body before anything is visible, so that a failure still becomes a proper error
 * response. */
static enum fetch_step
store_whole(struct fetch *f)
{
    CHECK(!f->published && f->policy != NULL);
    int err = store_body(f);
    if (err != 0) {
        object_body_drop(f->busy);
        return failed_try(f, err);
    }
    err = fetch_publish(f, (int64_t)body_bytes(&f->busy->body));
    fetch_drop_policy(f);
    if (err != 0)
        return FETCH_STEP_FAIL;
    object_complete(f->busy);
    return FETCH_STEP_DONE;
}

static void
stale_moved(struct watch *w)
{
    DEBUG_CHECK(loop_may_use(w->loop));
    fiber_wake(container_of(w, struct fetch, growing)->fiber);
}

/* The confirmed response may still be growing, and may fail: wait until it is complete before copying it. */
static bool
stale_is_whole(struct fetch *f)
{
    if (object_state(f->stale) < OBJECT_COMPLETE) {
        log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: Conditional fetch wait for streaming object"));
        if (message_keep_text(&f->beresp) != 0)
            return false;
        fetch_end_exchange(f);
        object_watch(f->stale, &f->growing, f->loop, stale_moved);
        while (object_state(f->stale) < OBJECT_COMPLETE && !object_has_left(f->stale))
            fiber_park();
        object_unwatch(&f->growing);
    }
    return object_state(f->stale) == OBJECT_COMPLETE;
}

static enum fetch_step
template_failed(struct fetch *f)
{
    CHECK(f->vars.was_304 && !f->published);
    (void)fetch_failed(f, ERR_EOF, "Template object failed");
    fetch_cancel_exchange(f);
    f->server->counters->fetch_failed++;
    return FETCH_STEP_FAIL;
}

/* Releases a request whose body a background refresh has sent: the request must not wait longer than that. */
static void
give_request_back(struct fetch *f)
{
    if (f->kind != FETCH_BACKGROUND || f->request == NULL)
        return;
    DEBUG_CHECK(!f->published && f->asker == NULL);
    f->request = NULL;
    f->no_replay = true;
    object_request_done(f->busy);
}

static enum fetch_step
step_store(struct fetch *f)
{
    CHECK(f->policy != NULL && f->exchange != NULL && object_state(f->busy) < OBJECT_STREAMING);
    CHECK(!f->vars.was_304 || f->stale != NULL);
    give_request_back(f);
    if (f->vars.do_esi)
        f->vars.do_stream = false; /* as in Varnish: a page has no readers before its recipe is complete */
    if (f->vars.was_304 && (!stale_is_whole(f) || !fetch_part_is_confirmed(f)))
        return template_failed(f);
    int err = fetch_settle(f);
    if (err != 0) {
        fetch_cancel_exchange(f);
        return failed_try(f, err);
    }
    if (fetch_has_part(f) && f->part->kept) {
        (void)fetch_part_store(f);
        return FETCH_STEP_DONE;
    }
    return f->vars.do_stream ? store_streaming(f) : store_whole(f);
}

/* ---- the walk ---- */

/* Each assertion holds between any two steps. */
static void
check_between(const struct fetch *f)
{
    DEBUG_CHECK(loop_may_use(f->loop) && f->fiber == fiber_current());
    DEBUG_CHECK(f->policy != NULL && !f->published && !f->left);
    DEBUG_CHECK(f->stale == NULL || f->stale != f->busy);
    DEBUG_CHECK(f->asker == NULL || (f->asker->fetching == f && f->asker->loop == f->loop));
    DEBUG_CHECK(f->request == NULL || f->request->body.content.kind != CONTENT_NONE);
    DEBUG_CHECK(!f->in_index || !(f->busy->flags & OBJECT_PRIVATE));
    DEBUG_CHECK(f->chain == NULL && f->piece == NULL && f->chain_bytes == 0 && !f->page.found);
    DEBUG_CHECK(f->reader.object == NULL && f->growing.object == NULL);
    DEBUG_CHECK(f->part == NULL || (f->kind != FETCH_PASS && f->request == NULL));
}

static enum fetch_step
take_step(struct fetch *f, enum fetch_step s)
{
    switch (s) {
    case FETCH_STEP_FETCH: return step_fetch(f);
    case FETCH_STEP_RESPONSE: return step_response(f);
    case FETCH_STEP_STORE: return step_store(f);
    case FETCH_STEP_RETRY: return step_retry(f);
    case FETCH_STEP_ERROR: return fetch_step_error(f);
    case FETCH_STEP_FAIL:
    case FETCH_STEP_DONE: break;
    }
    WRONG("step");
}

static void
tell(const struct check_place *place, struct check_report *out)
{
    static const char *const names[] = {
        [FETCH_STEP_FETCH] = "fetch", [FETCH_STEP_RESPONSE] = "response", [FETCH_STEP_STORE] = "store",
        [FETCH_STEP_RETRY] = "retry", [FETCH_STEP_ERROR] = "error",
    };
    const struct fetch *f = container_of(place, struct fetch, place);
    *out = (struct check_report){ .task = "fetch",
                                  .xid = f->vars.xid,
                                  .step = f->step < FETCH_STEP_FAIL ? names[f->step] : NULL };
    policy_tell(&f->ctx, f->policy, out);
}

void
fetch_run(void *arg)
{
    struct fetch *f = arg;
    f->fiber = fiber_current();
    CHECK(loop_is_current(f->loop) && f->fiber != NULL && object_state(f->busy) == OBJECT_BUSY);
    enum fetch_step s = FETCH_STEP_FETCH;
    f->place.tell = tell;
    check_here = &f->place;
    while (s != FETCH_STEP_FAIL && s != FETCH_STEP_DONE) {
        check_between(f);
        f->step = s;
        s = take_step(f, s);
    }
    CHECK(s == FETCH_STEP_FAIL || object_state(f->busy) == OBJECT_COMPLETE);
    if (s == FETCH_STEP_FAIL) {
        if (f->refusal == REASON_NONE) /* no memory for the response */
            fetch_refuse(f, REASON_FETCH_FAILED);
        object_fail(f->busy); /* also leaves the index and wakes the waiters */
    }
    check_here = NULL;
    fetch_free(f);
}
