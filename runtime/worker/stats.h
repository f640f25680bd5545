/* The worker's shared memory: the log, and the counters of the whole process. Admin thread only. */
#ifndef VERNIS_WORKER_STATS_H
#define VERNIS_WORKER_STATS_H

#include <stdbool.h>

#include "log/counters.h"

struct worker;

/* Call right after the worker has entered its jail. If shared memory fails, the first worker of a daemon does
 * not start, so that the operator sees the mistake; a later worker serves without it. ERR_SYS after a line
 * for the operator. */
int worker_stats_open(struct worker *w);
void worker_stats_sum(struct worker *w, struct counters *out); /* counters of all threads, and gauges */

/* The worker publishes sums often while counters change, and never while they do not. The admin thread waits
 * until worker_stats_fd() is readable, but at most worker_stats_wait() milliseconds (-1: no limit). Then it
 * calls worker_stats_turn(). */
int worker_stats_fd(void);
int worker_stats_wait(void);
/* woken: counters may have changed, publish now */
void worker_stats_turn(struct worker *w, bool woken);

#endif
