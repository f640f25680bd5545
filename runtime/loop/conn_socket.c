/* The socket of a connection, as a layer or a connection without one uses it (layer.h). */
#include <errno.h>
#include <netinet/in.h>
#include <sys/sendfile.h>

#include "base/check.h"
#include "base/put.h"
#include "loop/layer.h"

#define IOV_BATCH 64 /* entries given to one system call */
/* Up to here, copying the pieces into one costs less than sendmsg() costs the kernel over send(). */
#define JOINED_BYTES_MAX 4096u

ssize_t
conn_socket_read(struct conn *c, void *buf, size_t n)
{
    ssize_t got;
    do
        got = recv(c->poll.fd, buf, n, 0);
    while (got < 0 && errno == EINTR);
    if (got > 0) {
        conn_received(c, (size_t)got, n);
        return got;
    }
    if (got == 0)
        return 0;
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return ERR_RESET;
    c->ready &= ~CONN_READABLE;
    return ERR_AGAIN;
}

/* The next edge comes when the buffer of the socket has room again (epoll(7)). */
void
conn_socket_await_room(struct conn *c)
{
    c->ready &= ~CONN_WRITABLE;
    loop_watch_room(c->loop, &c->poll);
}

static ssize_t
send_joined(int fd, const struct iovec *iov, int n, int flags)
{
    char text[JOINED_BYTES_MAX], *p = text;
    for (int i = 0; i < n; i++)
        p = put_span(p, span_of(iov[i].iov_base, iov[i].iov_len));
    return send(fd, text, (size_t)(p - text), flags);
}

static ssize_t
send_pieces(int fd, const struct iovec *iov, int n, size_t bytes, int flags)
{
    if (n == 1)
        return send(fd, iov->iov_base, iov->iov_len, flags);
    if (bytes <= JOINED_BYTES_MAX)
        return send_joined(fd, iov, n, flags);
    struct msghdr msg = { .msg_iov = (struct iovec *)iov, .msg_iovlen = (size_t)n };
    return sendmsg(fd, &msg, flags);
}

/* After a write of n bytes: the result for the caller. */
static ssize_t
written(struct conn *c, ssize_t put)
{
    if (put >= 0) {
        c->bytes_out += (uint64_t)put;
        return put;
    }
    if (errno != EAGAIN && errno != EWOULDBLOCK)
        return ERR_RESET;
    conn_socket_await_room(c);
    return ERR_AGAIN;
}

ssize_t
conn_socket_write(struct conn *c, const struct iovec *iov, int n, int flags)
{
    if (n > IOV_BATCH)
        n = IOV_BATCH;
    size_t offered = 0;
    for (int i = 0; i < n; i++)
        offered += iov[i].iov_len;
    ssize_t put;
    do
        put = send_pieces(c->poll.fd, iov, n, offered, flags | MSG_NOSIGNAL);
    while (put < 0 && errno == EINTR);
    if (put >= 0 && (size_t)put < offered)
        conn_socket_await_room(c);
    return written(c, put);
}

/* A short result does not mean that the socket is full: a signal may have cut it short. The next call
 * tells. */
ssize_t
conn_send_file(struct conn *c, int fd, off_t at, size_t n)
{
    CHECK(conn_sends_files(c));
    if ((c->ready & CONN_WRITABLE) == 0)
        return ERR_AGAIN;
    ssize_t put;
    do
        put = sendfile(c->poll.fd, fd, &at, n);
    while (put < 0 && errno == EINTR);
    CHECK(put != 0);
    return written(c, put);
}

void
conn_socket_half_close(struct conn *c)
{
    (void)shutdown(c->poll.fd, SHUT_WR);
}
