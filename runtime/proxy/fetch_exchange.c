/* The exchange of a fetch with its origin, up to the response head: chooses a backend, sends the request and
 * its content, passes on interim responses, and tries again on a new connection if the first try may be
 * repeated. On the fiber of the fetch. */
#include <errno.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/vars.h"
#include "proxy/bereq.h"
#include "proxy/fetch_internal.h"
#include "proxy/request_body.h"
#include "proxy/unreached.h"
#include "reason_texts.h"

nsec
fetch_deadline(const struct fetch *f, double seconds)
{
    return nsec_add(loop_now(f->loop), nsec_of(seconds));
}

static double
timeout_or_default(double policy_s, double backend_s)
{
    return policy_s >= 0 ? policy_s : backend_s;
}

double
fetch_between_bytes(const struct fetch *f)
{
    DEBUG_CHECK(f->backend != NULL);
    return timeout_or_default(f->vars.between_bytes_timeout, backend_between_bytes_timeout(f->backend));
}

int
fetch_failed(struct fetch *f, int err, const char *why)
{
    CHECK(err < 0 && why != NULL);
    f->why = why;
    if (err != ERR_CANCELLED) /* nobody wants the rest */
        fetch_refuse(f, REASON_FETCH_FAILED);
    log_text(&f->log, TAG_FETCH_ERROR, span_str(why));
    if (err == ERR_NOMEM)
        log_small_workspace(&f->log, TAG_FETCH_ERROR, &f->arena);
    return err;
}

/* Logs the reason with an errno, in Varnish's form. */
static int
failed_numbered(struct fetch *f, int err, const char *why, int number)
{
    DEBUG_CHECK(err < 0);
    struct span text = arena_printf(&f->arena, "%s: %d (%s)", why, number,
                                    number == 0 ? "Success" : strerror(number));
    return fetch_failed(f, err, text.ptr == NULL ? why : text.ptr);
}

/* Logs the error of the failed operation. */
static int
log_exchange_error(struct fetch *f, int err)
{
    const struct exchange_error *e = &f->exchange->error;
    DEBUG_CHECK(err < 0 && e->why != NULL);
    if (e->bogus.ptr != NULL)
        log_text(&f->log, TAG_BOGO_HEADER, e->bogus);
    if (e->garbage.ptr != NULL)
        log_text(&f->log, TAG_HTTP_GARBAGE, e->garbage);
    return e->numbered ? failed_numbered(f, err, e->why, e->number) : fetch_failed(f, err, e->why);
}

/* ---- end of an exchange ---- */

static void
add_bytes(struct fetch *f)
{
    CHECK(f->exchange != NULL);
    const struct exchange_bytes *n = &f->exchange->bytes;
    f->bytes.bereq_head += n->bereq_head;
    f->bytes.bereq_body += n->bereq_body;
    f->bytes.beresp_head += n->beresp_head;
    f->bytes.beresp_body += n->beresp_body;
}

void
fetch_cancel_exchange(struct fetch *f)
{
    if (f->exchange == NULL)
        return;
    add_bytes(f);
    exchange_cancel(&f->exchange);
}

void
fetch_end_exchange(struct fetch *f)
{
    if (f->exchange == NULL)
        return;
    add_bytes(f);
    f->server->counters->backend_recycle += exchange_done(&f->exchange);
}

/* ---- request ---- */

static bool
has_request_body(const struct fetch *f)
{
    return f->request != NULL && !f->vars.body_unset && f->request->body.content.kind != CONTENT_NONE;
}

static struct content
request_content(const struct fetch *f)
{
    if (!has_request_body(f))
        return (struct content){ CONTENT_NONE, 0 };
    const struct request_body *b = &f->request->body;
    if (b->cached.ptr != NULL)
        return (struct content){ CONTENT_KNOWN, b->cached.len };
    return b->content;
}

static int
request_body_failed(struct fetch *f, ssize_t err)
{
    DEBUG_CHECK(f->request != NULL && err < 0);
    if (f->exchange != NULL)
        f->exchange->close_why = CLOSE_RX_BODY;
    return failed_numbered(f, ERR_CANCELLED, "req.body read error", err == ERR_TIMEOUT ? EAGAIN : 0);
}

static int
send_piece(struct fetch *f, struct span piece, bool last)
{
    return exchange_send_body(f->exchange, piece, last, fetch_deadline(f, params.send_timeout_s));
}

