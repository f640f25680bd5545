/* A client connection that speaks HTTP/2 (RFC 9113). It reads frames on the loop's stack, gives each complete
 * head to the service, and collects what its streams send, to write it at the end of the round.
 *
 * The files: connection.c begins and ends; read.c takes frames apart and control.c obeys those that concern
 * the connection; head.c makes requests of header blocks; stream.c is the life of a stream, recv.c its
 * request body, send.c its response; out.c writes, and says whose turn it is; upgrade.c begins from HTTP/1;
 * penalty.c keeps what an address has used up.
 */
#ifndef VERNIS_STREAM_H2_CONNECTION_H
#define VERNIS_STREAM_H2_CONNECTION_H

#include "base/params.h"
#include "stream/h2/budget.h"
#include "stream/h2/frame.h"
#include "stream/h2/hpack_decode.h"
#include "stream/h2/hpack_encode.h"
#include "stream/wire.h"

#define H2_BUCKETS 16u  /* of the table of streams */
#define H2_URGENCIES 8u /* RFC 9218, 4.1 */
#define H2_RESETS_KNOWN 8u

struct h2_stream;

/* Rules for this peer (SETTINGS). */
struct h2_peer {
    uint32_t initial_window, payload_max;
};

/* A header block that is not complete: the frames so far, and what the first of them said. */
struct h2_block {
    char *bytes; /* NULL: no block is open. Owned */
    uint32_t n, cap, stream;
    uint8_t flags, frames; /* of HEADERS; how many there were */
    uint32_t counted;      /* bytes of the frames, with padding */
    nsec began, since;     /* wall clock, and CLOCK_MONOTONIC */
};

enum h2_state {
    H2_OPEN,
    H2_LATE,    /* its address is in debt: nothing is read before h2_penalty has passed */
    H2_LEAVING, /* GOAWAY was sent or received: no new streams, those there are go on */
    H2_FAILED,  /* nothing more is read or sent; waits for the fibers of its streams */
    H2_LINGER   /* half-closed; reads and drops bytes, so that the peer can read the last frames */
};

struct h2_connection {
    struct wire *wire;
    enum h2_state state;
    enum session_why why; /* of the end */
    unsigned inside;      /* functions of this connection on the stack: it is freed behind them */
    bool prefaced;        /* the client's preface was received */
    bool has_settings;    /* the client's first SETTINGS was received */
    bool last_goaway;     /* GOAWAY with the last stream was sent */
    bool read_on;         /* reading stopped for other work, and the timer goes on with it */
    bool calm;            /* the budget is gone: what the client still sends is not even read */
    bool lost;            /* the socket failed, or memory, inside a call of a stream: the flush ends it */
    unsigned n_streams;   /* open or with a request under way */
    unsigned n_serving;   /* of these: with a fiber or a delivery */
    uint32_t last_stream; /* the highest number that the client used */
    uint32_t last_named;  /* by a GOAWAY; the number never grows (RFC 9113, 6.8) */
    uint32_t
        resets[H2_RESETS_KNOWN]; /* the last streams that we have reset: their frames may be on the way */
    unsigned n_resets;           /* so far */
    int64_t send_window, receive_window;
    uint32_t settings_window, payload_max, table_max; /* that we announced */
    bool acknowledged;                                /* our settings */
    bool extended_connect;                            /* announced (RFC 8441) */
    bool tunnels_due;      /* content has come for a tunnel, whose waiter does not know it */
    bool table_update_due; /* the peer shrank the table that we do not use: the next block says so */
    struct h2_peer peer;
    struct hpack_decoder decoder;
    struct hpack_encoder *encoder; /* h2_short_heads; NULL: blocks need no table. Owned */
    struct h2_block block;
    struct h2_stream *buckets[H2_BUCKETS];
    struct list turns[H2_URGENCIES]; /* streams that wait to send, by urgency */
    unsigned n_waiting;              /* of them */
    unsigned n_shut;                 /* streams that wait for a window */
    struct list heads;               /* streams whose request waits for a fiber (h2_fibers_max) */
    /* Frames for the socket. */
    char *out; /* of the service's buffers, or larger (out_grown); NULL: empty */
    uint32_t out_bytes, out_sent, out_cap;
    bool out_grown, out_full; /* full: the socket took no more */
    bool in_turns;            /* turns are being given */
    struct h2_budget budget;
    struct loop_row flush;
    nsec leave_until, linger_until;
    nsec partial_since; /* CLOCK_MONOTONIC: since then a part of a frame waits for its rest; 0: none */
    nsec shut_since;    /* CLOCK_MONOTONIC: since then all responses wait for windows; 0: some do not */
    uint32_t dropped;   /* bytes received and dropped, for the limit linger_size */
    /* Of frames, without header blocks and bodies, for the session's record: heads and payloads. */
    struct {
        uint64_t heads, payloads;
    } received, sent;
};

