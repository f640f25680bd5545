/* A stream of an HTTP/2 connection, which carries one request and its response. Belongs together with
 * stream/h2/connection: a stream is in the connection's table from its HEADERS until `done`. */
#ifndef VERNIS_STREAM_H2_STREAM_H
#define VERNIS_STREAM_H2_STREAM_H

#include "stream/h2/connection.h"
#include "stream/stream.h"

struct fiber;

#define H2_SHORT_BODY 65536u /* of a response: see credit_long_body */

struct h2_stream {
    struct stream stream;
    struct h2_connection *connection;
    struct h2_stream *next; /* in its bucket */
    struct list turn;       /* in connection->turns or heads */
    uint32_t id;
    int64_t send_window, receive_window;
    /* response */
    const struct http_message *head; /* the next send_body sends it; NULL: sent, or not there yet */
    bool empty;                      /* END_STREAM goes with the head */
    bool ended;                      /* END_STREAM or RST_STREAM was sent */
    bool waits;                      /* to send: in connection->turns, unless its window is shut */
    bool shut;                       /* it waits for a window */
    bool cut;                        /* RST_STREAM was sent or received */
    bool in_tunnel, due; /* due: content has come, and the waiter of the tunnel does not know it */
    /* request */
    bool remote_ended, stopped, queued, serving, malformed;
    uint64_t received; /* content, without padding */
    char *body;        /* received and not yet read: a ring of body_cap bytes. Owned */
    uint32_t body_cap, body_at, body_bytes;
    struct fiber *reader;
    char *direct; /* of the fiber that waits: content goes there, and not through the ring */
    size_t direct_room, direct_bytes;
    nsec began; /* CLOCK_MONOTONIC */
};

_Static_assert(sizeof(struct h2_stream) <= RECORD_BYTES, "a stream is a record of the service");

static inline struct h2_stream *
h2_stream_of(const struct stream *s)
{
    return container_of(s, struct h2_stream, stream);
}

/* Fields that concern an HTTP/1 connection (RFC 9113, 8.2.2). */
static inline bool
h2_is_of_connection(name_id id)
{
    return id == NAME_CONNECTION || id == NAME_KEEP_ALIVE || id == NAME_PROXY_CONNECTION ||
           id == NAME_TRANSFER_ENCODING || id == NAME_UPGRADE;
}

/* stream.c */
struct h2_stream *h2_find(const struct h2_connection *c, uint32_t id);  /* NULL: closed, or idle */
struct h2_stream *h2_stream_open(struct h2_connection *c, uint32_t id); /* NULL: no memory */
void h2_stream_serve(struct h2_stream *h);
void h2_serve_queued(
    struct h2_connection *c); /* requests that wait for a fiber, as far as they may have one */
/* The request will not be served. */
void h2_stream_drop(struct h2_stream *h);
/* Ends the stream for both sides: tells the peer, unless the peer ended it. */
void h2_stream_cut(struct h2_stream *h, enum h2_error error, bool tell);
/* The peer broke the rules of this stream: a reset, at the peer's expense. */
void h2_stream_fault(struct h2_stream *h, enum h2_error error);
enum h2_cost h2_stream_reset_cost(const struct h2_stream *h); /* of a reset now */
/* Urgency and sharing, from a field Priority or a frame PRIORITY_UPDATE. */
void h2_stream_set_priority(struct h2_stream *h, struct span value);
/* All streams: f may free the one it gets. */
void h2_each_stream(struct h2_connection *c, void (*f)(struct h2_stream *h, void *arg), void *arg);

/* recv.c */
enum h2_error h2_on_data(struct h2_connection *c, const struct h2_frame *f, const char *payload);
/* No more content comes. */
void h2_stream_remote_ended(struct h2_stream *h);
void h2_stream_wake(struct h2_stream *h); /* the fiber that waits for content */
ssize_t h2_stream_recv_body(struct stream *s, void *buf, size_t n, nsec deadline);
void h2_stream_stop_receiving(struct stream *s);
bool h2_stream_body_unread(const struct stream *s);
/* Frees the content that waits, and what it holds of its storage. */
void h2_stream_drop_body(struct h2_stream *h);

ssize_t h2_tunnel_read(struct stream *s, void *buf, size_t n);
void h2_give_tunnels(struct h2_connection *c); /* calls the waiters of tunnels for which bytes have come */

/* send.c */
ssize_t h2_tunnel_write(struct stream *s, const struct iovec *iov, int n);
void h2_tunnel_shut(struct stream *s);
int h2_stream_send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline);
int h2_stream_send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body);
void h2_stream_send_failure(struct stream *s);
void h2_stream_send_status(struct h2_stream *h, unsigned status); /* a response of a head alone */
ssize_t h2_stream_send_body(struct stream *s, const struct iovec *iov, int n, bool last);
int h2_stream_send_trailers(struct stream *s, const struct http_message *trailers);
/* The stream may send again, as far as its window is concerned. */
void h2_stream_want_turn(struct h2_stream *h);
void h2_stream_leave_turns(struct h2_stream *h);
void h2_stream_window_shut(struct h2_stream *h);   /* it waits for a window */
void h2_stream_window_opened(struct h2_stream *h); /* it no longer waits for a window */

#endif
