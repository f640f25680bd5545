/* What the worker shows in shared memory: the log, and counters of the whole process. Admin thread only. */
#ifndef VERNIS_WORKER_STATS_H
#define VERNIS_WORKER_STATS_H

#include <stdbool.h>

#include "log/counters.h"

struct worker;

/* First thing in a worker that is already the user of its jail. Without shared memory the first worker of a daemon does not
 * start; a later one serves unseen rather than not at all. ERR_SYS after a line for the operator. */
int worker_stats_open(struct worker *w);
void worker_log_params(void);           /* what the parameters of the log say; at the start and after a change */
void worker_stats_sum(struct worker *w, struct counters *out);      /* of all threads, and what is there now */

/* Sums go to readers often while something counts, and never while nothing does. The admin thread waits for `fd` to be
 * readable, too, and at most for `wait` milliseconds (-1: for ever); then calls turn. */
int worker_stats_fd(void);
int worker_stats_wait(void);
void worker_stats_turn(struct worker *w, bool woken);       /* woken: something may have changed, look now */

#endif