/* The fetch waits for the client. */
static void
origin_spoke(struct exchange *x)
{
    struct fetch *f = x->owner;
    DEBUG_CHECK(f->exchange == x && f->request != NULL);
    struct stream *s = f->request->stream;
    if (s->ops->stop_receiving != NULL)
        s->ops->stop_receiving(s);
}

/* The origin does not want the rest of the content (RFC 9112, 9.5): its answer goes to the client at once. */
static bool
is_answered_early(struct fetch *f)
{
    if (!exchange_answered(f->exchange) || !request_body_is_left(f->request, f->body_at))
        return false;
    f->exchange->close_after = true;
    log_text(&f->log, TAG_NOTICE, SPAN_LIT("vernis: The origin answered before the end of the request body"));
    return true;
}

/* A lost client ends the fetch. An origin that stops reading may already have answered, and its answer
 * counts: so a failed send is not an error here. */
static int
send_pieces(struct fetch *f)
{
    while (!is_answered_early(f)) {
        struct span piece;
        ssize_t n = request_body_next(f->request, &f->body_at, &piece,
                                      fetch_deadline(f, params.timeout_idle_s));
        if (n == ERR_AGAIN) /* the origin spoke */
            continue;
        if (n < 0)
            return request_body_failed(f, n);
        if (send_piece(f, piece, n == 0) != 0 || n == 0)
            break;
        fiber_yield_if_due();
    }
    return 0;
}

static int
send_body(struct fetch *f)
{
    CHECK(f->request != NULL && f->exchange->on_ready == NULL);
    f->body_at = 0;
    f->exchange->on_ready = origin_spoke;
    f->exchange->owner = f;
    int err = send_pieces(f);
    f->exchange->on_ready = NULL;
    return err;
}

static int
send_request(struct fetch *f)
{
    CHECK(f->exchange != NULL);
    struct content content = request_content(f);
    int err = exchange_send_head(f->exchange, &f->bereq, &content, fetch_deadline(f, params.send_timeout_s));
    if (err != 0)
        return log_exchange_error(f, err);
    return content.kind == CONTENT_NONE ? 0 : send_body(f);
}

/* ---- response head ---- */

/* 101 is final for us. 100 answers Expect, which we answer ourselves. Other interim responses go to the
 * client. */
static void
hand_over_interim(struct fetch *f)
{
    CHECK(f->exchange != NULL);
    DEBUG_CHECK(f->asker == NULL || f->asker->fetching == f);
    f->server->counters->fetch_1xx++;
    if (f->asker != NULL && f->beresp.status != 100)
        interim_offer(f->asker, &f->beresp);
}

static int
recv_head(struct fetch *f)
{
    CHECK(f->exchange != NULL);
    nsec first_byte = fetch_deadline(f, timeout_or_default(f->vars.first_byte_timeout,
                                                           backend_first_byte_timeout(f->backend)));
    for (;;) {
        int err = exchange_recv_head(f->exchange, &f->beresp, first_byte, fetch_between_bytes(f));
        if (err != 0)
            return log_exchange_error(f, err);
        if (!exchange_head_is_interim(&f->beresp))
            break;
        hand_over_interim(f);
    }
    f->content = f->exchange->content;
    f->until_close = f->exchange->until_close;
    return 0;
}

static void
count_content(struct counters *n, const struct fetch *f)
{
    switch (f->content.kind) {
    case CONTENT_NONE: n->fetch_none++; break;
    case CONTENT_KNOWN:
        n->fetch_length += f->content.bytes > 0;
        n->fetch_none += f->content.bytes == 0;
        break;
    case CONTENT_UNKNOWN:
        n->fetch_eof += f->until_close;
        n->fetch_chunked += !f->until_close;
        break;
    }
}

static void
count_response(struct fetch *f)
{
    struct counters *n = f->server->counters;
    if (span_eq(f->bereq.method, SPAN_LIT("HEAD")))
        n->fetch_head++;
    else if (f->beresp.status == 204)
        n->fetch_204++;
    else if (f->beresp.status == 304)
        n->fetch_304++;
    else
        count_content(n, f);
}

