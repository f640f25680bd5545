/* Fibers: scheduling, waiting, limits and stacks. */
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "test.h"

static struct loop *loop;
static char order[256];

static void
setup(void)
{
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    order[0] = '\0';
}

static void
teardown(void)
{
    EXPECT_EQ_INT(fiber_count(loop), 0);
    loop_release(&loop);
}

static void
note(const char *text)
{
    strcat(order, text);
}

static struct fiber *parked;

static void
park_between_notes(void *arg)
{
    (void)arg;
    EXPECT(fiber_current() != NULL);
    EXPECT(loop_current() == loop);
    note("a");
    parked = fiber_current();
    fiber_park();
    note("c");
}

static const struct check_place place_of_loop, place_of_fiber;

static void
work_at_its_place(void *arg)
{
    EXPECT(check_here == NULL); /* not the pointer of the spawning fiber */
    check_here = &place_of_fiber;
    parked = fiber_current();
    fiber_park();
    EXPECT(check_here == &place_of_fiber);
}

static void
a_fiber_keeps_its_place_over_a_park(void)
{
    setup();
    check_here = &place_of_loop;
    EXPECT_EQ_INT(fiber_spawn(loop, work_at_its_place, NULL), 0);
    EXPECT(check_here == &place_of_loop);
    fiber_wake(parked);
    loop_run_once(loop, 0);
    EXPECT(check_here == &place_of_loop);
    check_here = NULL;
    teardown();
}

static void
a_fiber_runs_at_once_and_goes_on_when_woken(void)
{
    setup();
    EXPECT_EQ_INT(fiber_spawn(loop, park_between_notes, NULL), 0);
    note("b");
    EXPECT(fiber_current() == NULL);
    EXPECT_EQ_INT(fiber_count(loop), 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "ab"); /* no wake-up so far */
    fiber_wake(parked);
    fiber_wake(parked); /* a second wake-up changes nothing */
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "abc");
    teardown();
}

static int park_result;

static void
park_briefly(void *arg)
{
    nsec *deadline = arg;
    parked = fiber_current();
    park_result = fiber_park_until(*deadline);
    note("x");
}

static void
a_park_with_a_deadline_ends_by_itself(void)
{
    setup();
    nsec deadline = clock_mono_ns() + 3 * NSEC_PER_MSEC;
    EXPECT_EQ_INT(fiber_spawn(loop, park_briefly, &deadline), 0);
    while (order[0] == '\0')
        loop_run_once(loop, NSEC_NEVER);
    EXPECT_EQ_INT(park_result, ERR_TIMEOUT);
    EXPECT(clock_mono_ns() >= deadline);
    teardown();
}

static void
a_woken_fiber_does_not_time_out(void)
{
    setup();
    nsec deadline = 1; /* due in the first round, but woken before */
    EXPECT_EQ_INT(fiber_spawn(loop, park_briefly, &deadline), 0);
    fiber_wake(parked);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(park_result, 0);
    EXPECT_EQ_STR(span_str(order), "x");
    teardown();
}

static struct fiber *parent;

static void
child_main(void *arg)
{
    (void)arg;
    note("c");
    fiber_wake(parent); /* it still runs, below us */
    parked = fiber_current();
    fiber_park();
    note("C");
}

static void
parent_main(void *arg)
{
    (void)arg;
    parent = fiber_current();
    note("p");
    EXPECT_EQ_INT(fiber_spawn(loop, child_main, NULL), 0);
    EXPECT(fiber_current() == parent);
    note("q");
    fiber_park(); /* returns at once, because of a wake-up in between */
    note("r");
}

static void
a_wake_from_a_spawned_fiber_is_not_lost(void)
{
    setup();
    EXPECT_EQ_INT(fiber_spawn(loop, parent_main, NULL), 0);
    EXPECT_EQ_STR(span_str(order), "pcqr");
    EXPECT_EQ_INT(fiber_count(loop), 1);
    fiber_wake(parked);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "pcqrC");
    teardown();
}

static void
yield_twice(void *arg)
{
    note(arg);
    fiber_yield();
    note(arg);
    fiber_yield();
    note(arg);
}

