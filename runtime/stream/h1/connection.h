/* A client connection that speaks HTTP/1: reads heads, has one request after another, sends. Idle, it is only this struct: the
 * receive buffer and the stream come with the first byte of a head and go when the answer is out. */
#ifndef VERNIS_H1_CONNECTION_H
#define VERNIS_H1_CONNECTION_H

#include "http/http1.h"
#include "stream/wire.h"

struct h1_stream;

enum h1_state {
    H1_IDLE,                            /* between requests, nothing received */
    H1_HEAD,                            /* part of a head received */
    H1_BUSY,                            /* a request is under way: its fiber, its delivery or a tunnel uses the connection */
    H1_LINGER,                          /* response sent, reading what still comes before the close */
};

struct h1_connection {
    struct wire wire;
    struct h1_stream *stream;           /* HEAD, once it has a line; BUSY */
    uint32_t rx_head;                   /* length of the current request's head, in wire.rx */
    union {
        uint32_t rx_taken;              /* consumed of rx: head and body bytes; the rest belongs to the next request */
        uint32_t linger_bytes;          /* LINGER: read since, and thrown away */
    };
    enum h1_state state;
};

/* Many connections are idle: one more byte costs each of them the next size of the allocator. */
_Static_assert(sizeof(struct h1_connection) <= 320, "what an idle connection costs");

static inline struct h1_connection *
h1_of_wire(struct wire *w)
{
    return container_of(w, struct h1_connection, wire);
}

struct wire *h1_new(void);              /* zeroed; NULL when memory is out */
void h1_free(struct wire *w);
/* The wire speaks HTTP/1 from now on. What was received is the beginning of its first head. */
void h1_take_over(struct wire *w);

/* connection.c, for the other files of h1. */
void h1_await_idle(struct h1_connection *c);
void h1_close(struct h1_connection *c, enum session_why why);           /* frees; not while a request is under way */
void h1_linger(struct h1_connection *c, enum session_why why);          /* closes so that the client gets to read the last answer */
void h1_count_idle(struct h1_connection *c, nsec waited);

/* head.c: reads and parses until a head is complete, more is to come, or the connection is gone. `pipelined`: bytes behind the last
 * request are in the buffer, not looked at yet. */
enum h1_head { H1_HEAD_READY, H1_HEAD_WAIT, H1_HEAD_GONE };
enum h1_head h1_read_head(struct h1_connection *c, bool pipelined);
/* A head that did not come from a connection: 0, or ERR_SYNTAX with *error filled. */
int h1_parse_text(char *text, size_t n, struct http_message *out, struct http1_error *error);
/* Answers what is not served, and ends the connection: as short as Varnish does; what was wrong is in the log. */
void h1_refuse(struct h1_connection *c, const struct http1_error *e, enum session_why why);

#endif
