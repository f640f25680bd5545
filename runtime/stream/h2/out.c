/* The frames that wait for the socket, and whose turn it is. Streams of one round collect their frames here,
 * and one write at its end sends them. */
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/params.h"
#include "base/size.h"
#include "stream/h2/frame_log.h"
#include "stream/h2/stream.h"

#define CONTROL_BYTES_MAX (64u * 1024) /* of frames that wait for the socket: more, and reading stops */
#define ROUND_BYTES (4u * 1024 * 1024) /* after which other work of this loop has its turn */
#define TURN_BYTES 16384u              /* of a stream that shares with others (RFC 9218, incremental) */

/* ---- the buffer ---- */

void
h2_out_free(struct h2_connection *c)
{
    if (c->out_grown)
        free(c->out);
    else
        buffers_give(&c->wire->session.service->buffers, &c->out);
    c->out = NULL;
    c->out_bytes = c->out_sent = c->out_cap = 0;
    c->out_grown = false;
}

/* A buffer of the service suffices, but for large heads and for frames behind a socket that is full. */
static bool
grow(struct h2_connection *c, size_t need)
{
    size_t cap = max_size(2 * (size_t)c->out_cap, need);
    char *grown = malloc(cap);
    if (grown == NULL)
        return false;
    uint32_t n = c->out_bytes - c->out_sent;
    if (n > 0)
        memcpy(grown, c->out + c->out_sent, n);
    h2_out_free(c);
    c->out = grown;
    c->out_bytes = n;
    c->out_cap = (uint32_t)cap;
    c->out_grown = true;
    return true;
}

char *
h2_out_room(struct h2_connection *c, size_t n)
{
    if (c->out == NULL && (c->out = buffers_take(&c->wire->session.service->buffers)) != NULL)
        c->out_cap = (uint32_t)buffers_bytes(c->out);
    if (c->out == NULL || (c->out_cap - c->out_bytes < n && !grow(c, c->out_bytes - c->out_sent + n))) {
        c->lost = true;
        h2_out_soon(c);
        return NULL;
    }
    return c->out + c->out_bytes;
}

void
h2_out_used(struct h2_connection *c, size_t n)
{
    c->out_bytes += (uint32_t)n;
    CHECK(c->out_bytes <= c->out_cap);
    h2_out_soon(c);
}

/* The frames count as the session's own: heads of all frames, payloads of control frames. */
void
h2_out_frame(struct h2_connection *c, enum h2_type type, unsigned flags, uint32_t stream, const void *payload,
             size_t n)
{
    char *at = c->state == H2_FAILED || c->state == H2_LINGER ? NULL : h2_out_room(c, H2_HEAD_BYTES + n);
    if (at == NULL)
        return;
    char *body = h2_put_frame(at, type, flags, n, stream);
    if (n > 0)
        memcpy(body, payload, n);
    h2_log_frame(&c->wire->session.log, false, at, span_of(body, n));
    c->sent.heads += H2_HEAD_BYTES;
    c->sent.payloads += n;
    h2_out_used(c, H2_HEAD_BYTES + n);
}

void
h2_out_reset(struct h2_connection *c, uint32_t stream, enum h2_error error)
{
    char payload[4];
    h2_counters(c)->h2_resets_out++;
    c->resets[c->n_resets++ % H2_RESETS_KNOWN] = stream;
    h2_put32(payload, (uint32_t)error);
    h2_out_frame(c, H2_RST_STREAM, 0, stream, payload, sizeof payload);
}

bool
h2_out_has_reset(struct h2_connection *c, uint32_t stream, bool forget)
{
    for (unsigned i = 0; i < H2_RESETS_KNOWN; i++)
        if (c->resets[i] == stream) {
            c->resets[i] = forget ? 0 : stream;
            return true;
        }
    return false;
}

