/* Ejection of failing endpoints. */
#include "pool_fixture.h"

static char why[EJECTED_WHY_BYTES];

static struct endpoint *
an_endpoint(void)
{
    struct endpoint_key key = { .path = "/nowhere" };
    params.backend_eject_failures = params.backend_eject_rate = 0;
    params.backend_eject_requests = 4;
    params.backend_eject_window_s = 10;
    params.backend_eject_time_s = 30;
    return endpoint_acquire(&key);
}

static nsec
at(double s)
{
    return nsec_of(1000 + s);
}

/* Each "+" is a success, each "-" a failure, all at the same time. Returns whether the last one ejects the
 * endpoint. */
static bool
note_all(struct endpoint *ep, const char *outcomes, double s)
{
    bool ejected = false;
    for (; *outcomes != '\0'; outcomes++) {
        EXPECT(!ejected);
        ejected = endpoint_note(ep, *outcomes == '+', at(s), why);
    }
    return ejected;
}

static void
failures_in_a_row_eject(void)
{
    struct endpoint *ep = an_endpoint();
    EXPECT(!ejection_is_on());
    EXPECT(!note_all(ep, "----------", 0));
    params.backend_eject_failures = 3;
    EXPECT(ejection_is_on());
    EXPECT(!note_all(ep, "+--+--+", 0));
    EXPECT(note_all(ep, "---", 1));
    EXPECT_EQ_STR(span_str(why), "3 failures in a row");
    EXPECT(endpoint_ejected_until(ep) == at(31));
    EXPECT(!note_all(ep, "-----", 2)); /* results of requests that had begun before */
    EXPECT(endpoint_ejected_until(ep) == at(31));
    EXPECT(!note_all(ep, "--", 31));
    EXPECT(note_all(ep, "-", 32));
    EXPECT(endpoint_ejected_until(ep) == at(62));
    endpoint_release(&ep);
}

static void
a_share_of_failures_ejects(void)
{
    struct endpoint *ep = an_endpoint();
    params.backend_eject_rate = 50;
    EXPECT(!note_all(ep, "---", 0)); /* too few for a decision */
    EXPECT(note_all(ep, "-", 0));
    EXPECT_EQ_STR(span_str(why), "4 of 4 requests failed");
    EXPECT(!note_all(ep, "+++-+-+-", 40));
    EXPECT(note_all(ep, "--", 41)); /* the tenth request is the fifth failure */
    EXPECT_EQ_STR(span_str(why), "5 of 10 requests failed");
    EXPECT(!note_all(ep, "---", 80));
    EXPECT(!note_all(ep, "-++", 91)); /* another window */
    endpoint_release(&ep);
}

static uint64_t
shown_health(struct backend *b)
{
    backends_show_health();
    return backend_counted(b, VBE_HEALTHY);
}

static void
an_ejected_backend_is_sick_until_its_time_is_over(void)
{
    begin();
    struct backend *b = make();
    params.backend_eject_failures = 2;
    params.backend_eject_time_s = 0.05;
    struct step one = get(b), two = get(b);
    backend_note(one.got, "first");
    EXPECT(!backend_is_ejected(b) && director_healthy(backend_director(b), NULL));
    EXPECT_EQ_INT(shown_health(b), 1);
    backend_note(two.got, "second");
    EXPECT(backend_is_ejected(b) && !director_healthy(backend_director(b), NULL));
    EXPECT_EQ_INT(backend_counted(b, VBE_EJECTED), 1);
    EXPECT_EQ_INT(shown_health(b), 0);
    EXPECT_EQ_INT(get(b).err, ERR_SICK);
    backend_set_admin(b, BACKEND_HEALTHY); /* the operator's setting wins */
    EXPECT(director_healthy(backend_director(b), NULL));
    backend_set_admin(b, BACKEND_AUTO);
    while (backend_is_ejected(b))
        loop_run_once(loop, NSEC_PER_MSEC);
    EXPECT_EQ_INT(shown_health(b), 1);
    struct step three = get(b);
    EXPECT_EQ_INT(three.err, 0);
    params.backend_eject_failures = 0;
    on_loop(loop, drop_it, &one.got);
    on_loop(loop, drop_it, &two.got);
    on_loop(loop, drop_it, &three.got);
    backend_release(&b);
    end();
}

static void
refused_connections_eject_but_our_own_failures_do_not(void)
{
    begin();
    params.backend_eject_failures = 2;
    params.backend_eject_time_s = 30;
    params.backend_remote_error_holddown_s = 0;
    struct backend *b = make();
    origin_stop(&origin);
    EXPECT_EQ_INT(get(b).err, ERR_RESET);
    EXPECT_EQ_INT(get(b).err, ERR_RESET);
    EXPECT_EQ_INT(get(b).err, ERR_SICK);
    EXPECT_EQ_INT(backend_counted(b, VBE_FAIL), 2);
    params.backend_eject_failures = 0;
    backend_release(&b);
    origin_start(&origin, 200);
    end();
}

static const struct test tests[] = {
    { "failures_in_a_row_eject", failures_in_a_row_eject },
    { "a_share_of_failures_ejects", a_share_of_failures_ejects },
    { "an_ejected_backend_is_sick_until_its_time_is_over",
      an_ejected_backend_is_sick_until_its_time_is_over },
    { "refused_connections_eject_but_our_own_failures_do_not",
      refused_connections_eject_but_our_own_failures_do_not },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
