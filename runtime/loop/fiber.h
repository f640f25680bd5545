/* Fibers: a call stack that can be put aside. One per active request and per fetch, none per idle connection. A fiber
 * belongs to the loop that spawned it and never migrates. The switch is Boost.Context's; ASan and TSan are told of it.
 * Stacks (params.fiber_stack_bytes, with a guard page) are recycled per loop; at most params.fibers_max/loops exist. */
#ifndef VERNIS_FIBER_H
#define VERNIS_FIBER_H

#include "base/clock.h"
#include "base/list.h"

struct loop;
struct fiber;

/* Runs fn(arg) on a new fiber at once, until it first parks or returns. ERR_LIMIT when fibers_max is reached. */
int fiber_spawn(struct loop *loop, void (*fn)(void *arg), void *arg);
struct fiber *fiber_current(void);                  /* NULL on the loop's own stack */
void fiber_park(void);                              /* until fiber_wake; not from the loop's own stack */
int fiber_park_until(nsec deadline_mono);           /* 0 when woken, ERR_TIMEOUT; NSEC_NEVER = no limit */
/* Owner loop only: makes it runnable in this loop round; idempotent while runnable. A fiber woken while it runs (by a fiber it
 * spawned) returns from its next park at once, so no wake is lost: park in a loop over the condition waited for. */
void fiber_wake(struct fiber *f);
void fiber_yield(void);                             /* lets others of this loop run, then goes on */
void fiber_yield_if_due(void);                      /* the same if this one has run for 100 us or more */
/* For libraries that want more stack than a fiber has, as PCRE2 does to compile a pattern: runs fn(arg) on one of 8 MiB, at once, and
 * it must not park. Off fibers just calls it. ERR_NOMEM: it did not run. */
int fiber_call_deep(void (*fn)(void *arg), void *arg);
/* The lowest byte of the stack that this fiber runs on, and how many there are; NULL off fibers. */
const char *fiber_stack(size_t *bytes);
unsigned fiber_count(const struct loop *loop);      /* live fibers of the loop */

#endif
