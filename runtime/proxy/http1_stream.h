/* HTTP/1 as a stream: framing of the response, chunked and plain request bodies, 100 Continue. */
#ifndef VERNIS_HTTP1_STREAM_H
#define VERNIS_HTTP1_STREAM_H

#include "http/http1.h"
#include "proxy/stream.h"

struct client;

struct http1_stream {
    struct stream stream;
    struct client *client;
    /* response */
    char *out;                          /* head and chunk framing on its way; arena, or a constant */
    uint32_t out_cap, out_bytes, out_sent;
    uint64_t chunk_left;
    bool chunked, chunk_open, ended;
    /* request body */
    struct http1_framing framing;
    struct http1_chunked decoder;
    uint64_t body_left;                 /* BODY_LENGTH */
    bool body_done, continue_due, http10;
};

struct span decimal(struct arena *a, uint64_t n);       /* SPAN_NULL: arena full */
void http1_stream_init(struct http1_stream *h, struct client *c, const struct http1_framing *framing, const struct http_message *req);
void http1_stream_ready(struct http1_stream *h);        /* the client's socket takes bytes again */

#endif
