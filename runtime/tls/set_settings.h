/* The settings of a frontend of TLS, as the manager sends them: lines of a name and a value.
 * Belongs together with tls/set: frontends have settings. */
#ifndef VERNIS_TLS_SET_SETTINGS_H
#define VERNIS_TLS_SET_SETTINGS_H

#include "tls/set.h"

void tls_settings_init(struct tls_settings *s);
/* Adds lines of "name value"; a PEM value (client_ca, client_crl) goes on to its last END line. ERR_SYNTAX,
 * ERR_NOMEM with the reason */
int tls_settings_read(struct tls_settings *s, struct span lines, struct text *why);
bool tls_settings_copy(struct tls_settings *to, const struct tls_settings *from); /* false: no memory */
void tls_settings_release(struct tls_settings *s);

#endif
