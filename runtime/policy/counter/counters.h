/* Counters that policies declare: `counter logins by (status);`. A counter has one series for each
 * combination of values of its labels, up to COUNTER_SERIES_MAX. All further combinations count in one more
 * series, in which each label is COUNTER_OTHER, so that a client that makes up values cannot fill memory.
 *
 * Counters belong to the process. Policies that declare a counter with the same name and the same labels
 * share it, so that counts go on when a policy is loaded anew. A counter ends with the last policy that has
 * it.
 *
 * Each loop has its own counts, and its own map from keys to series. It takes the counter's lock only for a
 * key that it has not met yet; when the counter is full it learns all keys and never takes the lock again.
 * The admin thread adds up the loops' counts and publishes them. */
#ifndef VERNIS_POLICY_COUNTER_COUNTERS_H
#define VERNIS_POLICY_COUNTER_COUNTERS_H

#include "policy_abi.h"

struct policy_counter;

/* The counter of a declaration, new or shared. Never NULL. */
struct policy_counter *policy_counter_share(const struct image_counter *declared, unsigned n_loops);
void policy_counter_release(struct policy_counter **c);

/* Adds one to the series with this key. `slot` is that of policy_ctx.rule_slot. */
void policy_counter_add(struct policy_counter *c, unsigned slot, struct span key);
/* Calls back for each series with its key and its count over all threads. Any thread. */
typedef void policy_counter_fn(void *arg, struct span key, uint64_t count);
void policy_counter_each(const struct policy_counter *c, policy_counter_fn *each, void *arg);

/* Copies the sums to shared memory, as POLICY.name{label="value"} (encoded: log/vsc.h). Admin thread. */
void policy_counters_publish(void);

#endif
