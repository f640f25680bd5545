/* Trailer fields (RFC 9110, 6.5): which may be passed on, and how they are kept: as lines, in the form of HTTP/1. */
#ifndef VERNIS_TRAILERS_H
#define VERNIS_TRAILERS_H

#include "http/message.h"

#define TRAILER_FIELDS_MAX 32u          /* of one message; their bytes: CHUNK_TRAILER_MAX_BYTES (http1.h) */

/* False for fields that frame, route, modify or authenticate a message, or say how its content or response is to be handled: they mean
 * nothing behind the content, and who merges them would see another message (RFC 9110, 6.5.1). */
bool trailer_may_pass(struct span name);

/* The fields of lines that a decoder has checked (http1_chunked), lent from them. ERR_LIMIT: more than `out` has room for. */
int trailers_parse(struct span lines, struct http_message *out);
struct span trailers_lines(const struct http_message *m, struct arena *a);      /* SPAN_NULL: there are none, or no memory */
void trailers_drop_forbidden(struct http_message *m);
/* The names of a field Trailer that may pass, as a list. SPAN_NULL: none, or no memory. */
struct span trailer_names(struct arena *a, struct span field);

#endif
