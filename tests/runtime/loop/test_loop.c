/* Rounds and timers of a loop, and events of a removed handle. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/loop.h"
#include "test.h"

static struct loop *loop;
static char order[64];

static void
setup(void)
{
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    order[0] = '\0';
}

static void
teardown(void)
{
    loop_release(&loop);
    EXPECT(loop == NULL);
}

static unsigned
busy(void)
{
    return atomic_load(&loop_load(loop)->busy);
}

static void
work_for_a_second(struct timer *t)
{
    for (nsec end = clock_mono_ns() + NSEC_PER_SEC; clock_mono_ns() < end;)
        ;
}

/* The test would fail by its time limit. */
static void *
see_it_busy_then_idle(void *arg)
{
    static const struct timespec a_moment = { .tv_nsec = NSEC_PER_MSEC };
    while (busy() < LOOP_BUSY / 2)
        nanosleep(&a_moment, NULL);
    while (busy() > 0)
        nanosleep(&a_moment, NULL);
    loop_stop(loop);
    return NULL;
}

static void
a_loop_shows_that_it_works_and_then_without_an_event_that_it_no_longer_does(void)
{
    setup();
    struct timer works = { .fn = work_for_a_second };
    pthread_t other;
    EXPECT_EQ_INT(busy(), 0);
    timer_set(loop, &works, 1);
    CHECK(pthread_create(&other, NULL, see_it_busy_then_idle, NULL) == 0);
    nsec before = clock_mono_ns();
    loop_run(loop);
    EXPECT(clock_mono_ns() - before < 30 * NSEC_PER_SEC); /* a loop without timers sleeps for a minute */
    CHECK(pthread_join(other, NULL) == 0);
    teardown();
}

struct named_timer {
    struct timer timer;
    char name;
};

static void
note_name(struct timer *t)
{
    char text[2] = { container_of(t, struct named_timer, timer)->name, '\0' };
    strcat(order, text);
}

static void
timers_run_in_order_of_deadline(void)
{
    setup();
    struct named_timer t[5];
    static const int deadlines[] = { 4, 2, 5, 1, 3 };
    for (int i = 0; i < 5; i++) {
        t[i] = (struct named_timer){ .timer.fn = note_name, .name = (char)('0' + deadlines[i]) };
        timer_set(loop, &t[i].timer, deadlines[i]); /* all in the past */
    }
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "12345");
    EXPECT_EQ_INT(t[0].timer.deadline, 0);
    teardown();
}

static void
a_timer_moved_later_does_not_run_at_its_old_time(void)
{
    setup();
    struct named_timer t = { .timer.fn = note_name, .name = 'a' };
    timer_set(loop, &t.timer, 1);
    timer_set(loop, &t.timer, clock_mono_ns() + 3600 * NSEC_PER_SEC);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "");
    timer_set(loop, &t.timer, 1); /* the earliest again */
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "a");
    teardown();
}

static void
the_wait_ends_when_the_next_timer_is_due(void)
{
    setup();
    struct named_timer t = { .timer.fn = note_name, .name = 'a' };
    nsec start = clock_mono_ns();
    timer_set(loop, &t.timer, start + 5 * NSEC_PER_MSEC);
    while (order[0] == '\0')
        loop_run_once(loop, NSEC_NEVER);
    EXPECT(clock_mono_ns() - start >= 5 * NSEC_PER_MSEC);
    EXPECT(loop_now(loop) >= start + 5 * NSEC_PER_MSEC);
    teardown();
}

static struct named_timer victim;

static void
cancel_victim(struct timer *t)
{
    note_name(t);
    timer_cancel(loop, &victim.timer);
}

static void
a_due_timer_may_be_cancelled_by_one_that_runs_before_it(void)
{
    setup();
    struct named_timer t = { .timer.fn = cancel_victim, .name = 'a' };
    victim = (struct named_timer){ .timer.fn = note_name, .name = 'v' };
    timer_set(loop, &t.timer, 1);
    timer_set(loop, &victim.timer, 2);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "a");
    teardown();
}

static void
set_again(struct timer *t)
{
    note_name(t);
    timer_set(loop, t, 1);
}

static void
a_timer_that_sets_itself_to_the_past_runs_once_a_round(void)
{
    setup();
    struct named_timer t = { .timer.fn = set_again, .name = 'a' };
    timer_set(loop, &t.timer, 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "a");
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "aa");
    timer_cancel(loop, &t.timer);
    teardown();
}

static nsec last_deadline;
static unsigned n_fired;

struct keyed_timer {
    struct timer timer;
    nsec wanted;
    bool set;
};

