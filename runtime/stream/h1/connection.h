/* A client connection that speaks HTTP/1: reads heads, serves one request after another, sends. An idle
 * connection is only this struct: the receive buffer and the stream are taken with the first byte of a head,
 * and given back after the response. */
#ifndef VERNIS_STREAM_H1_CONNECTION_H
#define VERNIS_STREAM_H1_CONNECTION_H

#include "http/http1.h"
#include "stream/wire.h"

struct h1_stream;

enum h1_state {
    H1_IDLE,   /* between requests, no byte received */
    H1_HEAD,   /* part of a head received */
    H1_BUSY,   /* a request is under way: its fiber, its delivery or a tunnel uses the connection */
    H1_LINGER, /* response sent; reads and drops further bytes before the close */
};

struct h1_connection {
    struct wire wire;
    struct h1_stream *stream; /* set in HEAD, once a line is complete, and in BUSY */
    union {
        struct {
            uint32_t rx_head;  /* length of the current request's head, in wire.rx */
            uint32_t rx_taken; /* consumed bytes of rx: head and body; the rest belongs to the next request */
        };
        nsec linger_until; /* LINGER */
    };
    enum h1_state state;
    uint32_t dropped; /* bytes received and dropped, for the limit linger_size */
};

_Static_assert(sizeof(struct h1_connection) <= WIRE_BYTES, "an idle connection is a wire");

static inline struct h1_connection *
h1_of_wire(struct wire *w)
{
    return container_of(w, struct h1_connection, wire);
}

/* Hands the wire to HTTP/1. Bytes received so far are the beginning of its first head. */
void h1_take_over(struct wire *w);

/* connection.c, for the other files of h1. */
void h1_await_idle(struct h1_connection *c);
void h1_close(struct h1_connection *c, enum session_why why); /* frees; not while a request is under way */
/* closes only after the client could read the last response */
void h1_linger(struct h1_connection *c, enum session_why why);
/* While a response is sent: reads and drops the rest of the request body that has arrived. */
void h1_drop_body(struct h1_connection *c);
void h1_count_idle(struct h1_connection *c, nsec waited);

/* head.c: reads and parses until a head is complete, more bytes are needed, or the connection is gone.
 * `pipelined`: the buffer holds unparsed bytes behind the last request. */
enum h1_head { H1_HEAD_READY, H1_HEAD_WAIT, H1_HEAD_GONE };
enum h1_head h1_read_head(struct h1_connection *c, bool pipelined);
void h1_read_ahead(struct conn *conn);      /* for conn.on_ahead */
void h1_head_late(struct h1_connection *c); /* the head is incomplete after timeout_req */
/* Parses a head that did not come from a connection. 0, or ERR_SYNTAX with *error filled. */
int h1_parse_text(char *text, size_t n, struct http_message *out, struct http1_error *error);
/* Answers a request that is not served, and ends the connection. The answer is as short as in Varnish; the
 * log tells the reason. */
void h1_refuse(struct h1_connection *c, const struct http1_error *e, enum session_why why);

#endif
