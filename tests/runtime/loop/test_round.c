/* How long a loop works in a round, in its own CPU time, and the warning that names the step. */
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "base/params.h"
#include "log/counters.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "test.h"

#define MSEC_OF_WORK 30
#define PATIENCE_S 30 /* CPU time until which a warning must have come */

static struct loop *loop;
static int warnings[2]; /* a pipe in place of stderr */
static bool came_early; /* the warning came while the step ran */

static nsec
thread_time(void)
{
    struct timespec t;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0);
    return (nsec)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void
stop(struct timer *t)
{
    loop_stop(loop);
}

static struct timer next_round = { .fn = stop };

static void
stop_in_next_round(void)
{
    timer_set(loop, &next_round, loop_now(loop) + 1);
}

static void
work(struct post *p)
{
    for (nsec end = thread_time() + MSEC_OF_WORK * NSEC_PER_MSEC; thread_time() < end;)
        ;
    stop_in_next_round();
}

static void
wait_only(struct post *p)
{
    nanosleep(&(struct timespec){ .tv_nsec = MSEC_OF_WORK * NSEC_PER_MSEC }, NULL);
    stop_in_next_round();
}

static void
tell(const struct check_place *place, struct check_report *out)
{
    *out = (struct check_report){ .task = "request", .xid = 7, .step = "lookup" };
}

static void
work_until_warned(struct post *p)
{
    static const struct check_place place = { tell };
    check_here = &place;
    struct pollfd warning = { .fd = warnings[0], .events = POLLIN };
    nsec end = thread_time() + PATIENCE_S * NSEC_PER_SEC;
    while (!came_early && thread_time() < end)
        came_early = poll(&warning, 1, 0) == 1;
    check_here = NULL;
    stop_in_next_round();
}

/* Runs fn on a loop of its own; returns the microseconds that the longest round worked. */
static uint64_t
longest_round_of(void (*fn)(struct post *p))
{
    struct post post = { .fn = fn };
    counters_here()->loop_longest_round_us = 0;
    counters_here()->loop_stalls = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    loop_post(loop, &post);
    loop_run(loop);
    loop_release(&loop);
    return counters_here()->loop_longest_round_us;
}

static void
the_longest_round_is_counted(void)
{
    params.loop_stall_warn_s = 0;
    EXPECT(longest_round_of(work) >= MSEC_OF_WORK * 1000);
    EXPECT_EQ_INT(counters_here()->loop_stalls, 0);
}

static void
waiting_is_not_work(void)
{
    params.loop_stall_warn_s = 0;
    EXPECT(longest_round_of(wait_only) < MSEC_OF_WORK * 1000 / 2);
}

static void
threads_have_a_maximum_not_a_sum(void)
{
    struct counters sums;
    params.loop_stall_warn_s = 0;
    uint64_t longest = longest_round_of(work);
    counters_sum(&sums);
    EXPECT_EQ_INT(sums.loop_longest_round_us, longest);
}

static void
a_warning_names_the_step_while_it_runs(void)
{
    char line[512];
    int kept = dup(STDERR_FILENO);
    CHECK(pipe(warnings) == 0 && dup2(warnings[1], STDERR_FILENO) >= 0);
    params.loop_stall_warn_s = 0.05;
    uint64_t longest = longest_round_of(work_until_warned);
    CHECK(dup2(kept, STDERR_FILENO) >= 0);
    EXPECT(came_early);
    ssize_t n = read(warnings[0], line, sizeof line - 1);
    line[n > 0 ? n : 0] = '\0';
    EXPECT(strncmp(line, "Warning: loop 3 has worked for ", 31) == 0);
    EXPECT(strstr(line, " ms without a pause, longer than loop_stall_warn: request 7, step lookup\n") !=
           NULL);
    EXPECT(longest >= 50000);
    EXPECT_EQ_INT(counters_here()->loop_stalls, 1);
}

#define STEPS 100 /* of a millisecond each: many slices */

static unsigned n_run;
static struct timer timers[STEPS];

static void
run_step(void)
{
    for (nsec end = clock_mono_ns() + NSEC_PER_MSEC; clock_mono_ns() < end;)
        ;
    n_run++;
}

static void
run_timer(struct timer *t)
{
    EXPECT_EQ_INT(t - timers, n_run); /* in the order of their deadlines */
    run_step();
}

