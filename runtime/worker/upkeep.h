/* Periodic work for the store, on loop 0: objects that expired go, and stored ones when memory_limit is exceeded. */
#ifndef VERNIS_WORKER_UPKEEP_H
#define VERNIS_WORKER_UPKEEP_H

struct worker;

void upkeep_start(struct worker *w);                /* both on loop 0 */
void upkeep_stop(struct worker *w);

#endif
