/* Pipe mode. Each direction is a half pipe, with a buffer between the side it reads and the side it writes.
 * Readiness events drive both, on the loop's stack. When one side ends, the other gets a half-close. When
 * both have ended, or no byte moved for pipe_timeout, both connections are closed. */
#include "proxy/pipe.h"

#include <errno.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "policy/exports.h"
#include "proxy/bereq.h"
#include "proxy/connect.h"
#include "proxy/request_log.h"
#include "proxy/server.h"
#include "proxy/unreached.h"

#define PIPE_BUFFER_BYTES 16384
#define PIPE_ACCOUNT_NUMBERS 4
#define BEREQ_ACCOUNT_NUMBERS 6
#define PIPE_ROUNDS 16 /* buffers moved per event and direction, so that one pipe can't hold the loop */

struct half {
    char *buf;
    size_t at, end;
    bool eof, done;
};

/* Of an extended CONNECT, whose client must know whether the tunnel is open before it gets bytes. */
enum answer {
    ANSWER_AWAITED,
    ANSWER_DUE,  /* the stream has the head, and has not sent it yet */
    ANSWER_OPEN, /* also of other pipes: the head is among the bytes */
    ANSWER_REFUSED
};

struct pipe {
    struct request *request; /* its stream is a tunnel */
    struct stream_waiter waiter;
    struct exchange *origin; /* owned; a tunnel */
    struct half up, down;    /* client to origin, origin to client */
    enum answer answer;
    struct timer timer;
    nsec deadline;                /* whatever moves by then (bereq.task_deadline) */
    struct span body;             /* body cached by the policy: goes to the origin behind the head */
    uint64_t in_bytes, out_bytes; /* from the client; to it */
    bool again;                   /* the timer only lets others have their turn */
};

static atomic_uint pipes_open; /* of all loops */

bool
pipe_allowed(void)
{
    return params.pipe_sess_max == 0 ||
           atomic_load_explicit(&pipes_open, memory_order_relaxed) < params.pipe_sess_max;
}

