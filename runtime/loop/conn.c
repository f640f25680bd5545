/* Connections. `ready` holds readiness bits: an epoll edge sets them, and a system call that finds nothing
 * left clears them. So conn never tries a read or a write that is known to fail. */
#include "loop/conn.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/fiber.h"
#include "loop/layer.h"

/* ---- readiness ---- */

/* The socket has room: does it also have room for new bytes? */
static bool
is_flushed(struct conn *c)
{
    if (conn_is_unsent(c))
        c->layer->ops->flush(c);
    return !conn_is_unsent(c);
}

static void
conn_event(struct poll_handle *h, uint32_t events)
{
    struct conn *c = container_of(h, struct conn, poll);
    CHECK(c->loop != NULL);
    uint32_t now = 0;
    if (events & EPOLLIN)
        now |= CONN_READABLE;
    if ((events & EPOLLOUT) && is_flushed(c))
        now |= CONN_WRITABLE;
    if (events & EPOLLRDHUP)
        now |= CONN_PEER_CLOSED | CONN_READABLE;
    if (events & (EPOLLERR | EPOLLHUP))
        now |= CONN_ERROR | CONN_READABLE | CONN_WRITABLE;
    uint32_t news = now & ~c->ready;
    c->ready |= now;
    if (c->reader != NULL && (news & (CONN_READABLE | CONN_PEER_CLOSED | CONN_ERROR)) != 0) {
        fiber_wake(c->reader);
        news &= ~(CONN_READABLE | CONN_PEER_CLOSED | CONN_ERROR);
    }
    if (c->writer != NULL && (news & (CONN_WRITABLE | CONN_ERROR)) != 0) {
        fiber_wake(c->writer);
        news &= ~(CONN_WRITABLE | CONN_ERROR);
    }
    if (news != 0 && c->on_ready != NULL)
        c->on_ready(c); /* may close and free c */
}

/* Leaves the end of the stream and errors to conn_event. */
static void
conn_event_ahead(struct poll_handle *h, uint32_t events)
{
    struct conn *c = container_of(h, struct conn, poll);
    bool input = (events & (EPOLLIN | EPOLLRDHUP | EPOLLERR | EPOLLHUP)) == EPOLLIN;
    if (input && c->on_ahead != NULL && c->layer == NULL && (c->ready & CONN_READABLE) == 0)
        c->on_ahead(c);
}

/* ---- life ---- */

static int
attach(struct conn *c, struct loop *loop, int (*add)(struct loop *loop, struct poll_handle *h))
{
    CHECK(c->loop == NULL && c->poll.fd >= 0);
    c->poll.on_event = conn_event;
    c->poll.on_ahead = conn_event_ahead;
    c->reader = c->writer = NULL;
    /* A new socket normally has room to write. The first epoll event reports readable bytes. */
    c->ready = CONN_WRITABLE;
    if (add(loop, &c->poll) != 0)
        return ERR_SYS;
    c->loop = loop;
    return 0;
}

int
conn_attach(struct conn *c, struct loop *loop)
{
    return attach(c, loop, loop_add);
}

static int
init(struct conn *c, struct loop *loop, int fd, int (*add)(struct loop *loop, struct poll_handle *h))
{
    CHECK(fd >= 0);
    *c = (struct conn){ .poll.fd = fd };
    int err = attach(c, loop, add);
    if (err != 0) {
        close(fd);
        c->poll.fd = -1;
    }
    return err;
}

int
conn_init(struct conn *c, struct loop *loop, int fd)
{
    return init(c, loop, fd, loop_add_later);
}

void
conn_expect(struct conn *c)
{
    c->ready |= CONN_READABLE;
}

void
conn_take_over(struct conn *from, struct conn *to)
{
    CHECK(from->loop != NULL && from->poll.fd >= 0 && from->ahead == 0);
    *to = (struct conn){ .poll = { .fd = from->poll.fd, .on_event = conn_event },
                         .layer = from->layer,
                         .bytes_in = from->bytes_in,
                         .bytes_out = from->bytes_out };
    loop_unwatch(from->loop, &from->poll);
    from->poll.fd = -1;
    from->layer = NULL;
}

void
conn_forget(struct conn *c)
{
    CHECK(c->poll.fd < 0);
    loop_forget(c->loop, &c->poll);
    c->loop = NULL;
}

/* A zeroed conn has descriptor 0 but no handler: it was never opened. */
static bool
conn_is_open(const struct conn *c)
{
    return c->poll.fd >= 0 && c->poll.on_event != NULL;
}

