/* Counters of rules and the estimate of their time: see rule_counts.h. */
#include "policy/rule_counts.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"
#include "base/params.h"
#include "loop/fiber.h"

#define UNTIMED_RECHECK 1024u /* runs until the parameter is looked at again, while timing is off */
#define NOISE 1.0             /* variance of one timed run: the unit of rule_time.doubt */
#define DOUBT_FIRST 64.0      /* the first timed run counts almost alone */
#define DOUBT_LEAST 0.01      /* later runs keep this weight, so that the estimate follows changes */
#define SPREAD_RUNS 16u       /* runs of a hook before its outliers are cut */
#define SPREAD_LIMIT 6.0      /* an error counts as at most so many mean errors */
#define COMPARED 64u          /* counters that are compared at once */
#define SPREAD_LEAST 100.0    /* nanoseconds: the first runs may seem to have no error at all */

static size_t
whole_lines(size_t bytes)
{
    return (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
}

/* Zeroed, and in cache lines of its own. A large piece takes memory when it is written first. */
static void *
lines_new(size_t bytes, void **memory)
{
    *memory = mem_zalloc(whole_lines(bytes) + CACHE_LINE_BYTES);
    return (void *)(((uintptr_t)*memory + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES);
}

/* xorshift: the worker's own random numbers would differ with the timing (debug.srandom). */
static uint64_t
next_random(struct rule_slot *s)
{
    s->random ^= s->random << 13;
    s->random ^= s->random >> 7;
    s->random ^= s->random << 17;
    return s->random;
}

/* On average one run in `rule_timing`, at no fixed distance, so that no pattern of requests escapes. */
static uint64_t
distance(struct rule_slot *s)
{
    uint32_t every = params.rule_timing;
    return every == 0 ? UNTIMED_RECHECK : 1 + next_random(s) % (2 * (uint64_t)every - 1);
}

struct rule_counts *
rule_counts_new(uint32_t n_rules, unsigned n_loops)
{
    unsigned n_slots = n_loops + 2;
    size_t bytes = sizeof(struct rule_counts) + n_slots * sizeof(struct rule_slot);
    struct rule_counts *c = aligned_alloc(CACHE_LINE_BYTES, whole_lines(bytes));
    CHECK(c != NULL);
    memset(c, 0, bytes);
    atomic_init(&c->owners, 1);
    c->n_rules = n_rules;
    c->n_slots = n_slots;
    for (unsigned i = 0; i < n_slots; i++) {
        struct rule_slot *s = &c->slots[i];
        s->hits = lines_new(n_rules * sizeof *s->hits, &s->memory);
        s->random = UINT64_C(0x9e3779b97f4a7c15) * (i + 1);
        for (unsigned hook = 0; hook < HOOK_COUNT; hook++)
            s->due[hook] = distance(s);
    }
    return c;
}

void
rule_counts_release(struct rule_counts **counts)
{
    struct rule_counts *c = *counts;
    *counts = NULL;
    if (c == NULL || atomic_fetch_sub(&c->owners, 1) > 1)
        return;
    for (unsigned i = 0; i < c->n_slots; i++) {
        free(c->slots[i].memory);
        free(c->slots[i].times);
        free(c->slots[i].run);
        free(c->slots[i].taken);
    }
    free(c);
}

/* ---- timing -------------------------------------------------------------------------------------------- */

static void
make_times(struct rule_slot *s, uint32_t n_rules)
{
    struct rule_time *times = mem_zalloc(n_rules * sizeof *times);
    for (uint32_t i = 0; i < n_rules; i++)
        times[i].doubt = DOUBT_FIRST;
    s->run = mem_zalloc(n_rules * sizeof *s->run);
    s->taken = mem_zalloc(n_rules * sizeof *s->taken);
    __atomic_store_n(&s->times, times, __ATOMIC_RELEASE);
}

void
rule_timer_start(struct rule_counts *c, struct policy_ctx *ctx, enum vcl_hook hook, struct rule_timer *t)
{
    struct rule_slot *s = &c->slots[ctx->rule_slot];
    s->due[hook] += distance(s);
    if (params.rule_timing == 0 || c->n_rules == 0 || s->timing)
        return;
    if (s->times == NULL)
        make_times(s, c->n_rules);
    ctx->rule_hits = s->run;
    t->on = s->timing = true;
    t->parks = fiber_parks();
    t->began = clock_thread_ns();
    t->cost = clock_thread_ns() - t->began;
}

/* Lists the rules of the timed run. Few of many rules are taken, so whole blocks of counters are compared
 * first. */
static uint32_t
find_taken(const struct rule_counts *c, struct rule_slot *s)
{
    static const uint64_t none[COMPARED];
    uint32_t n = 0;
    for (uint32_t first = 0; first < c->n_rules; first += COMPARED) {
        uint32_t end = c->n_rules - first < COMPARED ? c->n_rules : first + COMPARED;
        if (memcmp(s->run + first, none, (end - first) * sizeof *s->run) == 0)
            continue;
        for (uint32_t i = first; i < end; i++)
            if (s->run[i] != 0)
                s->taken[n++] = i;
    }
    return n;
}

/* Adds the counters of the timed run to the others. */
static void
add_run(struct rule_slot *s, uint32_t n_taken)
{
    for (uint32_t i = 0; i < n_taken; i++) {
        uint32_t rule = s->taken[i];
        __atomic_store_n(&s->hits[rule], s->hits[rule] + s->run[rule], __ATOMIC_RELAXED);
        s->run[rule] = 0;
    }
    s->timing = false;
}

/* An interrupt or a first touch of memory makes one run many times as long as the others. */
static double
cut_outlier(struct rule_slot *s, enum vcl_hook hook, double error)
{
    double size = fabs(error), most = SPREAD_LIMIT * fmax(s->spread[hook], SPREAD_LEAST);
    if (s->n_timed[hook] == SPREAD_RUNS && size > most)
        size = most;
    s->n_timed[hook] += s->n_timed[hook] < SPREAD_RUNS;
    s->spread[hook] += (size - s->spread[hook]) / s->n_timed[hook];
    return copysign(size, error);
}

static void
set_relaxed(_Atomic double *to, double value)
{
    atomic_store_explicit(to, value, memory_order_relaxed);
}

static void
learn(struct rule_slot *s, uint32_t n_taken, enum vcl_hook hook, double ns)
{
    double expected = 0, doubt = NOISE;
    for (uint32_t i = 0; i < n_taken; i++) {
        uint32_t rule = s->taken[i];
        double times = (double)s->run[rule];
        expected += times * s->times[rule].ns;
        doubt += times * times * s->times[rule].doubt;
    }
    double error = cut_outlier(s, hook, ns - expected);
    for (uint32_t i = 0; i < n_taken; i++) {
        uint32_t rule = s->taken[i];
        struct rule_time *t = &s->times[rule];
        double times = (double)s->run[rule], gain = times * t->doubt / doubt;
        set_relaxed(&t->ns, t->ns + gain * error);
        t->doubt = fmax(t->doubt * (1 - gain * times), DOUBT_LEAST);
        t->timed++;
    }
}

void
rule_timer_stop(struct rule_counts *c, struct policy_ctx *ctx, enum vcl_hook hook, const struct rule_timer *t)
{
    nsec ns = clock_thread_ns() - t->began - 2 * t->cost;
    struct rule_slot *s = &c->slots[ctx->rule_slot];
    uint32_t n_taken = find_taken(c, s);
    if (fiber_parks() == t->parks)
        learn(s, n_taken, hook, ns > 0 ? (double)ns : 0);
    add_run(s, n_taken);
}

/* ---- reading ------------------------------------------------------------------------------------------- */

struct rule_sum
rule_counts_sum(const struct rule_counts *c, uint32_t rule)
{
    CHECK(rule < c->n_rules);
    struct rule_sum sum = { 0 };
    double ns = 0;
    for (unsigned i = 0; i < c->n_slots - 1; i++) {
        const struct rule_slot *s = &c->slots[i];
        sum.hits += __atomic_load_n(&s->hits[rule], __ATOMIC_RELAXED);
        const struct rule_time *times = __atomic_load_n(&s->times, __ATOMIC_ACQUIRE);
        if (times == NULL)
            continue;
        uint32_t timed = times[rule].timed;
        sum.timed += timed;
        ns += timed * times[rule].ns;
    }
    sum.ns = sum.timed > 0 ? fmax(ns / (double)sum.timed, 0) : 0;
    return sum;
}

uint64_t
rule_counts_runs(const struct rule_counts *c, enum vcl_hook hook)
{
    uint64_t runs = 0;
    for (unsigned i = 0; i < c->n_slots - 1; i++)
        runs += atomic_load_explicit(&c->slots[i].runs[hook], memory_order_relaxed);
    return runs;
}