static void
note_sorted(struct timer *t)
{
    struct keyed_timer *k = container_of(t, struct keyed_timer, timer);
    EXPECT(k->set && k->wanted >= last_deadline);
    last_deadline = k->wanted;
    k->set = false;
    n_fired++;
}

/* Against a model: after random sets, moves, cancels and suspensions, the set timers fire in order, and no
 * others. */
static void
a_thousand_timers_moved_at_random_fire_sorted(void)
{
    enum { N = 1000 };
    setup();
    srand(42);
    struct keyed_timer *t = calloc(N, sizeof *t);
    for (int step = 0; step < 20000; step++) {
        struct keyed_timer *k = &t[rand() % N];
        k->timer.fn = note_sorted;
        k->set = rand() % 4 != 0;
        k->wanted = 1 + rand() % 100000;
        if (k->set)
            timer_set(loop, &k->timer, k->wanted);
        else if (rand() % 2 == 0)
            timer_cancel(loop, &k->timer);
        else
            timer_suspend(&k->timer);
        EXPECT_EQ_INT(timer_is_set(&k->timer), k->set);
    }
    unsigned n_set = 0;
    for (int i = 0; i < N; i++)
        n_set += t[i].set;
    last_deadline = 0;
    n_fired = 0;
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_fired, n_set);
    EXPECT(n_set > 500);
    free(t);
    teardown();
}

static void
suspend_victim(struct timer *t)
{
    note_name(t);
    timer_suspend(&victim.timer);
}

static void
a_suspended_timer_runs_only_when_it_is_set_again(void)
{
    setup();
    struct named_timer t = { .timer.fn = suspend_victim, .name = 's' };
    victim = (struct named_timer){ .timer.fn = note_name, .name = 'v' };
    timer_set(loop, &victim.timer, 1);
    timer_suspend(&victim.timer);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "");
    timer_set(loop, &t.timer, 1);
    timer_set(loop, &victim.timer, 2); /* also due, and suspended before its turn */
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "s");
    timer_set(loop, &victim.timer, 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "sv");
    teardown();
}

/* ---- events ---- */

struct watched {
    struct poll_handle poll;
    int peer;
    unsigned n_events;
    uint32_t events;
    struct watched *remove; /* removed when an event comes */
};

static void
note_event(struct poll_handle *h, uint32_t events)
{
    struct watched *w = container_of(h, struct watched, poll);
    w->n_events++;
    w->events = events;
    if (w->remove != NULL)
        loop_remove(loop, &w->remove->poll);
}

static void
watched_init(struct watched *w)
{
    int fds[2];
    EXPECT_EQ_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    *w = (struct watched){ .poll = { .fd = fds[0], .on_event = note_event }, .peer = fds[1] };
    EXPECT_EQ_INT(loop_add(loop, &w->poll), 0);
}

static void
watched_close(struct watched *w)
{
    loop_remove(loop, &w->poll);
    close(w->poll.fd);
    close(w->peer);
}

static void
a_removed_handle_gets_no_event_of_the_same_round(void)
{
    setup();
    struct watched a, b;
    watched_init(&a);
    watched_init(&b);
    a.remove = &b;
    b.remove = &a; /* the first of the two events removes the other handle */
    EXPECT_EQ_INT(write(a.peer, "x", 1), 1);
    EXPECT_EQ_INT(write(b.peer, "x", 1), 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(a.n_events + b.n_events, 1);
    watched_close(&a);
    watched_close(&b);
    teardown();
}

static void
an_edge_is_delivered_once(void)
{
    setup();
    struct watched a;
    watched_init(&a);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(a.n_events, 0); /* room to write is not reported */
    EXPECT_EQ_INT(write(a.peer, "x", 1), 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(a.n_events, 1);
    EXPECT((a.events & EPOLLIN) != 0);
    loop_run_once(loop, 0); /* unread bytes cause no second event */
    EXPECT_EQ_INT(a.n_events, 1);
    loop_watch_room(loop, &a.poll);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(a.n_events, 2);
    EXPECT((a.events & EPOLLOUT) != 0);
    watched_close(&a);
    teardown();
}

static void
added_later_init(struct watched *w)
{
    int fds[2];
    EXPECT_EQ_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds), 0);
    *w = (struct watched){ .poll = { .fd = fds[0], .on_event = note_event }, .peer = fds[1] };
    EXPECT_EQ_INT(loop_add_later(loop, &w->poll), 0);
    EXPECT_EQ_INT(write(w->peer, "x", 1), 1);
}

