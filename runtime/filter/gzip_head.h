/* Decides by a response's head whether a filter applies, and makes the gzip filters' changes to the head, as
 * in Varnish. */
#ifndef VERNIS_FILTER_GZIP_HEAD_H
#define VERNIS_FILTER_GZIP_HEAD_H

#include "filter/form.h"
#include "http/message.h"

bool gunzip_engage(struct http_message *head, struct body_form *form);
bool testgunzip_engage(struct http_message *head, struct body_form *form);
bool gzip_engage(struct http_message *head, struct body_form *form);
/* Only a body without gzip coding can be parsed as a page. */
bool esi_engage(struct http_message *head, struct body_form *form);

void vary_on_coding(struct http_message *head); /* adds Accept-Encoding to Vary */

/* The same content may now have different bytes, and a strong validator must not match both (RFC 9110,
 * 8.8.1). */
void weaken_etag(struct http_message *head);

#endif
