/* The queue of requests that wait for one of max_connections. */
#include "pool_fixture.h"

#define MANY 40

static void
begin_with_one(uint32_t limit, double timeout_s)
{
    begin();
    declared.max_connections = 1;
    declared.wait_limit = limit;
    declared.wait_timeout_s = timeout_s;
}

/* Starts a request, and does not wait for the response. */
static void
ask(struct step *s, struct loop *l, struct backend *b)
{
    *s = (struct step){ .backend = b };
    on_loop(l, step_spawn, s);
}

static void
turn_until(struct loop *l, const bool *done)
{
    while (!*done)
        loop_run_once(l, NSEC_PER_SEC);
}

static void
waits_end_in_the_order_they_began(void)
{
    begin_with_one(2, 60);
    struct backend *b = make();
    uint64_t waited = counters_here()->backend_wait;
    struct step one = get(b), two, three;
    ask(&two, loop, b);
    ask(&three, loop, b);
    EXPECT(!two.done && !three.done);
    on_loop(loop, keep_it, &one.got);
    turn_until(loop, &two.done);
    EXPECT_EQ_INT(two.err, 0);
    EXPECT(two.got->reused); /* it gets the returned connection */
    EXPECT(!three.done);
    on_loop(loop, drop_it, &two.got);
    turn_until(loop, &three.done);
    EXPECT_EQ_INT(three.err, 0);
    on_loop(loop, drop_it, &three.got);
    EXPECT_EQ_INT(counters_here()->backend_wait - waited, 2);
    EXPECT_EQ_INT(backend_counted(b, VBE_BUSY), 0);
    backend_release(&b);
    end();
}

static void
a_wait_ends_at_its_deadline(void)
{
    begin_with_one(1, 0.02);
    struct backend *b = make();
    uint64_t failed = counters_here()->backend_wait_fail;
    struct step one = get(b);
    EXPECT_EQ_INT(get(b).err, ERR_BUSY);
    EXPECT_EQ_INT(counters_here()->backend_wait_fail - failed, 1);
    EXPECT_EQ_INT(backend_counted(b, VBE_BUSY), 1);
    on_loop(loop, drop_it, &one.got);
    struct step two = get(b); /* the queue is empty, so the place stays free */
    EXPECT_EQ_INT(two.err, 0);
    on_loop(loop, drop_it, &two.got);
    backend_release(&b);
    end();
}

static void
a_full_queue_takes_nobody(void)
{
    begin_with_one(1, 60);
    struct backend *b = make();
    struct step one = get(b), two;
    ask(&two, loop, b);
    EXPECT_EQ_INT(get(b).err, ERR_BUSY);
    on_loop(loop, drop_it, &one.got);
    turn_until(loop, &two.done);
    on_loop(loop, drop_it, &two.got);
    backend_release(&b);
    end();
}

static void
parameters_count_where_the_backend_says_nothing(void)
{
    begin_with_one(0, -1);
    struct backend *b = make();
    struct step one = get(b), two;
    EXPECT_EQ_INT(get(b).err, ERR_BUSY);
    params.backend_wait_limit = 1;
    EXPECT_EQ_INT(get(b).err, ERR_BUSY);
    params.backend_wait_timeout_s = 60;
    ask(&two, loop, b);
    EXPECT(!two.done);
    on_loop(loop, drop_it, &one.got);
    turn_until(loop, &two.done);
    EXPECT_EQ_INT(two.err, 0);
    on_loop(loop, drop_it, &two.got);
    params.backend_wait_limit = 0;
    params.backend_wait_timeout_s = 0;
    backend_release(&b);
    end();
}

static void
whoever_waits_leaves_when_the_backend_becomes_sick(void)
{
    begin_with_one(2, 60);
    struct backend *b = make();
    struct step one = get(b), two, three;
    ask(&two, loop, b);
    ask(&three, loop, b);
    backend_set_admin(b, BACKEND_SICK);
    turn_until(loop, &two.done);
    turn_until(loop, &three.done);
    EXPECT_EQ_INT(two.err, ERR_SICK);
    EXPECT_EQ_INT(three.err, ERR_SICK);
    EXPECT_EQ_INT(backend_counted(b, VBE_UNHEALTHY), 2);
    on_loop(loop, drop_it, &one.got);
    backend_release(&b);
    end();
}

static void
a_connection_that_failed_passes_its_place_on(void)
{
    begin_with_one(1, 60);
    struct backend *b = make();
    struct step one = get(b), two, three;
    ask(&two, loop, b);
    origin_stop(&origin); /* from here on the origin refuses connections */
    on_loop(loop, drop_it, &one.got);
    turn_until(loop, &two.done);
    EXPECT_EQ_INT(two.err, ERR_RESET);
    ask(&three, loop, b);
    turn_until(loop, &three.done);
    EXPECT_EQ_INT(three.err, ERR_RESET);
    backend_release(&b);
    origin_start(&origin, 200);
    end();
}

/* ---- two loops ---- */

static atomic_uint in_use, most, served, live_loops;
static struct backend *shared;

static void
one_of_many(void *arg)
{
    struct loop *l = arg;
    struct backend_conn *bc = NULL;
    if (backend_get_for(shared, l, 5, false, NULL, &bc) == 0) {
        unsigned n = atomic_fetch_add(&in_use, 1) + 1;
        if (n > atomic_load(&most))
            atomic_store(&most, n);
        fiber_yield();
        atomic_fetch_sub(&in_use, 1);
        backend_put(&bc, true);
        atomic_fetch_add(&served, 1);
    }
    if (fiber_count(l) == 1) /* only this fiber is left */
        loop_stop(l);
}

static void
spawn_many(struct post *post)
{
    for (unsigned i = 0; i < MANY; i++)
        EXPECT_EQ_INT(fiber_spawn(loop_current(), one_of_many, loop_current()), 0);
}

static void *
run(void *arg)
{
    struct post start = { .fn = spawn_many };
    atomic_fetch_add(&live_loops, 1);
    while (atomic_load(&live_loops) < 2)
        sched_yield();
    loop_post(arg, &start);
    loop_run(arg);
    mem_thread_release();
    return NULL;
}

static void
loops_share_the_limit_and_the_queue(void)
{
    begin_with_one(2 * MANY, 60);
    struct loop *other = NULL;
    pthread_t thread;
    EXPECT_EQ_INT(loop_new(1, &other), 0);
    shared = make();
    EXPECT(pthread_create(&thread, NULL, run, other) == 0);
    run(loop);
    pthread_join(thread, NULL);
    EXPECT_EQ_INT(served, 2 * MANY);
    EXPECT_EQ_INT(most, 1);
    EXPECT_EQ_INT(backend_counted(shared, VBE_CONN), 0);
    backend_release(&shared);
    on_loop(other, leave_loop, other);
    loop_release(&other);
    end();
}

static const struct test tests[] = {
    { "waits_end_in_the_order_they_began", waits_end_in_the_order_they_began },
    { "a_wait_ends_at_its_deadline", a_wait_ends_at_its_deadline },
    { "a_full_queue_takes_nobody", a_full_queue_takes_nobody },
    { "parameters_count_where_the_backend_says_nothing", parameters_count_where_the_backend_says_nothing },
    { "whoever_waits_leaves_when_the_backend_becomes_sick",
      whoever_waits_leaves_when_the_backend_becomes_sick },
    { "a_connection_that_failed_passes_its_place_on", a_connection_that_failed_passes_its_place_on },
    { "loops_share_the_limit_and_the_queue", loops_share_the_limit_and_the_queue },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
