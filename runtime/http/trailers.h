/* Trailer fields (RFC 9110, 6.5): filters those that may be forwarded, and stores them as HTTP/1 lines. */
#ifndef VERNIS_HTTP_TRAILERS_H
#define VERNIS_HTTP_TRAILERS_H

#include "http/message.h"

#define TRAILER_FIELDS_MAX 32u /* of one message; limit in bytes: CHUNK_TRAILER_MAX_BYTES (http1.h) */

/* False for fields that frame, route, modify or authenticate a message, or control its content or response:
 * these have no meaning after the content, and a recipient that merges them would see another message (RFC
 * 9110, 6.5.1). */
bool trailer_may_pass(struct span name);

/* Parses lines that the decoder has checked (http1_chunked); fields are lent from `lines`. ERR_LIMIT: more
 * fields than `out` has room for. */
int trailers_parse(struct span lines, struct http_message *out);
/* SPAN_NULL: no fields, or no memory. */
struct span trailers_lines(const struct http_message *m, struct arena *a);
void trailers_drop_forbidden(struct http_message *m);
/* Returns a list of the names in a Trailer field that may pass. SPAN_NULL: no such name, or no memory. */
struct span trailer_names(struct arena *a, struct span field);

#endif
