/* Client connections over HTTP/1: waits idle, serves one request after another, and closes so that the client
 * can read the last response. Everything runs on the loop of the connection. See connection.h for the
 * states. */
#include "stream/h1/connection.h"

#include "base/check.h"
#include "base/params.h"
#include "stream/h1/stream.h"

#define LINGER_PAUSE (2 * NSEC_PER_SEC) /* a lingering connection without a byte for so long ends */
#define DROP_TURN_BYTES (256u * 1024)   /* dropped bytes after which other work of this loop has its turn */

/* ---- closing ---- */

static void
release(struct h1_connection *c, enum session_why why)
{
    if (c->stream != NULL) {
        c->wire.session.service->ops->discard(c->stream->stream.user);
        h1_stream_free(c);
    }
    wire_release(&c->wire, why);
}

void
h1_close(struct h1_connection *c, enum session_why why)
{
    CHECK(c->state != H1_BUSY);
    conn_close(&c->wire.conn);
    release(c, why);
}

/* Reads and drops bytes. ERR_AGAIN: all that have arrived; 0: a turn's worth; ERR_EOF: the client has closed;
 * ERR_LIMIT: linger_size. */
static int
drop_input(struct h1_connection *c)
{
    char junk[4096];
    for (size_t turn = 0; turn < DROP_TURN_BYTES;) {
        if (c->dropped > params.linger_size_bytes)
            return ERR_LIMIT;
        ssize_t n = conn_read_now(&c->wire.conn, junk, sizeof junk);
        if (n <= 0)
            return n == ERR_AGAIN ? ERR_AGAIN : ERR_EOF;
        c->dropped += (uint32_t)n;
        turn += (size_t)n;
    }
    return 0;
}

void
h1_drop_body(struct h1_connection *c)
{
    struct loop *loop = c->wire.session.service->loop;
    CHECK(c->state == H1_BUSY && c->stream->drops_body);
    if (!conn_may_read(&c->wire.conn))
        return;
    int err = drop_input(c);
    if (err == 0)
        timer_set(loop, &c->wire.timer, loop_now(loop));
    c->stream->drops_body = err == 0 || err == ERR_AGAIN;
}

static void
linger_read(struct h1_connection *c)
{
    struct loop *loop = c->wire.session.service->loop;
    int err = drop_input(c);
    if (err != 0 && err != ERR_AGAIN) {
        h1_close(c, SC_REM_CLOSE);
        return;
    }
    nsec next = err == 0 ? loop_now(loop) : nsec_add(loop_now(loop), LINGER_PAUSE);
    timer_set(loop, &c->wire.timer, next < c->linger_until ? next : c->linger_until);
}

static void
linger_on(struct h1_connection *c)
{
    if (conn_may_read(&c->wire.conn) && loop_now(c->wire.session.service->loop) < c->linger_until)
        linger_read(c);
    else
        h1_close(c, SC_RX_CLOSE_IDLE);
}

/* If a socket is closed with unread bytes, the kernel sends a reset, which may destroy the response before
 * the client has read it (RFC 9112, 9.6). So half-close, read for a while, then close. */
void
h1_linger(struct h1_connection *c, enum session_why why)
{
    struct wire *w = &c->wire;
    struct service *sv = w->session.service;
    CHECK(c->stream == NULL);
    session_end(&w->session, why);
    buffers_give(&sv->buffers, &w->rx);
    c->state = H1_LINGER;
    c->linger_until = nsec_add(loop_now(sv->loop), nsec_of(params.linger_time_s));
    conn_half_close(&w->conn);
    linger_read(c);
}

/* ---- between requests ---- */

/* No byte is received, so the connection keeps only its struct. A running timer goes on, because this
 * function is called again on every event that brought no byte. */
void
h1_await_idle(struct h1_connection *c)
{
    struct wire *w = &c->wire;
    struct loop *loop = w->session.service->loop;
    CHECK(c->stream == NULL && w->rx_bytes == 0);
    c->state = H1_IDLE;
    buffers_give(&w->session.service->buffers, &w->rx);
    if (!timer_is_set(&w->timer))
        timer_set(loop, &w->timer, nsec_add(loop_now(loop), nsec_of(session_idle_timeout(&w->session))));
}

/* Counts a connection that idled longer than timeout_linger in sess_herd: Varnish hands such a connection to
 * its waiter and counts it there. */
void
h1_count_idle(struct h1_connection *c, nsec waited)
{
    const struct session *s = &c->wire.session;
    s->service->counters->sess_herd += waited > nsec_of(session_linger_timeout(s));
}

