/* A small thread pool for what blocks: name look-ups, files. Fiber only. */
#ifndef VERNIS_OFFLOAD_H
#define VERNIS_OFFLOAD_H

void offload_run(void (*fn)(void *arg), void *arg);     /* runs fn on a pool thread; the fiber waits until it returned */
void offload_stop(void);                                /* at process end: joins the pool */

#endif
