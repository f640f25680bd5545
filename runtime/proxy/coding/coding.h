/* Responses in codings that the stored form does not have: br and zstd, for clients that prefer them. Made on the way out of the plain or
 * gzip form; an object that is asked for often keeps what was made (cache/coding/second_form.h). */
#ifndef VERNIS_PROXY_CODING_H
#define VERNIS_PROXY_CODING_H

#include "filter/form.h"
#include "http/message.h"

struct request;

/* Codings that parameters allow, bits 1 << enum coding. */
unsigned codings_enabled(void);

/* The value of Accept-Encoding that stands for all others like it: what policies see, and what goes to origins with a pass. SPAN_NULL: none
 * of the codings that are of use here. */
struct span coding_wash(struct span accept_encoding);

/* May a response with this head be stored so that other codings can be made of it? `gzipped`: its body is in gzip coding. */
bool coding_fits(const struct http_message *head, bool gzipped);

/* Before vcl_deliver: decides in what coding the object goes out, and changes the head's Vary and ETag. */
void coding_choose(struct request *r);
/* There is no memory for the filters that make the chosen coding: the stored form goes out, still with a weak ETag. False: the filters are
 * the policy's, or others. */
bool coding_give_up(struct request *r);
/* The body goes out in the coding that was chosen: its head says so. *total becomes its length; -1: not known. */
void coding_announce(struct request *r, struct span filters, int64_t *total);
/* Puts the second form, if that is what goes out, in the place of the object's body. */
void coding_replace_body(struct request *r, int64_t *total);

#endif
