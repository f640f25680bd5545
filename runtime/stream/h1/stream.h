/* HTTP/1 as a stream: framing of the response, chunked and plain request bodies, 100 Continue, and the
 * tunnel.
 *
 * Belongs together with stream/h1/connection: a connection has at most one such stream. It makes the stream
 * for a head and frees it after the response. */
#ifndef VERNIS_STREAM_H1_STREAM_H
#define VERNIS_STREAM_H1_STREAM_H

#include "stream/h1/connection.h"
#include "stream/stream.h"

struct h1_stream {
    struct stream stream;
    struct h1_connection *connection;
    /* response */
    char *out; /* pending head and chunk framing; in an arena, or a constant */
    uint32_t out_cap, out_bytes, out_sent;
    uint64_t chunk_left;
    bool chunked, chunk_open, ended;
    bool until_close; /* the end of the connection is the end of the body */
    bool cut;         /* the response ends early, and the client has to notice it */
    /* request body */
    bool body_chunked, body_done, http10;
    uint64_t body_left; /* BODY_LENGTH */
    struct http1_chunked decoder;
    bool in_tunnel;
    bool drops_body; /* nobody reads the rest of the request body: drop it while the response is sent */
};

_Static_assert(sizeof(struct h1_stream) <= RECORD_BYTES, "a stream is a record of the service");

static inline struct h1_stream *
h1_of(const struct stream *s)
{
    return container_of(s, struct h1_stream, stream);
}

static inline struct counters *
h1_counters(const struct h1_stream *h)
{
    return h->stream.session->service->counters;
}

/* Makes the stream of a connection, with a request for its head. ERR_NOMEM. Harmless if the connection has a
 * stream. */
int h1_stream_open(struct h1_connection *c);
/* The head of the request is complete. */
void h1_stream_start(struct h1_stream *h, const struct http1_framing *framing);
void h1_stream_free(struct h1_connection *c); /* harmless without a stream */

/* stream_send.c: the response. */
int h1_stream_send_interim(struct stream *s, unsigned status, const struct http_message *head, nsec deadline);
int h1_stream_send_head(struct stream *s, struct http_message *head, int64_t body_bytes, bool has_body);
void h1_stream_send_failure(struct stream *s);
ssize_t h1_stream_send_body(struct stream *s, const struct iovec *iov, int n, bool last);
ssize_t h1_stream_send_file(struct stream *s, int fd, off_t at, size_t n, bool last);
int h1_stream_send_trailers(struct stream *s, const struct http_message *trailers);
/* stream_recv.c: the request body. */
ssize_t h1_stream_recv_body(struct stream *s, void *buf, size_t n, nsec deadline);
void h1_stream_stop_receiving(struct stream *s);
bool h1_stream_body_unread(const struct stream *s);
/* connection.c */
struct stream_user *h1_stream_done(struct stream *s);
/* stream_tunnel.c */
void h1_stream_tunnel_start(struct stream *s);
ssize_t h1_stream_tunnel_read(struct stream *s, void *buf, size_t n);
ssize_t h1_stream_tunnel_write(struct stream *s, const struct iovec *iov, int n);
void h1_stream_tunnel_shut(struct stream *s);

#endif
