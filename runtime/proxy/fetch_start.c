/* Begin and end of a fetch: copies its data from the request, and releases it. See fetch.h. */
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "proxy/bereq.h"
#include "proxy/fetch_internal.h"
#include "reason_texts.h"
#include "stream/proxy_fields.h"
#include "stream/session.h"

/* ---- end ---- */

static void
log_finish(struct fetch *f)
{
    const struct exchange_bytes *n = &f->bytes;
    bool in_parts = f->part != NULL && (f->part->kept || f->kind == FETCH_HOLE);
    if (in_parts || object_state(f->busy) == OBJECT_COMPLETE)
        log_number(&f->log, TAG_LENGTH, in_parts ? f->part->received : body_bytes(&f->busy->body));
    if (f->log.id != 0 && log_wants(TAG_BEREQ_ACCT))
        log_numbers(&f->log, TAG_BEREQ_ACCT,
                    (uint64_t[]){ n->bereq_head, n->bereq_body, n->bereq_head + n->bereq_body, n->beresp_head,
                                  n->beresp_body, n->beresp_head + n->beresp_body },
                    6);
    fetch_log_reason(f);
    log_end(&f->log);
}

void
fetch_free(struct fetch *f)
{
    CHECK(loop_is_current(f->loop));
    DEBUG_CHECK(f->reader.object == NULL && f->growing.object == NULL);
    DEBUG_CHECK(f->asker == NULL || f->asker->fetching == f);
    fetch_close_filters(f);
    f->server->counters->fetch_live--;
    f->server->counters->ws_backend_overflow += f->arena.overflowed;
    if (f->asker != NULL)
        f->asker->fetching = NULL;
    fetch_cancel_exchange(f);
    fetch_drop_policy(f);
    log_finish(f);
    fetch_part_release(f);
    object_release(&f->stale);
    object_release(&f->busy);
    arena_release(&f->arena);
    free(f);
}

void
fetch_leave(struct request *r)
{
    CHECK(r->fetching == NULL || r->fetching->asker == r);
    if (r->fetching != NULL)
        r->fetching->asker = NULL;
    r->fetching = NULL;
}

/* ---- begin ---- */

bool
fetch_may_wait(struct request *r)
{
    DEBUG_CHECK(loop_may_use(r->loop));
    if (fiber_may_wait(r->loop))
        return true;
    r->server->counters->fibers_limited++;
    log_text(r->ctx.log, TAG_ERROR,
             SPAN_LIT("Too many requests wait for origins (fibers_max, fibers_reserve)"));
    return false;
}

/* The fetch may outlive the connection, so what the policy may ask of its TLS is noted here. */
static struct span
copy_fields(struct fetch *f, const struct request *r)
{
    struct session *s = r->stream->session;
    const struct conn *c = policy_reads_proxy(r->policy) ? session_tls(s) : NULL;
    if (c != NULL && proxy_field_tls(r->vars.proxy_fields).ptr == NULL)
        return proxy_fields_make(c, &f->arena);
    return arena_copy(&f->arena, r->vars.proxy_fields);
}

