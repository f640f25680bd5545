/* HTTP/1 wire format (RFC 9112): heads, body framing, chunks. Pure functions over bytes: no I/O, and
 * allocation only from the message's arena. Every message that RFC 9112 calls ambiguous is refused
 * (docs/http1.md). */
#ifndef VERNIS_HTTP_HTTP1_H
#define VERNIS_HTTP_HTTP1_H

#include <sys/types.h>

#include "http/message.h"

struct http1_limits {
    size_t head_bytes, line_bytes; /* whole head; one line without its end */
    unsigned fields;
};

struct http1_error {
    uint16_t status; /* the status to answer: 400, 414, 417, 431, 501; 503 for a response from an origin */
    const char *why; /* static text */
    uint32_t offset; /* position of the mistake in the buffer */
    uint32_t bogus;  /* enum http1_bogus: the mistake that BogoHeader names */
};

/* Mistakes in a field that the log names in a separate record (BogoHeader). */
enum http1_bogus {
    BOGUS_NOTHING,
    BOGUS_CONTROL,
    BOGUS_TOO_LONG,
    BOGUS_FIRST_BLANK,
    BOGUS_NO_NAME,
    BOGUS_NAME_CHAR,
    BOGUS_NO_COLON,
    BOGUS_TOO_MANY,
    BOGUS_HOSTS,
    BOGUS_LENGTHS
};

/* Writes the text of a BogoHeader record, in Varnish's words. Returns its length, 0 = no record. `buf`: the
 * parsed bytes. */
#define HTTP1_BOGUS_TEXT_BYTES 64
size_t http1_bogus_text(const struct http1_error *e, const char *buf, size_t len,
                        char out[HTTP1_BOGUS_TEXT_BYTES]);

/* Return the bytes of a complete head, 0 when more bytes are needed, or ERR_SYNTAX / ERR_LIMIT with *error
 * filled. Spans in `out` point into `buf`. Empty lines before a request line are skipped, and their bytes
 * count. obs-fold: refused in some fields of requests (docs/http1.md), else replaced by blanks in place, so
 * `buf` must be writable. */
ssize_t http1_parse_request(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                            struct http1_error *error);
ssize_t http1_parse_response(char *buf, size_t len, const struct http1_limits *lim, struct http_message *out,
                             struct http1_error *error);

/* Splits the absolute form of a request-target (RFC 9112, 3.2.2). 1: the path is empty or begins with '/' or
 * '?' (the caller adds "/" if needed); 0: the target has another form; ERR_SYNTAX: a scheme other than http
 * and https, or an authority that is not a host and port, such as one with a user name. */
int http1_absolute_target(struct span target, struct span *authority, struct span *path);

enum body_kind { BODY_NONE, BODY_LENGTH, BODY_CHUNKED, BODY_EOF };

struct http1_framing {
    enum body_kind kind;
    uint64_t length;      /* BODY_LENGTH */
    bool keep_alive;      /* the connection can carry another message after this one */
    bool expect_continue; /* request only */
};

/* RFC 9112, 6. Refused: Content-Length with Transfer-Encoding, any encoding but a single "chunked",
 * Transfer-Encoding in HTTP/1.0. Several Content-Length fields: refused in requests; in responses only if
 * they differ (forward one, from `length`). Also refused in requests: more than one Host, a Host that is not
 * a host and port, a Connection field that names Host, Content-Length or Transfer-Encoding, and an
 * expectation other than 100-continue (status 417). The caller checks that an HTTP/1.1 request has a Host. */
int http1_request_framing(const struct http_message *m, struct http1_framing *out, struct http1_error *error);
int http1_response_framing(const struct http_message *m, struct span request_method,
                           struct http1_framing *out, struct http1_error *error);

/* Decoder of a chunked body, fed piece by piece. Strict: only CRLF ends a line, and sizes have at most 16 hex
 * digits. Extensions of at most CHUNK_EXT_MAX_BYTES are skipped. Trailers of at most CHUNK_TRAILER_MAX_BYTES
 * are checked; the caller finds them in `trailer`. */
#define CHUNK_EXT_MAX_BYTES 1024
#define CHUNK_TRAILER_MAX_BYTES 8192

struct http1_chunked {
    uint64_t left;         /* bytes left of the current chunk */
    uint32_t state, count; /* private */
    struct span trailer;   /* trailer bytes that the last call consumed, with line ends; lent from *in */
    const char *why; /* reason of an error: static text, in the words of Varnish's log where it has them */
};

void http1_chunked_init(struct http1_chunked *d);
/* Consumes bytes of *in and returns the next run of body bytes in *out (lent from *in; may be empty). 1 =
 * body complete, 0 = call again (with more input if *in is empty), ERR_SYNTAX / ERR_LIMIT. */
int http1_chunked_next(struct http1_chunked *d, struct span *in, struct span *out);

/* Write the start line, the fields without FIELD_HOP, and the final empty line. Return bytes, ERR_LIMIT when
 * `cap` is too small, or ERR_SYNTAX when the method, url or reason holds bytes that would break the line. The
 * version is HTTP/1.1, except for a request with proto "HTTP/1.0". A request must have a method and a url:
 * ERR_SYNTAX otherwise. */
ssize_t http1_write_request(const struct http_message *m, char *buf, size_t cap);
ssize_t http1_write_response(const struct http_message *m, char *buf, size_t cap);
/* Only the fields and the empty line. */
ssize_t http1_write_trailers(const struct http_message *m, char *buf, size_t cap);
size_t http1_head_size(const struct http_message *m); /* upper bound for the three functions above */
size_t http1_write_chunk_size(char *buf, uint64_t n); /* hex + CRLF, at most 18 bytes */

#endif
