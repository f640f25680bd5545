/* A layer between a connection and its socket, such as TLS: what it implements, and the socket that it works
 * on. `conn.layer` chooses it, and a connection without one uses the socket directly. The rooms above see
 * only conn.h. Belongs together with loop/conn: its reads and writes go through a layer, which uses its
 * socket.
 *
 * `conn.ready` tells the rooms above what a read or write may do. Events of the socket add to it, and reads
 * and writes of the socket take away. A layer adds CONN_HELD while it holds bytes or the end for a reader,
 * because no event announces them, and CONN_UNSENT, with CONN_WRITABLE clear, while it holds bytes for the
 * socket.
 *
 * All functions run on the loop of the connection, except those of an idle origin connection, which another
 * loop may take: they run under the lock of the idle connections. So events of the socket never reach a
 * layer, unless it holds bytes for the socket. */
#ifndef VERNIS_LOOP_LAYER_H
#define VERNIS_LOOP_LAYER_H

#include "loop/conn.h"

struct conn_layer_ops {
    /* As conn_read_now. ERR_AGAIN only after conn_socket_read has emptied the socket, because the next event
     * comes with further bytes only. */
    ssize_t (*read)(struct conn *c, void *buf, size_t n);
    /* As conn_write_now; not called while CONN_UNSENT is set. Bytes are taken whole: what the socket refuses
     * stays here. `flags`: MSG_MORE or 0, for conn_socket_write. */
    ssize_t (*write)(struct conn *c, const struct iovec *iov, int n, int flags);
    /* The socket has room: sends bytes that are held. Clears CONN_UNSENT once none is left, or none can be
     * sent any more. */
    void (*flush)(struct conn *c);
    /* As conn_alive, for the peer above the socket: bytes that concern only the layer are no sign of an end.
     */
    bool (*alive)(struct conn *c);
    /* Tells the peer the end, behind all bytes that are held. */
    void (*half_close)(struct conn *c);
    /* The connection is closed next. Frees the layer, and may tell the peer, unless CONN_ERROR is set. */
    void (*end)(struct conn *c);
};

/* The first field of a layer. */
struct conn_layer {
    const struct conn_layer_ops *ops;
};

/* The socket itself. A read clears CONN_READABLE when it has emptied the socket, and a write clears
 * CONN_WRITABLE when it has filled it; so does conn_socket_await_room. Otherwise as conn_read_now and
 * conn_write_now, and nobody checks `ready` first. */
ssize_t conn_socket_read(struct conn *c, void *buf, size_t n);
ssize_t conn_socket_write(struct conn *c, const struct iovec *iov, int n, int flags);
void conn_socket_await_room(struct conn *c);
void conn_socket_half_close(struct conn *c);

/* After a read of `got` bytes into room for `n`. A short read has emptied the socket. After the peer's close
 * epoll sends no further edge, so the bit stays then: the end of the stream is still to be read. */
static inline void
conn_received(struct conn *c, size_t got, size_t n)
{
    c->bytes_in += got;
    if (got < n && (c->ready & (CONN_PEER_CLOSED | CONN_ERROR)) == 0)
        c->ready &= ~CONN_READABLE;
}

#endif
