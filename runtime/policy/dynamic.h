/* Names looked up by module dynamic. Private to this room and its tests. */
#ifndef VERNIS_DYNAMIC_H
#define VERNIS_DYNAMIC_H

#include "loop/conn.h"

#define DYNAMIC_ADDRESSES_MAX 32u       /* of one name; more are not used */

/* What a name stands for now. May block; any thread. 0, or what gai_strerror knows. */
typedef int dynamic_lookup_fn(const char *host, const char *port, struct address out[DYNAMIC_ADDRESSES_MAX], unsigned *n);

void dynamic_set_lookup(dynamic_lookup_fn *fn);     /* tests; NULL: getaddrinfo */

#endif
