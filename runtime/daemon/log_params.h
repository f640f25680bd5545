/* Applies the log's parameters to this process. The worker does so at its start and after each change. The
 * manager asks for the reasons of decisions in its own process, too: the next worker is its copy. */
#ifndef VERNIS_DAEMON_LOG_PARAMS_H
#define VERNIS_DAEMON_LOG_PARAMS_H

#include <stdbool.h>

void log_params_apply(void);
/* Adds records that explain decisions to those of vsl_mask. For the dashboard: the reasons of requests that
 * are no hits, and of responses. For commands also the reasons of hits, and traces of statements. */
enum reasons_asker { REASONS_FOR_COMMANDS, REASONS_FOR_DASHBOARD, REASONS_ASKERS };
void log_params_reasons(enum reasons_asker who, bool on);

#endif