static void
run_fiber(void *arg)
{
    unsigned number = (unsigned)(size_t)arg;
    fiber_yield();
    EXPECT_EQ_INT(number, n_run);
    run_step();
}

static void
rounds_run_all_in_slices(void)
{
    loop_run_once(loop, 0);
    EXPECT(n_run > 0 && n_run < STEPS);
    for (int i = 0; i < STEPS && n_run < STEPS; i++)
        loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_run, STEPS);
    loop_release(&loop);
}

static void
due_timers_run_in_slices(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (int i = 0; i < STEPS; i++) {
        timers[i].fn = run_timer;
        timer_set(loop, &timers[i], i + 1);
    }
    rounds_run_all_in_slices();
}

static void
fibers_that_yielded_run_in_slices(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (size_t i = 0; i < STEPS; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, run_fiber, (void *)i), 0);
    rounds_run_all_in_slices();
}

static struct fiber *parked[STEPS];

static void
run_woken(void *arg)
{
    unsigned number = (unsigned)(size_t)arg;
    parked[number] = fiber_current();
    fiber_park();
    EXPECT_EQ_INT(number, n_run);
    run_step();
}

static void
woken_fibers_run_in_slices(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (size_t i = 0; i < STEPS; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, run_woken, (void *)i), 0);
    for (size_t i = 0; i < STEPS; i++)
        fiber_wake(parked[i]);
    rounds_run_all_in_slices();
}

static struct post letters[STEPS];

static void
run_letter(struct post *p)
{
    EXPECT_EQ_INT(p - letters, n_run);
    run_step();
}

static void
items_of_the_mailbox_run_in_slices(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (int i = 0; i < STEPS; i++) {
        letters[i].fn = run_letter;
        loop_post(loop, &letters[i]);
    }
    rounds_run_all_in_slices();
}

static struct poll_handle handles[STEPS];

static void
run_event(struct poll_handle *h, uint32_t events)
{
    EXPECT(events & EPOLLIN);
    loop_remove(loop, h);
    close(h->fd);
    h->fd = -1;
    run_step();
}

static void
events_of_sockets_run_in_slices(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (int i = 0; i < STEPS; i++) {
        handles[i] = (struct poll_handle){ .fd = eventfd(1, EFD_NONBLOCK), .on_event = run_event };
        EXPECT_EQ_INT(loop_add(loop, &handles[i]), 0);
    }
    rounds_run_all_in_slices();
}

static void
an_event_left_over_is_dropped_with_its_handle(void)
{
    n_run = 0;
    EXPECT_EQ_INT(loop_new(3, &loop), 0);
    for (int i = 0; i < STEPS; i++) {
        handles[i] = (struct poll_handle){ .fd = eventfd(1, EFD_NONBLOCK), .on_event = run_event };
        EXPECT_EQ_INT(loop_add(loop, &handles[i]), 0);
    }
    loop_run_once(loop, 0);
    EXPECT(n_run > 0 && n_run < STEPS);
    unsigned before = n_run;
    for (int i = 0; i < STEPS; i++) {
        if (handles[i].fd < 0)
            continue;
        loop_remove(loop, &handles[i]);
        close(handles[i].fd);
    }
    for (int i = 0; i < 5; i++)
        loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_run, before);
    loop_release(&loop);
}

static const struct test tests[] = {
    { "the_longest_round_is_counted", the_longest_round_is_counted },
    { "waiting_is_not_work", waiting_is_not_work },
    { "threads_have_a_maximum_not_a_sum", threads_have_a_maximum_not_a_sum },
    { "a_warning_names_the_step_while_it_runs", a_warning_names_the_step_while_it_runs },
    { "due_timers_run_in_slices", due_timers_run_in_slices },
    { "fibers_that_yielded_run_in_slices", fibers_that_yielded_run_in_slices },
    { "woken_fibers_run_in_slices", woken_fibers_run_in_slices },
    { "items_of_the_mailbox_run_in_slices", items_of_the_mailbox_run_in_slices },
    { "events_of_sockets_run_in_slices", events_of_sockets_run_in_slices },
    { "an_event_left_over_is_dropped_with_its_handle", an_event_left_over_is_dropped_with_its_handle },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