int
pipe_prepare(struct request *r, struct http_message *bereq)
{
    DEBUG_CHECK(r->pipe_log == NULL && r->ctx.fetch == NULL);
    struct fetch_vars *f = arena_alloc(&r->arena, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    struct log_txn *log = arena_alloc(&r->arena, sizeof *log);
    int err = log == NULL ? ERR_NOMEM : bereq_make(&r->req, BEREQ_PIPE, r->rfc9111, r->xid, &r->arena, bereq);
    if (err == 0 && r->stream->connect_protocol.len > 0)
        err = connect_ask(r->stream, bereq);
    if (err == 0 && r->stream->continue_due)
        err = message_set(bereq, NAME_EXPECT, SPAN_NULL, SPAN_LIT("100-continue"));
    if (err != 0)
        return err;
    uint64_t xid = server_xid(r->server);
    r->pipe_log = log; /* only one that begins is ended */
    log_link(&r->log, "bereq", xid, "pipe");
    log_begin(r->pipe_log, LOG_BACKEND, xid, "bereq", r->xid, "pipe");
    log_timestamp(r->pipe_log, "Start", clock_real_ns());
    message_log(bereq, r->pipe_log, TAG_BEREQ);
    fetch_vars_init(f);
    f->backend = r->vars.backend_hint;
    f->client = &r->vars;
    f->key = &r->vars.key;
    f->xid = r->xid;
    f->sess_xid = r->vars.sess_xid;
    f->time_start = nsec_seconds(loop_real(r->loop));
    r->ctx.fetch = f;
    r->ctx.msg[MSG_BEREQ] = bereq;
    return 0;
}

/* The cached body is sent with its length, whatever framing the client used. */
static int
announce_cached_body(struct request *r, struct http_message *bereq)
{
    struct span n = arena_decimal(&r->arena, r->body.cached.len);
    message_unset(bereq, NAME_TRANSFER_ENCODING, SPAN_NULL);
    return n.ptr == NULL ? ERR_NOMEM : message_set(bereq, NAME_CONTENT_LENGTH, SPAN_NULL, n);
}

static int
open_tunnel(struct request *r, struct backend *be, const struct http_message *bereq, struct exchange **x)
{
    const struct fetch_vars *f = r->ctx.fetch;
    struct client_addresses client = { r->vars.client, r->vars.server };
    struct exchange_wants wants = {
        .backend = be,
        .loop = r->loop,
        .log = r->pipe_log,
        .client = &client,
        .arena = &r->arena,
        .buffers = &r->server->service.buffers,
        .connect_timeout_s = f->connect_timeout >= 0 ? f->connect_timeout : backend_connect_timeout(be),
    };
    log_timestamp(r->pipe_log, "Process", clock_real_ns());
    int err = r->server->env->open_exchange(&wants, x);
    if (err != 0) {
        (void)open_failed(be, err, errno, &r->arena, r->pipe_log, r->server->counters);
        return err;
    }
    err = exchange_tunnel_start(*x, bereq);
    if (err != 0) {
        log_text(r->pipe_log, TAG_FETCH_ERROR, span_str((*x)->error.why));
        exchange_cancel(x);
    }
    return err;
}

int
pipe_connect(struct request *r, struct http_message *bereq, struct exchange **x)
{
    DEBUG_CHECK(r->ctx.fetch != NULL && *x == NULL);
    struct fetch_vars *f = r->ctx.fetch;
    r->ctx.msg[MSG_BEREQ] = bereq;
    struct backend *be = resolve_backend(f->backend, &r->ctx, r->pipe_log, r->server->counters);
    r->ctx.msg[MSG_BEREQ] = NULL;
    int err = be == NULL ? ERR_SICK : bereq_set_host(bereq, backend_host_header(be));
    if (err == 0 && r->body.cached.ptr != NULL)
        err = announce_cached_body(r, bereq);
    if (err != 0 && be != NULL) {
        log_text(r->pipe_log, TAG_FETCH_ERROR, SPAN_LIT("out of workspace"));
        log_small_workspace(r->pipe_log, TAG_FETCH_ERROR, &r->arena);
    }
    if (err == 0)
        err = open_tunnel(r, be, bereq, x);
    if (err != 0)
        r->ctx.fetch = NULL;
    return err;
}

/* PipeAcct of the client has the byte counts. BereqAcct is all zeros, for readers that expect the record. */
void
pipe_log_end(struct request *r)
{
    static const uint64_t nothing[BEREQ_ACCOUNT_NUMBERS];
    if (r->pipe_log == NULL)
        return;
    log_numbers(r->pipe_log, TAG_BEREQ_ACCT, nothing, BEREQ_ACCOUNT_NUMBERS);
    log_end(r->pipe_log);
    r->pipe_log = NULL;
}

static void
log_account(struct request *r, const struct pipe *p)
{
    uint64_t n[PIPE_ACCOUNT_NUMBERS] = { r->stream->bytes.req_head, p->origin->tunnel_head, p->in_bytes,
                                         p->out_bytes };
    log_numbers(&r->log, TAG_PIPE_ACCT, n, PIPE_ACCOUNT_NUMBERS);
}

static void
pipe_end(struct pipe *p)
{
    struct request *r = p->request;
    DEBUG_CHECK(loop_may_use(r->loop) && r->stream->waiter == &p->waiter);
    atomic_fetch_sub_explicit(&pipes_open, 1, memory_order_relaxed);
    r->server->counters->n_pipe--;
    request_log_stamp(r, "PipeSess");
    log_account(r, p);
    r->stream->waiter = NULL;
    timer_cancel(r->loop, &p->timer);
    p->origin->close_why = CLOSE_TX_PIPE;
    exchange_cancel(&p->origin);
    pipe_log_end(r);
    free(p->up.buf);
    free(p->down.buf);
    free(p);
    r->handed_over(r);
}

static void
count(struct pipe *p, struct half *h, size_t n)
{
    struct counters *c = p->request->server->counters;
    if (h == &p->up) {
        p->in_bytes += n;
        c->s_pipe_in += n;
    } else {
        p->out_bytes += n;
        c->s_pipe_out += n;
    }
}

static ssize_t
receive(struct pipe *p, struct half *h)
{
    DEBUG_CHECK(h->at == h->end && !h->eof);
    if (h == &p->down)
        return exchange_tunnel_read(p->origin, h->buf, PIPE_BUFFER_BYTES);
    struct stream *s = p->request->stream;
    return s->ops->tunnel_read(s, h->buf, PIPE_BUFFER_BYTES);
}

static void
half_close(struct pipe *p, struct half *h)
{
    DEBUG_CHECK(h->eof && h->done);
    if (h == &p->up)
        exchange_tunnel_shut(p->origin);
    else
        p->request->stream->ops->tunnel_shut(p->request->stream);
}

/* The cached body goes before further bytes of the client. */
static ssize_t
send_up(struct pipe *p)
{
    struct half *h = &p->up;
    struct iovec iov[2];
    int n = 0;
    if (p->body.len > 0)
        iov[n++] = (struct iovec){ (void *)(uintptr_t)p->body.ptr, p->body.len };
    if (h->end > h->at)
        iov[n++] = (struct iovec){ h->buf + h->at, h->end - h->at };
    ssize_t w = exchange_tunnel_write(p->origin, iov, n);
    if (w <= 0)
        return w;
    size_t body = (size_t)w < p->body.len ? (size_t)w : p->body.len;
    p->body.ptr += body;
    p->body.len -= body;
    h->at += (size_t)w - body;
    DEBUG_CHECK(h->at <= h->end);
    count(p, h, (size_t)w - body);
    return w;
}

static ssize_t
send_down(struct pipe *p)
{
    struct half *h = &p->down;
    struct stream *s = p->request->stream;
    DEBUG_CHECK(h->at < h->end && h->end <= PIPE_BUFFER_BYTES);
    struct iovec iov = { h->buf + h->at, h->end - h->at };
    ssize_t w = s->ops->tunnel_write(s, &iov, 1);
    if (w > 0) {
        h->at += (size_t)w;
        count(p, h, (size_t)w);
    }
    return w;
}

/* The client gets a head that ends its stream, and nothing more is carried. */
static void
refuse(struct pipe *p, unsigned status)
{
    DEBUG_CHECK(p->answer == ANSWER_AWAITED);
    connect_refuse(p->request, status);
    p->answer = ANSWER_REFUSED;
}

static int
await_answer(struct pipe *p)
{
    struct request *r = p->request;
    DEBUG_CHECK(p->answer == ANSWER_AWAITED && p->down.end == 0);
    int err = exchange_tunnel_answer(p->origin, &r->resp);
    if (err != 0)
        return err == ERR_AGAIN ? 0 : err;
    bool opened = connect_is_open(&r->resp);
    err = connect_answer(r);
    if (err != 0)
        return err;
    p->answer = opened ? ANSWER_DUE : ANSWER_REFUSED;
    return 1;
}

static int
send_answer(struct pipe *p)
{
    struct stream *s = p->request->stream;
    ssize_t w = s->ops->tunnel_write(s, NULL, 0);
    if (w < 0)
        return w == ERR_AGAIN ? 0 : (int)w;
    p->answer = ANSWER_OPEN;
    return 1;
}

/* 1: moved bytes, 0: must wait, negative: broken. */
static int
fill(struct pipe *p, struct half *h)
{
    h->at = h->end = 0;
    if (h->eof && !h->done) {
        h->done = true;
        half_close(p, h);
    }
    if (h->done)
        return 0;
    ssize_t n = receive(p, h);
    if (n < 0)
        return n == ERR_AGAIN ? 0 : (int)n;
    h->eof = n == 0;
    h->end = (size_t)n;
    return 1;
}

static int
move_once(struct pipe *p, struct half *h)
{
    bool first = h == &p->up && p->origin->tunnel_unsent + p->body.len > 0;
    if (h == &p->down && p->answer == ANSWER_AWAITED)
        return await_answer(p);
    if (h == &p->down && p->answer == ANSWER_DUE)
        return send_answer(p);
    if (h->at == h->end && !first)
        return fill(p, h);
    ssize_t w = h == &p->up ? send_up(p) : send_down(p);
    return w == ERR_AGAIN ? 0 : w < 0 ? (int)w : 1;
}

/* Both sides have ended, and their last bytes are with the kernel. */
static bool
is_over(const struct pipe *p)
{
    return p->up.done && p->down.done && p->request->stream->unsent == 0 && p->origin->tunnel_unsent == 0;
}

/* The pipe ends when the stream has the head. */
static int
send_refusal(struct pipe *p)
{
    struct stream *s = p->request->stream;
    ssize_t w = s->ops->tunnel_write(s, NULL, 0);
    return w == ERR_AGAIN ? 0 : ERR_EOF;
}

static void
pump(struct pipe *p)
{
    DEBUG_CHECK(loop_may_use(p->request->loop));
    struct loop *loop = p->request->loop;
    int up = 1, down = 1;
    for (int i = 0; i < PIPE_ROUNDS * 2 && (up > 0 || down > 0); i++) {
        up = p->answer == ANSWER_REFUSED ? 0 : move_once(p, &p->up);
        down = p->answer == ANSWER_REFUSED ? send_refusal(p) : move_once(p, &p->down);
        if ((up < 0 || down < 0) && p->answer == ANSWER_AWAITED && !p->request->stream->broken) {
            refuse(p, 502);
            up = down = 1;
        }
        if (up < 0 || down < 0 || is_over(p)) {
            pipe_end(p);
            return;
        }
    }
    p->again = up > 0 || down > 0;
    nsec now = loop_now(loop), quiet = p->again ? now : nsec_add(now, nsec_of(params.pipe_timeout_s));
    timer_set(loop, &p->timer, quiet < p->deadline ? quiet : p->deadline);
}

static void
client_ready(struct stream_waiter *w, size_t budget)
{
    (void)budget; /* the stream itself limits the bytes it takes */
    pump(container_of(w, struct pipe, waiter));
}

static void
client_gone(struct stream_waiter *w)
{
    pipe_end(container_of(w, struct pipe, waiter));
}

static void
origin_ready(struct exchange *x)
{
    struct pipe *p = x->owner;
    DEBUG_CHECK(p->origin == x);
    pump(p);
}

static void
on_timer(struct timer *t)
{
    struct pipe *p = container_of(t, struct pipe, timer);
    bool late = loop_now(p->request->loop) >= p->deadline, asked = !p->again && p->answer == ANSWER_AWAITED;
    if (late) {
        pipe_end(p);
        return;
    }
    if (asked)
        refuse(p, 504);
    if (p->again || asked)
        pump(p);
    else
        pipe_end(p); /* no byte moved for pipe_timeout */
}

/* 0 means no deadline, in the variable and in the parameter. */
static nsec
deadline_of(const struct request *r)
{
    DEBUG_CHECK(r->ctx.fetch != NULL);
    double own = r->ctx.fetch->task_deadline, s = own >= 0 ? own : params.pipe_task_deadline_s;
    return s > 0 ? nsec_add(loop_now(r->loop), nsec_of(s)) : NSEC_NEVER;
}

void
pipe_start(struct request *r, struct exchange **x)
{
    struct stream *s = r->stream;
    struct pipe *p = mem_zalloc(sizeof *p);
    CHECK(s->can_tunnel && s->waiter == NULL);
    DEBUG_CHECK(r->object == NULL && r->busy == NULL && r->route == ROUTE_PIPE);
    atomic_fetch_add_explicit(&pipes_open, 1, memory_order_relaxed);
    p->request = r;
    p->answer = s->connect_protocol.len > 0 ? ANSWER_AWAITED : ANSWER_OPEN;
    p->deadline = deadline_of(r);
    r->ctx.fetch = NULL;
    p->origin = *x;
    *x = NULL;
    if (p->answer == ANSWER_AWAITED &&
        message_init(&r->resp, &r->arena, message_room(params.http_max_hdr, 0)) != 0)
        refuse(p, 503);
    if (r->body.cached.ptr != NULL)
        p->body = r->body.cached;
    p->up.buf = mem_alloc(PIPE_BUFFER_BYTES);
    p->down.buf = mem_alloc(PIPE_BUFFER_BYTES);
    r->server->counters->s_pipe_hdrbytes += s->bytes.req_head;
    r->server->counters->n_pipe++;
    log_timestamp(r->pipe_log, "Bereq", clock_real_ns());
    request_log_stamp(r, "Pipe");
    request_leave_policy(r); /* a tunnel may last for days */
    s->ops->tunnel_start(s);
    p->waiter = (struct stream_waiter){ .on_turn = client_ready, .on_reset = client_gone };
    s->waiter = &p->waiter;
    p->origin->on_ready = origin_ready;
    p->origin->owner = p;
    p->timer.fn = on_timer;
    pump(p);
}
