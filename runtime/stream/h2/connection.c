/* Begin and end of an HTTP/2 connection. See connection.h. */
#include "stream/h2/connection.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "base/size.h"
#include "stream/h2/stream.h"
#include "stream/session_log.h"

#define LEAVE_WAIT NSEC_PER_SEC         /* for the client to notice that the connection ends */
#define LINGER_PAUSE (2 * NSEC_PER_SEC) /* a lingering connection without a byte for so long ends */

/* ---- the end ---- */

static void
release(struct h2_connection *c)
{
    struct wire *w = c->wire;
    CHECK(c->n_streams == 0 && c->inside == 0);
    h2_penalty_stop(c);
    h2_counters(c)->h2_sessions_live--;
    loop_end_round_cancel(&c->flush);
    h2_drop_block(c);
    h2_out_free(c);
    hpack_decoder_free(&c->decoder);
    if (c->encoder != NULL)
        hpack_encoder_free(c->encoder);
    free(c->encoder);
    free(c);
    conn_close(&w->conn);
    wire_release(w, SC_RX_CLOSE_IDLE); /* its reason was logged */
}

/* The numbers of the session itself: heads and payloads of its frames, without header blocks and contents. */
static void
end_session(struct h2_connection *c)
{
    struct session *s = &c->wire->session;
    if (s->log.id == 0)
        return;
    h2_penalty_end(c);
    uint64_t n[] = { c->received.heads, c->received.payloads, c->received.heads + c->received.payloads,
                     c->sent.heads,     c->sent.payloads,     c->sent.heads + c->sent.payloads };
    log_numbers(&s->log, TAG_REQ_ACCT, n, sizeof n / sizeof *n);
    h2_counters(c)->s_req_hdrbytes += c->received.heads;
    h2_counters(c)->s_req_bodybytes += c->received.payloads;
    h2_counters(c)->s_resp_hdrbytes += c->sent.heads;
    h2_counters(c)->s_resp_bodybytes += c->sent.payloads;
    h2_counters(c)->sess_closed += c->why != SC_REM_CLOSE && c->why != SC_RX_CLOSE_IDLE;
    session_end(s, c->why);
}

/* The budget is gone: what the client still sends is not worth a read. */
static void
linger_unread(struct h2_connection *c)
{
    struct loop *loop = c->wire->session.service->loop;
    bool gone = (c->wire->conn.ready & (CONN_PEER_CLOSED | CONN_ERROR)) != 0;
    if (gone || loop_now(loop) >= c->linger_until)
        release(c);
    else
        timer_set(loop, &c->wire->timer, c->linger_until);
}

/* `paused`: LINGER_PAUSE has passed since the last byte. */
static void
linger_read(struct h2_connection *c, bool paused)
{
    if (c->calm) {
        linger_unread(c);
        return;
    }
    struct loop *loop = c->wire->session.service->loop;
    char junk[4096];
    ssize_t n = 0;
    uint32_t before = c->dropped;
    while (c->dropped <= params.linger_size_bytes &&
           (n = conn_read_now(&c->wire->conn, junk, sizeof junk)) > 0)
        c->dropped += (uint32_t)n;
    if (n != ERR_AGAIN || (paused && c->dropped == before) || loop_now(loop) >= c->linger_until) {
        release(c);
        return;
    }
    nsec next = nsec_add(loop_now(loop), LINGER_PAUSE);
    timer_set(loop, &c->wire->timer, next < c->linger_until ? next : c->linger_until);
}

/* All streams are over. If a socket is closed with unread bytes, the kernel sends a reset, which may destroy
 * the last frames before the peer has read them. So half-close, read for a while, then close. */
static void
finish(struct h2_connection *c)
{
    struct service *sv = c->wire->session.service;
    bool gone = c->lost || (c->wire->conn.ready & (CONN_PEER_CLOSED | CONN_ERROR)) != 0;
    end_session(c);
    buffers_give(&sv->buffers, &c->wire->rx);
    c->wire->rx_bytes = 0;
    h2_out_free(c);
    if (gone) {
        release(c);
        return;
    }
    c->state = H2_LINGER;
    c->linger_until = nsec_add(loop_now(sv->loop), c->calm ? LINGER_PAUSE : nsec_of(params.linger_time_s));
    conn_half_close(&c->wire->conn);
    linger_read(c, false);
}

