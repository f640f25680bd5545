/* A tunnel on an HTTP/1 connection, after its last request. Bytes that the client sent behind the head are
 * read first. */
#include "base/check.h"
#include "stream/h1/stream.h"

void
h1_stream_tunnel_start(struct stream *s)
{
    struct h1_stream *h = h1_of(s);
    CHECK(h->connection->state == H1_BUSY && h->out == NULL && !h->in_tunnel);
    h->in_tunnel = true;
}

ssize_t
h1_stream_tunnel_read(struct stream *s, void *buf, size_t n)
{
    struct h1_connection *c = h1_of(s)->connection;
    size_t early = c->wire.rx_bytes - c->rx_taken;
    CHECK(h1_of(s)->in_tunnel && n > 0);
    if (early == 0) {
        buffers_give(&s->session->service->buffers, &c->wire.rx);
        return conn_read_now(&c->wire.conn, buf, n);
    }
    n = n < early ? n : early;
    memcpy(buf, c->wire.rx + c->rx_taken, n);
    c->rx_taken += (uint32_t)n;
    return (ssize_t)n;
}

ssize_t
h1_stream_tunnel_write(struct stream *s, const struct iovec *iov, int n)
{
    struct conn *conn = &h1_of(s)->connection->wire.conn;
    CHECK(h1_of(s)->in_tunnel);
    ssize_t w = conn_write_now(conn, iov, n);
    s->unsent = conn_is_unsent(conn);
    return w;
}

void
h1_stream_tunnel_shut(struct stream *s)
{
    CHECK(h1_of(s)->in_tunnel);
    conn_half_close(&h1_of(s)->connection->wire.conn);
}
