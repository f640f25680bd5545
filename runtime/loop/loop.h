/* One event loop per thread: epoll, timers, mailbox, fibers. Call everything here on the loop's own thread,
 * except where a comment says "any thread". One round: wait for events (until the next timer), read the
 * clocks once, run event callbacks, mailbox items, due timers and runnable fibers. Due timers leave the heap
 * before any timer callback runs. */
#ifndef VERNIS_LOOP_LOOP_H
#define VERNIS_LOOP_LOOP_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"
#include "base/mem.h"

struct loop;

/* A descriptor that epoll watches; embed it. Edge-triggered, for input and the peer's close. loop_watch_room
 * adds room to write. The owner keeps the readiness bits. */
struct poll_handle {
    int fd;
    uint32_t events; /* private: what epoll reports */
    void (*on_event)(struct poll_handle *h, uint32_t epoll_events);
    /* May be NULL. If several events are delivered in a row, called for all of them before the first
     * on_event. May only read ahead: it must not add, remove or queue anything. */
    void (*on_ahead)(struct poll_handle *h, uint32_t epoll_events);
};

struct timer {
    struct list link; /* private */
    nsec deadline;    /* CLOCK_MONOTONIC; 0 = not set, NSEC_NEVER = suspended */
    uint32_t slot;    /* private: place in the heap, 0 = not in it */
    void (*fn)(struct timer *t);
};

/* An item for another loop's mailbox; embed it. Post it again only after fn was entered. */
struct post {
    struct post *next; /* private */
    void (*fn)(struct post *p);
};

/* Work done at the end of a row of events (loop_join_row), or of a round (loop_end_round). Embed it. */
struct loop_row {
    struct list link; /* private */
    bool queued;      /* private */
    void (*fn)(struct loop_row *f);
};

/* How much a loop has to do, on a line of its own: other loops read it to place connections. */
#define LOOP_BUSY 1024u
struct loop_load {
    _Alignas(CACHE_LINE_BYTES) atomic_uint sessions; /* open ones, and those on their way; counted by users */
    atomic_uint busy; /* of LOOP_BUSY parts of the last second: those in which it worked */
};

int loop_new(unsigned id, struct loop **out);
void loop_release(struct loop **loop);
void loop_run(struct loop *loop);                     /* until loop_stop; on the calling thread */
void loop_run_once(struct loop *loop, nsec max_wait); /* tests */
nsec loop_next_timer(const struct loop *loop);        /* NSEC_NEVER: none is set; trials */
void loop_stop(struct loop *loop);                    /* any thread */
void loop_post(struct loop *loop, struct post *p);    /* any thread; wakes the loop if it sleeps */

struct loop *loop_current(void); /* of this thread; NULL elsewhere */
bool loop_is_current(const struct loop *loop);
/* Is no other loop current? Outside of all loops, as before they run and in tests, anything may be used. */
bool loop_may_use(const struct loop *loop);
unsigned loop_id(const struct loop *loop);
unsigned loop_part(unsigned n);          /* of n parts, that of the current loop; 0 outside of all loops */
nsec loop_now(const struct loop *loop);  /* monotonic, taken once a round */
nsec loop_real(const struct loop *loop); /* wall clock, taken once a round */
unsigned loop_events(const struct loop *loop);  /* received together with the current one */
struct loop_load *loop_load(struct loop *loop); /* any thread */

int loop_add(struct loop *loop, struct poll_handle *h); /* ERR_SYS */
/* The loop starts to watch h at its next sleep, so a descriptor closed before then costs no system call.
 * Readiness at that time arrives as an event. If epoll refuses h, h gets EPOLLERR. */
int loop_add_later(struct loop *loop, struct poll_handle *h); /* ERR_SYS */
/* after a write found the socket buffer full; harmless when repeated */
void loop_watch_room(struct loop *loop, struct poll_handle *h);
int loop_add_listen(struct loop *loop, struct poll_handle *h); /* level-triggered, EPOLLIN|EPOLLEXCLUSIVE */
/* also drops events not yet delivered */
void loop_remove(struct loop *loop, struct poll_handle *h);
/* Any thread; h was added. `loop` may still deliver an event that it has received for h. */
void loop_unwatch(struct loop *loop, struct poll_handle *h);
/* As loop_remove, but without a system call: the caller closes the descriptor next, which ends the watch. */
void loop_forget(struct loop *loop, struct poll_handle *h);

/* Runs f after a few more events of this round, behind those that joined before it. So the code of one step
 * runs for several connections in a row, and stays in the processor's cache. False: no event follows, or this
 * is no event; f is not queued. Once queued, f runs in this round, and nothing can cancel it. */
bool loop_join_row(struct loop *loop, struct loop_row *f);
/* Runs f at the end of this round, behind all fibers: a connection with many streams writes their responses
 * at once. Harmless when queued. If the end of a round queues it, it runs at the end of the next one, which
 * does not sleep first. */
void loop_end_round(struct loop *loop, struct loop_row *f);
void loop_end_round_cancel(struct loop_row *f);

/* Moving a timer to a later deadline is cheap: the heap sorts it again only when its old deadline comes. */
void timer_set(struct loop *loop, struct timer *t, nsec deadline);
void timer_cancel(struct loop *loop, struct timer *t); /* harmless when not set */
/* Stops t for a while. Cheaper than timer_cancel if t is set again soon, because t stays in the heap: cancel
 * it before it is freed. */
void timer_suspend(struct timer *t);
bool timer_is_set(const struct timer *t);

/* State that a room keeps per loop. The room defines one static, zeroed slot. The process's first loop_put,
 * on any thread, gives the slot its index. loop_get returns NULL before the first loop_put on that loop. */
struct loop_slot {
    atomic_uint place; /* private; 0 = not assigned yet */
};
void *loop_get(const struct loop *loop, const struct loop_slot *slot);
void loop_put(struct loop *loop, struct loop_slot *slot, void *value);

#endif