void
h2_settle(struct h2_connection *c)
{
    if (c->inside > 0 || c->state == H2_LINGER)
        return;
    bool over = c->state == H2_FAILED || (c->state == H2_LEAVING && c->last_goaway);
    if (over && c->n_streams == 0 && (c->state == H2_FAILED || c->out_bytes == 0))
        finish(c);
    else
        h2_arm_timer(c);
}

static void
cut_stream(struct h2_stream *h, void *arg)
{
    (void)arg;
    h2_stream_cut(h, H2_CANCEL, false);
}

/* Nothing more is read or sent. Streams without a fiber end now, the others when their fibers notice. */
static void
end_streams(struct h2_connection *c, enum session_why why)
{
    h2_penalty_stop(c);
    c->state = H2_FAILED;
    if (c->why == SC_NONE || why == SC_REM_CLOSE)
        c->why = why;
    h2_drop_block(c);
    c->inside++;
    h2_each_stream(c, cut_stream, NULL);
    c->inside--;
}

void
h2_gone(struct h2_connection *c, enum session_why why)
{
    if (c->state == H2_FAILED || c->state == H2_LINGER)
        return;
    end_streams(c, why);
    h2_settle(c);
}

static void
send_goaway(struct h2_connection *c, uint32_t last, enum h2_error error)
{
    char payload[8];
    h2_counters(c)->h2_goaway_out++;
    if (last < c->last_named)
        c->last_named = last;
    h2_put32(h2_put32(payload, c->last_named), (uint32_t)error);
    h2_out_frame(c, H2_GOAWAY, 0, 0, payload, sizeof payload);
}

void
h2_fail(struct h2_connection *c, enum h2_error error, enum session_why why)
{
    if (c->state == H2_FAILED || c->state == H2_LINGER)
        return;
    send_goaway(c, c->last_stream, error);
    (void)h2_out_write(c);
    end_streams(c, why);
    h2_settle(c);
}

/* The first GOAWAY announces the end and refuses nothing: requests may be on their way (RFC 9113, 6.8). The
 * answer to the PING shows that the client knows it, and the second GOAWAY names the last stream. */
void
h2_leave(struct h2_connection *c, enum session_why why)
{
    static const char payload[8] = "goodbye";
    if (c->state != H2_OPEN)
        return;
    c->state = H2_LEAVING;
    c->why = why;
    c->leave_until = nsec_add(loop_now(c->wire->session.service->loop), LEAVE_WAIT);
    send_goaway(c, H2_STREAM_BITS, H2_NO_ERROR);
    h2_out_frame(c, H2_PING, 0, 0, payload, sizeof payload);
    h2_arm_timer(c);
}

void
h2_fail_broken(struct h2_connection *c, enum h2_error error, enum session_why why)
{
    if (c->state == H2_OPEN || c->state == H2_LEAVING) {
        h2_budget_count_kill(h2_counters(c), H2_COST_BROKEN);
        h2_penalty_charge(c, H2_COST_BROKEN);
    }
    h2_fail(c, error, why);
}

void
h2_leave_now(struct h2_connection *c)
{
    if (c->state != H2_LEAVING || c->last_goaway)
        return;
    c->last_goaway = true;
    send_goaway(c, c->last_stream, H2_NO_ERROR);
}

