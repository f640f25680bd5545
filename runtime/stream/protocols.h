/* Opens exchanges with origins, in their protocols. Also parses requests that come as text, not from a
 * connection. Beside start.c, only these files name the folders of protocols. */
#ifndef VERNIS_STREAM_PROTOCOLS_H
#define VERNIS_STREAM_PROTOCOLS_H

#include "stream/exchange.h"

struct stream;

exchange_open_fn protocols_open; /* for proxy_env */

/* Parses the head of a request, with its empty line, under the rules and limits for clients. It has the form
 * of HTTP/1.1; if its first line says HTTP/2.0, a client sent it as HTTP/2, and the stream speaks that. Spans
 * of `out` point into `text`. ERR_SYNTAX: *status is the status of the answer to a client, and *why says what
 * is wrong. */
int request_of_text(char *text, size_t n, struct stream *stream, struct http_message *out, unsigned *status,
                    const char **why);

#endif