static struct stream_user *
next_request(struct h1_connection *c)
{
    struct wire *w = &c->wire;
    bool more = w->rx_bytes > c->rx_taken, pending = more || conn_may_read(&w->conn);
    if (more) {
        memmove(w->rx, w->rx + c->rx_taken, w->rx_bytes - c->rx_taken);
        w->rx_began = clock_real_ns();
        w->session.service->counters->sess_readahead++;
    }
    w->rx_bytes -= c->rx_taken;
    c->rx_taken = c->rx_head = 0;
    if (!pending) {
        h1_await_idle(c);
        return NULL;
    }
    return h1_read_head(c, more) == H1_HEAD_READY ? c->stream->stream.user : NULL;
}

struct stream_user *
h1_stream_done(struct stream *s)
{
    struct h1_connection *c = h1_of(s)->connection;
    struct service *sv = s->session->service;
    CHECK(c->state == H1_BUSY && c->stream == h1_of(s) && s->waiter == NULL);
    bool unread = h1_stream_body_unread(s), broken = s->broken, tunnelled = c->stream->in_tunnel;
    bool cut = c->stream->cut;
    if (unread)
        stream_close_after(s, SC_RX_BODY);
    if (sv->draining)
        stream_close_after(s, SC_RESP_CLOSE);
    enum session_why close = s->close;
    h1_stream_free(c);
    c->state = H1_IDLE;
    sv->counters->sess_closed += broken || tunnelled || close != SC_NONE;
    if (tunnelled) {
        h1_close(c, SC_TX_PIPE);
        return NULL;
    }
    if (broken && !cut) {
        conn_reset(&c->wire.conn);
        release(c, close == SC_NONE ? SC_REM_CLOSE : close);
        return NULL;
    }
    if (close == SC_NONE)
        return next_request(c);
    if (cut || unread || c->wire.rx_bytes > c->rx_taken || conn_may_read(&c->wire.conn))
        h1_linger(c, close);
    else
        h1_close(c, close);
    return NULL;
}

/* ---- events ---- */

/* Without a waiter there is nothing to do: the fiber sees the event when it reads or writes. */
static void
busy_ready(struct h1_connection *c)
{
    struct h1_stream *h = c->stream;
    if (h->in_tunnel) { /* an error shows at the next read or write */
        h->stream.unsent = conn_is_unsent(&c->wire.conn);
        stream_turn(&h->stream, SIZE_MAX);
        return;
    }
    if (h->drops_body)
        h1_drop_body(c);
    if (h->stream.waiter == NULL || h->stream.waiter->on_turn == NULL)
        return;
    if ((c->wire.conn.ready & CONN_ERROR) != 0)
        stream_break(&h->stream); /* the client has left: do not wait for the rest of the response */
    else if ((c->wire.conn.ready & CONN_WRITABLE) != 0)
        stream_turn(&h->stream, SIZE_MAX);
}

static void
on_ready(struct conn *conn)
{
    struct h1_connection *c = h1_of_wire(container_of(conn, struct wire, conn));
    switch (c->state) {
    case H1_IDLE:
    case H1_HEAD:
        if (h1_read_head(c, false) == H1_HEAD_READY)
            c->wire.session.service->ops->serve(c->stream->stream.user);
        return;
    case H1_BUSY: busy_ready(c); return;
    case H1_LINGER: linger_read(c); return;
    }
    WRONG("state of an HTTP/1 connection");
}

static void
on_timer(struct timer *t)
{
    struct h1_connection *c = h1_of_wire(container_of(t, struct wire, timer));
    switch (c->state) {
    case H1_IDLE:
        h1_count_idle(c, nsec_of(session_idle_timeout(&c->wire.session)));
        h1_close(c, SC_RX_CLOSE_IDLE);
        return;
    case H1_LINGER: linger_on(c); return;
    case H1_HEAD: h1_head_late(c); return;
    case H1_BUSY:
        if (c->stream->drops_body)
            h1_drop_body(c);
        return;
    }
    WRONG("state of an HTTP/1 connection");
}

/* ---- as a session ---- */

static void
drain(struct session *s)
{
    struct h1_connection *c = h1_of_wire(wire_of(s));
    if (c->state == H1_IDLE)
        h1_close(c, SC_RX_CLOSE_IDLE);
}

static bool
close_session(struct session *s, enum session_why why)
{
    struct h1_connection *c = h1_of_wire(wire_of(s));
    if (c->state == H1_BUSY)
        return false;
    h1_close(c, why);
    return true;
}

static const struct session_ops h1_session_ops = {
    .conn = wire_conn,
    .drain = drain,
    .close = close_session,
    .reset_at_exit = wire_reset_at_exit,
};

void
h1_take_over(struct wire *w)
{
    struct h1_connection *c = h1_of_wire(w);
    w->session.ops = &h1_session_ops;
    w->conn.on_ready = on_ready;
    w->conn.on_ahead = h1_read_ahead;
    w->timer.fn = on_timer;
    bool begun = w->rx != NULL;
    if (begun)
        c->state = H1_HEAD;
    if (h1_read_head(c, begun) == H1_HEAD_READY)
        w->session.service->ops->serve(c->stream->stream.user);
}
