/* Applies the log's parameters to this process. The worker does so at its start and after each change. The
 * manager asks for the reasons of decisions in its own process, too: the next worker is its copy. */
#ifndef VERNIS_DAEMON_LOG_PARAMS_H
#define VERNIS_DAEMON_LOG_PARAMS_H

#include <stdbool.h>

void log_params_apply(void);
/* Adds the records that explain decisions to those of vsl_mask: traces of statements and causes of misses. */
void log_params_reasons(bool on);

#endif