/* More handles than the queue for the end of a round takes: the loop watches the others at once. */
static void
handles_added_later_are_watched_from_the_next_sleep_on(void)
{
    enum { MANY = 100 };
    static struct watched all[MANY];
    setup();
    for (int i = 0; i < MANY; i++)
        added_later_init(&all[i]);
    for (int i = 0; i < MANY; i += 3)
        loop_remove(loop, &all[i].poll);
    loop_watch_room(loop, &all[1].poll);
    for (int round = 0; round < MANY; round++) /* a round that was held up leaves events to the next one */
        loop_run_once(loop, 0);
    for (int i = 0; i < MANY; i++)
        EXPECT_EQ_INT(all[i].n_events, i % 3 != 0);
    EXPECT_EQ_INT(all[1].events, EPOLLIN | EPOLLOUT);
    EXPECT_EQ_INT(all[2].events, EPOLLIN);
    for (int i = 0; i < MANY; i++)
        watched_close(&all[i]);
    teardown();
}

static void
a_handle_that_cannot_be_watched_later_gets_an_error(void)
{
    setup();
    struct watched good, bad;
    added_later_init(&good);
    added_later_init(&bad);
    close(bad.poll.fd);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(good.n_events, 1);
    EXPECT_EQ_INT(bad.n_events, 1);
    EXPECT((bad.events & EPOLLERR) != 0);
    loop_watch_room(loop, &bad.poll); /* the loop does not watch it for room either */
    loop_forget(loop, &bad.poll);
    close(bad.peer);
    watched_close(&good);
    teardown();
}

/* A handle that is closed before the loop sleeps was never watched. Another handle may get its number. */
static void
a_forgotten_handle_is_not_watched(void)
{
    setup();
    struct watched a, b;
    added_later_init(&a);
    loop_forget(loop, &a.poll);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(a.n_events, 0);
    added_later_init(&b);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(b.n_events, 1);
    loop_forget(loop, &b.poll);
    close(b.poll.fd);
    EXPECT_EQ_INT(dup2(a.poll.fd, b.poll.fd), b.poll.fd);
    EXPECT_EQ_INT(write(a.peer, "x", 1), 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(b.n_events, 1);
    watched_close(&a);
    close(b.poll.fd);
    close(b.peer);
    teardown();
}

static void
a_bad_descriptor_is_an_error(void)
{
    setup();
    struct poll_handle h = { .fd = -1, .on_event = note_event };
    EXPECT_EQ_INT(loop_add(loop, &h), ERR_SYS);
    teardown();
}

static void
slots_and_identity(void)
{
    setup();
    EXPECT_EQ_INT(loop_id(loop), 3);
    EXPECT(loop_current() == NULL);
    static struct loop_slot ours, other;
    EXPECT(loop_get(loop, &ours) == NULL);
    loop_put(loop, &ours, order);
    EXPECT(loop_get(loop, &ours) == order);
    EXPECT(loop_get(loop, &other) == NULL);
    loop_put(loop, &other, loop);
    EXPECT(loop_get(loop, &ours) == order && loop_get(loop, &other) == loop);
    loop_put(loop, &ours, NULL);
    EXPECT(loop_get(loop, &ours) == NULL);
    teardown();
}

static const struct test tests[] = {
    { "timers_run_in_order_of_deadline", timers_run_in_order_of_deadline },
    { "a_timer_moved_later_does_not_run_at_its_old_time", a_timer_moved_later_does_not_run_at_its_old_time },
    { "the_wait_ends_when_the_next_timer_is_due", the_wait_ends_when_the_next_timer_is_due },
    { "a_due_timer_may_be_cancelled_by_one_that_runs_before_it",
      a_due_timer_may_be_cancelled_by_one_that_runs_before_it },
    { "a_timer_that_sets_itself_to_the_past_runs_once_a_round",
      a_timer_that_sets_itself_to_the_past_runs_once_a_round },
    { "a_suspended_timer_runs_only_when_it_is_set_again", a_suspended_timer_runs_only_when_it_is_set_again },
    { "a_thousand_timers_moved_at_random_fire_sorted", a_thousand_timers_moved_at_random_fire_sorted },
    { "a_removed_handle_gets_no_event_of_the_same_round", a_removed_handle_gets_no_event_of_the_same_round },
    { "an_edge_is_delivered_once", an_edge_is_delivered_once },
    { "handles_added_later_are_watched_from_the_next_sleep_on",
      handles_added_later_are_watched_from_the_next_sleep_on },
    { "a_handle_that_cannot_be_watched_later_gets_an_error",
      a_handle_that_cannot_be_watched_later_gets_an_error },
    { "a_forgotten_handle_is_not_watched", a_forgotten_handle_is_not_watched },
    { "a_bad_descriptor_is_an_error", a_bad_descriptor_is_an_error },
    { "a_loop_shows_that_it_works_and_then_without_an_event_that_it_no_longer_does",
      a_loop_shows_that_it_works_and_then_without_an_event_that_it_no_longer_does },
    { "slots_and_identity", slots_and_identity },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
