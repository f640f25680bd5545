/* Run-time parameters by name: parsing, limits, printing. The rows come from the rooms' params.toml; only
 * params.c writes the plain values in base/params.h. The manager parses and keeps the parameters. The worker
 * inherits them by fork and applies later changes. */
#ifndef VERNIS_DAEMON_PARAMS_H
#define VERNIS_DAEMON_PARAMS_H

#include "daemon/param_table.h"
#include "base/span.h"
#include "base/text.h"

void params_init(void); /* before anything else here */
/* by its name or a former name; NULL when unknown */
const struct param_row *param_find(const char *name);
/* "Unknown parameter ...", with a suggestion if a name is similar */
void param_unknown(const char *name, struct text *why);
/* 0, or a CLI status as in daemon/status.h with the reason in `why`. */
int param_set(const char *name, const char *value, struct text *why);
int param_reset(const char *name, struct text *why);
/* Replaces the default and resets the parameter. CHECKs name and value, because they are the caller's own. */
void param_set_default(const char *name, const char *value);
int param_protect(const char *name); /* ERR_NOTFOUND */
/* A command has set or reset it: an upgrade of the daemon carries its value. */
void param_mark_command(const struct param_row *row);
bool param_by_command(const struct param_row *row);
/* The value as a text with which param_set sets exactly this value. */
void param_setting(const struct param_row *row, struct text *out);
bool param_is_default(const struct param_row *row);
void param_value(const struct param_row *row, struct text *out); /* as printed, without the unit */
void param_default(const struct param_row *row, struct text *out);
enum param_side { PARAM_MIN, PARAM_MAX };
/* false: unbounded */
bool param_bound(const struct param_row *row, enum param_side side, struct text *out);
bool param_bit(const char *name, const char *bit);   /* false when either is unknown */
double param_number(const char *name);               /* CHECKs that it exists and is a number */
double param_number_of(const struct param_row *row); /* without the search for its name */
const char *param_text(const char *name);            /* CHECKs that it is a TEXT */
const char *param_unit(const struct param_row *row); /* "" when it has none */

#endif
