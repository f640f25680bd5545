/* A connected stream socket (TCP or Unix) on one loop. The only place that knows descriptors. Non-blocking underneath;
 * conn_read/conn_write park the calling fiber, the *_now forms never wait and return ERR_AGAIN.
 * Edge-triggered: a read that fills less than asked means "drained until the next edge", which saves the second read. */
#ifndef VERNIS_CONN_H
#define VERNIS_CONN_H

#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/span.h"
#include "loop/loop.h"

struct address {                        /* compact socket address: 20 bytes instead of sockaddr_storage's 128 */
    uint8_t family;                     /* 4, 6, 1 = Unix, 0 = unknown */
    uint8_t zone;                       /* of IPv6: index of an interface, 0 = none (RFC 4007) */
    uint16_t port;                      /* host order */
    uint8_t addr[16];
};

void address_of(const struct sockaddr *sa, struct address *out);
/* An IPv4-mapped address (::ffff:192.0.2.1) becomes IPv4. Dual-stack sockets and PROXY headers show IPv4 clients as mapped, and
 * ACLs, which do not mix the families, must see them as what they are: so for each end of a connection, once. */
void address_unmap(struct address *a);
void address_of_peer(const struct sockaddr *sa, struct address *out);           /* unmapped, and without a zone */
socklen_t address_sockaddr(const struct address *a, struct sockaddr_storage *out);
#define ADDRESS_TEXT_BYTES 64          /* with a zone */
size_t address_text(const struct address *a, char out[ADDRESS_TEXT_BYTES]);     /* without port; NUL-ended; returns length */

#define CONN_READABLE 1u                /* an edge was seen and not yet drained */
#define CONN_WRITABLE 2u
#define CONN_PEER_CLOSED 4u             /* EPOLLRDHUP seen: reads will end with 0 */
#define CONN_ERROR 8u                   /* EPOLLERR/HUP seen */

struct conn {
    struct poll_handle poll;            /* poll.fd */
    struct loop *loop;
    uint32_t ready;                     /* CONN_*; expected is not seen: a read may still find nothing */
    /* At most one of each waits: fibers parked in conn_read / conn_write. */
    struct fiber *reader, *writer;
    /* Otherwise, when set: called on the loop's stack after `ready` changed and nobody waits for that change. */
    void (*on_ready)(struct conn *c);
    void *owner;
    uint64_t bytes_in, bytes_out;
};

/* Takes fd, non-blocking; closes it on failure. Watched from the next sleep of the loop on. */
int conn_init(struct conn *c, struct loop *loop, int fd);
void conn_expect(struct conn *c);                                   /* bytes may be there already: the next read is tried */
int conn_attach(struct conn *c, struct loop *loop);                 /* changes loops: after conn_detach or conn_take_over */
void conn_detach(struct conn *c);
/* Any thread, of one that nobody uses: `to` has its socket from here, and is on no loop. `from` may still get an event of the round
 * that its loop is in; on that loop it is forgotten. */
void conn_take_over(struct conn *from, struct conn *to);
void conn_forget(struct conn *c);
void conn_close(struct conn *c);                                    /* harmless when closed; wakes nobody: no fiber may be waiting */
void conn_reset(struct conn *c);                                    /* closes with RST (SO_LINGER 0) */
void conn_half_close(struct conn *c);                               /* nothing more is written; the peer reads to the end */
void conn_interrupt(struct conn *c);                                /* whoever waits in it gets an end or an error; the owner still closes */

/* Fiber only. >0 bytes, 0 peer closed, ERR_TIMEOUT, ERR_RESET. Deadlines are CLOCK_MONOTONIC, NSEC_NEVER for none. */
ssize_t conn_read(struct conn *c, void *buf, size_t n, nsec deadline);
int conn_write(struct conn *c, struct iovec *iov, int n, nsec deadline);    /* all of it, or an error; iov is consumed */
int conn_connect(struct conn *c, struct loop *loop, const struct sockaddr *sa, socklen_t len, nsec deadline);
/* Waits until readable (0) or deadline; for pipes and idle waits. */
int conn_wait(struct conn *c, uint32_t ready_mask, nsec deadline);

ssize_t conn_read_now(struct conn *c, void *buf, size_t n);         /* ERR_AGAIN, else as conn_read */
ssize_t conn_write_now(struct conn *c, const struct iovec *iov, int n);     /* bytes taken, ERR_AGAIN, ERR_RESET */
bool conn_alive(struct conn *c);        /* idle origin connection: no bytes and no close pending (peeks) */

void conn_local(const struct conn *c, struct address *out);
void conn_peer(const struct conn *c, struct address *out);

#endif
