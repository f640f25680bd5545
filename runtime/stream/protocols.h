/* The protocols that origins may speak, and which one a backend does; requests that come as text, not from a connection. The only
 * file above the folders of protocols that names them. */
#ifndef VERNIS_PROTOCOLS_H
#define VERNIS_PROTOCOLS_H

#include "stream/exchange.h"

const struct exchange_protocol *protocol_of_backend(const struct backend *b);   /* for proxy_env */

/* The head of an HTTP/1.1 request, with its empty line, under the rules and limits for those of clients. Spans of `out` point into
 * `text`. ERR_SYNTAX: the answer would be *status, and *why says what is wrong. */
int request_of_text(char *text, size_t n, struct http_message *out, unsigned *status, const char **why);

#endif
