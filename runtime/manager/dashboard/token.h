/* The token of the dashboard: who knows it may see the figures. It lies in a file of the work directory that
 * only the manager's user may read, and survives restarts. */
#ifndef VERNIS_MANAGER_DASHBOARD_TOKEN_H
#define VERNIS_MANAGER_DASHBOARD_TOKEN_H

#include <stdbool.h>

#include "base/text.h"

#define TOKEN_FILE "_.dashboard_token"
#define TOKEN_BYTES 32u
#define TOKEN_DIGITS (2 * TOKEN_BYTES) /* hexadecimal */

/* Reads the token, or makes one if there is none, or one that others may have read or written. ERR_SYS with a
 * line in `why`. */
int token_open(const char *folder, char out[TOKEN_DIGITS + 1], struct text *why);
/* Whether the Authorization field has the token. The time does not depend on the field's digits. */
bool token_allows(const char token[TOKEN_DIGITS + 1], const char *authorization);

#endif
