/* Counters of a policy's rules, and the estimate of their time. A rule is a sub, or an arm of an `if`
 * (image.rules). Compiled code, or the runtime for a row, adds one to ctx->rule_hits[rule] when a body
 * begins.
 *
 * Each loop has its own counters, so adding is one plain instruction. Threads without a loop share one more
 * slot, and runs that must not be counted (vernis explain-key) write to a last one that nobody reads. Any
 * thread may read.
 *
 * The time of rules is estimated: one hook run in `rule_timing`, chosen at random for each slot and hook, is
 * timed as a whole, with the CPU time of its thread. It has counters of its own, which tell the rules that it
 * took; they are added to the others when it ends. The time less
 * the estimates of these rules is the error, which is divided among them: a rule that was timed rarely takes
 * a large share, a well-known one a small share (a Kalman filter with independent variances). So the estimate
 * of the hook's own sub becomes the time of a run that takes no arm, and the estimate of an arm what it adds
 * to that. Runs in which the fiber was suspended are left out. */
#ifndef VERNIS_POLICY_RULE_COUNTS_H
#define VERNIS_POLICY_RULE_COUNTS_H

#include <stdatomic.h>

#include "base/clock.h"
#include "policy_abi.h"

struct rule_slot {
    _Alignas(64) uint64_t *hits; /* written by compiled code; read with rule_hits_sum */
    atomic_uint_fast64_t runs[HOOK_COUNT];
    uint64_t due[HOOK_COUNT];     /* the run of each hook that is timed next */
    double spread[HOOK_COUNT];    /* mean size of the error */
    uint32_t n_timed[HOOK_COUNT]; /* runs; stops at SPREAD_RUNS */
    uint64_t random;
    struct rule_time *times; /* one for each rule; NULL before the first timed run */
    uint64_t *run;           /* hits of the timed run; 0 between such runs */
    uint32_t *taken;         /* rules of the timed run */
    bool timing;             /* a timed run has begun; another one may begin while its fiber waits */
    void *memory;
};

struct rule_time {
    _Atomic double ns;
    double doubt;           /* variance of ns, in units of the noise of one run */
    _Atomic uint32_t timed; /* runs that took the rule */
};

struct rule_counts {
    atomic_uint owners; /* struct policy_code */
    uint32_t n_rules;
    unsigned n_slots; /* one for each loop, one for threads without a loop, one that nobody reads */
    struct rule_slot slots[];
};

struct rule_timer { /* of one timed run; on the stack of policy_run */
    bool on;
    nsec began, cost; /* of reading the clock */
    uint64_t parks;
};

struct rule_counts *rule_counts_new(uint32_t n_rules, unsigned n_loops);
void rule_counts_release(struct rule_counts **counts);

static inline unsigned
rule_slot_unread(unsigned n_loops)
{
    return n_loops + 1;
}

/* Begins a timed run, unless timing is off. Sets the next one. */
void rule_timer_start(struct rule_counts *c, struct policy_ctx *ctx, enum vcl_hook hook,
                      struct rule_timer *t);
void rule_timer_stop(struct rule_counts *c, struct policy_ctx *ctx, enum vcl_hook hook,
                     const struct rule_timer *t);

/* Call before a hook runs. */
static inline void
rule_counts_enter(struct rule_counts *c, struct policy_ctx *ctx, enum vcl_hook hook, struct rule_timer *t)
{
    struct rule_slot *s = &c->slots[ctx->rule_slot];
    ctx->rule_hits = s->hits;
    uint64_t run = atomic_load_explicit(&s->runs[hook], memory_order_relaxed) + 1;
    atomic_store_explicit(&s->runs[hook], run, memory_order_relaxed);
    t->on = false;
    if (__builtin_expect(run == s->due[hook], 0))
        rule_timer_start(c, ctx, hook, t);
}

/* Sums over all slots that are read; any thread. */
struct rule_sum {
    uint64_t hits;
    uint64_t timed; /* runs that the estimate is made from */
    double ns;      /* 0 or more; only with `timed` */
};
struct rule_sum rule_counts_sum(const struct rule_counts *c, uint32_t rule);
uint64_t rule_counts_runs(const struct rule_counts *c, enum vcl_hook hook);

#endif
