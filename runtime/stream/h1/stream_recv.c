/* HTTP/1 request bodies, plain and chunked. Bytes received with the head are read before those of the
 * socket. */
#include "base/check.h"
#include "stream/h1/stream.h"

static ssize_t
receive(struct h1_connection *c, void *buf, size_t n, nsec deadline)
{
    ssize_t got = deadline == RECV_NOW ? conn_read_now(&c->wire.conn, buf, n)
                                       : conn_read(&c->wire.conn, buf, n, deadline);
    return got == 0 ? ERR_EOF : got;
}

static ssize_t
read_raw(struct h1_stream *h, void *buf, size_t n, nsec deadline)
{
    struct h1_connection *c = h->connection;
    size_t have = c->wire.rx_bytes - c->rx_taken;
    if (have > 0) {
        size_t take = have < n ? have : n;
        memcpy(buf, c->wire.rx + c->rx_taken, take);
        c->rx_taken += (uint32_t)take;
        return (ssize_t)take;
    }
    return receive(c, buf, n, deadline);
}

static ssize_t
read_length(struct h1_stream *h, void *buf, size_t n, nsec deadline)
{
    ssize_t got = read_raw(h, buf, n < h->body_left ? n : (size_t)h->body_left, deadline);
    if (got > 0)
        h->body_left -= (uint64_t)got;
    if (h->body_left == 0)
        h->body_done = true;
    return got;
}

/* A chunked body goes through the receive buffer, behind the head: the bytes behind its end are the next
 * request. */
static ssize_t
refill_rx(struct h1_stream *h, nsec deadline)
{
    struct h1_connection *c = h->connection;
    size_t cap = buffers_bytes(c->wire.rx);
    if (c->rx_taken == c->wire.rx_bytes && c->wire.rx_bytes > c->rx_head)
        /* the body bytes behind the head are consumed: reuse their space */
        c->wire.rx_bytes = c->rx_taken = c->rx_head;
    if (c->wire.rx_bytes == cap)
        return ERR_LIMIT;
    ssize_t got = receive(c, c->wire.rx + c->wire.rx_bytes, cap - c->wire.rx_bytes, deadline);
    if (got > 0)
        c->wire.rx_bytes += (uint32_t)got;
    return got;
}

static ssize_t
read_chunked(struct h1_stream *h, void *buf, size_t n, nsec deadline)
{
    struct h1_connection *c = h->connection;
    for (;;) {
        if (c->rx_taken == c->wire.rx_bytes) {
            ssize_t err = refill_rx(h, deadline);
            if (err < 0)
                return err;
        }
        size_t have = c->wire.rx_bytes - c->rx_taken;
        struct span in = span_of(c->wire.rx + c->rx_taken, have < n ? have : n), out = SPAN_NULL;
        size_t before = in.len;
        int r = http1_chunked_next(&h->decoder, &in, &out);
        c->rx_taken += (uint32_t)(before - in.len);
        if (r < 0)
            return r;
        if (out.len > 0)
            memcpy(buf, out.ptr, out.len);
        if (r == 1)
            h->body_done = true;
        if (out.len > 0 || r == 1)
            return (ssize_t)out.len;
    }
}

static void
body_broken(struct h1_stream *h)
{
    const char *why = !h->body_chunked       ? "straight insufficient bytes"
                    : h->decoder.why != NULL ? h->decoder.why
                    : h->decoder.left > 0    ? "chunked insufficient bytes"
                                             : "chunked read err";
    log_text(h->stream.user->log, TAG_FETCH_ERROR, span_str(why));
    stream_close_after(&h->stream, SC_RX_BODY);
}

ssize_t
h1_stream_recv_body(struct stream *s, void *buf, size_t n, nsec deadline)
{
    struct h1_stream *h = h1_of(s);
    if (h->body_done || n == 0)
        return 0;
    int err = s->continue_due ? h1_stream_send_interim(s, 100, NULL, deadline) : 0;
    if (err != 0)
        return err;
    ssize_t got = h->body_chunked ? read_chunked(h, buf, n, deadline) : read_length(h, buf, n, deadline);
    if (got < 0 && got != ERR_AGAIN)
        body_broken(h);
    if (got > 0) {
        s->bytes.req_body += (uint64_t)got;
        h1_counters(h)->s_req_bodybytes += (uint64_t)got;
    }
    return got;
}

void
h1_stream_stop_receiving(struct stream *s)
{
    conn_stop_reader(&h1_of(s)->connection->wire.conn);
}

bool
h1_stream_body_unread(const struct stream *s)
{
    return !h1_of(s)->body_done;
}
