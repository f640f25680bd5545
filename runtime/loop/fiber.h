/* A fiber is a call stack that can be suspended. Each active request and each fetch has one; idle connections
 * have none. A fiber belongs to the loop that spawned it and never migrates. Boost.Context switches stacks,
 * and fiber.c announces each switch to ASan and TSan. Each loop recycles its stacks
 * (params.fiber_stack_bytes, with a guard page). All loops share params.fibers_max. */
#ifndef VERNIS_LOOP_FIBER_H
#define VERNIS_LOOP_FIBER_H

#include "base/clock.h"
#include "base/list.h"

struct loop;
struct fiber;

/* Runs fn(arg) on a new fiber at once, until fn first parks or returns. ERR_LIMIT: fibers_max is reached, or
 * no stack could be mapped. */
int fiber_spawn(struct loop *loop, void (*fn)(void *arg), void *arg);
/* May one more fiber wait for an origin? False: only params.fibers_reserve percent of the fibers are
 * left, for requests that need no origin. */
bool fiber_may_wait(const struct loop *loop);
struct fiber *fiber_current(void);        /* NULL on the loop's own stack */
void fiber_park(void);                    /* until fiber_wake; not from the loop's own stack */
int fiber_park_until(nsec deadline_mono); /* 0 when woken, ERR_TIMEOUT; NSEC_NEVER = no limit */
/* Owner loop only. Makes f runnable in this loop round; idempotent while f is runnable. If f runs now (f
 * spawned the caller), its next park returns at once, so no wake is lost. Therefore park in a loop that tests
 * the awaited condition. */
void fiber_wake(struct fiber *f);
uint64_t fiber_parks(void);    /* times that the current fiber was suspended so far; 0 off fibers */
void fiber_yield(void);        /* runs the other fibers of this loop first */
void fiber_yield_if_due(void); /* the same if this fiber has run for 100 us or more */
/* For libraries that need more stack than a fiber has, such as PCRE2 when it compiles a pattern. Runs fn(arg)
 * at once on a stack of 8 MiB; fn must not park. Off fibers it only calls fn. ERR_NOMEM: fn did not run. */
int fiber_call_deep(void (*fn)(void *arg), void *arg);
/* Returns the lowest byte of this fiber's stack, and its size up to the record; NULL off fibers. */
const char *fiber_stack(size_t *bytes);
unsigned fiber_count(const struct loop *loop); /* live fibers of the loop */

#endif
