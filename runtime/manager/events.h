/* The manager's event loop: poll(2) over a few dozen descriptors, and timers. One thread. Callbacks may add
 * and remove any event, also their own. The worker has its own loops (loop/loop.h), so that a policy cannot
 * break this one. */
#ifndef VERNIS_MANAGER_EVENTS_H
#define VERNIS_MANAGER_EVENTS_H

#include <stdbool.h>

#include "base/clock.h"
#include "base/list.h"

struct event_fd { /* embed it */
    struct list link;
    int fd;
    short want; /* POLLIN, POLLOUT */
    void (*fn)(struct event_fd *e, short seen);
    nsec rest_until; /* private: not polled before this time */
};

struct event_timer { /* embed it */
    struct list link;
    nsec at; /* CLOCK_MONOTONIC */
    void (*fn)(struct event_timer *t);
};

struct events {
    struct list fds, timers;
    struct event_fd **round; /* events of the current round; removed events become NULL */
    unsigned n_fds, n_round;
    bool stop;
};

void events_init(struct events *ev);
void events_release(struct events *ev);
void events_add(struct events *ev, struct event_fd *e);
void events_remove(struct events *ev, struct event_fd *e); /* harmless when not added */
/* Call when accept failed with `error`. Without descriptors or memory it would fail again at once, so the
 * listener pauses and a warning is logged. */
void events_accept_failed(struct event_fd *e, int error);
void events_timer(struct events *ev, struct event_timer *t, nsec at);
void events_timer_cancel(struct events *ev, struct event_timer *t);
int events_round(struct events *ev); /* waits once and calls the due callbacks; ERR_SYS */

#endif