static int
accept_head(struct fetch *f)
{
    CHECK(f->exchange != NULL && !exchange_head_is_interim(&f->beresp));
    bool switched = f->beresp.status == 101; /* not in a pipe */
    if (!switched && !f->exchange->content_wrong) {
        count_response(f);
        return 0;
    }
    f->server->counters->fetch_1xx += switched;
    f->server->counters->fetch_bad += !switched;
    f->why = switched ? "the origin switched protocols outside of a pipe" : f->exchange->error.why;
    f->exchange->close_why = CLOSE_RX_BODY;
    log_text(&f->log, TAG_ERROR, SPAN_LIT("Body cannot be fetched"));
    return ERR_SYNTAX;
}

/* ---- one exchange ---- */

/* A consumed body cannot be sent again. A request that the origin may have acted on is repeated only if its
 * method is idempotent (RFC 9110, 9.2.2). */
static bool
may_retry(const struct fetch *f, enum exchange_retry retry)
{
    DEBUG_CHECK(f->exchange == NULL);
    bool body_gone = has_request_body(f) && f->request->body.started && f->request->body.cached.ptr == NULL;
    return f->vars.retry_connect && !body_gone &&
           (retry == RETRY_ALWAYS || (retry == RETRY_IDEMPOTENT && method_is_idempotent(f->bereq.method)));
}

static int
open_exchange(struct fetch *f, bool fresh)
{
    CHECK(f->exchange == NULL && f->backend != NULL);
    struct client_addresses client = { f->client.client, f->client.server };
    struct exchange_wants wants = {
        .backend = f->backend,
        .loop = f->loop,
        .log = &f->log,
        .client = &client,
        .arena = &f->arena,
        .buffers = &f->server->service.buffers,
        .connect_timeout_s = timeout_or_default(f->vars.connect_timeout, backend_connect_timeout(f->backend)),
        .fresh = fresh,
    };
    struct counters *n = f->server->counters;
    int err = f->server->env->open_exchange(&wants, &f->exchange);
    if (err != 0) {
        f->why = open_failed(f->backend, err, errno, &f->arena, &f->log, n);
        return err;
    }
    DEBUG_CHECK(f->exchange != NULL && f->exchange->on_ready == NULL);
    n->backend_reuse += f->exchange->reused;
    n->backend_conn += !f->exchange->reused;
    n->backend_req++;
    f->vars.used_address = f->exchange->peer;
    return 0;
}

static int
exchange_once(struct fetch *f, bool fresh, enum exchange_retry *retry)
{
    int err = open_exchange(f, fresh);
    if (err != 0)
        return err;
    err = send_request(f);
    if (err == 0) {
        log_timestamp(&f->log, "Bereq", clock_real_ns());
        err = recv_head(f);
    }
    *retry = err != 0 ? f->exchange->retry : RETRY_NEVER;
    if (err != 0)
        fetch_cancel_exchange(f);
    DEBUG_CHECK((err == 0) == (f->exchange != NULL));
    return err;
}

static int
exchange(struct fetch *f)
{
    DEBUG_CHECK(f->exchange == NULL);
    enum exchange_retry retry = RETRY_NEVER;
    f->backend = f->vars.used = resolve_backend(f->vars.backend, &f->ctx, &f->log, f->server->counters);
    if (f->backend == NULL) {
        f->why = "no healthy backend";
        return ERR_SICK;
    }
    int err = bereq_set_host(&f->bereq, backend_host_header(f->backend));
    if (err == 0)
        err = message_init(&f->beresp, &f->arena, message_room(params.http_max_hdr, 0));
    if (err != 0 || f->bereq.failed)
        return fetch_failed(f, ERR_NOMEM, "out of workspace");
    err = has_request_body(f) ? request_body_ahead(f->request, fetch_deadline(f, params.timeout_idle_s)) : 0;
    if (err != 0)
        return request_body_failed(f, err);
    f->request_time = loop_real(f->loop);
    err = exchange_once(f, false, &retry);
    if (err != 0 && may_retry(f, retry)) {
        f->server->counters->backend_retry++;
        err = exchange_once(f, true, &retry);
    }
    f->response_time = loop_real(f->loop);
    return err;
}

int
fetch_exchange(struct fetch *f)
{
    CHECK(f->exchange == NULL && f->fiber == fiber_current());
    log_timestamp(&f->log, "Fetch", clock_real_ns());
    int err = exchange(f);
    log_timestamp(&f->log, "Beresp", clock_real_ns());
    if (err != 0)
        return err;
    message_log(&f->beresp, &f->log, TAG_BERESP);
    err = accept_head(f);
    if (err != 0)
        fetch_cancel_exchange(f);
    return err;
}
