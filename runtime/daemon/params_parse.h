/* Values of parameters as an operator types them: numbers with and without units, switches, sizes of
 * pools. */
#ifndef VERNIS_DAEMON_PARAMS_PARSE_H
#define VERNIS_DAEMON_PARAMS_PARSE_H

#include "daemon/param_table.h"

#define NOT_A_NUMBER "Not a number"
#define INVALID_NUMBER "Invalid number"

/* Both return NULL, or an error message. param_parse_number wants a row of a numeric kind; it does not check
 * bounds. */
const char *param_parse_number(const struct param_row *row, const char *text, double *out);
const char *param_parse_pool(const char *text);

#endif
