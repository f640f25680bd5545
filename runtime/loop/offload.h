/* A small thread pool for blocking calls: name lookups, files. */
#ifndef VERNIS_LOOP_OFFLOAD_H
#define VERNIS_LOOP_OFFLOAD_H

#include <stdbool.h>

/* Fiber only: runs fn on a pool thread and waits until fn returns. */
void offload_run(void (*fn)(void *arg), void *arg);
void offload_or_block(void (*fn)(void *arg), void *arg); /* Off fibers (vcl_init), runs fn on this thread. */
/* For trials, while no job runs: offload_run holds up the thread of its loop. A trial's clock leaps when all
 * fibers wait, and would overtake a job. */
void offload_hold_loops(bool hold);
/* Starts the pool now: its threads may use the CPUs that this thread may use. */
void offload_start(void);
void offload_stop(void); /* at process end: joins the pool */

#endif
