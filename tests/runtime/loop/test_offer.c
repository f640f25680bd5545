/* After a large round a loop offers its CPU by sched_yield(); this program has its own. */
#include <sched.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/loop.h"
#include "test.h"

#define HANDLES 16 /* OFFER_EVENTS_MIN */

static struct loop *loop;
static struct poll_handle handles[HANDLES];
static int offers;
static bool program_is_busy; /* keeps an offered CPU for 100 ms, or longer on a busy machine */
static nsec cost;            /* of the last offer */

int
sched_yield(void)
{
    offers++;
    struct timespec tick = { .tv_nsec = 100 * NSEC_PER_MSEC };
    nsec begin = clock_mono_ns();
    int result = program_is_busy ? nanosleep(&tick, NULL) : 0;
    cost = clock_mono_ns() - begin;
    return result;
}

static void
leave_ready(struct poll_handle *h, uint32_t events)
{
}

static void
setup(int n_ready)
{
    offers = 0;
    program_is_busy = false;
    EXPECT_EQ_INT(loop_new(1, &loop), 0);
    for (int i = 0; i < n_ready; i++) {
        handles[i] = (struct poll_handle){ .fd = eventfd(1, EFD_NONBLOCK), .on_event = leave_ready };
        EXPECT_EQ_INT(loop_add_listen(loop, &handles[i]), 0); /* level-triggered: ready in each round */
    }
}

static void
teardown(int n_ready)
{
    for (int i = 0; i < n_ready; i++) {
        loop_remove(loop, &handles[i]);
        (void)close(handles[i].fd);
    }
    loop_release(&loop);
}

static int
offers_of_rounds(int n)
{
    offers = 0;
    for (int i = 0; i < n; i++)
        loop_run_once(loop, 0);
    return offers;
}

static void
each_large_round_ends_with_an_offer(void)
{
    setup(HANDLES);
    EXPECT_EQ_INT(offers_of_rounds(1), 0); /* the offer of this round comes before the next wait */
    int n = 0;
    for (nsec end = clock_mono_ns() + 10 * NSEC_PER_SEC; n < 3 && clock_mono_ns() < end;)
        n = offers_of_rounds(3); /* fewer follow an offer during which this thread lost its CPU */
    EXPECT_EQ_INT(n, 3);
    teardown(HANDLES);
}

static void
a_small_round_makes_no_offer(void)
{
    setup(HANDLES - 1);
    EXPECT_EQ_INT(offers_of_rounds(4), 0);
    teardown(HANDLES - 1);
}

static void
an_offer_that_cost_time_is_not_repeated_for_as_long(void)
{
    setup(HANDLES);
    program_is_busy = true;
    EXPECT_EQ_INT(offers_of_rounds(2), 1);
    nsec end = clock_mono_ns();
    for (int n = 0; clock_mono_ns() < end + cost / 2;) {
        EXPECT_EQ_INT(n, 0); /* of a round that was over in time: this thread may have lost its CPU */
        n = offers_of_rounds(1);
    }
    int n = 0;
    while (n == 0 && clock_mono_ns() < end + cost + 10 * NSEC_PER_SEC)
        n = offers_of_rounds(1);
    EXPECT_EQ_INT(n, 1);
    teardown(HANDLES);
}

static const struct test tests[] = {
    { "each_large_round_ends_with_an_offer", each_large_round_ends_with_an_offer },
    { "a_small_round_makes_no_offer", a_small_round_makes_no_offer },
    { "an_offer_that_cost_time_is_not_repeated_for_as_long",
      an_offer_that_cost_time_is_not_repeated_for_as_long },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
