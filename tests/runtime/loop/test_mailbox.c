/* The mailbox: items of many threads arrive, each thread's in order, and a sleeping loop wakes. Also run
 * under TSan. */
#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "loop/loop.h"
#include "test.h"

enum { SENDERS = 4, ITEMS = 20000 };

struct item {
    struct post post;
    unsigned sender, number;
};

static struct loop *loop;
static unsigned next_number[SENDERS];
static unsigned n_arrived;

static void
arrive(struct post *p)
{
    struct item *item = container_of(p, struct item, post);
    EXPECT_EQ_INT(item->number, next_number[item->sender]);
    next_number[item->sender]++;
    n_arrived++;
    free(item);
    if (n_arrived == SENDERS * ITEMS)
        loop_stop(loop);
}

static void *
send_items(void *arg)
{
    for (unsigned i = 0; i < ITEMS; i++) {
        struct item *item = calloc(1, sizeof *item);
        item->sender = (unsigned)(size_t)arg;
        item->number = i;
        item->post.fn = arrive;
        loop_post(loop, &item->post);
    }
    return NULL;
}

static void
items_of_many_threads_arrive_in_each_threads_order(void)
{
    pthread_t threads[SENDERS];
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    for (size_t i = 0; i < SENDERS; i++)
        EXPECT_EQ_INT(pthread_create(&threads[i], NULL, send_items, (void *)i), 0);
    loop_run(loop);
    for (size_t i = 0; i < SENDERS; i++)
        pthread_join(threads[i], NULL);
    EXPECT_EQ_INT(n_arrived, SENDERS * ITEMS);
    loop_release(&loop);
}

static void
note_arrival(struct post *p)
{
    n_arrived++;
}

static struct post own_item = { .fn = note_arrival };

static void
on_due(struct timer *t)
{
    loop_post(loop, &own_item);
}

/* Before the next wait. Another wait would cost a system call for each response of an origin. */
static void
what_a_round_posts_to_its_own_loop_arrives_in_it(void)
{
    struct timer due = { .fn = on_due };
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    n_arrived = 0;
    timer_set(loop, &due, 1);
    loop_run_once(loop, 0);
    EXPECT_EQ_INT(n_arrived, 1);
    loop_release(&loop);
}

/* Two loops send one item to and fro. Each receiver is asleep, or about to sleep. */
static struct loop *two[2];
static unsigned throws_left;

static void
throw_back(struct post *p)
{
    struct loop *here = loop_current();
    struct loop *there = here == two[0] ? two[1] : two[0];
    if (throws_left == 0) {
        loop_stop(two[0]);
        loop_stop(two[1]);
        return;
    }
    throws_left--;
    loop_post(there, p);
}

static void *
run_second(void *arg)
{
    (void)arg;
    loop_run(two[1]);
    return NULL;
}

static void
no_wake_up_is_lost_between_two_loops(void)
{
    pthread_t thread;
    struct post ball = { .fn = throw_back };
    throws_left = 20000;
    EXPECT_EQ_INT(loop_new(0, &two[0]), 0);
    EXPECT_EQ_INT(loop_new(1, &two[1]), 0);
    EXPECT_EQ_INT(pthread_create(&thread, NULL, run_second, NULL), 0);
    loop_post(two[1], &ball);
    loop_run(two[0]); /* would sleep forever after a lost wake-up */
    pthread_join(thread, NULL);
    EXPECT_EQ_INT(throws_left, 0);
    loop_release(&two[0]);
    loop_release(&two[1]);
}

static void *
stop_first(void *arg)
{
    (void)arg;
    loop_stop(two[0]);
    return NULL;
}

static void
stop_from_another_thread_ends_the_run(void)
{
    pthread_t thread;
    EXPECT_EQ_INT(loop_new(0, &two[0]), 0);
    EXPECT_EQ_INT(pthread_create(&thread, NULL, stop_first, NULL), 0);
    loop_run(two[0]);
    pthread_join(thread, NULL);
    EXPECT(loop_current() == NULL);
    loop_release(&two[0]);
}

static const struct test tests[] = {
    { "items_of_many_threads_arrive_in_each_threads_order",
      items_of_many_threads_arrive_in_each_threads_order },
    { "what_a_round_posts_to_its_own_loop_arrives_in_it", what_a_round_posts_to_its_own_loop_arrives_in_it },
    { "no_wake_up_is_lost_between_two_loops", no_wake_up_is_lost_between_two_loops },
    { "stop_from_another_thread_ends_the_run", stop_from_another_thread_ends_the_run },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
