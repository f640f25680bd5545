/* The seam between a fetch and the protocol its origin speaks: the mirror of a client's stream. An exchange
 * is one request to an origin and its response. Several exchanges may share a connection. The protocol and
 * the pool in origin/ open and keep connections. HTTP/1 is the first implementation (h1/exchange.c).
 *
 * The order: open, exchange_send_head, exchange_send_body (when there is content), exchange_recv_head until
 * it yields a final head, exchange_recv_wait and exchange_recv_body until the end, exchange_done.
 * exchange_cancel ends it at any step. A pipe opens an exchange too, and turns it into a tunnel. Everything
 * runs on the loop that opened the exchange. Functions that may wait run on a fiber.
 *
 * A failed operation fills `error`; after that only exchange_recv_head (see send_body), exchange_done and
 * exchange_cancel are legal. */
#ifndef VERNIS_STREAM_EXCHANGE_H
#define VERNIS_STREAM_EXCHANGE_H

#include "http/message.h"
#include "log/txn.h"
#include "origin/backend.h"
#include "stream/buffers.h"
#include "stream/content.h"

struct exchange;

/* The progress of an exchange. The functions below keep it, so that the order of calls is checked in the same
 * way for every protocol. */
enum exchange_phase {
    EXCHANGE_OPEN,    /* no byte was sent */
    EXCHANGE_SENDING, /* the head is out, content may follow */
    EXCHANGE_HEAD,    /* at least one interim head arrived */
    EXCHANGE_BODY,    /* the final head arrived */
    EXCHANGE_TUNNEL,
};

/* May a failed request be sent again? The origin may close a kept connection while it idles, or after it has
 * read the request, or after it has acted on the request: a proxy cannot tell these cases apart (RFC 9110,
 * 9.2.2; RFC 9112, 9.3.1). */
enum exchange_retry {
    RETRY_NEVER,
    RETRY_IDEMPOTENT, /* a kept connection ended before the first byte of an answer */
    RETRY_ALWAYS,     /* no byte of the request was sent */
};

/* The error of a failed operation, as logged. */
struct exchange_error {
    const char *why; /* static; NULL: no error */
    bool numbered;   /* `number` is logged with it, as errno; 0 = "Success" */
    int number;
    struct span bogus; /* the malformed part of a head; lent until the end of the exchange */
    /* the first line received where a head was expected; lent until the end of the exchange */
    struct span garbage;
};

/* Byte counts for the log: heads as on the wire, bodies without their framing. */
struct exchange_bytes {
    uint64_t bereq_head, bereq_body, beresp_head, beresp_body;
};

struct exchange_ops {
    /* Sets the fields that frame the content, and removes those that must not be there, then sends the head.
     * 0, ERR_NOMEM, ERR_LIMIT, ERR_SYNTAX (the protocol cannot carry the head), ERR_TIMEOUT, ERR_RESET. */
    int (*send_head)(struct exchange *x, struct http_message *head, const struct content *content,
                     nsec deadline);
    /* Sends all of `piece`. `last`: the content ends with it. An origin that stops reading may have answered
     * already: after a failure the head may still be received. */
    int (*send_body)(struct exchange *x, struct span piece, bool last, nsec deadline);
    /* While content is sent: has the origin sent an answer that makes the rest of it useless, or closed? Such
     * an answer is a final head that is not of the class 2xx: with 2xx the origin may still read (RFC 9112,
     * 9.3). Receives bytes, never waits. NULL: the origin never answers early. */
    bool (*answered)(struct exchange *x);
    /* Receives the next head: 0, with x->content set. The first byte must arrive by `first_byte`, which also
     * bounds the whole head. Each next byte must arrive within `between_bytes_s`. The text of the head is
     * lent until content is received. ERR_TIMEOUT, ERR_LIMIT, ERR_EOF (no byte arrived), ERR_SYNTAX,
     * ERR_NOMEM. */
    int (*recv_head)(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s);
    /* Waits until content can be received. 1: some is ready; 0: its end was reached. ERR_EOF (cut short),
     * ERR_TIMEOUT, ERR_RESET, ERR_SYNTAX, ERR_LIMIT. Plain content may return 1 at once and let recv_body
     * wait, so that bytes are read directly into the memory of the caller. */
    ssize_t (*recv_wait)(struct exchange *x, nsec deadline);
    /* Has the origin paused? 0: no byte arrived until the deadline, which is not an error. 1: recv_wait will
     * not wait. Errors as of recv_wait. */
    ssize_t (*recv_poll)(struct exchange *x, nsec deadline);
    /* bytes; 0: the end; errors as of recv_wait */
    ssize_t (*recv_body)(struct exchange *x, void *buf, size_t n, nsec deadline);
    /* After the end of the content: adds the trailer fields to `out`; their text is lent until the end of the
     * exchange. ERR_NOTFOUND: no trailer fields. ERR_LIMIT: `out` cannot hold them all. */
    int (*recv_trailers)(struct exchange *x, struct http_message *out);
    /* Turns the exchange into a tunnel: bytes go both ways, and on_ready is called when either direction may
     * move. None of these functions waits. `head` opens the tunnel: its text is copied, and goes out with the
     * first bytes written. ERR_NOMEM, ERR_LIMIT, ERR_SYNTAX. */
    int (*tunnel_start)(struct exchange *x, const struct http_message *head);
    /* Receives the final head that answers the head of the tunnel; interim ones are skipped. Optional, before
     * the first tunnel_read, which otherwise gets the head among the bytes. Its text is lent until the end of
     * the exchange. ERR_AGAIN, ERR_EOF, ERR_RESET, ERR_LIMIT, ERR_SYNTAX, ERR_NOMEM. */
    int (*tunnel_answer)(struct exchange *x, struct http_message *out);
    /* 0: the origin sends no more; ERR_AGAIN, ERR_RESET */
    ssize_t (*tunnel_read)(struct exchange *x, void *buf, size_t n);
    /* Returns the bytes taken, ERR_AGAIN or ERR_RESET. With n = 0, only the unsent rest of the head goes;
     * ERR_AGAIN if none is left. */
    ssize_t (*tunnel_write)(struct exchange *x, const struct iovec *iov, int n);
    void (*tunnel_shut)(struct exchange *x); /* half-close: no more bytes will be written */
    /* callable on any stack of the loop: a fiber that waits in this exchange gets an end or an error */
    void (*interrupt)(struct exchange *x);
    /* The last call. keep: the response was received in full, and neither side asked for a close. Returns
     * true if the connection will be used again. */
    bool (*end)(struct exchange *x, bool keep);
};