static void
yielding_lets_the_others_run(void)
{
    setup();
    EXPECT_EQ_INT(fiber_spawn(loop, yield_twice, "1"), 0);
    EXPECT_EQ_INT(fiber_spawn(loop, yield_twice, "2"), 0);
    loop_run_once(loop, NSEC_NEVER); /* does not sleep while fibers are runnable */
    EXPECT_EQ_STR(span_str(order), "1212");
    loop_run_once(loop, NSEC_NEVER);
    EXPECT_EQ_STR(span_str(order), "121212");
    teardown();
}

static unsigned n_yields;

static nsec
cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (nsec)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void
work_long(void *arg)
{
    (void)arg;
    nsec until = cpu_ns() + 2 * NSEC_PER_MSEC; /* other programs may take the CPU meanwhile */
    while (cpu_ns() < until)
        fiber_yield_if_due();
    note("done");
}

static void
long_work_yields_by_time(void)
{
    setup();
    n_yields = 0;
    EXPECT_EQ_INT(fiber_spawn(loop, work_long, NULL), 0);
    while (fiber_count(loop) > 0) {
        loop_run_once(loop, 0);
        n_yields++;
    }
    EXPECT(n_yields >= 2 && n_yields <= 40);
    teardown();
}

static void
park_once(void *arg)
{
    struct fiber **place = arg;
    *place = fiber_current();
    fiber_park();
}

static void
a_reserve_is_left_by_fibers_that_wait_for_origins(void)
{
    setup();
    uint32_t fibers_max = params.fibers_max, loops = params.loops, reserve = params.fibers_reserve;
    params.fibers_max = 10;
    params.loops = 2;
    params.fibers_reserve = 20; /* so 2 */
    struct fiber *fibers[10];
    for (int i = 0; i < 10; i++) {
        EXPECT_EQ_INT(fiber_may_wait(loop), i < 8);
        EXPECT_EQ_INT(fiber_spawn(loop, park_once, &fibers[i]), 0);
    }
    EXPECT(!fiber_may_wait(loop));
    for (int i = 0; i < 3; i++)
        fiber_wake(fibers[i]);
    loop_run_once(loop, 0);
    EXPECT(fiber_may_wait(loop));
    params.fibers_reserve = 90;
    EXPECT(!fiber_may_wait(loop));
    params.fibers_reserve = 0;
    EXPECT(fiber_may_wait(loop));
    for (int i = 3; i < 10; i++)
        fiber_wake(fibers[i]);
    loop_run_once(loop, 0);
    params.fibers_max = fibers_max;
    params.loops = loops;
    params.fibers_reserve = reserve;
    teardown();
}

static void
over_fibers_max_nothing_is_spawned(void)
{
    setup();
    uint32_t fibers_max = params.fibers_max, loops = params.loops;
    params.fibers_max = 10;
    params.loops = 2;
    struct fiber *fibers[10];
    for (int i = 0; i < 10; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, park_once, &fibers[i]), 0);
    struct fiber *extra = NULL;
    EXPECT_EQ_INT(fiber_spawn(loop, park_once, &extra), ERR_LIMIT);
    EXPECT(extra == NULL);
    fiber_wake(fibers[4]);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(fiber_spawn(loop, park_once, &fibers[4]), 0); /* there is room again */
    for (int i = 0; i < 10; i++)
        fiber_wake(fibers[i]);
    loop_run_once(loop, 0);
    params.fibers_max = fibers_max;
    params.loops = loops;
    teardown();
}

enum { ALL = 1024, ONE_MAY = ALL - 2 * (ALL / 64 / 16) };

static void
spawn_parked(struct loop *on, struct fiber **fibers, int n)
{
    for (int i = 0; i < n; i++)
        EXPECT_EQ_INT(fiber_spawn(on, park_once, &fibers[i]), 0);
}

static void
end_parked(struct loop *on, struct fiber **fibers, int n)
{
    for (int i = 0; i < n; i++)
        fiber_wake(fibers[i]);
    while (fiber_count(on) > 0) /* a round ends after a slice of time */
        loop_run_once(on, 0);
}

