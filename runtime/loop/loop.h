/* One event loop per thread: epoll, timers, mailbox, fibers. Everything here is called on the loop's own thread, except
 * loop_post. One round: wait for events (until the next timer), take the clock once, run event callbacks, run mailbox items,
 * run due timers, run runnable fibers, repeat. Timers due now are detached before any callback runs. */
#ifndef VERNIS_LOOP_H
#define VERNIS_LOOP_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"

struct loop;

/* Something epoll can watch: embed it. Edge-triggered, for input and the peer's close, and for room to write once that is asked
 * for; the owner keeps readiness bits. */
struct poll_handle {
    int fd;
    uint32_t events;                    /* private: what epoll reports */
    void (*on_event)(struct poll_handle *h, uint32_t epoll_events);
};

struct timer {
    struct list link;                   /* private */
    nsec deadline;                      /* CLOCK_MONOTONIC; 0 = not set */
    uint32_t slot;                      /* private: place in the heap, 0 = not in it */
    void (*fn)(struct timer *t);
};

/* An item of another loop's mailbox: embed it. May not be posted again before fn has been entered. */
struct post {
    struct post *next;                  /* private */
    void (*fn)(struct post *p);
};

/* Work done once at the end of a round, before the loop sleeps: connections write what their streams have collected. Embed it. */
struct loop_flush {
    struct list link;                   /* private */
    bool queued;                        /* private */
    void (*fn)(struct loop_flush *f);
};

int loop_new(unsigned id, struct loop **out);
void loop_release(struct loop **loop);
void loop_run(struct loop *loop);                   /* until loop_stop; on the calling thread */
void loop_run_once(struct loop *loop, nsec max_wait);   /* tests */
void loop_stop(struct loop *loop);                  /* any thread */
void loop_post(struct loop *loop, struct post *p);  /* any thread; wakes the loop if it sleeps */

struct loop *loop_current(void);                    /* of this thread; NULL elsewhere */
bool loop_is_current(const struct loop *loop);
unsigned loop_id(const struct loop *loop);
nsec loop_now(const struct loop *loop);             /* monotonic, taken once a round */
nsec loop_real(const struct loop *loop);            /* wall clock, taken once a round */

int loop_add(struct loop *loop, struct poll_handle *h);         /* ERR_SYS */
/* Watched from the next sleep of the loop on: a descriptor that is closed before costs nothing. What is ready by then is an
 * event. A failure at that time comes as one too, EPOLLERR. */
int loop_add_later(struct loop *loop, struct poll_handle *h);   /* ERR_SYS */
void loop_watch_room(struct loop *loop, struct poll_handle *h); /* a write has found the buffer full; harmless when repeated */
int loop_add_listen(struct loop *loop, struct poll_handle *h);  /* level-triggered, EPOLLIN|EPOLLEXCLUSIVE */
void loop_remove(struct loop *loop, struct poll_handle *h);     /* also drops events of this round not yet delivered */
void loop_unwatch(struct loop *loop, struct poll_handle *h);    /* any thread, of one added; the round that `loop` is in may have an event of it */
void loop_forget(struct loop *loop, struct poll_handle *h);     /* the same; its descriptor is closed next, which ends the watch */

void loop_before_sleep(struct loop *loop, struct loop_flush *f);        /* once, in this round; harmless when it is queued */
void loop_before_sleep_cancel(struct loop_flush *f);                    /* harmless when it is not */

/* Cheap to move later: an existing timer whose deadline grows is re-sorted only when it would have fired. */
void timer_set(struct loop *loop, struct timer *t, nsec deadline);
void timer_cancel(struct loop *loop, struct timer *t);          /* harmless when not set */

/* State that a room keeps per loop: the room defines one static, zeroed slot, and finds there what it has put. The first
 * loop_put of the process gives the slot its place, on any thread. NULL until something is put. */
struct loop_slot {
    atomic_uint place;                  /* private; 0: none yet */
};
void *loop_get(const struct loop *loop, const struct loop_slot *slot);
void loop_put(struct loop *loop, struct loop_slot *slot, void *value);

#endif