bool
h2_charge(struct h2_connection *c, enum h2_cost kind, size_t n)
{
    switch (h2_budget_charge(&c->budget, kind, n, loop_now(c->wire->session.service->loop))) {
    case H2_BUDGET_LEFT: return true;
    case H2_BUDGET_LOW:
        h2_counters(c)->h2_budget_low += c->state == H2_OPEN;
        h2_leave(c, SC_OVERLOAD);
        return true;
    case H2_BUDGET_GONE: break;
    }
    if (c->state == H2_OPEN || c->state == H2_LEAVING) {
        h2_budget_count_kill(h2_counters(c), h2_budget_worst(&c->budget));
        h2_penalty_charge(c, h2_budget_worst(&c->budget));
        c->calm = true;
    }
    h2_fail(c, H2_ENHANCE_YOUR_CALM, SC_OVERLOAD);
    return false;
}

/* ---- events ---- */

/* All responses wait for windows that the client keeps shut. */
static bool
is_shut(const struct h2_connection *c)
{
    return params.h2_window_timeout_s > 0 && c->n_streams > 0 && c->n_shut == c->n_streams;
}

/* A request that came with Upgrade is served behind the client's preface. */
static bool
is_busy(const struct h2_connection *c)
{
    return c->n_streams > 0 && c->prefaced;
}

/* A header block must arrive within timeout_req, however slowly the client sends. A connection without a
 * request ends when it was idle for too long, or had a part of a frame for as long. */
void
h2_arm_timer(struct h2_connection *c)
{
    struct loop *loop = c->wire->session.service->loop;
    struct timer *t = &c->wire->timer;
    if (c->state == H2_LINGER || c->state == H2_LATE || c->read_on)
        return;
    bool in_block = c->block.bytes != NULL, shut = is_shut(c);
    if (c->state == H2_LEAVING && !c->last_goaway) {
        timer_set(loop, t, c->leave_until);
        return;
    }
    c->shut_since = !shut ? 0 : c->shut_since != 0 ? c->shut_since : loop_now(loop);
    if (is_busy(c) && !in_block && !shut) {
        timer_suspend(t);
        return;
    }
    double wait = in_block ? params.timeout_req_s
                : shut     ? params.h2_window_timeout_s
                           : session_idle_timeout(&c->wire->session);
    nsec since = in_block              ? c->block.since
               : shut                  ? c->shut_since
               : c->partial_since != 0 ? c->partial_since
                                       : loop_now(loop);
    timer_set(loop, t, nsec_add(since, nsec_of(wait)));
}

static void
on_ready(struct conn *conn)
{
    struct h2_wire *w = container_of(container_of(conn, struct wire, conn), struct h2_wire, wire);
    struct h2_connection *c = w->connection;
    if (c->state == H2_LINGER) {
        linger_read(c, false);
        return;
    }
    c->inside++;
    if (c->state == H2_LATE && (conn->ready & (CONN_PEER_CLOSED | CONN_ERROR)) != 0) {
        c->lost = true;
        h2_gone(c, SC_REM_CLOSE);
    }
    if ((conn->ready & CONN_WRITABLE) != 0 && (c->out_full || c->n_waiting > 0)) {
        c->out_full = false;
        h2_out_soon(c);
    }
    h2_read(c);
    c->inside--;
    h2_settle(c);
}

static void
begin_late(struct h2_connection *c)
{
    h2_penalty_over(c);
    h2_read(c);
}

static void
on_timer(struct timer *t)
{
    struct h2_wire *w = container_of(container_of(t, struct wire, timer), struct h2_wire, wire);
    struct h2_connection *c = w->connection;
    switch (c->state) {
    case H2_LINGER: linger_read(c, true); return;
    case H2_FAILED: return;
    case H2_LATE:
    case H2_OPEN:
    case H2_LEAVING: break;
    }
    c->inside++;
    if (c->state == H2_LATE)
        begin_late(c);
    else if (c->read_on)
        h2_read(c);
    else if (c->state == H2_LEAVING && !c->last_goaway)
        h2_leave_now(c);
    else if (c->block.bytes != NULL)
        h2_fail(c, H2_ENHANCE_YOUR_CALM, SC_RX_TIMEOUT);
    else if (is_shut(c)) {
        h2_counters(c)->h2_killed_window++;
        h2_fail(c, H2_ENHANCE_YOUR_CALM, SC_OVERLOAD);
    } else if (!is_busy(c))
        h2_fail(c, H2_NO_ERROR, SC_RX_CLOSE_IDLE);
    c->inside--;
    h2_settle(c);
}