/* The wire of an HTTP/2 connection. */
struct h2_wire {
    struct wire wire;
    struct h2_connection *connection;
};

_Static_assert(sizeof(struct h2_wire) <= WIRE_BYTES, "the connection hangs on its wire");

static inline struct h2_connection *
h2_of_session(struct session *s)
{
    return container_of(wire_of(s), struct h2_wire, wire)->connection;
}

static inline struct counters *
h2_counters(const struct h2_connection *c)
{
    return c->wire->session.service->counters;
}

/* Where RFC 9113 and Varnish differ: by the feature bit. */
static inline bool
h2_answers_as_rfc(void)
{
    return (params.features & FEATURE_H2_RFC9113) != 0;
}

/* Hands the wire to HTTP/2. Bytes received so far begin with the client's preface, which may be incomplete.
 */
void h2_take_over(struct wire *w);

/* ---- for the other files of h2 ---- */

/* connection.c. The peer broke the protocol, or we cannot go on: GOAWAY, and the end of all streams. */
void h2_fail(struct h2_connection *c, enum h2_error error, enum session_why why);
void h2_gone(struct h2_connection *c, enum session_why why); /* the peer has left */
/* Sends GOAWAY; streams under way go on, and requests on their way are served. Harmless when repeated. */
void h2_leave(struct h2_connection *c, enum session_why why);
void h2_leave_now(struct h2_connection *c); /* the last GOAWAY, which names the last stream */
/* A connection begins in two steps, with `inside` set between them: the greeting is sent, then it reads. Our
 * settings follow the client's preface. NULL: no memory, and the wire is gone. */
struct h2_connection *h2_begin(struct wire *w, struct span greeting);
void h2_go_on(struct h2_connection *c);
/* A stream has ended, or the state has changed: goes on to the next state. */
void h2_settle(struct h2_connection *c);
void h2_arm_timer(struct h2_connection *c);
/* The client made us do n frames or bytes of work without use. Ends the connection when its budget is low or
 * gone; false: it is gone. */
bool h2_charge(struct h2_connection *c, enum h2_cost kind, size_t n);

/* The client broke the protocol: ends the connection at its address's expense. */
void h2_fail_broken(struct h2_connection *c, enum h2_error error, enum session_why why);

/* penalty.c. A connection begins: with an empty budget or late (H2_LATE), if its address is in debt. False:
 * it may not begin. */
bool h2_penalty_begin(struct h2_connection *c);
void h2_penalty_over(struct h2_connection *c); /* h2_penalty has passed: it is open now */
void h2_penalty_stop(struct h2_connection *c); /* it will not begin; harmless in other states */
/* The client has used up the budget for work of this kind: its address owes one. */
void h2_penalty_charge(struct h2_connection *c, enum h2_cost kind);
void h2_penalty_end(struct h2_connection *c); /* the session ends: its address owes what it used */

/* read.c */
void h2_read(struct h2_connection *c);

/* control.c. Each takes the payload of a frame. H2_NO_ERROR, or the error of the connection. */
enum h2_error h2_on_settings(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_ping(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_goaway(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_window_update(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_rst_stream(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_priority(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_priority_update(struct h2_connection *c, const struct h2_frame *f, const char *payload);
/* One setting of the peer. */
enum h2_error h2_obey_setting(struct h2_connection *c, unsigned setting, uint32_t value);
void h2_send_settings(struct h2_connection *c);

/* head.c */
enum h2_error h2_on_headers(struct h2_connection *c, const struct h2_frame *f, const char *payload);
enum h2_error h2_on_continuation(struct h2_connection *c, const struct h2_frame *f, const char *payload);
void h2_drop_block(struct h2_connection *c);

/* out.c */
/* Room for n bytes at the end of what is to be sent; NULL: no memory. Tell out_used what was written. The end
 * of the round writes it. */
char *h2_out_room(struct h2_connection *c, size_t n);
void h2_out_used(struct h2_connection *c, size_t n);
/* A whole frame without a stream's content. Without memory the connection fails. */
void h2_out_frame(struct h2_connection *c, enum h2_type type, unsigned flags, uint32_t stream,
                  const void *payload, size_t n);
void h2_out_reset(struct h2_connection *c, uint32_t stream, enum h2_error error);
/* Did we reset the stream lately? `forget`: the client has answered, and no more of it is on the way. */
bool h2_out_has_reset(struct h2_connection *c, uint32_t stream, bool forget);
void h2_out_window(struct h2_connection *c, uint32_t stream, uint32_t n);
/* Writes to the socket what it takes. False: it is full, or the connection has failed. */
bool h2_out_write(struct h2_connection *c);
void h2_out_on_round(struct loop_row *f); /* at the end of a round: writes, and gives turns */
void h2_out_free(struct h2_connection *c);
bool h2_out_is_stuffed(const struct h2_connection *c); /* reading more would make it grow without bound */
void h2_out_soon(struct h2_connection *c); /* a stream may send again: flush at the end of the round */

#endif
