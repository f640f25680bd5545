/* vernisd -C -A FILE: loads the certificates of the file as at a start, tries the settings, and tells what
 * the listeners would offer. Nothing listens. */
#ifndef VERNIS_MANAGER_TLS_CHECK_H
#define VERNIS_MANAGER_TLS_CHECK_H

#include "manager/tls/config.h"

#define TLS_CHECK_S 60.0

/* Returns the exit code: 0, or 2 with the reason in `why`. */
int tls_check(const struct tls_config *config, struct text *out, struct text *why);

#endif
