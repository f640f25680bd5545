/* Counters of what the worker did: one block per thread (so, per loop), written by its thread only with plain stores, summed
 * when read. A block of a thread that ended is folded into the sum. A gauge may go down on another thread than it went up on.
 * Some counters are filled in when the sums are published (worker/stats.c), and some always stay 0. Their names and docs are in
 * log/counter_rows.h. */
#ifndef VERNIS_COUNTERS_H
#define VERNIS_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "log/vsc.h"

struct loop;

struct counters {
#define COUNTER(name, kind, level, format, doc) uint64_t name;
#include "log/counter_rows.h"
#undef COUNTER
};

extern const struct vsc_row counter_rows[];             /* in the order of the fields */
extern const unsigned n_counter_rows;
extern const struct vsc_type counters_type;             /* MAIN */

struct counters *counters_here(void);                   /* this thread's block, made on first use; never NULL */
struct counters *counters_of(struct loop *loop);        /* the same, for callers that have their loop at hand */
void counters_sum(struct counters *out);                /* over all threads that are or were */
uint64_t counters_value(const struct counters *c, const struct vsc_row *row);

/* Whoever publishes the sums rests while nothing counts. It dozes first and rests only when another look, later, shows nothing
 * new; then a loop that settles (before it sleeps) with other counters than last time writes to the eventfd. */
void counters_wake_by(int eventfd);     /* before any thread settles */
void counters_doze(bool on);
void counters_settle(void);

#endif
