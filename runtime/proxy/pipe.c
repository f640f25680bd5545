/* Pipe mode. Two half pipes, each a buffer between a reading and a writing connection, driven by socket readiness on the loop's
 * stack. A side that ends is told to the other by a half-close; when both have ended, or nothing moved for pipe_timeout, both
 * connections are closed. */
#include "proxy/pipe.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/check.h"
#include "base/params.h"
#include "proxy/bereq.h"
#include "proxy/client.h"
#include "proxy/request_log.h"

#define PIPE_BUFFER_BYTES 16384
#define PIPE_ACCOUNT_NUMBERS 4
#define BEREQ_ACCOUNT_NUMBERS 6
#define PIPE_ROUNDS 16                  /* buffers moved per event and direction, so that one pipe can't hold the loop */

struct half {
    struct conn *from, *to;
    char *buf;
    size_t at, end;
    bool eof, done;
};

struct pipe {
    struct client *client;
    struct backend_conn *bc;
    struct half up, down;               /* client to origin, origin to client */
    struct timer timer;
    struct span head, body;             /* go to the origin before anything else; body: cached by the policy */
    uint64_t head_bytes, in_bytes, out_bytes;   /* sent of the head; from the client; to it */
    bool again;                         /* the timer only gives others a turn */
};

static atomic_uint pipes_open;          /* of all loops */

bool
pipe_allowed(void)
{
    return params.pipe_sess_max == 0 || atomic_load_explicit(&pipes_open, memory_order_relaxed) < params.pipe_sess_max;
}

int
pipe_prepare(struct request *r, struct http_message *bereq)
{
    struct fetch_vars *f = arena_alloc(&r->arena, sizeof *f);
    if (f == NULL)
        return ERR_NOMEM;
    r->pipe_log = arena_alloc(&r->arena, sizeof *r->pipe_log);
    int err = r->pipe_log == NULL ? ERR_NOMEM : bereq_make(r, BEREQ_PIPE, r->xid, &r->arena, bereq);
    if (err == 0 && r->h1.continue_due)
        err = message_set(bereq, NAME_EXPECT, SPAN_NULL, SPAN_LIT("100-continue"));
    if (err != 0)
        return err;
    uint64_t xid = server_xid(r->server);
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

/* What is sent is what was kept, whatever framing it came in. */
static int
announce_cached_body(struct request *r, struct http_message *bereq)
{
    struct span n = decimal(&r->arena, r->body.cached.len);
    message_unset(bereq, NAME_TRANSFER_ENCODING, SPAN_NULL);
    return n.ptr == NULL ? ERR_NOMEM : message_set(bereq, NAME_CONTENT_LENGTH, SPAN_NULL, n);
}

int
pipe_connect(struct request *r, struct http_message *bereq, struct backend_conn **bc, struct span *head)
{
    struct fetch_vars *f = r->ctx.fetch;
    r->ctx.msg[MSG_BEREQ] = bereq;
    struct backend *be = director_resolve(f->backend, &r->ctx);
    r->ctx.msg[MSG_BEREQ] = NULL;
    r->ctx.fetch = NULL;
    if (be == NULL)
        return ERR_SICK;
    int err = bereq_set_host(bereq, backend_host_header(be));
    if (err == 0 && r->body.cached.ptr != NULL)
        err = announce_cached_body(r, bereq);
    size_t cap = http1_head_size(bereq);
    char *buf = arena_alloc(&r->arena, cap);
    if (err != 0 || buf == NULL)
        return ERR_NOMEM;
    ssize_t n = http1_write_request(bereq, buf, cap);
    if (n < 0)
        return (int)n;
    *head = span_of(buf, (size_t)n);
    double timeout = f->connect_timeout >= 0 ? f->connect_timeout : backend_connect_timeout(be);
    log_timestamp(r->pipe_log, "Process", clock_real_ns());
    err = backend_get_for(be, r->loop, timeout, false, &r->vars, bc);
    if (err != 0)
        return err;
    log_timestamp(r->pipe_log, "Connected", clock_real_ns());
    backend_log_open(*bc, r->pipe_log);
    return 0;
}

/* What went to the origin and back is in the client's PipeAcct; readers that want a BereqAcct find one of zeros. */
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
    uint64_t n[PIPE_ACCOUNT_NUMBERS] = { r->h1.stream.bytes.req_head, p->head_bytes, p->in_bytes, p->out_bytes };
    log_numbers(&r->log, TAG_PIPE_ACCT, n, PIPE_ACCOUNT_NUMBERS);
}

static void
pipe_end(struct pipe *p)
{
    struct client *c = p->client;
    struct request *r = c->request;
    atomic_fetch_sub_explicit(&pipes_open, 1, memory_order_relaxed);
    c->server->counters->n_pipe--;
    c->server->counters->sess_closed++;
    request_log_stamp(r, "PipeSess");
    log_account(r, p);
    timer_cancel(c->server->loop, &p->timer);
    p->bc->close_why = CLOSE_TX_PIPE;
    backend_put(&p->bc, false);
    pipe_log_end(r);
    free(p->up.buf);
    free(p->down.buf);
    free(p);
    conn_close(&c->conn);
    client_release(c, SC_TX_PIPE);
}

