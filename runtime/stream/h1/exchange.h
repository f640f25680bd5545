/* HTTP/1 to origins. An exchange has a connection to itself: it takes one from the pool of the endpoint and
 * gives it back. */
#ifndef VERNIS_STREAM_H1_EXCHANGE_H
#define VERNIS_STREAM_H1_EXCHANGE_H

#include "stream/exchange.h"

extern const struct exchange_protocol h1_exchange_protocol;

#endif
