/* Shared by the files of an HTTP/1 exchange: exchange.c (opening, sending, the end), exchange_recv.c (head
 * and content), exchange_tunnel.c. */
#ifndef VERNIS_STREAM_H1_EXCHANGE_INTERNAL_H
#define VERNIS_STREAM_H1_EXCHANGE_INTERNAL_H

#include "base/list.h"
#include "http/http1.h"
#include "stream/h1/exchange.h"

struct h1_exchange {
    struct exchange x;
    struct backend_conn *bc; /* owned */
    struct buffer_pool *buffers;
    char *rx; /* receive buffer: the head of the response, and content in chunks; NULL: none yet */
    size_t rx_bytes, rx_taken;
    uint64_t left; /* plain content still to come */
    struct http1_chunked decoder;
    struct span piece;                /* decoded content that was not received yet; in rx */
    size_t trailer_at, trailer_bytes; /* position in rx of the trailer section, as far as received */
    bool trailer_lost;                /* the trailer section did not fit */
    struct span method;               /* of the request: a response to HEAD has no content */
    struct span tunnel_head;          /* not sent yet */
    bool chunks_out, chunks_in;       /* chunked coding of the request, of the response */
    bool cut;                         /* the request was not sent in full */
    bool keep_alive;                  /* the response allows another exchange */
    bool body_done;
    uint16_t early_status; /* of the final head, received while content is sent; 0: none so far */
    char bogus[HTTP1_BOGUS_TEXT_BYTES]; /* for the log */
};

static inline struct h1_exchange *
h1_exchange_of(struct exchange *x)
{
    return container_of(x, struct h1_exchange, x);
}

/* exchange_recv.c */
/* The head that begins at rx_taken: as http1_parse_response. */
ssize_t h1_parse_head(struct h1_exchange *h, struct http_message *out, struct http1_error *e);
bool h1_answered(struct exchange *x);
int h1_recv_head(struct exchange *x, struct http_message *out, nsec first_byte, double between_bytes_s);
ssize_t h1_recv_wait(struct exchange *x, nsec deadline);
ssize_t h1_recv_poll(struct exchange *x, nsec deadline);
ssize_t h1_recv_body(struct exchange *x, void *buf, size_t n, nsec deadline);
int h1_recv_trailers(struct exchange *x, struct http_message *out);

/* exchange_tunnel.c */
int h1_tunnel_start(struct exchange *x, const struct http_message *head);
int h1_tunnel_answer(struct exchange *x, struct http_message *out);
ssize_t h1_tunnel_read(struct exchange *x, void *buf, size_t n);
ssize_t h1_tunnel_write(struct exchange *x, const struct iovec *iov, int n);
void h1_tunnel_shut(struct exchange *x);

/* exchange.c: serialises a head, in the arena of the message. ERR_NOMEM, ERR_LIMIT, ERR_SYNTAX. */
int h1_write_request_head(const struct http_message *head, struct span *out);

#endif