static void
count(struct pipe *p, struct half *h, size_t n)
{
    struct counters *c = p->client->server->counters;
    if (h == &p->up) {
        p->in_bytes += n;
        c->s_pipe_in += n;
    } else {
        p->out_bytes += n;
        c->s_pipe_out += n;
    }
}

static size_t
take(struct span *s, size_t n)
{
    s->ptr += n;
    s->len -= n;
    return n;
}

/* The head first, then whatever the client sends. */
static ssize_t
write_pending(struct pipe *p, struct half *h)
{
    struct iovec iov[3];
    int n = 0;
    size_t head = h == &p->up ? p->head.len : 0, body = h == &p->up ? p->body.len : 0;
    if (head > 0)
        iov[n++] = (struct iovec){ (void *)(uintptr_t)p->head.ptr, head };
    if (body > 0)
        iov[n++] = (struct iovec){ (void *)(uintptr_t)p->body.ptr, body };
    if (h->end > h->at)
        iov[n++] = (struct iovec){ h->buf + h->at, h->end - h->at };
    if (n == 0)
        return 0;
    ssize_t w = conn_write_now(h->to, iov, n);
    if (w <= 0)
        return w;
    size_t left = (size_t)w - take(&p->head, (size_t)w < head ? (size_t)w : head);
    p->head_bytes += (size_t)w - left;
    left -= take(&p->body, left < body ? left : body);
    h->at += left;
    count(p, h, left);
    return w;
}

/* 1 = moved something, 0 = has to wait, negative = broken. */
static int
move_once(struct pipe *p, struct half *h)
{
    bool first = h == &p->up && p->head.len + p->body.len > 0;
    if (h->at == h->end && !first) {
        h->at = h->end = 0;
        if (h->eof && !h->done) {
            h->done = true;
            shutdown(h->to->poll.fd, SHUT_WR);
        }
        if (h->done)
            return 0;
        ssize_t n = conn_read_now(h->from, h->buf, PIPE_BUFFER_BYTES);
        if (n == ERR_AGAIN)
            return 0;
        if (n < 0)
            return (int)n;
        h->eof = n == 0;
        h->end = (size_t)n;
        return 1;
    }
    ssize_t w = write_pending(p, h);
    return w == ERR_AGAIN ? 0 : w < 0 ? (int)w : 1;
}

static void
pump(struct pipe *p)
{
    struct loop *loop = p->client->server->loop;
    int up = 1, down = 1;
    for (int i = 0; i < PIPE_ROUNDS * 2 && (up > 0 || down > 0); i++) {
        up = move_once(p, &p->up);
        down = move_once(p, &p->down);
        if (up < 0 || down < 0 || (p->up.done && p->down.done)) {
            pipe_end(p);
            return;
        }
    }
    p->again = up > 0 || down > 0;
    nsec now = loop_now(loop);
    timer_set(loop, &p->timer, p->again ? now : nsec_add(now, nsec_of(params.pipe_timeout_s)));
}

static void
on_ready(struct conn *c)
{
    pump(c->owner);
}

static void
on_timer(struct timer *t)
{
    struct pipe *p = container_of(t, struct pipe, timer);
    if (p->again)
        pump(p);
    else
        pipe_end(p);                    /* nothing moved for pipe_timeout */
}

void
pipe_start(struct request *r, struct backend_conn **bc, struct span head)
{
    struct client *c = r->client;
    struct pipe *p = mem_zalloc(sizeof *p);
    atomic_fetch_add_explicit(&pipes_open, 1, memory_order_relaxed);
    p->client = c;
    p->bc = *bc;
    *bc = NULL;
    p->head = head;
    if (r->body.cached.ptr != NULL)
        p->body = r->body.cached;
    p->up = (struct half){ .from = &c->conn, .to = &p->bc->conn, .buf = mem_alloc(PIPE_BUFFER_BYTES) };
    p->down = (struct half){ .from = &p->bc->conn, .to = &c->conn, .buf = mem_alloc(PIPE_BUFFER_BYTES) };
    size_t early = c->rx_bytes - c->rx_taken;           /* sent by the client behind its head: at most what a half pipe takes */
    if (early > PIPE_BUFFER_BYTES) {
        free(p->up.buf);
        p->up.buf = mem_alloc(early);
    }
    memcpy(p->up.buf, c->rx + c->rx_taken, early);
    p->up.end = early;
    server_buffer_give(c->server, &c->rx);
    c->server->counters->s_pipe_hdrbytes += c->rx_head;
    c->server->counters->n_pipe++;
    log_timestamp(r->pipe_log, "Bereq", clock_real_ns());
    request_log_stamp(r, "Pipe");
    policy_unref(r->policy, r->loop);
    r->policy = NULL;
    c->state = CLIENT_PIPE;
    c->conn.on_ready = on_ready;
    c->conn.owner = p;
    p->bc->conn.on_ready = on_ready;
    p->bc->conn.owner = p;
    p->timer.fn = on_timer;
    pump(p);
}