struct exchange {
    const struct exchange_ops *ops;
    struct backend *backend; /* lent */
    enum exchange_phase phase;
    struct content content; /* of the response; set with the final head */
    /* the framing fields of the head contradict each other: the content cannot be received; error.why
     * tells */
    bool content_wrong;
    bool until_close;          /* CONTENT_UNKNOWN: the end of the connection is the end of the content */
    bool reused;               /* the connection has carried other exchanges before */
    bool close_after;          /* set by the owner: the connection must not be used again */
    enum exchange_retry retry; /* may the failed request be sent again? */
    /* why the connection closes, if this exchange closes it; the owner may set it */
    enum backend_close close_why;
    struct exchange_error error;
    struct exchange_bytes bytes; /* without those of a tunnel */
    struct address peer;
    /* bytes of the opening head that are not with the kernel yet; 1 for all bytes that a layer of the
     * connection holds */
    size_t tunnel_unsent;
    uint64_t tunnel_head; /* bytes of the opening head that are with the kernel */
    /* in a tunnel, and when the origin sends something while content is sent; runs on the loop's stack */
    void (*on_ready)(struct exchange *x);
    void *owner; /* for on_ready */
};

/* Arguments of `open`. All pointers are lent, and outlive the exchange. */
struct exchange_wants {
    struct backend *backend;
    struct loop *loop;
    /* gets the records of the connection: Timestamp Connected, BackendOpen, BackendClose */
    struct log_txn *log;
    const struct client_addresses *client; /* for a PROXY header; NULL: without a client */
    struct arena *arena;                   /* memory for the exchange and for the bytes it sends */
    struct buffer_pool *buffers;
    double connect_timeout_s;
    bool fresh; /* open a new connection: the kept one had been closed */
};

/* Opens an exchange, in the protocol that it learns from the backend or its connection. Fiber. On success the
 * caller owns *out, and ends it. ERR_SICK, ERR_BUSY, ERR_NOMEM, ERR_TIMEOUT, ERR_RESET; errno as in
 * backend_get_for. */
typedef int exchange_open_fn(const struct exchange_wants *wants, struct exchange **out);

int exchange_send_head(struct exchange *x, struct http_message *head, const struct content *content,
                       nsec deadline);
int exchange_send_body(struct exchange *x, struct span piece, bool last, nsec deadline);
bool exchange_answered(struct exchange *x);
int exchange_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s);
/* An interim response other than 101: more heads follow (RFC 9110, 15.2). */
bool exchange_head_is_interim(const struct http_message *head);
ssize_t exchange_recv_wait(struct exchange *x, nsec deadline);
ssize_t exchange_recv_poll(struct exchange *x, nsec deadline);
ssize_t exchange_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline);
int exchange_recv_trailers(struct exchange *x, struct http_message *out);
int exchange_tunnel_start(struct exchange *x, const struct http_message *head);
int exchange_tunnel_answer(struct exchange *x, struct http_message *out);
ssize_t exchange_tunnel_read(struct exchange *x, void *buf, size_t n);
ssize_t exchange_tunnel_write(struct exchange *x, const struct iovec *iov, int n);
void exchange_tunnel_shut(struct exchange *x);
void exchange_interrupt(struct exchange *x);
/* Ends the exchange: its response was received, or is not needed. Sets *x to NULL; harmless on NULL. Adds its
 * bytes to backend_counts, except those of a tunnel. Returns true if the connection will be used again. */
bool exchange_done(struct exchange **x);
void exchange_cancel(struct exchange **x);

/* For protocols: records why an operation failed. Returns err. */
int exchange_failed(struct exchange *x, int err, const char *why, enum backend_close close_why);

#endif