/* ---- as a session ---- */

static void
drain(struct session *s)
{
    struct h2_connection *c = h2_of_session(s);
    if (c->state == H2_LATE) {
        h2_gone(c, SC_RX_CLOSE_IDLE);
        return;
    }
    h2_leave(c, SC_RX_CLOSE_IDLE);
    h2_out_soon(c);
}

static bool
close_session(struct session *s, enum session_why why)
{
    struct h2_connection *c = h2_of_session(s);
    if (c->n_streams > 0 || c->inside > 0)
        return false;
    if (c->state != H2_LINGER) {
        c->why = why;
        end_session(c);
    }
    release(c);
    return true;
}

static const struct session_ops h2_session_ops = {
    .conn = wire_conn,
    .drain = drain,
    .retire = drain,
    .close = close_session,
    .reset_at_exit = wire_reset_at_exit,
};

/* ---- the beginning ---- */

static struct h2_connection *
new_connection(struct wire *w)
{
    struct h2_connection *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->wire = w;
    c->send_window = H2_WINDOW_DEFAULT;
    c->receive_window = H2_WINDOW_DEFAULT;
    c->last_named = H2_STREAM_BITS;
    c->settings_window = params.h2_initial_window_size_bytes;
    c->payload_max = params.h2_max_frame_size_bytes;
    c->extended_connect = params.h2_extended_connect;
    c->peer = (struct h2_peer){ .initial_window = H2_WINDOW_DEFAULT, .payload_max = H2_PAYLOAD_DEFAULT };
    c->table_max = (uint32_t)min_size(params.h2_header_table_size_bytes, HPACK_TABLE_BYTES_MAX);
    hpack_decoder_init(&c->decoder, c->table_max);
    if (params.h2_short_heads && (c->encoder = malloc(sizeof *c->encoder)) != NULL)
        hpack_encoder_init(c->encoder, HPACK_TABLE_BYTES);
    c->flush.fn = h2_out_on_round;
    list_init(&c->heads);
    for (unsigned i = 0; i < H2_URGENCIES; i++)
        list_init(&c->turns[i]);
    h2_counters(c)->h2_sessions++;
    h2_counters(c)->h2_sessions_live++;
    if (params.h2_notsent_lowat_bytes > 0)
        conn_limit_unsent(&w->conn, (unsigned)params.h2_notsent_lowat_bytes);
    container_of(w, struct h2_wire, wire)->connection = c;
    w->session.ops = &h2_session_ops;
    w->conn.on_ready = on_ready;
    w->conn.on_ahead = NULL;
    w->timer.fn = on_timer;
    return c;
}

/* No memory: HTTP/1 would not have any, either. */
static void
give_up(struct wire *w)
{
    conn_close(&w->conn);
    wire_release(w, SC_OVERLOAD);
}

struct h2_connection *
h2_begin(struct wire *w, struct span greeting)
{
    struct h2_connection *c = new_connection(w);
    if (c == NULL) {
        give_up(w);
        return NULL;
    }
    c->inside++;
    char *at = greeting.len == 0 ? NULL : h2_out_room(c, greeting.len);
    if (at != NULL) {
        put_span(at, greeting);
        h2_out_used(c, greeting.len);
    }
    return c;
}

void
h2_go_on(struct h2_connection *c)
{
    if (c->state == H2_OPEN && !h2_penalty_begin(c)) {
        c->lost = true; /* a GOAWAY would cost more than the connection */
        h2_gone(c, SC_OVERLOAD);
    }
    h2_read(c);
    c->inside--;
    h2_settle(c);
}

void
h2_take_over(struct wire *w)
{
    log_text(&w->session.log, TAG_DEBUG, SPAN_LIT("H2 Prior Knowledge Upgrade"));
    struct h2_connection *c = h2_begin(w, SPAN_NULL);
    if (c != NULL)
        h2_go_on(c);
}
