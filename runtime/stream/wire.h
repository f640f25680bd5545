/* A session that owns a TCP or Unix socket: the part that all protocols over such sockets share, and that
 * exists before the protocol is known. A connection begins in start.c (PROXY header, later TLS), which hands
 * it to a protocol, with the bytes received behind the header. The struct is a part of h1_connection, so that
 * an idle connection is one piece of memory. Another protocol takes the wire over and keeps its own state
 * elsewhere. */
#ifndef VERNIS_STREAM_WIRE_H
#define VERNIS_STREAM_WIRE_H

#include "loop/conn.h"
#include "stream/session.h"

struct wire {
    struct session session;
    struct conn conn;
    struct timer timer; /* its meaning depends on the owner of the wire */
    char *rx;           /* receive buffer, or NULL */
    uint32_t rx_bytes;  /* received in rx */
    bool counted;       /* counted for its client address (addresses.h) */
    nsec rx_began;      /* wall clock when the first byte in rx arrived; 0: none so far */
};

static inline struct wire *
wire_of(struct session *s)
{
    return container_of(s, struct wire, session);
}

/* For protocols. Bytes of a head that rx may hold: http_req_size, or the capacity of a buffer taken before
 * the parameter grew. */
size_t wire_head_room(const struct wire *w);
struct conn *wire_conn(struct session *s);
void wire_reset_at_exit(struct session *s);
/* after the socket was closed; the owner frees the struct */
void wire_release(struct wire *w, enum session_why why);

#endif
