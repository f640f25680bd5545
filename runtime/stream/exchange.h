/* The seam between a fetch and the protocol its origin speaks: the mirror of a client's stream. An exchange is one request to an
 * origin and its response. Several exchanges may share a connection; who opens and keeps connections is the business of the
 * protocol and of the pool in origin/. HTTP/1 is the first implementation (h1/exchange.c).
 *
 * The order: exchange_frame, open, exchange_send_head, exchange_send_body (when there is content), exchange_recv_head until it
 * yields a final head, exchange_recv_wait and exchange_recv_body until the end, exchange_done. exchange_cancel ends it at any
 * step. A pipe opens an exchange too and makes a tunnel of it instead. Everything runs on the loop that opened the exchange, what
 * may wait on a fiber.
 *
 * A failed operation fills `error`; after that only exchange_recv_head (see send_body), exchange_done and exchange_cancel are
 * legal. */
#ifndef VERNIS_EXCHANGE_H
#define VERNIS_EXCHANGE_H

#include "http/message.h"
#include "log/txn.h"
#include "origin/backend.h"
#include "stream/buffers.h"
#include "stream/content.h"

struct exchange;

/* How far an exchange has come. Kept by the functions below, so that each protocol is checked in the same way. */
enum exchange_phase {
    EXCHANGE_OPEN,                      /* nothing was sent */
    EXCHANGE_SENDING,                   /* the head is out, content may follow */
    EXCHANGE_HEAD,                      /* at least one interim head came */
    EXCHANGE_BODY,                      /* the final head came */
    EXCHANGE_TUNNEL,
};

/* May a request that failed be sent again? A connection that was kept may have been closed by its origin while it idled, and an origin
 * may close it after it has read the request, or acted on it: from here both look alike (RFC 9110, 9.2.2; RFC 9112, 9.3.1). */
enum exchange_again {
    AGAIN_NEVER,
    AGAIN_IDEMPOTENT,                   /* a kept connection ended before the first byte of an answer */
    AGAIN_ALWAYS,                       /* no byte of the request was sent */
};

/* The error of an operation that failed, as it is logged. */
struct exchange_error {
    const char *why;                    /* static; NULL: nothing failed */
    bool numbered;                      /* `number` belongs to it: as errno, 0 = "Success" */
    int number;
    struct span bogus;                  /* what is wrong with a field of a head; lent until the end of the exchange */
    struct span garbage;                /* the line that came in place of a head; lent until the end of the exchange */
};

/* As counted for the log: heads on the wire, bodies without their framing. */
struct exchange_bytes {
    uint64_t bereq_head, bereq_body, beresp_head, beresp_body;
};

struct exchange_ops {
    /* 0, ERR_NOMEM, ERR_LIMIT, ERR_SYNTAX (what the protocol cannot carry), ERR_TIMEOUT, ERR_RESET. */
    int (*send_head)(struct exchange *x, const struct http_message *head, const struct content *content, nsec deadline);
    /* All of `piece`; `last`: the content ends behind it. An origin that stops reading may have answered already: after a failure
     * the head may still be received. */
    int (*send_body)(struct exchange *x, struct span piece, bool last, nsec deadline);
    /* Instead of the `last` of send_body: the content ends, and these fields follow it. ERR_NOTFOUND: no place for them. */
    int (*send_trailers)(struct exchange *x, const struct http_message *fields, nsec deadline);
    /* The next head: 0, with x->content. The first byte must come by `first_byte`, which also bounds the whole head, and each
     * next one within `between_bytes_s`. Its text is lent until content is received. ERR_TIMEOUT, ERR_LIMIT, ERR_EOF (nothing came),
     * ERR_SYNTAX, ERR_NOMEM. */
    int (*recv_head)(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s);
    /* Waits until content can be received: 1; 0 = its end was reached. ERR_EOF (cut short), ERR_TIMEOUT, ERR_RESET, ERR_SYNTAX,
     * ERR_LIMIT. A protocol without framing in its way may answer 1 at once and let recv_body wait, so that the caller's memory
     * is what the bytes are first read into. */
    ssize_t (*recv_wait)(struct exchange *x, nsec deadline);
    /* Has the origin paused? 0: nothing came until the deadline, which is no failure. 1: recv_wait has something to say. Errors of
     * recv_wait. */
    ssize_t (*recv_poll)(struct exchange *x, nsec deadline);
    ssize_t (*recv_body)(struct exchange *x, void *buf, size_t n, nsec deadline);     /* bytes, 0 = the end, errors of recv_wait */
    /* After the end of the content: adds the fields that followed it to `out`; their text is lent until the end of the exchange.
     * ERR_NOTFOUND: there is no place for them; ERR_LIMIT: `out` has no room for all. */
    int (*recv_trailers)(struct exchange *x, struct http_message *out);
    /* A tunnel: bytes both ways from here on, and on_ready when either direction may move. None of these waits. `head` opens the
     * tunnel; its text is copied, and goes out with the first bytes that are written. ERR_NOMEM, ERR_LIMIT, ERR_SYNTAX. */
    int (*tunnel_start)(struct exchange *x, const struct http_message *head);
    ssize_t (*tunnel_read)(struct exchange *x, void *buf, size_t n);    /* 0 = the origin sends no more; ERR_AGAIN, ERR_RESET */
    /* Bytes taken, ERR_AGAIN, ERR_RESET. With n = 0 only what is unsent of the head goes. */
    ssize_t (*tunnel_write)(struct exchange *x, const struct iovec *iov, int n);
    void (*tunnel_shut)(struct exchange *x);    /* nothing more is written: half-close */
    void (*interrupt)(struct exchange *x);      /* any stack of the loop: a fiber that waits in this exchange gets an end or an error */
    /* The last call. keep: nothing of the response is left, and neither side asked for a close. Whether the connection will be used
     * again. */
    bool (*end)(struct exchange *x, bool keep);
};

