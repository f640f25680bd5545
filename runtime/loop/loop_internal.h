/* Parts of a loop that loop.c, timer.c and fiber.c share, so that struct loop holds its timers and fiber pool
 * by value. loop.c calls timers and fibers only through the functions declared here. No other room includes
 * this file. */
#ifndef VERNIS_LOOP_LOOP_INTERNAL_H
#define VERNIS_LOOP_LOOP_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <time.h>

#include "loop/loop.h"

#define LOOP_EVENTS_MAX 256 /* taken from epoll in one round */
/* handles to watch from the end of the round; further handles are watched at once */
#define LOOP_ADDED_MAX 64
#define ROUND_STEP_BYTES 256 /* text of a step; a longer one is cut */
#define LOOP_SLOTS_MAX 8 /* at least the number of loop_slots in the program, plus 1: place 0 stays NULL */

struct timer_entry {
    nsec key; /* sort key; may be earlier than timer->deadline */
    struct timer *timer;
};

struct timer_heap {
    struct timer_entry *entries; /* 4-ary heap, from index 1 */
    uint32_t n, cap;
};

struct fiber_pool {
    struct list runnable; /* to run in this round */
    struct list yielded;  /* to run in the next one */
    struct list idle;     /* stacks without a fiber, last used first */
    struct fiber *current;
    struct fiber *deep; /* stack of fiber_call_deep; NULL until first needed */
    unsigned n_live, n_idle;
    unsigned share,
        spare_max; /* of fibers_max: taken for this loop, and unused of it, of which more is given back */
    unsigned peak; /* most live fibers since the last trim */
    struct timer trim;
};

#define ROUND_LONG (2 * NSEC_PER_MSEC) /* shorter rounds are not measured in CPU time */
enum round_part {
    PART_EVENTS,
    PART_MAILBOX,
    PART_TIMERS,
    PART_FIBERS,
    PART_ENDS,
    PART_WATCH,
    PART_LOG,
    PART_WAIT
};

/* How long the loop's thread worked in its rounds: round.c. */
struct rounds {
    nsec cpu;      /* CPU time of this thread at the start of this round, or up to ROUND_LONG before */
    nsec cpu_read; /* when: CLOCK_MONOTONIC; 0 = not yet */
    volatile unsigned char part; /* enum round_part; a signal handler reads it */
    bool sampled;                /* `timer` exists */
    volatile bool told;          /* `step` is the one of this round that exceeded loop_stall_warn */
    char step[ROUND_STEP_BYTES]; /* empty: no sample of this round came late enough */
    timer_t timer;
};

struct loop {
    unsigned id;
    int epoll_fd, wake_fd;
    nsec now, real;
    struct epoll_event events[LOOP_EVENTS_MAX];
    int n_events, at_event; /* at_event is the index being delivered, or the next round delivers from there */
    int n_handled;          /* events of the last round */
    nsec offer_next;        /* earliest time of the next cpu_offer() */
    /* to watch before this loop sleeps; NULL = removed meanwhile */
    struct poll_handle *added[LOOP_ADDED_MAX];
    int n_added;
    struct timer_heap timers;
    struct fiber_pool fibers;
    void *slots[LOOP_SLOTS_MAX];
    struct list ends, ends_mark; /* struct loop_row, for the end of this round; up to where they run */
    struct list row;             /* the same, for the end of this row of events */
    unsigned n_row;              /* items of the row, also while it runs */
    bool row_closed;             /* the row runs, or a round left events over */
    struct rounds rounds;
    nsec worked, weighed; /* time worked since `weighed`: see weigh() */
    nsec log_next;        /* from here on its records may be written to the log again */
    bool waited_in_vain;  /* no event came before the end of the last wait */
    struct post *letters; /* taken from the mailbox, oldest first: those that earlier rounds left over */
    /* Written by other threads, so on their own cache line. */
    _Alignas(64) _Atomic(struct post *) mailbox; /* newest first */
    atomic_bool sleeping, stopping;
    struct loop_load load;
};

/* A part of a round ends after PART_SLICE, and its rest runs in the next round, after new events. */
#define PART_SLICE NSEC_PER_MSEC

struct slice {
    unsigned n; /* steps so far */
    nsec end;   /* 0 = the clock was not read yet */
};

static inline bool
slice_is_over(struct slice *s, unsigned every) /* reads the clock at each step of number `every` */
{
    if (++s->n % every != 0)
        return false;
    nsec now = clock_mono_ns();
    if (s->end == 0)
        s->end = now + PART_SLICE;
    return now >= s->end;
}

void timers_run(struct loop *loop);        /* runs due timers */
nsec timers_next(const struct loop *loop); /* NSEC_NEVER when no timer is set */
void timers_release(struct loop *loop);

void fibers_init(struct loop *loop);
void fibers_run(struct loop *loop);       /* runs yielded fibers, then woken fibers */
void fibers_run_woken(struct loop *loop); /* runs woken fibers only */
bool fibers_waiting_to_run(const struct loop *loop);
void fibers_release(struct loop *loop); /* no live fiber may be left */

void rounds_watch(struct loop *loop); /* on the loop's thread, before its first round */
void rounds_unwatch(struct loop *loop);
void round_read_cpu(struct loop *loop);
void round_was_long(struct loop *loop, nsec began); /* ROUND_LONG or longer; it ends at loop->now */

struct loop *loop_swap_current(struct loop *loop); /* returns the previous loop */

/* row.c: runs what was put off. */
void loop_row_run(struct loop *loop);
void loop_ends_run(struct loop *loop);

#endif