static int
copy_client(struct fetch *f, struct request *r)
{
    f->client = r->vars;
    f->client.ops = NULL; /* the request may end before the fetch */
    f->client.session = NULL;
    f->client.req_top = NULL; /* this and the following pointers lead into the arena of the request */
    f->client.tasks = NULL;
    f->client.tables = (struct table_pin){ 0 };
    f->client.synth_body = f->client.resp_filters = SPAN_NULL;
    struct span key = arena_copy(&f->arena, span_of(r->vars.key.bytes, r->vars.key.len));
    struct span identity = arena_copy(&f->arena, r->vars.identity);
    struct span fields = copy_fields(f, r);
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

/* Method and protocol are first those of the client's request. Ours follow among the fields, where Varnish
 * has them. */
static void
log_bereq(struct fetch *f, const struct request *r)
{
    struct http_message *m = &f->bereq;
    struct span method = m->method, proto = m->proto;
    bool method_is_ours = !span_eq(r->req.method, method), proto_is_ours = !span_eq(r->req.proto, proto);
    m->log = &f->log;
    m->log_family = TAG_BEREQ;
    m->method = r->req.method;
    m->proto = r->req.proto;
    message_log_start_line(m);
    m->method = method;
    m->proto = proto;
    for (unsigned i = 0; i < m->n_fields; i++) {
        name_id id = m->fields[i].id;
        bool last = i + 1 == m->n_fields;
        if (method_is_ours && (id == NAME_ACCEPT_ENCODING || last)) {
            log_text(&f->log, TAG_BEREQ + LOG_METHOD, method);
            method_is_ours = false;
        }
        if (proto_is_ours && (id == NAME_X_VARNISH || last)) {
            log_text(&f->log, TAG_BEREQ + LOG_PROTOCOL, proto);
            proto_is_ours = false;
        }
        log_field(&f->log, TAG_BEREQ + LOG_HEADER, m->fields[i].name, m->fields[i].value);
    }
}

static void
log_start(struct fetch *f, struct request *r)
{
    static const char *const kinds[] = {
        [FETCH_MISS] = "fetch", [FETCH_PASS] = "pass", [FETCH_BACKGROUND] = "bgfetch", [FETCH_HOLE] = "fetch"
    };
    log_link(r->ctx.log, "bereq", f->vars.xid, kinds[f->kind]);
    log_begin(&f->log, LOG_BACKEND, f->vars.xid, "bereq", r->xid, kinds[f->kind]);
    log_text(&f->log, TAG_VCL_USE, policy_name(f->policy));
    log_timestamp(&f->log, "Start", clock_real_ns());
    if (f->unshared == REASON_TOO_MANY_FETCHES)
        log_text(&f->log, TAG_NOTICE, SPAN_LIT("vsl: Not stored: too many fetches of its key"));
    log_bereq(f, r);
}

/* NULL: no memory. */
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
    DEBUG_CHECK((f->kind == FETCH_HOLE) == (f->part != NULL) && f->exchange == NULL);
    uint64_t xid = server_xid(f->server);
    int err = copy_client(f, r);
    if (err == 0)
        err = bereq_make(&r->req, f->kind == FETCH_PASS ? BEREQ_PASS : BEREQ_MISS, f->rfc9111, xid, &f->arena,
                         &f->bereq);
    if (err != 0)
        return err;
    fetch_vars_init(&f->vars);
    fetch_refuse_none(f);
    f->vars.backend = r->vars.backend_hint;
    f->vars.xid = xid;
    f->vars.sess_xid = r->vars.sess_xid;
    f->vars.time_start = nsec_seconds(loop_real(f->loop));
    f->vars.is_bgfetch = f->kind == FETCH_BACKGROUND;
    f->vars.found = r->vars.found;
    f->vars.uncacheable = f->kind == FETCH_PASS;
    f->vars.key = &f->client.key;
    f->vars.client = &f->client;
    f->vars.judge = fetch_judge_again;
    f->conditional = f->stale != NULL && object_state(f->stale) != OBJECT_FAILED &&
                     bereq_add_validators(&f->bereq, f->stale);
    err = f->kind == FETCH_HOLE ? fetch_hole_ask(f) : fetch_part_ask(f, r);
    if (err != 0)
        return err;
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

/* ERR_LIMIT: too many fibers wait for origins. */
static int
fetch_new(struct request *r, enum fetch_kind kind, struct object *busy, struct object *stale,
          struct fetch **out)
{
    DEBUG_CHECK(r->policy != NULL && stale != busy && object_state(busy) == OBJECT_BUSY);
    if (!fetch_may_wait(r))
        return ERR_LIMIT;
    struct fetch *f = calloc(1, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    arena_init(&f->arena, params.workspace_backend_bytes);
    f->arena.limit_name = "workspace_backend";
    f->loop = r->loop;
    f->server = r->server;
    f->server->counters->fetch_live++;
    f->kind = kind;
    f->request = kind != FETCH_HOLE && r->body.content.kind != CONTENT_NONE ? r : NULL;
    f->busy = busy;
    f->stale = stale;
    f->in_index = (busy->flags & OBJECT_PRIVATE) == 0;
    if (kind == FETCH_PASS)
        f->unshared = REASON_PASSED;
    else if (kind == FETCH_MISS && !f->in_index)
        f->unshared = REASON_TOO_MANY_FETCHES;
    f->rfc9111 = r->rfc9111;
    f->stale_may_answer = rfc9111_takes_stale(&r->demand);
    object_ref(busy);
    if (stale != NULL)
        object_ref(stale);
    f->policy = r->policy;
    policy_ref(f->policy, f->loop);
    *out = f;
    return 0;
}

int
fetch_start(struct request *r, enum fetch_kind kind, struct object *busy, struct object *stale)
{
    CHECK(r->fetching == NULL && kind != FETCH_HOLE && object_state(busy) == OBJECT_BUSY);
    struct fetch *f;
    int err = fetch_new(r, kind, busy, stale, &f);
    if (err != 0)
        return err;
    err = fill(f, r);
    /* The request must have a fiber, to wait while sending them */
    if (err == 0 && kind != FETCH_BACKGROUND && r->fiber != NULL) {
        f->asker = r;
        r->fetching = f;
    }
    if (err == 0)
        err = fiber_spawn(f->loop, fetch_run, f); /* the fetch may be over when this returns */
    if (err != 0) {
        log_small_workspace(&r->log, TAG_ERROR, &f->arena);
        fetch_free(f);
        return err;
    }
    r->server->counters->s_fetch++;
    return 0;
}

static int
fill_hole(struct fetch *f, struct request *r, struct object *o, const struct hole_claim *claim)
{
    DEBUG_CHECK(f->kind == FETCH_HOLE && f->stale == NULL && f->request == NULL);
    struct fetch_part *p = arena_zalloc(&f->arena, sizeof *p);
    if (p == NULL)
        return ERR_NOMEM;
    p->plain = params.http_gzip_support;
    p->text = arena_printf(&f->arena, "bytes=%llu-%llu", (unsigned long long)claim->at,
                           (unsigned long long)claim->end - 1);
    p->object = o;
    object_ref(o);
    f->part = p;
    return p->text.ptr == NULL ? ERR_NOMEM : fill(f, r);
}

int
fetch_start_hole(struct request *r, struct object *o, struct object *busy, const struct hole_claim *claim,
                 struct hole *hole)
{
    CHECK(claim->at < claim->end);
    DEBUG_CHECK(hole->state == HOLE_OPEN && !hole->left && object_is_partial(o));
    struct fetch *f;
    int err = fetch_new(r, FETCH_HOLE, busy, NULL, &f);
    if (err != 0)
        return err;
    err = fill_hole(f, r, o, claim);
    if (err == 0) {
        f->part->claim = *claim;
        f->part->hole = hole;
        err = fiber_spawn(f->loop, fetch_run_hole, f);
        if (err == 0) {
            r->server->counters->s_fetch++;
            return 0;
        }
        f->part->claim.content = NULL; /* the caller keeps its claim */
        f->part->hole = NULL;
    }
    fetch_free(f);
    return err;
}
