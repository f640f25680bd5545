/* HTTP/1 to origins. An exchange has a connection to itself, and gives it back to the pool of the endpoint.
 */
#ifndef VERNIS_STREAM_H1_EXCHANGE_H
#define VERNIS_STREAM_H1_EXCHANGE_H

#include "stream/exchange.h"

/* Takes bc, also on failure. ERR_NOMEM with errno. */
int h1_exchange_new(const struct exchange_wants *wants, struct backend_conn *bc, struct exchange **out);
/* Sets the fields of a request that frame its content. ERR_NOMEM. */
int h1_frame(struct http_message *head, const struct content *content);

#endif
