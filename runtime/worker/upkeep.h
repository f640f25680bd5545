/* Periodic work on loop 0: frees expired objects, evicts stored objects above memory_limit, and updates the
 * counters with the health of backends. */
#ifndef VERNIS_WORKER_UPKEEP_H
#define VERNIS_WORKER_UPKEEP_H

struct worker;

void upkeep_start(struct worker *w); /* call both on loop 0 */
void upkeep_stop(struct worker *w);

#endif
