/* HTTP/1 wire format (RFC 9112): heads, body framing, chunks. Pure functions over bytes: no I/O, no allocation except from
 * the message's arena. What RFC 9112 calls ambiguous is refused (see docs/http1.md). */
#ifndef VERNIS_HTTP1_H
#define VERNIS_HTTP1_H

#include <sys/types.h>

#include "http/message.h"

struct http1_limits {
    size_t head_bytes, line_bytes;  /* whole head; one line without its end */
    unsigned fields;
};

struct http1_error {
    uint16_t status;                /* what to answer: 400, 414, 417, 431, 501; 503 for a response of an origin */
    const char *why;                /* static text */
    uint32_t offset;                /* byte in the buffer it is about */
    uint32_t bogus;                 /* enum http1_bogus: what the log says about a field */
};

/* Mistakes in a field that the log names in a record of their own (BogoHeader). */
enum http1_bogus {
    BOGUS_NOTHING, BOGUS_CONTROL, BOGUS_TOO_LONG, BOGUS_FIRST_BLANK, BOGUS_NO_NAME, BOGUS_NAME_CHAR, BOGUS_NO_COLON,
    BOGUS_TOO_MANY, BOGUS_HOSTS, BOGUS_LENGTHS
};

/* Its text, in the words that readers of Varnish's log know; 0 = nothing to say. `buf`: what was parsed. */
#define HTTP1_BOGUS_TEXT_BYTES 64
size_t http1_bogus_text(const struct http1_error *e, const char *buf, size_t len, char out[HTTP1_BOGUS_TEXT_BYTES]);

/* Bytes of a complete head, 0 when more is needed, or ERR_SYNTAX / ERR_LIMIT with *error filled. Spans in `out` point into
 * `buf`. Leading empty lines before a request line are skipped and counted. obs-fold: refused in requests, replaced by
 * blanks in responses (in place, buf is writable). */
ssize_t http1_parse_request(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                            struct http1_error *error);
ssize_t http1_parse_response(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                             struct http1_error *error);

/* The absolute form of a request-target (RFC 9112, 3.2.2) taken apart: 1, with the path empty or beginning with '/' or '?' (the
 * caller puts "/" before it if needed); 0 when it is of another form; ERR_SYNTAX for a scheme other than http and https, which
 * is no resource of ours, and for an authority with other bytes than those of a host and port, such as a user name. */
int http1_absolute_target(struct span target, struct span *authority, struct span *path);

enum body_kind { BODY_NONE, BODY_LENGTH, BODY_CHUNKED, BODY_EOF };

struct http1_framing {
    enum body_kind kind;
    uint64_t length;                /* BODY_LENGTH */
    bool keep_alive;                /* this message allows another after it */
    bool expect_continue;           /* request only */
};

/* RFC 9112, 6: Content-Length with Transfer-Encoding, any encoding but a single "chunked", Transfer-Encoding in HTTP/1.0: all
 * refused. More than one Content-Length: refused in requests; in responses only when they differ (forward one, from `length`).
 * Requests also: more than one Host, a Host that is no host and port, Connection naming Host, Content-Length or
 * Transfer-Encoding. That HTTP/1.1 has a Host is for the caller to check. An expectation other than 100-continue: status 417. */
int http1_request_framing(const struct http_message *m, struct http1_framing *out, struct http1_error *error);
int http1_response_framing(const struct http_message *m, struct span request_method, struct http1_framing *out,
                           struct http1_error *error);

/* Decoder of a chunked body, fed piece by piece. Strict: CRLF only, hex sizes of at most 16 digits, extensions of at most
 * CHUNK_EXT_MAX_BYTES are skipped, trailers of at most CHUNK_TRAILER_MAX_BYTES are checked; who wants them takes `trailer`. */
#define CHUNK_EXT_MAX_BYTES 1024
#define CHUNK_TRAILER_MAX_BYTES 8192

struct http1_chunked {
    uint64_t left;                  /* of the current chunk */
    uint32_t state, count;          /* private */
    struct span trailer;            /* what the last call consumed of the trailer section, with its line ends; lent from *in */
    const char *why;                /* of an error: static, in the words of Varnish's log where it has them */
};

void http1_chunked_init(struct http1_chunked *d);
/* Consumes from *in and returns the next run of body bytes in *out (lent from *in; may be empty). 1 = body complete,
 * 0 = go on (call again; when *in is empty more input is needed), ERR_SYNTAX / ERR_LIMIT. */
int http1_chunked_next(struct http1_chunked *d, struct span *in, struct span *out);

/* Writes start line, fields without FIELD_HOP, and the final empty line. Returns bytes, ERR_LIMIT when cap is too small, or
 * ERR_SYNTAX when method, url or reason hold bytes that would break the line. The version is HTTP/1.1, but for a request with
 * proto "HTTP/1.0"; a request without method or url is a mistake of the caller. */
ssize_t http1_write_request(const struct http_message *m, char *buf, size_t cap);
ssize_t http1_write_response(const struct http_message *m, char *buf, size_t cap);
ssize_t http1_write_trailers(const struct http_message *m, char *buf, size_t cap);   /* the fields alone, and the empty line */
size_t http1_head_size(const struct http_message *m);       /* upper bound of the three above */
size_t http1_write_chunk_size(char *buf, uint64_t n);       /* hex + CRLF, at most 18 bytes */

#endif
