/* The socket of a session, for all protocols over TCP. See wire.h. */
#include "stream/wire.h"

#include <stdlib.h>

#include "base/params.h"
#include "stream/addresses.h"

struct wire *
wire_new(void)
{
    return calloc(1, WIRE_BYTES);
}

void
wire_free(struct wire *w)
{
    free(w);
}

size_t
wire_head_room(const struct wire *w)
{
    size_t cap = buffers_bytes(w->rx);
    return params.http_req_size_bytes < cap ? params.http_req_size_bytes : cap;
}

struct conn *
wire_conn(struct session *s)
{
    return &wire_of(s)->conn;
}

/* Do not close the socket: a fiber may still wait for it. With this option the kernel resets the connection
 * at exit. */
void
wire_reset_at_exit(struct session *s)
{
    struct linger hard = { .l_onoff = 1, .l_linger = 0 };
    (void)setsockopt(wire_of(s)->conn.poll.fd, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

void
wire_release(struct wire *w, enum session_why why)
{
    struct service *sv = w->session.service;
    timer_cancel(sv->loop, &w->timer);
    if (w->counted)
        addresses_leave(session_client(&w->session));
    w->counted = false;
    session_release(&w->session, why);
    buffers_give(&sv->buffers, &w->rx);
    wire_free(w);
}
