/* A session over a socket of its own: what all protocols over TCP share, and what exists before the protocol is known. A connection
 * walks through its start (start.c: PROXY header, later TLS) and is then handed over to a protocol, with the bytes that came behind
 * the start. The struct is a part of h1_connection, so that an idle connection is one piece of memory; another protocol takes the
 * wire over and keeps its own state elsewhere. */
#ifndef VERNIS_WIRE_H
#define VERNIS_WIRE_H

#include "loop/conn.h"
#include "stream/session.h"

struct wire {
    struct session session;
    struct conn conn;
    struct timer timer;                 /* what it means depends on who has the wire */
    char *rx;                           /* receive buffer, else NULL */
    uint32_t rx_bytes;                  /* received in rx */
    bool counted;                       /* the client's address counts it (addresses.h) */
    nsec rx_began;                      /* wall clock of the first of them; 0: none came */
};

static inline struct wire *
wire_of(struct session *s)
{
    return container_of(s, struct wire, session);
}

/* For protocols. Bytes of a head that rx may hold: the parameter, but for a buffer that was taken before it grew. */
size_t wire_head_room(const struct wire *w);
struct conn *wire_conn(struct session *s);
void wire_reset_at_exit(struct session *s);
void wire_release(struct wire *w, enum session_why why);        /* the socket is closed; the struct is the owner's */

#endif
