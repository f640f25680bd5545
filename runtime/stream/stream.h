/* The seam between a request and the protocol its client speaks. The room proxy sees only this; HTTP/1 (h1/)
 * is the first implementation, the in-memory stream of the tests (tests/support/memory_stream.h) the second.
 *
 * Sending never waits. The stream takes as many bytes as it can. It calls its waiter when it can take more. A
 * writable socket does not make a stream writable: the flow-control window of the stream may be empty, or
 * another stream goes first. Receiving runs on a fiber and may wait.
 *
 * A body byte is first taken, then released. The memory of a taken byte stays valid and unchanged until it is
 * released, because a protocol over UDP may have to send it again. HTTP/1 releases each byte when it takes
 * it.
 *
 * The text of the request's head lives until `done`, or until the request calls head_unused. */
#ifndef VERNIS_STREAM_STREAM_H
#define VERNIS_STREAM_STREAM_H

#include <sys/types.h>
#include <sys/uio.h>

#include "base/check.h"
#include "base/clock.h"
#include "http/message.h"
#include "stream/content.h"
#include "stream/reason.h"

struct session;
struct stream;
struct stream_user;

#define RECV_NOW 0 /* a deadline in the past: do not wait */

/* The waiter of a stream: a request on its fiber, a delivery, a pipe. One at a time; embed it. Each function
 * may be NULL, runs on the loop's stack, and never inside a call of another stream. It may end the stream. */
struct stream_waiter {
    /* The stream takes bytes again, at most `budget` of them in this turn. In a tunnel also: there may be
     * bytes to read. */
    void (*on_turn)(struct stream_waiter *w, size_t budget);
    void (*on_released)(struct stream_waiter *w); /* stream->released has grown */
    /* stream->broken was set: the client has left or has reset the stream */
    void (*on_reset)(struct stream_waiter *w);
};

struct stream_ops {
    /* Sends an interim response: 100 if the client waits for it (otherwise nothing happens), or 103 with the
     * fields of `head`. Fiber. */
    int (*send_interim)(struct stream *s, unsigned status, const struct http_message *head, nsec deadline);
    /* Takes the response head, which goes out with the first send_body. `body_bytes` -1: the length is not
     * known in advance. `has_body` false: no body follows (HEAD, 204, 304), whatever Content-Length says. The
     * stream sets the connection fields itself. Unread content of the request is dropped from now on. */
    int (*send_head)(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body);
    /* Sends a bare 500 without content, after send_head refused the head (ERR_NOMEM, ERR_SYNTAX). */
    void (*send_failure)(struct stream *s);
    /* Returns the number of body bytes taken (maybe 0), ERR_AGAIN (wait for on_turn) or ERR_RESET. `last`:
     * these bytes end the body. Then call again with n = 0 and `last` set until `unsent` is 0. */
    ssize_t (*send_body)(struct stream *s, const struct iovec *iov, int n, bool last);
    /* As send_body, with n bytes of a file from `at` on (n > 0), which the kernel sends by itself. Only while
     * takes_files is set. */
    ssize_t (*send_file)(struct stream *s, int fd, off_t at, size_t n, bool last);
    /* Ends the body with trailer fields, in place of `last`. ERR_NOTFOUND: the framing cannot carry trailers,
     * and nothing was sent. */
    int (*send_trailers)(struct stream *s, const struct http_message *trailers);

    /* Receives the request body. Fiber only. 0: the end. ERR_SYNTAX (malformed, or not as long as announced),
     * ERR_TIMEOUT, ERR_RESET: already logged. Sends 100 Continue if the client waits for it. With RECV_NOW as
     * deadline: ERR_AGAIN if no byte is there. Trailer fields are dropped: an origin cannot announce that it
     * accepts them, and some origins merge them with the fields of the head. */
    ssize_t (*recv_body)(struct stream *s, void *buf, size_t n, nsec deadline);
    /* The fiber that waits in recv_body gets ERR_AGAIN. Harmless if none waits. NULL: recv_body never waits
     */
    void (*stop_receiving)(struct stream *s);
    bool (*body_unread)(const struct stream *s); /* part of the request body has not been received */

