/* Rows of events: reads before them (on_ahead), and work that they put off until the end of the row
 * (loop_join_row). */
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/check.h"
#include "loop/loop.h"
#include "test.h"

#define HANDLES 40 /* more than a row takes */
#define ROW 32     /* ROW_MAX of loop.c */

static struct connection {
    struct poll_handle poll;
    struct loop_row work;
    bool joins_again, removes_next;
} connections[HANDLES];

static struct loop *loop;
/* r: a read ahead, e: an event, w: work in a row, a: work that went on alone */
static char order[3 * HANDLES + 1];
static bool reads_ahead;

static void
note(char c)
{
    order[strlen(order)] = c;
}

static void
work(struct loop_row *f)
{
    struct connection *c = container_of(f, struct connection, work);
    note('w');
    if (c->joins_again && !loop_join_row(loop, f))
        note('a');
}

static void
on_event(struct poll_handle *h, uint32_t events)
{
    struct connection *c = container_of(h, struct connection, poll);
    note('e');
    if (c->removes_next)
        loop_remove(loop, &c[1].poll);
    c->work.fn = work;
    if (!loop_join_row(loop, &c->work))
        note('a');
}

static void
on_ahead(struct poll_handle *h, uint32_t events)
{
    note('r');
}

static void
run_round(int n_ready)
{
    memset(order, 0, sizeof order);
    EXPECT_EQ_INT(loop_new(1, &loop), 0);
    for (int i = 0; i < n_ready; i++) {
        connections[i].poll = (struct poll_handle){ .fd = eventfd(1, EFD_NONBLOCK),
                                                    .on_event = on_event,
                                                    .on_ahead = reads_ahead ? on_ahead : NULL };
        EXPECT_EQ_INT(loop_add(loop, &connections[i].poll), 0);
    }
    loop_run_once(loop, 0);
    for (int i = 0; i < n_ready; i++) {
        loop_remove(loop, &connections[i].poll);
        (void)close(connections[i].poll.fd);
    }
    loop_release(&loop);
}

static void
an_event_alone_puts_nothing_off(void)
{
    run_round(1);
    EXPECT_EQ_STR(span_str(order), "ea");
}

static void
work_of_several_events_runs_in_a_row(void)
{
    run_round(3);
    EXPECT_EQ_STR(span_str(order), "eeewww");
}

static void
a_long_round_has_several_rows(void)
{
    char expected[sizeof order] = "";
    memset(expected, 'e', ROW);
    memset(expected + ROW, 'w', ROW);
    memset(expected + 2 * ROW, 'e', HANDLES - ROW);
    memset(expected + ROW + HANDLES, 'w', HANDLES - ROW);
    run_round(HANDLES);
    EXPECT_EQ_STR(span_str(order), expected);
}

/* A client with many requests in one packet must not hold the loop. */
static void
work_in_a_row_puts_nothing_off_again(void)
{
    connections[0].joins_again = true;
    run_round(2);
    connections[0].joins_again = false;
    EXPECT_EQ_STR(span_str(order), "eewaw");
}

static void
the_reads_of_a_row_come_before_its_events(void)
{
    char expected[sizeof order] = "";
    memset(expected, 'r', ROW);
    memset(expected + ROW, 'e', ROW);
    memset(expected + 2 * ROW, 'w', ROW);
    memset(expected + 3 * ROW, 'r', HANDLES - ROW);
    memset(expected + 2 * ROW + HANDLES, 'e', HANDLES - ROW);
    memset(expected + ROW + 2 * HANDLES, 'w', HANDLES - ROW);
    reads_ahead = true;
    run_round(HANDLES);
    reads_ahead = false;
    EXPECT_EQ_STR(span_str(order), expected);
}

static void
an_event_alone_is_not_read_ahead(void)
{
    reads_ahead = true;
    run_round(1);
    reads_ahead = false;
    EXPECT_EQ_STR(span_str(order), "ea");
}

static void
a_handle_that_was_read_ahead_may_be_removed(void)
{
    reads_ahead = connections[0].removes_next = true;
    run_round(3);
    reads_ahead = connections[0].removes_next = false;
    EXPECT_EQ_STR(span_str(order), "rrreeww");
}

static const struct test tests[] = {
    { "an_event_alone_puts_nothing_off", an_event_alone_puts_nothing_off },
    { "work_of_several_events_runs_in_a_row", work_of_several_events_runs_in_a_row },
    { "a_long_round_has_several_rows", a_long_round_has_several_rows },
    { "work_in_a_row_puts_nothing_off_again", work_in_a_row_puts_nothing_off_again },
    { "the_reads_of_a_row_come_before_its_events", the_reads_of_a_row_come_before_its_events },
    { "an_event_alone_is_not_read_ahead", an_event_alone_is_not_read_ahead },
    { "a_handle_that_was_read_ahead_may_be_removed", a_handle_that_was_read_ahead_may_be_removed },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
