/* Parts of a loop that loop.c, timer.c and fiber.c share, so that timers and the pool of fibers lie in it by value. A loop calls its timers
 * and fibers only through what is declared here. Included by nobody outside this room. */
#ifndef VERNIS_LOOP_INTERNAL_H
#define VERNIS_LOOP_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/epoll.h>

#include "loop/loop.h"

#define LOOP_EVENTS_MAX 256             /* taken from epoll in one round */
#define LOOP_ADDED_MAX 64               /* handles that wait for the end of a round to be watched; more are watched at once */
#define LOOP_SLOTS_MAX 8                /* rooms that keep something per loop; place 0 stays NULL */

struct timer_entry {
    nsec key;                           /* where it is sorted; may be earlier than timer->deadline */
    struct timer *timer;
};

struct timer_heap {
    struct timer_entry *entries;        /* 4-ary heap, from index 1 */
    uint32_t n, cap;
};

struct fiber_pool {
    struct list runnable;               /* to run in this round */
    struct list yielded;                /* to run in the next one */
    struct list idle;                   /* stacks without a fiber, the last used first */
    struct fiber *current;
    struct fiber *deep;                 /* of fiber_call_deep; NULL until it is first wanted */
    unsigned n_live, n_idle;
    unsigned peak;                      /* most live ones since the last trim */
    struct timer trim;
};

struct loop {
    unsigned id;
    int epoll_fd, wake_fd;
    nsec now, real;
    struct epoll_event events[LOOP_EVENTS_MAX];
    int n_events, at_event;             /* of this round; at_event is the one being delivered */
    struct poll_handle *added[LOOP_ADDED_MAX];  /* to be watched before this loop sleeps; NULL: was removed */
    int n_added;
    struct timer_heap timers;
    struct fiber_pool fibers;
    void *slots[LOOP_SLOTS_MAX];
    struct list flushes;                /* struct loop_flush, for the end of this round */
    /* Written by other threads: on a line of their own. */
    _Alignas(64) _Atomic(struct post *) mailbox;    /* newest first */
    atomic_bool sleeping, stopping;
};

void timers_run(struct loop *loop);             /* due ones */
nsec timers_next(const struct loop *loop);      /* NSEC_NEVER when none */
void timers_release(struct loop *loop);

void fibers_init(struct loop *loop);
void fibers_run(struct loop *loop);             /* runnable ones */
void fibers_run_woken(struct loop *loop);       /* of them, those that did not yield */
bool fibers_waiting_to_run(const struct loop *loop);
void fibers_release(struct loop *loop);         /* no live fiber may be left */

struct loop *loop_swap_current(struct loop *loop);      /* returns the one before */

#endif
