/* A small thread pool for what blocks: name look-ups, files. */
#ifndef VERNIS_OFFLOAD_H
#define VERNIS_OFFLOAD_H

void offload_run(void (*fn)(void *arg), void *arg);     /* fiber only: runs fn on a pool thread, and waits until it returned */
void offload_or_block(void (*fn)(void *arg), void *arg);    /* where no fiber can wait (vcl_init), fn runs on this thread */
void offload_stop(void);                                /* at process end: joins the pool */

#endif
