/* Counters of the worker. Each thread (so, each loop) has one block and alone writes to it, with plain
 * stores; readers sum the blocks. The block of a thread that ended is folded into the sum. A gauge may go up
 * on one thread and down on another. loop_longest_round_us is a maximum, also over the threads.
 * worker/stats.c fills in some counters when it publishes the sums, and some always stay 0.
 * log/counter_rows.h has names and docs. */
#ifndef VERNIS_LOG_COUNTERS_H
#define VERNIS_LOG_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "log/vsc.h"

struct loop;

struct counters {
#define COUNTER(name, kind, level, format, doc) uint64_t name;
#include "log/counter_rows.h"
#undef COUNTER
};

/* The rows that readers see under one name. */
struct counter_group {
    const char *ident;
    struct vsc_type type;
};

#define COUNTER_GROUPS 4u /* MAIN, VERNIS, H2, TLS */

extern const struct vsc_row counter_rows[]; /* in the order of the fields, group after group */
extern const unsigned n_counter_rows;
extern const struct counter_group counter_groups[COUNTER_GROUPS];

struct counters *counters_here(void);            /* this thread's block, made on first use; never NULL */
struct counters *counters_of(struct loop *loop); /* as counters_here, for callers that know their loop */
void counters_sum(struct counters *out);         /* over all threads, ended ones included */
uint64_t counters_value(const struct counters *c, const struct vsc_row *row);
const char *counters_ident(const struct vsc_row *row); /* of its group */

/* The publisher of the sums sleeps while no counter changes. It calls counters_doze first, and sleeps only if
 * a second, later look finds nothing new. From then on, a loop whose counters have changed writes to the
 * eventfd in counters_settle, before the loop sleeps. */
void counters_wake_by(int eventfd); /* before any thread settles */
void counters_doze(bool on);
void counters_settle(void);

#endif
