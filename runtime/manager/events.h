/* The manager's event loop: poll(2) over a few dozen descriptors, and timers. One thread; callbacks may add and remove anything,
 * themselves included. The worker has its own loops (loop/loop.h); this one must survive whatever a policy does to those. */
#ifndef VERNIS_MANAGER_EVENTS_H
#define VERNIS_MANAGER_EVENTS_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/list.h"

struct event_fd {                       /* embed it */
    struct list link;
    int fd;
    short want;                         /* POLLIN, POLLOUT */
    void (*fn)(struct event_fd *e, short seen);
    nsec rest_until;                    /* private: not looked at before */
};

struct event_timer {                    /* embed it */
    struct list link;
    nsec at;                            /* CLOCK_MONOTONIC */
    void (*fn)(struct event_timer *t);
};

struct events {
    struct list fds, timers;
    struct event_fd **round;            /* of the round under way; entries of removed ones become NULL */
    unsigned n_fds, n_round;
    bool stop;
};

void events_init(struct events *ev);
void events_release(struct events *ev);
void events_add(struct events *ev, struct event_fd *e);
void events_remove(struct events *ev, struct event_fd *e);      /* harmless when not added */
/* accept failed with `error`. Out of descriptors or memory it would fail again at once: the listener rests, and the log says so. */
void events_accept_failed(struct event_fd *e, int error);
void events_timer(struct events *ev, struct event_timer *t, nsec at);
void events_timer_cancel(struct events *ev, struct event_timer *t);
int events_round(struct events *ev);                            /* waits once and calls what is due; ERR_SYS */

#endif