void
conn_close(struct conn *c)
{
    if (!conn_is_open(c))
        return;
    CHECK(c->reader == NULL && c->writer == NULL);
    if (c->layer != NULL)
        c->layer->ops->end(c);
    c->layer = NULL;
    if (c->loop != NULL)
        loop_forget(c->loop, &c->poll);
    c->loop = NULL;
    close(c->poll.fd);
    c->poll.fd = -1;
    c->ready = 0;
    c->ahead = 0;
}

void
conn_reset(struct conn *c)
{
    struct linger hard = { .l_onoff = 1, .l_linger = 0 };
    if (conn_is_open(c))
        (void)setsockopt(c->poll.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
    c->ready |= CONN_ERROR; /* a layer must not tell of a regular end */
    conn_close(c);
}

void
conn_half_close(struct conn *c)
{
    if (c->layer != NULL)
        c->layer->ops->half_close(c);
    else
        conn_socket_half_close(c);
}

void
conn_limit_unsent(struct conn *c, unsigned n)
{
    (void)setsockopt(c->poll.fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &n, sizeof n); /* not for Unix sockets */
}

void
conn_hold_end(struct conn *c)
{
    int on = 1;
    /* Fails on a Unix socket, which has no packets. */
    (void)setsockopt(c->poll.fd, IPPROTO_TCP, TCP_CORK, &on, sizeof on);
}

void
conn_interrupt(struct conn *c)
{
    (void)shutdown(c->poll.fd, SHUT_RDWR);
}

/* ---- without waiting ---- */

void
conn_read_ahead(struct conn *c, void *buf, size_t n)
{
    CHECK(c->ahead == 0 && n > 0 && n <= CONN_AHEAD_MAX);
    ssize_t got = recv(c->poll.fd, buf, n, 0);
    c->ahead = got > 0 ? (uint16_t)got : 0; /* conn_read_now finds out why there are none */
    c->ahead_room = (uint16_t)n;
}

ssize_t
conn_read_now(struct conn *c, void *buf, size_t n)
{
    if (!conn_may_read(c))
        return ERR_AGAIN;
    CHECK(n > 0);
    if (c->ahead > 0) {
        size_t ahead = c->ahead;
        c->ahead = 0;
        conn_received(c, ahead, c->ahead_room);
        return (ssize_t)ahead;
    }
    return c->layer == NULL ? conn_socket_read(c, buf, n) : c->layer->ops->read(c, buf, n);
}

static ssize_t
write_now(struct conn *c, const struct iovec *iov, int n, int flags)
{
    if ((c->ready & CONN_WRITABLE) == 0)
        return ERR_AGAIN;
    CHECK(n > 0);
    return c->layer == NULL ? conn_socket_write(c, iov, n, flags) : c->layer->ops->write(c, iov, n, flags);
}

ssize_t
conn_write_now(struct conn *c, const struct iovec *iov, int n)
{
    return write_now(c, iov, n, 0);
}

ssize_t
conn_write_more(struct conn *c, const struct iovec *iov, int n)
{
    return write_now(c, iov, n, MSG_MORE);
}

bool
conn_alive(struct conn *c)
{
    CHECK(c->loop != NULL && c->poll.fd >= 0);
    if (c->ready & (CONN_PEER_CLOSED | CONN_ERROR))
        return false;
    if (c->layer != NULL)
        return c->layer->ops->alive(c);
    char byte;
    ssize_t n = recv(c->poll.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    if (n >= 0 || (errno != EAGAIN && errno != EWOULDBLOCK))
        return false;
    c->ready &= ~CONN_READABLE;
    return true;
}

/* ---- on a fiber ---- */

/* ERR_AGAIN: stop() emptied the place. */
static int
conn_park(struct fiber **place, nsec deadline)
{
    CHECK(*place == NULL);
    *place = fiber_current();
    int err = fiber_park_until(deadline);
    if (*place == NULL)
        return ERR_AGAIN;
    *place = NULL;
    return err;
}

static void
stop(struct fiber **place)
{
    struct fiber *f = *place;
    *place = NULL;
    if (f != NULL)
        fiber_wake(f);
}

void
conn_stop_reader(struct conn *c)
{
    stop(&c->reader);
}

void
conn_stop_writer(struct conn *c)
{
    stop(&c->writer);
}

ssize_t
conn_read(struct conn *c, void *buf, size_t n, nsec deadline)
{
    for (;;) {
        ssize_t got = conn_read_now(c, buf, n);
        if (got != ERR_AGAIN)
            return got;
        int err = conn_park(&c->reader, deadline);
        if (err == ERR_AGAIN)
            return ERR_AGAIN;
        if (err != 0 && !conn_may_read(c))
            return ERR_TIMEOUT;
    }
}

/* Removes the n written bytes from the front of *iov. */
static void
iov_advance(struct iovec **iov, int *n_iov, size_t n)
{
    while (*n_iov > 0 && n >= (*iov)->iov_len) {
        n -= (*iov)->iov_len;
        (*iov)->iov_len = 0;
        (*iov)++;
        (*n_iov)--;
    }
    if (n > 0) {
        (*iov)->iov_base = (char *)(*iov)->iov_base + n;
        (*iov)->iov_len -= n;
    }
}

int
conn_write(struct conn *c, struct iovec *iov, int n, nsec deadline)
{
    iov_advance(&iov, &n, 0); /* skips empty entries */
    while (n > 0 || conn_is_unsent(c)) {
        ssize_t put = n > 0 ? conn_write_now(c, iov, n) : ERR_AGAIN;
        if (put >= 0)
            iov_advance(&iov, &n, (size_t)put);
        else if (put != ERR_AGAIN)
            return (int)put;
        else {
            int err = conn_park(&c->writer, deadline);
            if (err == ERR_AGAIN)
                return ERR_AGAIN;
            if (err != 0 && (c->ready & CONN_WRITABLE) == 0)
                return ERR_TIMEOUT;
        }
    }
    return 0;
}

int
conn_wait(struct conn *c, uint32_t ready_mask, nsec deadline)
{
    CHECK(c->loop != NULL && ready_mask != 0);
    struct fiber *self = fiber_current();
    bool writable = (ready_mask & CONN_WRITABLE) != 0, other = (ready_mask & ~CONN_WRITABLE) != 0;
    int err = 0;
    CHECK((!writable || c->writer == NULL) && (!other || c->reader == NULL));
    while (err == 0 && (c->ready & ready_mask) == 0) {
        c->writer = writable ? self : c->writer;
        c->reader = other ? self : c->reader;
        err = fiber_park_until(deadline);
        c->writer = writable ? NULL : c->writer;
        c->reader = other ? NULL : c->reader;
    }
    return (c->ready & ready_mask) != 0 ? 0 : err;
}

/* ---- connecting ---- */

static int
connect_wait(struct conn *c, nsec deadline)
{
    conn_socket_await_room(c); /* the socket becomes writable when connect succeeds or fails */
    int err = conn_wait(c, CONN_WRITABLE, deadline);
    if (err != 0)
        return err;
    int why = 0;
    socklen_t len = sizeof why;
    if (getsockopt(c->poll.fd, SOL_SOCKET, SO_ERROR, &why, &len) != 0)
        return ERR_SYS;
    errno = why;
    return why == 0 ? 0 : why == ETIMEDOUT ? ERR_TIMEOUT : ERR_RESET;
}

int
conn_connect(struct conn *c, struct loop *loop, const struct sockaddr *sa, socklen_t len, nsec deadline)
{
    CHECK(loop_is_current(loop) && fiber_current() != NULL);
    *c = (struct conn){ .poll.fd = -1 };
    int fd = socket(sa->sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return ERR_SYS;
    int on = 1;
    /* Fails on a Unix socket, which has no Nagle delay. */
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    bool pending = false;
    if (connect(fd, sa, len) != 0) {
        pending = errno == EINPROGRESS;
        if (!pending) { /* refused, or EAGAIN: the backlog of a Unix socket is full */
            int why = errno;
            close(fd);
            errno = why;
            return ERR_RESET;
        }
    }
    int err = init(c, loop, fd, loop_add); /* watched at once, because connect_wait needs the event */
    if (err == 0 && pending)
        err = connect_wait(c, deadline);
    if (err != 0) {
        int why = errno;
        conn_close(c);
        errno = why;
    }
    return err;
}

/* ---- names ---- */

void
conn_local(const struct conn *c, struct address *out)
{
    struct sockaddr_storage ss = { 0 };
    socklen_t len = sizeof ss;
    (void)getsockname(c->poll.fd, (struct sockaddr *)&ss, &len); /* failure leaves family 0, unknown */
    address_of_peer((struct sockaddr *)&ss, out);
}

void
conn_peer(const struct conn *c, struct address *out)
{
    struct sockaddr_storage ss = { 0 };
    socklen_t len = sizeof ss;
    (void)getpeername(c->poll.fd, (struct sockaddr *)&ss, &len);
    address_of_peer((struct sockaddr *)&ss, out);
}
