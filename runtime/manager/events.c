/* The manager's event loop: see events.h. */
#include "manager/events.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"

#define EVENT_WAIT_MAX_MS 60000 /* an upper bound only: nothing depends on it */

void
events_init(struct events *ev)
{
    *ev = (struct events){ 0 };
    list_init(&ev->fds);
    list_init(&ev->timers);
}

void
events_release(struct events *ev)
{
    free(ev->round);
    ev->round = NULL;
    ev->n_round = 0;
}

void
events_add(struct events *ev, struct event_fd *e)
{
    CHECK(!list_linked(&e->link) && e->fd >= 0 && e->fn != NULL);
    list_push_back(&ev->fds, &e->link);
    ev->n_fds++;
}

void
events_remove(struct events *ev, struct event_fd *e)
{
    if (!list_linked(&e->link))
        return;
    list_remove(&e->link);
    ev->n_fds--;
    for (unsigned i = 0; i < ev->n_round; i++)
        if (ev->round[i] == e)
            ev->round[i] = NULL;
}

void
events_accept_failed(struct event_fd *e, int error)
{
    static struct log_limiter limiter;
    if (error != EMFILE && error != ENFILE && error != ENOBUFS && error != ENOMEM)
        return;
    nsec now = clock_mono_ns();
    e->rest_until = nsec_add(now, nsec_of(params.accept_pause_max_s));
    log_line_limited(&limiter, now, LOG_LEVEL_WARNING, "the manager cannot accept a connection: %s",
                     strerror(error));
}

void
events_timer(struct events *ev, struct event_timer *t, nsec at)
{
    list_remove(&t->link);
    t->at = at;
    list_push_back(&ev->timers, &t->link);
}

void
events_timer_cancel(struct events *ev, struct event_timer *t)
{
    (void)ev;
    list_remove(&t->link);
}

static int
wait_ms(const struct events *ev)
{
    nsec first = NSEC_NEVER;
    list_each(it, &ev->fds)
    {
        const struct event_fd *e = container_of(it, struct event_fd, link);
        if (e->rest_until != 0 && e->rest_until < first)
            first = e->rest_until;
    }
    list_each(it, &ev->timers)
    {
        const struct event_timer *t = container_of(it, struct event_timer, link);
        if (t->at < first)
            first = t->at;
    }
    if (first == NSEC_NEVER)
        return EVENT_WAIT_MAX_MS;
    nsec left = first - clock_mono_ns();
    if (left <= 0)
        return 0;
    nsec ms = left / NSEC_PER_MSEC + 1;
    return ms > EVENT_WAIT_MAX_MS ? EVENT_WAIT_MAX_MS : (int)ms;
}

static void
run_timers(struct events *ev)
{
    nsec now = clock_mono_ns();
    struct list due;
    list_init(&due);
    list_each(it, &ev->timers)
    {
        if (container_of(it, struct event_timer, link)->at <= now) {
            list_remove(it);
            list_push_back(&due, it);
        }
    }
    for (struct list *n; (n = list_pop_front(&due)) != NULL;) {
        struct event_timer *t = container_of(n, struct event_timer, link);
        t->fn(t);
    }
}

static short
wanted(struct event_fd *e, nsec now)
{
    if (e->rest_until > now)
        return 0;
    e->rest_until = 0;
    return e->want;
}

int
events_round(struct events *ev)
{
    unsigned n = ev->n_fds;
    struct pollfd *polled = mem_zalloc((n + 1) * sizeof *polled);
    free(ev->round);
    ev->round = mem_zalloc((n + 1) * sizeof *ev->round);
    ev->n_round = 0;
    nsec now = clock_mono_ns();
    list_each(it, &ev->fds)
    {
        struct event_fd *e = container_of(it, struct event_fd, link);
        polled[ev->n_round] = (struct pollfd){ .fd = e->fd, .events = wanted(e, now) };
        ev->round[ev->n_round++] = e;
    }
    CHECK(ev->n_round == n);
    int err = 0, seen = poll(polled, n, wait_ms(ev));
    if (seen < 0 && errno != EINTR)
        err = ERR_SYS;
    for (unsigned i = 0; seen > 0 && i < n; i++) {
        struct event_fd *e = ev->round[i];
        if (e != NULL && polled[i].revents != 0)
            e->fn(e, polled[i].revents);
    }
    ev->n_round = 0;
    run_timers(ev);
    free(polled);
    return err;
}
