/* Parameters and bits that are accepted and change nothing (grammar/no_effect.toml): one that is set is named in the answer, and
 * once in the manager's log. The rows say which; this remembers which were set and which the log has named. */
#ifndef VERNIS_WORKER_PARAM_IDLE_H
#define VERNIS_WORKER_PARAM_IDLE_H

#include "worker/param_table.h"
#include "worker/text.h"

/* A line for each group of what `value` sets in vain: "name has no effect here: what to do instead (page)". */
void param_idle_notes(const struct param_row *row, const char *value, struct text *out);
void param_idle_mark(const struct param_row *row, const char *value);   /* notes what param_idle_log has to name */
void param_idle_log(void);              /* a warning for each that was marked and not yet named */
void param_idle_describe(const struct param_row *row, struct text *out);        /* for param.show: lines, or nothing */

#endif
