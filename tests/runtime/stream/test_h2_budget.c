/* The budget of an HTTP/2 session: what a client may do, and what gives back. */
#include "base/params.h"
#include "log/counters.h"
#include "stream/h2/budget.h"
#include "test.h"

#define START (1000 * NSEC_PER_SEC)

static void
default_limits(void)
{
    params.h2_budget_period_s = 60;
    params.h2_rapid_reset_limit = 100;
    params.h2_frame_limit = 10000;
    params.h2_header_limit_bytes = 64 << 20;
}

static void
a_limit_of_100_resets_allows_100(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    for (int i = 0; i < 75; i++)
        EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1, START), H2_BUDGET_LEFT);
    for (int i = 75; i < 100; i++)
        EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1, START), H2_BUDGET_LOW);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1, START), H2_BUDGET_GONE);
}

static void
a_period_refills_the_budget(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 100, START), H2_BUDGET_LOW);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 51, START + 30 * NSEC_PER_SEC), H2_BUDGET_GONE);
    b = (struct h2_budget){ 0 };
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 100, START), H2_BUDGET_LOW);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 50, START + 30 * NSEC_PER_SEC), H2_BUDGET_LOW);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 75, START + 500 * NSEC_PER_SEC), H2_BUDGET_LEFT);
}

static void
a_session_begins_with_what_others_left(void)
{
    struct h2_budget b;
    default_limits();
    h2_budget_begin(&b, 0.6, START);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 30, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1, START), H2_BUDGET_LOW); /* three quarters of 40 */
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 9, START), H2_BUDGET_LOW);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1, START), H2_BUDGET_GONE);
    EXPECT(h2_budget_own(&b, START) > 0.40 && h2_budget_own(&b, START) < 0.42);
    h2_budget_begin(&b, 0.6, START);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 75, START + 60 * NSEC_PER_SEC), H2_BUDGET_LEFT);
    h2_budget_begin(&b, 1, START); /* enough for a request */
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_CONTROL, 20, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_CONTROL, 90, START), H2_BUDGET_GONE);
}

static void
kinds_share_one_budget(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 30, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_CONTROL, 1000, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_EMPTY, 1000, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_TINY, 1000, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_HEADER, 26 << 20, START), H2_BUDGET_GONE);
}

static void
useful_work_pays_for_its_frames_and_not_for_resets(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    for (int i = 0; i < 1000000; i++) {
        EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_CONTROL, 1, START), H2_BUDGET_LEFT);
        EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_HEADER, 1024, START), H2_BUDGET_LEFT);
        h2_budget_work(&b, 1);
    }
    enum h2_budget_state state = H2_BUDGET_LEFT;
    int resets = 0;
    for (; state != H2_BUDGET_GONE; resets++) {
        state = h2_budget_charge(&b, H2_COST_RESET, 1, START);
        h2_budget_work(&b, 1);
    }
    EXPECT_EQ_INT(resets, 102); /* 101 without the work between them */
}

static void
a_limit_of_0_is_none(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    params.h2_rapid_reset_limit = 0;
    params.h2_frame_limit = 0;
    params.h2_header_limit_bytes = 0;
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_RESET, 1000000, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_TINY, 1000000, START), H2_BUDGET_LEFT);
    EXPECT_EQ_INT(h2_budget_charge(&b, H2_COST_HEADER, 1u << 30, START), H2_BUDGET_LEFT);
}

static void
a_late_reset_costs_as_a_frame(void)
{
    params.h2_rapid_reset_s = 1;
    EXPECT_EQ_INT(h2_reset_cost(NSEC_PER_SEC - 1), H2_COST_RESET);
    EXPECT_EQ_INT(h2_reset_cost(NSEC_PER_SEC), H2_COST_CONTROL);
    params.h2_rapid_reset_s = 0;
    EXPECT_EQ_INT(h2_reset_cost(100 * NSEC_PER_SEC), H2_COST_RESET);
}

static void
each_kind_has_its_counter(void)
{
    struct counters c = { 0 };
    for (unsigned kind = 0; kind < H2_COSTS; kind++)
        for (unsigned n = 0; n <= kind; n++)
            h2_budget_count_kill(&c, (enum h2_cost)kind);
    EXPECT_EQ_INT(c.h2_killed_reset, 1);
    EXPECT_EQ_INT(c.h2_killed_control, 2);
    EXPECT_EQ_INT(c.h2_killed_empty, 3);
    EXPECT_EQ_INT(c.h2_killed_tiny, 4);
    EXPECT_EQ_INT(c.h2_killed_header, 5);
}

static void
the_kind_that_used_most_is_the_reason(void)
{
    struct h2_budget b = { 0 };
    default_limits();
    h2_budget_charge(&b, H2_COST_RESET, 90, START);
    h2_budget_charge(&b, H2_COST_HEADER, 8 << 20, START);
    EXPECT_EQ_INT(h2_budget_worst(&b), H2_COST_RESET);
    h2_budget_charge(&b, H2_COST_TINY, 9500, START + 600 * NSEC_PER_SEC); /* full before */
    EXPECT_EQ_INT(h2_budget_worst(&b), H2_COST_TINY);
}

static const struct test tests[] = {
    { "a_limit_of_100_resets_allows_100", a_limit_of_100_resets_allows_100 },
    { "a_period_refills_the_budget", a_period_refills_the_budget },
    { "a_session_begins_with_what_others_left", a_session_begins_with_what_others_left },
    { "kinds_share_one_budget", kinds_share_one_budget },
    { "useful_work_pays_for_its_frames_and_not_for_resets",
      useful_work_pays_for_its_frames_and_not_for_resets },
    { "a_limit_of_0_is_none", a_limit_of_0_is_none },
    { "a_late_reset_costs_as_a_frame", a_late_reset_costs_as_a_frame },
    { "each_kind_has_its_counter", each_kind_has_its_counter },
    { "the_kind_that_used_most_is_the_reason", the_kind_that_used_most_is_the_reason },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
