/* Settings of TLS that frontends do not have come from parameters. */
#ifndef VERNIS_DAEMON_TLS_DEFAULTS_H
#define VERNIS_DAEMON_TLS_DEFAULTS_H

#include "base/text.h"

void tls_default_settings(struct text *out); /* lines of the command tls.frontend */

#endif
