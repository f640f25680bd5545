/* Heads that filters work on: whether they do, and what filters of gzip change there, as Varnish does. */
#ifndef VERNIS_FILTER_GZIP_HEAD_H
#define VERNIS_FILTER_GZIP_HEAD_H

#include "filter/form.h"
#include "http/message.h"

bool gunzip_engage(struct http_message *head, struct body_form *form);
bool testgunzip_engage(struct http_message *head, struct body_form *form);
bool gzip_engage(struct http_message *head, struct body_form *form);
bool esi_engage(struct http_message *head, struct body_form *form);         /* only bytes without a coding are a page */

void vary_on_coding(struct http_message *head);         /* Vary has Accept-Encoding */

/* Other bytes may stand for the same content now: a strong validator must not name both (RFC 9110, 8.8.1). */
void weaken_etag(struct http_message *head);

#endif
