/* Parameters and bits without effect (grammar/no_effect.toml). An operator may set them: the CLI answer names
 * each, and the manager's log names each once. This file remembers which were set and which the log has
 * named. */
#ifndef VERNIS_DAEMON_PARAM_IDLE_H
#define VERNIS_DAEMON_PARAM_IDLE_H

#include "daemon/param_table.h"
#include "base/text.h"

/* One line for each group of ineffective settings in `value`: "name has no effect here: what to do instead
 * (page)". */
void param_idle_notes(const struct param_row *row, const char *value, struct text *out);
/* marks the names for param_idle_log */
void param_idle_mark(const struct param_row *row, const char *value);
void param_idle_log(void); /* logs a warning for each new mark */
/* for param.show: lines, or nothing */
void param_idle_describe(const struct param_row *row, struct text *out);

#endif
