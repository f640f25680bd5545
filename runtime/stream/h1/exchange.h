/* HTTP/1 towards origins: one exchange has a connection for itself, taken from the pool of the backend's endpoint and given back
 * to it. */
#ifndef VERNIS_H1_EXCHANGE_H
#define VERNIS_H1_EXCHANGE_H

#include "stream/exchange.h"

extern const struct exchange_protocol h1_exchange_protocol;

#endif
