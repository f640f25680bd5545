/* OpenSSL as this room uses it: a context of its own, so that the system's configuration file changes nothing
 * and our provider (remote_key.h) serves nobody else. */
#ifndef VERNIS_TLS_LIBRARY_H
#define VERNIS_TLS_LIBRARY_H

#include <openssl/types.h>

#include "base/text.h"

/* Loads the providers. Call it before the process is confined, and before it has threads. ERR_SYS: a provider
 * is missing; tls_library_error tells. */
int tls_library_start(void);
OSSL_LIB_CTX *tls_library(void); /* NULL before tls_library_start */
/* Adds the oldest error of this thread, and forgets all. */
void tls_library_error(struct text *out);

#endif
