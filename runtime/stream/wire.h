/* A session that owns a TCP or Unix socket: the part that all protocols over such sockets share, and that
 * exists before the protocol is known. A connection begins in start.c, which hands it to a protocol, with the
 * bytes received so far. The struct is the first part of a piece of WIRE_BYTES: the rest is for what the
 * protocol keeps of an idle connection. */
#ifndef VERNIS_STREAM_WIRE_H
#define VERNIS_STREAM_WIRE_H

#include "loop/conn.h"
#include "stream/session.h"

/* Most connections are idle. Beyond 320 bytes, each would take the next size class of the allocator. */
#define WIRE_BYTES 320

struct wire {
    struct session session;
    struct conn conn;
    struct timer timer;  /* its meaning depends on the owner of the wire */
    char *rx;            /* receive buffer, or NULL */
    uint32_t rx_bytes;   /* received in rx */
    bool counted;        /* counted for its client address (addresses.h) */
    bool shaking;        /* in a handshake of TLS */
    bool shakes_counted; /* for its client address */
    bool asks_key;       /* a fiber waits for the key process: only it may end the connection */
    nsec rx_began;       /* wall clock when the first byte in rx arrived; 0: none so far */
};

static inline struct wire *
wire_of(struct session *s)
{
    return container_of(s, struct wire, session);
}

struct wire *wire_new(void); /* WIRE_BYTES, zeroed; NULL: no memory */
void wire_free(struct wire *w);
/* For protocols. Bytes of a head that rx may hold: http_req_size, or the capacity of a buffer taken before
 * the parameter grew. */
size_t wire_head_room(const struct wire *w);
struct conn *wire_conn(struct session *s);
void wire_reset_at_exit(struct session *s);
/* after the socket was closed; frees w */
void wire_release(struct wire *w, enum session_why why);

#endif
