/* Health: the window of polls as a plain record, and pollers against an origin in a thread. */
#include "base/check.h"
#include "base/mem.h"
#include "http/names.h"
#include "loop/fiber.h"
#include "origin/backend.h"
#include "origin/probe.h"
#include "support/on_loop.h"
#include "support/origin.h"

/* ---- the record ---- */

static struct health *
health_of(unsigned window, unsigned threshold, unsigned initial)
{
    struct image_probe probe = { .window = window, .threshold = threshold, .initial = initial };
    return health_new(&probe, 100);
}

static bool
healthy(struct health *h)
{
    return atomic_load(&h->healthy);
}

static void
initial_polls_count_as_good(void)
{
    struct health *h = health_of(8, 3, 2);
    EXPECT(!healthy(h));
    health_release(&h);
    h = health_of(8, 3, 3);
    EXPECT(healthy(h));
    health_release(&h);
    h = health_of(8, 3, 60); /* capped at the threshold, so that one bad poll counts soon */
    EXPECT(healthy(h));
    health_note(h, false, 0, 101);
    for (int i = 0; i < 5; i++)
        health_note(h, false, 0, 102);
    EXPECT(!healthy(h));
    health_release(&h);
}

static void
health_changes_at_the_threshold_within_the_window(void)
{
    struct health *h = health_of(4, 3, 2);
    struct probe_view v;
    health_note(h, true, 0.2, 101);
    EXPECT(healthy(h)); /* 111 */
    health_note(h, false, 0, 102);
    EXPECT(healthy(h)); /* 1110 */
    health_note(h, true, 0.4, 103);
    EXPECT(healthy(h)); /* 1101 */
    health_view(h, &v);
    EXPECT_EQ_INT(v.good, 3);
    EXPECT_EQ_INT(v.happy_bits & 15, 13);
    EXPECT(v.last_changed_s == 101);
    EXPECT(v.average_s > 0.299 && v.average_s < 0.301);
    health_note(h, false, 0, 104);
    EXPECT(!healthy(h)); /* 1010 */
    health_view(h, &v);
    EXPECT(v.last_changed_s == 104);
    EXPECT(v.probed);
    health_release(&h);
    EXPECT(h == NULL);
}

static void
a_window_of_64_counts_all_bits(void)
{
    struct health *h = health_of(64, 64, 64);
    EXPECT(healthy(h));
    health_note(h, false, 0, 1);
    EXPECT(!healthy(h));
    for (int i = 0; i < 63; i++)
        health_note(h, true, 0, 2);
    EXPECT(!healthy(h));
    health_note(h, true, 0, 3);
    EXPECT(healthy(h));
    health_release(&h);
}

/* ---- pollers ---- */

static struct origin origin;
static struct loop *loop;
static struct backend *backend;
static struct image_backend declared;
static struct image_probe probe;

static void
make(void)
{
    char why[128] = "";
    if (!EXPECT_EQ_INT(backend_new(SPAN_LIT("p"), &declared, NULL, &probe, &backend, why, sizeof why), 0))
        fprintf(stderr, "backend: %s\n", why);
}

static void
begin(int status, struct span request)
{
    origin_start(&origin, status);
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    probe = (struct image_probe){
        .name = SPAN_LIT("pr"),
        .url = SPAN_LIT("/health"),
        .request = request,
        .expected_response = 200,
        .window = 4,
        .threshold = 2,
        .initial = 1,
        .timeout_s = 2,
        .interval_s = 0.005,
    };
    declared = (struct image_backend){
        .name = SPAN_LIT("b"),
        .host = SPAN_LIT("127.0.0.1"),
        .port = span_str(origin.port_text),
        .probe = 0,
        .connect_timeout_s = -1,
        .first_byte_timeout_s = -1,
        .between_bytes_timeout_s = -1,
    };
    make();
}

static void
run_until(bool (*done)(void))
{
    while (!done())
        loop_run_once(loop, NSEC_PER_SEC);
}

static unsigned live;

static void
count_fibers(void *l)
{
    live = fiber_count(l);
}

static bool
no_fiber_left(void)
{
    on_loop(loop, count_fibers, loop);
    return live == 0;
}

static void
leave_loop(void *l)
{
    backend_loop_release(l);
}

static void
end(void)
{
    backend_release(&backend); /* stops the pollers, which free their memory when they end */
    origin_hang_up(&origin);   /* otherwise each poller would wait for its timeout */
    run_until(no_fiber_left);
    on_loop(loop, leave_loop, loop);
    loop_release(&loop);
    origin_stop(&origin);
}

static bool
is_healthy(void)
{
    return director_healthy(backend_director(backend), NULL);
}

static uint64_t
shown_health(void)
{
    backends_show_health();
    return backend_counted(backend, VBE_HEALTHY);
}

static bool
is_sick(void)
{
    return !is_healthy();
}

static void
health_follows_the_origin(void)
{
    begin(200, SPAN_NULL);
    EXPECT(is_sick()); /* initial is below the threshold */
    backend_start_probe(backend, loop);
    run_until(is_healthy);
    EXPECT_EQ_INT(shown_health(), 1);
    atomic_store(&origin.status, 503);
    run_until(is_sick);
    EXPECT_EQ_INT(shown_health(), 0);
    atomic_store(&origin.status, 200);
    run_until(is_healthy);
    EXPECT(origin_saw(&origin, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n"));
    struct probe_view view;
    backend_probe_view(backend, &view);
    EXPECT(view.probed && view.healthy && view.good >= 2 && view.average_s > 0);
    end();
}

static void
administrative_health_goes_first(void)
{
    begin(200, SPAN_NULL);
    backend_set_admin(backend, BACKEND_HEALTHY);
    EXPECT(is_healthy());
    EXPECT_EQ_INT(shown_health(), 1);
    backend_set_admin(backend, BACKEND_AUTO);
    EXPECT(is_sick());
    EXPECT_EQ_INT(shown_health(), 0);
    end();
}

static void
a_probe_may_bring_its_own_request(void)
{
    begin(200, SPAN_LIT("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"));
    backend_start_probe(backend, loop);
    run_until(is_healthy);
    EXPECT(origin_saw(&origin, "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n"));
    end();
}

static bool
one_head_came(void)
{
    return origin_count(&origin, &origin.heads) > 0;
}

static void
a_backend_may_go_while_its_poll_is_under_way(void)
{
    begin(0, SPAN_NULL); /* the origin does not answer */
    backend_start_probe(backend, loop);
    while (!one_head_came())
        loop_run_once(loop, NSEC_PER_MSEC);
    end();
}

static void
silence_is_a_bad_poll(void)
{
    begin(0, SPAN_NULL);
    backend_release(&backend);
    probe.timeout_s = 0.01;
    probe.initial = 2;
    make();
    EXPECT(is_healthy());
    backend_start_probe(backend, loop);
    run_until(is_sick);
    end();
}

static const struct test tests[] = {
    { "initial_polls_count_as_good", initial_polls_count_as_good },
    { "health_changes_at_the_threshold_within_the_window",
      health_changes_at_the_threshold_within_the_window },
    { "a_window_of_64_counts_all_bits", a_window_of_64_counts_all_bits },
    { "health_follows_the_origin", health_follows_the_origin },
    { "administrative_health_goes_first", administrative_health_goes_first },
    { "a_probe_may_bring_its_own_request", a_probe_may_bring_its_own_request },
    { "a_backend_may_go_while_its_poll_is_under_way", a_backend_may_go_while_its_poll_is_under_way },
    { "silence_is_a_bad_poll", silence_is_a_bad_poll },
};

int
main(int argc, char **argv)
{
    names_init();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
