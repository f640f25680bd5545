/* The protocols that origins may speak, and which one a backend does. The only file above the folders of protocols that names
 * them. */
#ifndef VERNIS_PROTOCOLS_H
#define VERNIS_PROTOCOLS_H

#include "stream/exchange.h"

const struct exchange_protocol *protocol_of_backend(const struct backend *b);   /* for proxy_env */

#endif
