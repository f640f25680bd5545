/* The seam between a request and the protocol its client speaks. request, deliver and fetch see only this; HTTP/1 is the
 * first implementation (http1_stream.c). Sending never waits: what is not taken is offered again after on_writable.
 * Receiving runs on a fiber and may wait. */
#ifndef VERNIS_STREAM_H
#define VERNIS_STREAM_H

#include <sys/uio.h>

#include "base/clock.h"
#include "http/message.h"

struct stream;

/* Why no other request is served on a connection, and why it ends: names of the log's SessClose. */
enum stream_close {
    SC_NONE, SC_REM_CLOSE, SC_REQ_CLOSE, SC_REQ_HTTP10, SC_RX_BAD, SC_RX_BODY, SC_RX_JUNK, SC_RX_OVERFLOW,
    SC_RX_TIMEOUT, SC_RX_CLOSE_IDLE, SC_TX_PIPE, SC_TX_ERROR, SC_TX_EOF, SC_RESP_CLOSE, SC_OVERLOAD,
    SC_PIPE_OVERFLOW, SC_RANGE_SHORT, SC_REQ_HTTP20, SC_VCL_FAILURE, SC_COUNT
};

#define RECV_NOW 0                      /* no moment of CLOCK_MONOTONIC that is still to come */

struct stream_ops {
    /* Takes the response head; it goes out with the first send_body. `body_bytes` -1 = not known in advance;
     * `has_body` false = none follows (HEAD, 204, 304), whatever Content-Length says. Sets connection fields itself. */
    int (*send_head)(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body);
    /* Instead of a head that send_head refused (ERR_NOMEM, ERR_SYNTAX): a bare 500 without content, the last of its connection. */
    void (*send_failure)(struct stream *s);
    /* Body bytes taken (maybe 0), ERR_AGAIN, ERR_RESET. `last`: nothing follows these. Call again with n = 0 and last set
     * until unsent is 0. */
    ssize_t (*send_body)(struct stream *s, const struct iovec *iov, int n, bool last);
    /* 100 Continue, if the client waits for it; fiber only. */
    int (*send_continue)(struct stream *s, nsec deadline);
    /* Request body; fiber only. 0 = end, ERR_SYNTAX malformed, ERR_TIMEOUT, ERR_RESET: logged. Sends 100 Continue when asked for.
     * With RECV_NOW for a deadline it does not wait: ERR_AGAIN when nothing is there. */
    ssize_t (*recv_body)(struct stream *s, void *buf, size_t n, nsec deadline);
    bool (*body_unread)(const struct stream *s);        /* some of the request body has not been received */
    /* The response can't be completed: the client must be able to tell. */
    void (*reset)(struct stream *s, enum stream_close why);
};

/* As counted for the log: heads on the wire, bodies without their framing. */
struct stream_bytes {
    uint64_t req_head, req_body, resp_head, resp_body;
};

struct stream {
    const struct stream_ops *ops;
    struct stream_bytes bytes;
    size_t unsent;                      /* bytes taken but not yet with the kernel */
    void (*on_writable)(struct stream *s);      /* set by deliver while it waits */
    void *waiter;                       /* its argument: the delivery */
    bool broken;                        /* the client is gone or was reset */
    enum stream_close close;            /* not SC_NONE: no other request on this connection */
};

/* The first reason stands. */
static inline void
stream_close_after(struct stream *s, enum stream_close why)
{
    if (s->close == SC_NONE)
        s->close = why;
}

#endif