    /* The request no longer reads its head: the protocol may give the memory back before `done`. */
    void (*head_unused)(struct stream *s);
    /* The request or its response cannot be completed, and the client must notice it. Sets broken. */
    void (*reset)(struct stream *s, enum stream_why why);
    /* Refuses the request without serving it. The protocol discards the request (service.h) and ends the
     * stream as `done` does. */
    void (*refuse)(struct stream *s, enum stream_why why);
    /* The request is over and no longer uses the stream. Returns another user of the session whose head is
     * complete and which has no fiber (HTTP/1: the next pipelined request): the caller serves it. Otherwise
     * NULL. */
    struct stream_user *(*done)(struct stream *s);

    /* A tunnel carries bytes both ways in place of a response, until `done`. Only if stream->can_tunnel. From
     * tunnel_start on, the waiter's on_turn is called when either direction may move. None of these functions
     * waits. With connect_protocol, send_head comes before the first tunnel_write, which sends it also with
     * n = 0; with has_body false it refuses the tunnel and ends it. */
    void (*tunnel_start)(struct stream *s);
    /* 0: the client sends no more; ERR_AGAIN, ERR_RESET */
    ssize_t (*tunnel_read)(struct stream *s, void *buf, size_t n);
    /* bytes taken; ERR_AGAIN, ERR_RESET */
    ssize_t (*tunnel_write)(struct stream *s, const struct iovec *iov, int n);
    void (*tunnel_shut)(struct stream *s); /* half-close: no more bytes will be written */
};

/* For the log: heads as on the wire, bodies without their framing. The bytes of the response body are counted
 * in `taken`. */
struct stream_bytes {
    uint64_t req_head, req_body, resp_head;
};

struct stream {
    const struct stream_ops *ops;
    struct session *session;
    struct stream_user *user;     /* the request above */
    struct stream_waiter *waiter; /* NULL: no waiter */
    struct span proto, transport; /* "HTTP/1.1", "HTTP/1": req.proto of responses, req.transport */
    struct span connect_protocol; /* of an extended CONNECT (RFC 8441); empty: another request */
    struct content content;       /* of the request */
    struct stream_bytes bytes;
    uint64_t taken, released; /* body bytes of the response: released <= taken */
    /* Bytes of head, framing and body that were taken but are not with the kernel yet; 1 for all those that a
     * layer of the connection holds. Also in a tunnel */
    size_t unsent;
    enum session_why close; /* unless SC_NONE: the session ends after this request */
    uint8_t urgency;        /* RFC 9218: 0 to 7, 3 unless the client says otherwise */
    bool incremental;
    bool continue_due; /* the client waits for 100 Continue before it sends its body */
    bool can_tunnel;
    bool takes_files; /* the response body leaves as it is, and send_file is cheaper than send_body */
    bool broken;      /* the client has left, or one side reset the stream */
};

#define URGENCY_DEFAULT 3

/* The request above a stream, as the protocol sees it: embedded in the struct of the room above. */
struct stream_user {
    struct arena *arena;       /* dies with the request */
    struct http_message *head; /* its text lives until `done` */
    struct log_txn *log;       /* id 0 before the request has begun */
};

/* Keeps the first reason. HTTP/1 closes the connection after the response; HTTP/2 and HTTP/3 send GOAWAY. */
static inline void
stream_close_after(struct stream *s, enum session_why why)
{
    if (s->close == SC_NONE)
        s->close = why;
}

/* For protocols: the client has left or has reset the stream. */
static inline void
stream_break(struct stream *s)
{
    struct stream_waiter *w = s->waiter;
    s->broken = true;
    if (w != NULL && w->on_reset != NULL)
        w->on_reset(w);
}

/* For protocols: it is the turn of this stream to send. */
static inline void
stream_turn(struct stream *s, size_t budget)
{
    struct stream_waiter *w = s->waiter;
    CHECK(s->released <= s->taken);
    if (w != NULL && w->on_turn != NULL)
        w->on_turn(w, budget);
}

#endif
