/* The seam between a request and the protocol its client speaks. The room proxy sees only this; HTTP/1 (h1/) is the first
 * implementation, the in-memory stream of the tests (tests/support/memory_stream.h) the second.
 *
 * Sending never waits. The stream takes what it can; for the rest it calls its waiter when its turn comes. That a socket is
 * writable does not make a stream writable: its flow-control window may be empty, or another stream goes first.
 * Receiving runs on a fiber and may wait.
 *
 * A body byte is first taken, then released. The memory of a taken byte stays valid and unchanged until it is released, because
 * a protocol over UDP may have to send it again. HTTP/1 releases what it takes.
 *
 * The text of the request's head lives until `done`, or until the request calls head_unused. */
#ifndef VERNIS_STREAM_H
#define VERNIS_STREAM_H

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

#define RECV_NOW 0                      /* a deadline in the past: do not wait */

/* The waiter of a stream: a request on its fiber, a delivery, a pipe. One at a time; embed it. Each function may be NULL, runs
 * on the loop's stack, and never inside a call of another stream. It may end the stream. */
struct stream_waiter {
    /* The stream takes bytes again, at most `budget` of them in this turn. In a tunnel also: there may be bytes to read. */
    void (*on_turn)(struct stream_waiter *w, size_t budget);
    void (*on_released)(struct stream_waiter *w);   /* stream->released has grown */
    void (*on_reset)(struct stream_waiter *w);      /* stream->broken was set: the client is gone, or reset the stream */
};

struct stream_ops {
    /* An interim response: 100 when the client waits for it (else nothing happens), 103 with the fields of `head`. Fiber. */
    int (*send_interim)(struct stream *s, unsigned status, const struct http_message *head, nsec deadline);
    /* Takes the response head; it goes out with the first send_body. `body_bytes` -1 = not known in advance;
     * `has_body` false = none follows (HEAD, 204, 304), whatever Content-Length says. Sets connection fields itself. */
    int (*send_head)(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body);
    /* Instead of a head that send_head refused (ERR_NOMEM, ERR_SYNTAX): a bare 500 without content. */
    void (*send_failure)(struct stream *s);
    /* Body bytes taken (maybe 0), ERR_AGAIN: wait for on_turn, ERR_RESET. `last`: nothing follows these. Call again with n = 0 and
     * `last` set until `unsent` is 0. */
    ssize_t (*send_body)(struct stream *s, const struct iovec *iov, int n, bool last);
    /* Ends the body with these fields, instead of `last`. ERR_NOTFOUND: the framing has no place for them, nothing was sent. */
    int (*send_trailers)(struct stream *s, const struct http_message *trailers);

    /* Request body; fiber only. 0 = end, ERR_SYNTAX malformed or of another length than announced, ERR_TIMEOUT, ERR_RESET: logged.
     * Sends 100 Continue when the client waits for it. With RECV_NOW for a deadline: ERR_AGAIN when nothing is there. */
    ssize_t (*recv_body)(struct stream *s, void *buf, size_t n, nsec deadline);
    bool (*body_unread)(const struct stream *s);        /* some of the request body has not been received */
    /* After the end of the body: adds its trailer fields to `out`. ERR_NOTFOUND: this framing drops them. */
    int (*recv_trailers)(struct stream *s, struct http_message *out);

    /* The request no longer reads its head: the protocol may give the memory back before `done`. */
    void (*head_unused)(struct stream *s);
    /* The request or its response cannot be completed: the client must be able to tell. Sets broken. */
    void (*reset)(struct stream *s, enum stream_why why);
    /* Instead of serving the request, which the protocol gives back (service.h, discard). Ends the stream as `done` does. */
    void (*refuse)(struct stream *s, enum stream_why why);
    /* The request is over, and no longer uses the stream. Returns the user of another stream of the session whose head is complete
     * and which has no fiber (HTTP/1: the next pipelined request): the caller serves it. Else NULL. */
    struct stream_user *(*done)(struct stream *s);

    /* A tunnel: bytes both ways instead of a response, until `done`. Only if stream->can_tunnel. From the start on the waiter's
     * on_turn is called when either direction may move. None of these waits. */
    void (*tunnel_start)(struct stream *s);
    ssize_t (*tunnel_read)(struct stream *s, void *buf, size_t n);      /* 0 = the client sends no more; ERR_AGAIN, ERR_RESET */
    ssize_t (*tunnel_write)(struct stream *s, const struct iovec *iov, int n);  /* bytes taken; ERR_AGAIN, ERR_RESET */
    void (*tunnel_shut)(struct stream *s);                              /* nothing more is written: half-close */
};

/* For the log: heads as they are on the wire, bodies without their framing. The response's body is `taken`. */
struct stream_bytes {
    uint64_t req_head, req_body, resp_head;
};

struct stream {
    const struct stream_ops *ops;
    struct session *session;
    struct stream_user *user;           /* the request above */
    struct stream_waiter *waiter;       /* NULL: nobody waits */
    struct span proto, transport;       /* "HTTP/1.1", "HTTP/1": req.proto of responses, req.transport */
    struct content content;             /* of the request */
    struct stream_bytes bytes;
    uint64_t taken, released;           /* body bytes of the response: released <= taken */
    size_t unsent;                      /* taken bytes of head, framing and body that are not yet with the kernel */
    enum session_why close;             /* not SC_NONE: the session shall end after this request */
    uint8_t urgency;                    /* RFC 9218: 0 to 7, 3 unless the client says otherwise */
    bool incremental;
    bool continue_due;                  /* the client waits for 100 Continue before it sends its body */
    bool can_tunnel;
    bool broken;                        /* the client is gone, or one side reset the stream */
};

#define URGENCY_DEFAULT 3

/* The request above a stream, as the protocol sees it: embedded in the struct of the room above. */
struct stream_user {
    struct arena *arena;                /* dies with the request */
    struct http_message *head;          /* its text lives until `done` */
    struct log_txn *log;                /* id 0 before the request has begun */
};

/* The first reason stands. HTTP/1 closes the connection after the response; HTTP/2 and HTTP/3 send GOAWAY. */
static inline void
stream_close_after(struct stream *s, enum session_why why)
{
    if (s->close == SC_NONE)
        s->close = why;
}

/* For protocols: the client is gone, or has reset the stream. */
static inline void
stream_break(struct stream *s)
{
    struct stream_waiter *w = s->waiter;
    s->broken = true;
    if (w != NULL && w->on_reset != NULL)
        w->on_reset(w);
}

/* For protocols: the stream's turn. */
static inline void
stream_turn(struct stream *s, size_t budget)
{
    struct stream_waiter *w = s->waiter;
    CHECK(s->released <= s->taken);
    if (w != NULL && w->on_turn != NULL)
        w->on_turn(w, budget);
}

#endif
