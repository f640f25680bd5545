/* Step vcl_backend_error: makes our own response in place of the one the origin did not give. See fetch.c. */
#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "proxy/fetch_internal.h"

/* An error with waiters is kept this long, so that they need not all try in turn. */
#define ERROR_TTL_S 1.0
#define ERROR_GRACE_S 5.0

static int
make_error_response(struct fetch *f)
{
    DEBUG_CHECK(f->is_error && f->exchange == NULL && f->chain == NULL);
    struct http_message *m = &f->beresp;
    log_timestamp(&f->log, "Error", clock_real_ns());
    int64_t status = f->ctx.ret.status == 0 ? 503 : f->ctx.ret.status;
    struct span reason = f->ctx.ret.text;
    if (reason.ptr == NULL)
        reason = f->ctx.ret.status == 0 ? SPAN_LIT("Backend fetch failed")
                                        : status_reason((unsigned)(status % 1000));
    int err = message_init(m, &f->arena, message_room(params.http_max_hdr, 0));
    if (err != 0)
        return err;
    m->minor = 1;
    m->proto = SPAN_LIT("HTTP/1.1");
    m->status = (uint16_t)(status < 100 || status > 65535 ? 503 : status);
    m->reason = reason;
    f->content = (struct content){ CONTENT_NONE, 0 };
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
        DEBUG_CHECK(n > 0 && n <= body.len);
        memcpy(p, body.ptr, n);
        object_body_commit(f->busy, n);
        body.ptr += n;
        body.len -= n;
    }
    return 0;
}

static enum fetch_step
store_error(struct fetch *f)
{
    DEBUG_CHECK(f->is_error && !f->vars.was_304 && !f->published);
    /* A failed refresh must not replace the stale response, unless the policy gave the error a lifetime. */
    if (f->kind == FETCH_BACKGROUND && f->vars.ttl <= 0) {
        fetch_refuse_dead(f);
        return FETCH_STEP_FAIL;
    }
    size_t n = f->vars.synth_body.len;
    if (fetch_settle(f) != 0 || store_error_body(f) != 0 || fetch_publish(f, (int64_t)n) != 0)
        return FETCH_STEP_FAIL;
    fetch_drop_policy(f);
    object_complete(f->busy);
    return FETCH_STEP_DONE;
}

enum fetch_step
fetch_step_error(struct fetch *f)
{
    CHECK(f->policy != NULL && f->exchange == NULL && object_state(f->busy) < OBJECT_STREAMING);
    f->server->counters->fetch_failed += !f->by_policy;
    f->by_policy = false;
    f->is_error = true;
    fetch_part_drop(f);
    if (make_error_response(f) != 0)
        return FETCH_STEP_FAIL;
    switch (fetch_hook(f, HOOK_BACKEND_ERROR)) {
    case ACTION_DELIVER: return f->beresp.failed ? FETCH_STEP_FAIL : store_error(f);
    case ACTION_RETRY: return fetch_retry_or(f, "Too many retries, failing", FETCH_STEP_FAIL);
    case ACTION_ABANDON:
    default: return FETCH_STEP_FAIL;
    }
}
