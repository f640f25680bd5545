/* A connected stream socket (TCP or Unix) on one loop. No other file handles the descriptors of connections.
 * Sockets are non-blocking: conn_read and conn_write park the calling fiber, and the *_now functions return
 * ERR_AGAIN instead of waiting. Epoll is edge-triggered: a read that fills less than its buffer means
 * "drained until the next edge", which saves a second read. */
#ifndef VERNIS_LOOP_CONN_H
#define VERNIS_LOOP_CONN_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/span.h"
#include "loop/loop.h"

struct address {    /* compact socket address: 20 bytes instead of sockaddr_storage's 128 */
    uint8_t family; /* 4, 6, 1 = Unix, 0 = unknown */
    uint8_t zone;   /* IPv6 only: interface index, 0 = none (RFC 4007) */
    uint16_t port;  /* host order */
    uint8_t addr[16];
};

void address_of(const struct sockaddr *sa, struct address *out);
/* Turns an IPv4-mapped address (::ffff:192.0.2.1) into IPv4. Dual-stack sockets and PROXY headers show IPv4
 * clients as mapped addresses, but an IPv4 entry of an ACL does not match those. Called once for each end of
 * a connection. */
void address_unmap(struct address *a);
void address_of_peer(const struct sockaddr *sa, struct address *out); /* unmapped, and without a zone */
socklen_t address_sockaddr(const struct address *a, struct sockaddr_storage *out);
#define ADDRESS_TEXT_BYTES 64 /* enough for an address with a zone */
/* without port; NUL-ended; returns length */
size_t address_text(const struct address *a, char out[ADDRESS_TEXT_BYTES]);

#define CONN_READABLE 1u /* epoll reported input that is not yet drained */
#define CONN_WRITABLE 2u
#define CONN_PEER_CLOSED 4u /* EPOLLRDHUP seen: reads will end with 0 */
#define CONN_ERROR 8u       /* EPOLLERR/HUP seen */
#define CONN_HELD 16u       /* the layer holds bytes or the end for a reader */
#define CONN_UNSENT 32u     /* the layer holds bytes for the socket; CONN_WRITABLE is clear until they left */

struct conn {
    struct poll_handle poll; /* poll.fd */
    struct loop *loop;
    struct conn_layer *layer; /* between reads and writes here and the socket (layer.h); NULL: none. Owned */
    uint32_t ready;           /* CONN_*; a read may still find nothing after conn_expect */
    /* Bytes that conn_read_ahead has read, and for how many it had room; the next read returns them */
    uint16_t ahead, ahead_room;
    /* Fibers parked in conn_read and conn_write: at most one each. */
    struct fiber *reader, *writer;
    /* May be NULL. Called on the loop's stack after a bit of `ready` is set for which no fiber waits. */
    void (*on_ready)(struct conn *c);
    /* May be NULL. Called before the on_ready of several connections that have input, and not for a lone one,
     * nor above a layer. May call conn_read_ahead, and nothing that has an effect elsewhere. */
    void (*on_ahead)(struct conn *c);
    uint64_t bytes_in, bytes_out;
};

/* Takes a non-blocking fd, and closes it on failure. The loop watches it from its next sleep on. */
int conn_init(struct conn *c, struct loop *loop, int fd);
void conn_expect(struct conn *c); /* bytes may have arrived: try the next read */
/* moves c to a loop, after conn_take_over */
int conn_attach(struct conn *c, struct loop *loop);
/* Moves the socket of an unused connection to `to`, which is then on no loop. Callable on any thread. The
 * loop of `from` may still deliver an event of its current round to `from`: call conn_forget(from) on that
 * loop. */
void conn_take_over(struct conn *from, struct conn *to);
void conn_forget(struct conn *c);
/* Harmless when closed. No fiber may be waiting, because conn_close wakes none. */
void conn_close(struct conn *c);
void conn_reset(struct conn *c);      /* closes with RST (SO_LINGER 0) */
void conn_half_close(struct conn *c); /* ends writing; the peer reads to the end */
/* From now on the kernel holds bytes that do not fill a packet for up to 200 ms, so that they can leave with
 * the end of the connection. Call it before the last write. */
void conn_hold_end(struct conn *c);
/* A TCP socket takes bytes only while fewer than n wait in it unsent: later ones can still change places. */
void conn_limit_unsent(struct conn *c, unsigned n);
/* a waiting fiber gets end of stream or an error; the owner still closes */
void conn_interrupt(struct conn *c);

/* Fiber only. Return the bytes read, 0 when the peer closed, ERR_TIMEOUT or ERR_RESET; ERR_AGAIN after
 * conn_stop_reader. Deadlines are CLOCK_MONOTONIC; NSEC_NEVER = no deadline. */
ssize_t conn_read(struct conn *c, void *buf, size_t n, nsec deadline);
/* Writes all, or fails; consumes iov. ERR_AGAIN after conn_stop_writer: a call with the same iov goes on. */
int conn_write(struct conn *c, struct iovec *iov, int n, nsec deadline);
/* The fiber that waits in conn_read or conn_write stops waiting. Harmless if none waits. */
void conn_stop_reader(struct conn *c);
void conn_stop_writer(struct conn *c);
int conn_connect(struct conn *c, struct loop *loop, const struct sockaddr *sa, socklen_t len, nsec deadline);
/* Waits for a bit of ready_mask: 0, or ERR_TIMEOUT at the deadline. For pipes and idle waits. */
int conn_wait(struct conn *c, uint32_t ready_mask, nsec deadline);

ssize_t conn_read_now(struct conn *c, void *buf, size_t n); /* ERR_AGAIN, else as conn_read */
/* For on_ahead: reads now what conn_read_now will return, which must get the same buffer. */
#define CONN_AHEAD_MAX 8192
void conn_read_ahead(struct conn *c, void *buf, size_t n);
/* bytes written, ERR_AGAIN, ERR_RESET */
ssize_t conn_write_now(struct conn *c, const struct iovec *iov, int n);
/* The same; more bytes or the end of the connection follow at once, which the kernel may send in one packet
 * with these. */
ssize_t conn_write_more(struct conn *c, const struct iovec *iov, int n);
/* The same, with n bytes of a file from `at` on, which the kernel sends without a copy. The file must have
 * them. Only while conn_sends_files. */
ssize_t conn_send_file(struct conn *c, int fd, off_t at, size_t n);
/* For an idle origin connection: true while neither bytes nor a close are pending (peeks). */
bool conn_alive(struct conn *c);

/* A read may find bytes, the end or an error. */
static inline bool
conn_may_read(const struct conn *c)
{
    return (c->ready & (CONN_READABLE | CONN_HELD)) != 0;
}

/* Written bytes wait for room in the socket. The event of CONN_WRITABLE tells when they have left. */
static inline bool
conn_is_unsent(const struct conn *c)
{
    return (c->ready & CONN_UNSENT) != 0;
}

/* The kernel can send files as they are: a layer would have to change their bytes. */
static inline bool
conn_sends_files(const struct conn *c)
{
    return c->layer == NULL;
}

void conn_local(const struct conn *c, struct address *out);
void conn_peer(const struct conn *c, struct address *out);

#endif
