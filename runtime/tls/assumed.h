/* Facts of a handshake that never was, for a client in memory (trial/client.h): policies read them as those
 * of a connection. */
#ifndef VERNIS_TLS_ASSUMED_H
#define VERNIS_TLS_ASSUMED_H

#include "base/text.h"
#include "loop/conn.h"

struct tls_assumed;

struct tls_assumed *tls_assumed_new(void); /* NULL: no memory */
void tls_assumed_free(struct tls_assumed **a);
/* One fact, by its name in module tls; `resumed` is "true" or "false". ERR_NOTFOUND: there is no such fact;
 * ERR_SYNTAX: neither true nor false. `why` tells. */
int tls_assume(struct tls_assumed *a, struct span fact, struct span value, struct text *why);
struct conn *tls_assumed_conn(struct tls_assumed *a); /* for tls/facts.h alone */

#endif
