/* The client's side of an HTTP/2 connection on one loop, byte by byte: a socket pair whose other end a
 * session of support/h2_service.h owns. One a thread. */
#ifndef VERNIS_TESTS_SUPPORT_H2_PEER_H
#define VERNIS_TESTS_SUPPORT_H2_PEER_H

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/params.h"
#include "stream/h2/connection.h"
#include "stream/start.h"
#include "support/h2_service.h"
#include "support/on_loop.h"

#define PEER_SENDS_MAX (2u << 20)
#define PEER_READS_MAX (4u << 20)
#define PEER_ROUNDS_MAX 2000
#define PEER_WAIT NSEC_PER_MSEC

static struct listen_socket peer_listener = {
    .fd = -1, .name = { "m0", 2 }, .endpoint = { "memory", 6 }, .local_known = true
};

static _Thread_local struct {
    struct loop *loop;
    int fd;          /* -1: closed */
    bool at_end;     /* the server has closed, or half-closed */
    uint8_t *bytes;  /* all that was read */
    size_t n, taken; /* taken: frames up to here were looked at */
    char *out;       /* frames to be sent */
    size_t n_out;
} peer;

static inline void
peer_turns(unsigned n)
{
    while (n-- > 0)
        loop_run_once(peer.loop, 0);
}

/* ---- to the server ---- */

static inline void
peer_put(const void *bytes, size_t n)
{
    CHECK(peer.n_out + n <= PEER_SENDS_MAX);
    if (n > 0)
        memcpy(peer.out + peer.n_out, bytes, n);
    peer.n_out += n;
}

static inline void
peer_put_frame(unsigned type, unsigned flags, uint32_t stream, const void *payload, size_t n)
{
    char head[H2_HEAD_BYTES];
    h2_put_frame(head, (enum h2_type)type, flags, n, stream);
    peer_put(head, sizeof head);
    peer_put(payload, n);
}

/* Gives the socket what it takes, in pieces of `step` bytes, and turns the loop after each. */
static inline void
peer_send_in(size_t step)
{
    size_t at = 0;
    for (int i = 0; at < peer.n_out && peer.fd >= 0 && i < PEER_ROUNDS_MAX * 100; i++) {
        size_t n = peer.n_out - at < step ? peer.n_out - at : step;
        ssize_t put = send(peer.fd, peer.out + at, n, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (put < 0 && errno != EAGAIN)
            break;
        at += put > 0 ? (size_t)put : 0;
        peer_turns(1);
    }
    peer.n_out = 0;
    peer_turns(4);
}

static inline void
peer_send(void)
{
    peer_send_in(PEER_SENDS_MAX);
}

/* ---- from the server ---- */

/* Reads what has arrived, at most n bytes. */
static inline size_t
peer_read_some(size_t n)
{
    size_t before = peer.n;
    while (peer.fd >= 0 && !peer.at_end && peer.n - before < n) {
        CHECK(peer.n < PEER_READS_MAX);
        size_t room = PEER_READS_MAX - peer.n, left = n - (peer.n - before);
        ssize_t got = recv(peer.fd, peer.bytes + peer.n, left < room ? left : room, MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN)
            break;
        peer.at_end = got <= 0;
        peer.n += got > 0 ? (size_t)got : 0;
    }
    return peer.n - before;
}

/* Reads and turns the loop until nothing more comes. */
static inline void
peer_read(void)
{
    for (unsigned quiet = 0; quiet < 4;) {
        peer_turns(2);
        quiet = peer_read_some(PEER_READS_MAX) > 0 ? 0 : quiet + 1;
    }
}

/* The next whole frame that was read. False: there is none. */
static inline bool
peer_next(struct h2_frame *f, const uint8_t **payload)
{
    if (peer.n - peer.taken < H2_HEAD_BYTES)
        return false;
    *f = h2_get_frame(peer.bytes + peer.taken);
    if (peer.n - peer.taken - H2_HEAD_BYTES < f->bytes)
        return false;
    *payload = peer.bytes + peer.taken + H2_HEAD_BYTES;
    peer.taken += H2_HEAD_BYTES + f->bytes;
    return true;
}

/* ---- begin and end ---- */

static inline void
peer_start_session(void *arg)
{
    struct address address = { 0 };
    const int *fd = arg;
    atomic_fetch_add_explicit(&served.sv.load->sessions, 1, memory_order_relaxed);
    start_session(&served.sv, *fd, &peer_listener, &address);
}

static inline void
peer_connect(void)
{
    int fds[2], small = 8192;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, fds) == 0);
    CHECK(setsockopt(fds[1], SOL_SOCKET, SO_SNDBUF, &small, sizeof small) == 0);
    peer.fd = fds[0];
    peer.n = peer.taken = peer.n_out = 0;
    peer.at_end = false;
    on_loop(peer.loop, peer_start_session, &fds[1]);
}

static inline void
peer_begin(unsigned loop_number)
{
    CHECK(loop_new(loop_number, &peer.loop) == 0);
    peer.bytes = malloc(PEER_READS_MAX);
    peer.out = malloc(PEER_SENDS_MAX);
    CHECK(peer.bytes != NULL && peer.out != NULL);
    on_loop(peer.loop, served_start, peer.loop);
    peer_connect();
}

static inline void
peer_close(void)
{
    if (peer.fd >= 0)
        close(peer.fd);
    peer.fd = -1;
}

/* The session must end with its peer: nothing may be left. False: something is. */
static inline bool
peer_end(void)
{
    peer_close();
    for (int i = 0; i < PEER_ROUNDS_MAX && (served.n_live > 0 || !list_empty(&served.sv.sessions)); i++) {
        loop_run_once(peer.loop, i < 10 ? 0 : PEER_WAIT);
        on_loop(peer.loop, served_go, NULL);
    }
    bool all = served.n_live == 0 && list_empty(&served.sv.sessions);
    if (all) {
        on_loop(peer.loop, served_stop, NULL);
        loop_release(&peer.loop);
    }
    free(peer.bytes);
    free(peer.out);
    return all;
}

#endif