/* A busy loop is not limited to its part of fibers_max, and what an idle one keeps for itself is little. */
static void
one_loop_of_64_may_have_the_fibers_of_all(void)
{
    static struct fiber *fibers[ALL], *others[ALL];
    uint32_t fibers_max = params.fibers_max, loops = params.loops, reserve = params.fibers_reserve;
    struct loop *other;
    params.fibers_max = ALL;
    params.loops = 64;
    params.fibers_reserve = 20;
    setup();
    EXPECT_EQ_INT(loop_new(1, &other), 0);
    spawn_parked(other, others, 100);
    EXPECT(fiber_may_wait(other));
    end_parked(other, others, 100);
    for (int i = 0; i < ONE_MAY; i++) {
        if (i < ONE_MAY * 3 / 4)
            EXPECT(fiber_may_wait(loop));
        EXPECT_EQ_INT(fiber_spawn(loop, park_once, &fibers[i]), 0);
    }
    EXPECT(!fiber_may_wait(loop));
    EXPECT(!fiber_may_wait(other));
    EXPECT_EQ_INT(fiber_spawn(other, park_once, &others[0]), 0); /* within what it has kept */
    end_parked(other, others, 1);
    end_parked(loop, fibers, ONE_MAY);
    spawn_parked(other, others, ONE_MAY); /* given back */
    EXPECT(!fiber_may_wait(other));
    end_parked(other, others, ONE_MAY);
    loop_release(&other);
    params.fibers_max = fibers_max;
    params.loops = loops;
    params.fibers_reserve = reserve;
    teardown();
}

struct deep {
    struct fiber *fiber;
    unsigned sound; /* marks found unchanged */
};

static void
use_stack(void *arg)
{
    struct deep *d = arg;
    volatile char room[64 * 1024];
    for (size_t i = 0; i < sizeof room; i += 512)
        room[i] = (char)(i / 512);
    d->fiber = fiber_current();
    fiber_park();
    for (size_t i = 0; i < sizeof room; i += 512)
        d->sound += room[i] == (char)(i / 512);
}

static void
parked_stacks_keep_what_is_on_them(void)
{
    enum { N = 300 };
    setup();
    uint32_t loops = params.loops;
    params.loops = 1;
    for (int round = 0; round < 3; round++) { /* later rounds on recycled stacks */
        struct deep deep[N] = { 0 };
        for (int i = 0; i < N; i++)
            EXPECT_EQ_INT(fiber_spawn(loop, use_stack, &deep[i]), 0);
        EXPECT_EQ_INT(fiber_count(loop), N);
        for (int i = 0; i < N; i++)
            fiber_wake(deep[i].fiber);
        while (fiber_count(loop) > 0) /* a round ends after a slice of time */
            loop_run_once(loop, 0);
        for (int i = 0; i < N; i++)
            EXPECT_EQ_INT(deep[i].sound, 128);
    }
    params.loops = loops;
    teardown();
}

static void
ask_for_stack(void *bytes)
{
    EXPECT(fiber_stack(bytes) != NULL);
}

static void
a_fiber_has_the_stack_that_was_asked_for(void)
{
    uint32_t before = params.fiber_stack_bytes;
    params.fiber_stack_bytes = 5 * before;
    setup();
    size_t bytes = 0;
    EXPECT_EQ_INT(fiber_spawn(loop, ask_for_stack, &bytes), 0);
    EXPECT(bytes > 4 * (size_t)before && bytes <= 5 * (size_t)before);
    teardown();
    params.fiber_stack_bytes = before;
}

static unsigned levels;

static void
recurse(void *arg)
{
    volatile char room[4096];
    room[0] = (char)levels;
    if (++levels < *(unsigned *)arg)
        recurse(arg);
    EXPECT_EQ_INT(room[0], (char)--levels);
}

static void
recurse_within(void *arg)
{
    EXPECT_EQ_INT(fiber_call_deep(recurse, arg), 0);
}