struct exchange {
    const struct exchange_ops *ops;
    struct backend *backend;            /* lent */
    enum exchange_phase phase;
    struct content content;             /* of the response, from the final head on */
    bool content_wrong;                 /* the head contradicts itself about it: it cannot be received; error.why tells */
    bool until_close;                   /* CONTENT_UNKNOWN: the end of the connection is the end of the content */
    bool reused;                        /* the connection has served others before */
    bool close_after;                   /* set by the owner: no other exchange may use the connection */
    enum exchange_again again;          /* it failed: may the request be sent again? */
    enum backend_close close_why;       /* of the connection, if this exchange is what it ends for; the owner may set it */
    struct exchange_error error;
    struct exchange_bytes bytes;        /* but for a tunnel's */
    struct address peer;
    size_t tunnel_unsent;               /* bytes of the head that opens a tunnel: not yet with the kernel */
    uint64_t tunnel_head;               /* and those that are */
    void (*on_ready)(struct exchange *x);       /* of a tunnel; on the loop's stack */
    void *owner;                        /* for on_ready */
};

/* Arguments to open an exchange. All are lent, and outlive it. */
struct exchange_wants {
    struct backend *backend;
    struct loop *loop;
    struct log_txn *log;                /* hears of the connection: Timestamp Connected, BackendOpen, BackendClose */
    const struct client_addresses *client;      /* of a PROXY header; NULL: nobody's */
    struct arena *arena;                /* the exchange's own memory and what it sends */
    struct buffer_pool *buffers;
    double connect_timeout_s;
    bool fresh;                         /* on a new connection: the one that was kept had been closed */
};

/* A protocol that origins speak. */
struct exchange_protocol {
    struct span name;                   /* "HTTP/1.1" */
    /* Before a head is sent: sets the fields that frame its content, and takes those away that must not be there. ERR_NOMEM. */
    int (*frame)(struct http_message *head, const struct content *content);
    /* Fiber. On success *out is the caller's, who ends it. ERR_SICK, ERR_BUSY, ERR_NOMEM, ERR_TIMEOUT, ERR_RESET; errno as in
     * backend_get_for. */
    int (*open)(const struct exchange_wants *wants, struct exchange **out);
};

int exchange_send_head(struct exchange *x, const struct http_message *head, const struct content *content, nsec deadline);
int exchange_send_body(struct exchange *x, struct span piece, bool last, nsec deadline);
int exchange_send_trailers(struct exchange *x, const struct http_message *fields, nsec deadline);
int exchange_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s);
/* An interim response other than 101: more heads follow (RFC 9110, 15.2). */
bool exchange_head_is_interim(const struct http_message *head);
ssize_t exchange_recv_wait(struct exchange *x, nsec deadline);
ssize_t exchange_recv_poll(struct exchange *x, nsec deadline);
ssize_t exchange_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline);
int exchange_recv_trailers(struct exchange *x, struct http_message *out);
int exchange_tunnel_start(struct exchange *x, const struct http_message *head);
ssize_t exchange_tunnel_read(struct exchange *x, void *buf, size_t n);
ssize_t exchange_tunnel_write(struct exchange *x, const struct iovec *iov, int n);
void exchange_tunnel_shut(struct exchange *x);
void exchange_interrupt(struct exchange *x);
/* The end: the response is of no more use, or was received. NULL is harmless, and left. Counts in backend_counters what was not
 * a tunnel's. Whether the connection will be used again. */
bool exchange_done(struct exchange **x);
void exchange_cancel(struct exchange **x);

/* For implementations: notes why an operation failed. Returns err. */
int exchange_failed(struct exchange *x, int err, const char *why, enum backend_close close_why);

#endif
