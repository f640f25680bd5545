/* Work for the thread pool runs elsewhere, while the fiber waits and the loop goes on. Also run under
 * TSan. */
#include <pthread.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/fiber.h"
#include "loop/loop.h"
#include "loop/offload.h"
#include "test.h"

enum { FIBERS = 50, JOBS = 20 };

static struct loop *loop;
static atomic_uint n_done;

struct sum {
    unsigned a, b, result;
    pthread_t thread;
};

static void
add(void *arg)
{
    struct sum *s = arg;
    s->result = s->a + s->b;
    s->thread = pthread_self();
    EXPECT(loop_current() == NULL);
}

static void
ask_often(void *arg)
{
    unsigned self = (unsigned)(size_t)arg;
    for (unsigned i = 0; i < JOBS; i++) {
        struct sum s = { .a = self, .b = i };
        offload_run(add, &s);
        EXPECT_EQ_INT(s.result, self + i);
        EXPECT(!pthread_equal(s.thread, pthread_self()));
    }
    if (atomic_fetch_add(&n_done, 1) == FIBERS - 1)
        loop_stop(loop);
}

static void
jobs_of_many_fibers_come_back_to_their_fiber(void)
{
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    for (size_t i = 0; i < FIBERS; i++)
        EXPECT_EQ_INT(fiber_spawn(loop, ask_often, (void *)i), 0);
    loop_run(loop);
    EXPECT_EQ_INT(atomic_load(&n_done), FIBERS);
    EXPECT_EQ_INT(fiber_count(loop), 0);
    offload_stop(); /* first: its threads still use the loop just after they woke it */
    offload_stop(); /* harmless without a pool */
    loop_release(&loop);
}

static void
note_thread(void *arg)
{
    *(pthread_t *)arg = pthread_self();
}

static void
ask_here_or_there(void *arg)
{
    pthread_t *thread = arg;
    offload_or_block(note_thread, thread);
    loop_stop(loop);
}

static void
where_no_fiber_can_wait_the_work_is_done_at_once(void)
{
    pthread_t thread;
    offload_or_block(note_thread, &thread);
    EXPECT(pthread_equal(thread, pthread_self()));
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    EXPECT_EQ_INT(fiber_spawn(loop, ask_here_or_there, &thread), 0);
    loop_run(loop);
    EXPECT(!pthread_equal(thread, pthread_self()));
    offload_stop(); /* first: its threads still use the loop just after they woke it */
    loop_release(&loop);
}

static const struct test tests[] = {
    { "jobs_of_many_fibers_come_back_to_their_fiber", jobs_of_many_fibers_come_back_to_their_fiber },
    { "where_no_fiber_can_wait_the_work_is_done_at_once", where_no_fiber_can_wait_the_work_is_done_at_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