static void
call_deep(void *arg)
{
    struct fiber *self = fiber_current();
    for (int i = 0; i < 3; i++)
        EXPECT_EQ_INT(fiber_call_deep(recurse_within, arg), 0);
    EXPECT(fiber_current() == self);
    EXPECT_EQ_INT(fiber_count(loop), 1);
    parked = self;
    fiber_park(); /* it can still park */
    EXPECT_EQ_INT(fiber_call_deep(recurse, arg), 0);
    note("back");
}

static void
a_deep_call_has_more_stack_than_a_fiber(void)
{
    setup();
    unsigned wanted = 1024; /* 4 MiB */
    EXPECT_EQ_INT(fiber_spawn(loop, call_deep, &wanted), 0);
    fiber_wake(parked);
    loop_run_once(loop, 0);
    EXPECT_EQ_STR(span_str(order), "back");
    EXPECT_EQ_INT(fiber_call_deep(recurse, &wanted), 0); /* off fibers it is a plain call */
    teardown();
}

/* A tree of fibers that wake each other at random, against a count of the expected runs. */
enum { ACTORS = 200, STEPS = 50 };
static struct fiber *actors[ACTORS];
static bool actor_woken[ACTORS];
static unsigned actor_steps;

static void
actor_main(void *arg)
{
    size_t self = (size_t)arg;
    actors[self] = fiber_current();
    for (int step = 0; step < STEPS; step++) {
        while (!actor_woken[self])
            fiber_park();
        actor_woken[self] = false;
        actor_steps++;
        if (rand() % 3 == 0)
            fiber_yield();
    }
    actors[self] = NULL;
}

static void
actors_make_every_step(void)
{
    setup();
    uint32_t loops = params.loops;
    params.loops = 1;
    actor_steps = 0;
    srand(7);
    for (size_t i = 0; i < ACTORS; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, actor_main, (void *)i), 0);
    while (fiber_count(loop) > 0) {
        for (size_t i = 0; i < ACTORS; i++)
            if (actors[i] != NULL && rand() % 2) {
                actor_woken[i] = true;
                fiber_wake(actors[i]);
            }
        loop_run_once(loop, 0);
    }
    EXPECT_EQ_INT(actor_steps, ACTORS * STEPS);
    params.loops = loops;
    teardown();
}

static void
end_at_once(void *arg)
{
    (*(unsigned *)arg)++;
}

static void
a_stack_is_used_again_and_again(void)
{
    setup();
    unsigned n = 0;
    for (unsigned i = 0; i < 100000; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, end_at_once, &n), 0);
    EXPECT_EQ_INT(n, 100000);
    teardown();
}

static const struct test tests[] = {
    { "a_fiber_keeps_its_place_over_a_park", a_fiber_keeps_its_place_over_a_park },
    { "a_fiber_runs_at_once_and_goes_on_when_woken", a_fiber_runs_at_once_and_goes_on_when_woken },
    { "a_park_with_a_deadline_ends_by_itself", a_park_with_a_deadline_ends_by_itself },
    { "a_woken_fiber_does_not_time_out", a_woken_fiber_does_not_time_out },
    { "a_wake_from_a_spawned_fiber_is_not_lost", a_wake_from_a_spawned_fiber_is_not_lost },
    { "yielding_lets_the_others_run", yielding_lets_the_others_run },
    { "long_work_yields_by_time", long_work_yields_by_time },
    { "a_reserve_is_left_by_fibers_that_wait_for_origins",
      a_reserve_is_left_by_fibers_that_wait_for_origins },
    { "over_fibers_max_nothing_is_spawned", over_fibers_max_nothing_is_spawned },
    { "one_loop_of_64_may_have_the_fibers_of_all", one_loop_of_64_may_have_the_fibers_of_all },
    { "parked_stacks_keep_what_is_on_them", parked_stacks_keep_what_is_on_them },
    { "a_fiber_has_the_stack_that_was_asked_for", a_fiber_has_the_stack_that_was_asked_for },
    { "a_deep_call_has_more_stack_than_a_fiber", a_deep_call_has_more_stack_than_a_fiber },
    { "actors_make_every_step", actors_make_every_step },
    { "a_stack_is_used_again_and_again", a_stack_is_used_again_and_again },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
