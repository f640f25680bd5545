/* Responses in codings that the stored form does not have: br and zstd, for clients that prefer them. The
 * delivery makes them from the plain or gzip form. An object that is requested often keeps its coded form
 * (cache/second_form.h). */
#ifndef VERNIS_PROXY_CODING_CODING_H
#define VERNIS_PROXY_CODING_CODING_H

#include "filter/form.h"
#include "http/message.h"

struct request;

unsigned codings_enabled(void); /* by parameters, as bits 1 << enum coding */

/* The normalised value of Accept-Encoding: policies see it, and a pass sends it to the origin. SPAN_NULL: the
 * client accepts no coding that we support. */
struct span coding_normalise(struct span accept_encoding);

/* May other codings be made from a stored response with this head? `gzipped`: its body is in gzip coding. */
bool coding_fits(const struct http_message *head, bool gzipped);

/* Before vcl_deliver: chooses the coding of the response, and changes Vary and ETag of its head. */
void coding_choose(struct request *r);
/* Without memory for the filters of the chosen coding, falls back to the stored form; its ETag stays weak.
 * False: this delivery does not make the coding, so there is no fallback. */
bool coding_give_up(struct request *r);
/* Announces the chosen coding in the head. *total becomes the length of the body; -1: not known. */
void coding_announce(struct request *r, struct span filters, int64_t *total);
/* Replaces the body of the object by its second form, if that was chosen. */
void coding_replace_body(struct request *r, int64_t *total);

#endif
