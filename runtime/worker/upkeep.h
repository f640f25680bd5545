/* Periodic work for the store, on loop 0: frees expired objects, and evicts stored objects above
 * memory_limit. */
#ifndef VERNIS_WORKER_UPKEEP_H
#define VERNIS_WORKER_UPKEEP_H

struct worker;

void upkeep_start(struct worker *w); /* call both on loop 0 */
void upkeep_stop(struct worker *w);

#endif