void
h2_out_window(struct h2_connection *c, uint32_t stream, uint32_t n)
{
    char payload[4];
    h2_put32(payload, n);
    h2_out_frame(c, H2_WINDOW_UPDATE, 0, stream, payload, sizeof payload);
}

bool
h2_out_is_stuffed(const struct h2_connection *c)
{
    return c->out_bytes - c->out_sent > CONTROL_BYTES_MAX;
}

void
h2_out_soon(struct h2_connection *c)
{
    if (c->state != H2_LINGER)
        loop_end_round(c->wire->session.service->loop, &c->flush);
}

/* ---- writing ---- */

bool
h2_out_write(struct h2_connection *c)
{
    while (c->out_sent < c->out_bytes && !c->out_full) {
        struct iovec iov = { c->out + c->out_sent, c->out_bytes - c->out_sent };
        ssize_t n = conn_write_now(&c->wire->conn, &iov, 1);
        if (n == ERR_AGAIN)
            c->out_full = true;
        else if (n < 0)
            c->lost = true;
        if (n < 0)
            return false;
        c->out_sent += (uint32_t)n;
    }
    if (c->out_sent < c->out_bytes)
        return false;
    c->out_sent = c->out_bytes = 0;
    if (c->out_grown)
        h2_out_free(c);
    return true;
}

/* ---- turns ---- */

/* The first that may send something. A head needs no window. One that waits for its own window leaves the
 * turns until WINDOW_UPDATE brings it back. */
static struct h2_stream *
next_turn(struct h2_connection *c)
{
    for (unsigned i = 0; i < H2_URGENCIES; i++)
        for (struct list *l = c->turns[i].next, *next; l != &c->turns[i]; l = next) {
            struct h2_stream *h = container_of(l, struct h2_stream, turn);
            next = l->next;
            if (h->head != NULL || (h->send_window > 0 && c->send_window > 0))
                return h;
            h2_stream_window_shut(h);
            if (h->send_window <= 0)
                h2_stream_leave_turns(h);
        }
    return NULL;
}

/* In the order of urgency. Streams that share send a frame each in turn, others until they have to wait
 * (RFC 9218, 10). */
static void
give_turns(struct h2_connection *c)
{
    uint64_t begin = c->wire->conn.bytes_out;
    c->in_turns = true;
    for (struct h2_stream *h; !c->out_full && !c->lost && (h = next_turn(c)) != NULL;) {
        uint32_t id = h->id;
        uint64_t taken = h->stream.taken;
        if (c->wire->conn.bytes_out - begin > ROUND_BYTES) {
            h2_out_soon(c);
            break;
        }
        h2_stream_leave_turns(h);
        stream_turn(&h->stream, h->stream.incremental ? TURN_BYTES : SIZE_MAX);
        if (h2_find(c, id) != h || h->ended)
            continue;
        if (h->stream.taken > taken) /* one that has used up its budget asks for nothing */
            h2_stream_want_turn(h);
        else if (c->out_full && list_linked(&h->turn)) { /* it has not had its turn */
            list_remove(&h->turn);
            list_push_front(&c->turns[h->stream.urgency], &h->turn);
        }
    }
    c->in_turns = false;
}

void
h2_out_on_round(struct loop_row *f)
{
    struct h2_connection *c = container_of(f, struct h2_connection, flush);
    c->inside++;
    if (!c->lost && h2_out_write(c) && c->n_waiting > 0 && (c->state == H2_OPEN || c->state == H2_LEAVING)) {
        give_turns(c);
        (void)h2_out_write(c);
    }
    h2_serve_queued(c);
    if (c->lost)
        h2_gone(c, SC_REM_CLOSE);
    else if (!c->read_on && (conn_may_read(&c->wire->conn) || c->wire->rx_bytes > 0))
        h2_read(c); /* it may have stopped because of the output */
    if (c->out != NULL && c->out_bytes == 0)
        h2_out_free(c);
    c->inside--;
    h2_settle(c);
}
