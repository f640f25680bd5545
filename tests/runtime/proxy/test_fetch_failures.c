/* Fetches that fail at the origin: it refuses, dies at each step, or sends malformed responses. A second
 * attempt follows if the first one did not reach the origin. */
#include <errno.h>

#include "proxy/fetch_fixture.h"

/* ---- no exchange at all ---- */

static void
a_sick_backend_is_not_asked(void)
{
    begin();
    dies_at(MEMORY_OPEN, ERR_SICK);
    miss();
    EXPECT_ERROR("backend b: unhealthy");
    EXPECT_EQ_INT(COUNTED(backend_unhealthy), 1);
    end();
}

static void
a_backend_with_all_its_connections_in_use_is_not_asked(void)
{
    begin();
    dies_at(MEMORY_OPEN, ERR_BUSY);
    miss();
    EXPECT_ERROR("backend b: busy");
    EXPECT_EQ_INT(COUNTED(backend_busy), 1);
    end();
}

static void
a_backend_that_refuses_is_an_error(void)
{
    begin();
    memory_answer(
        (struct memory_answer){ .dies_at = MEMORY_OPEN, .dies_with = ERR_RESET, .number = ECONNREFUSED });
    miss();
    EXPECT_ERROR("backend b: fail errno 111 (Connection refused)");
    EXPECT_EQ_INT(COUNTED(backend_fail), 1);
    EXPECT_EQ_INT(COUNTED(backend_conn), 0);
    end();
}

static struct backend *
resolve_to_nothing(struct director *d, struct policy_ctx *ctx)
{
    return NULL;
}

static void
a_director_without_a_healthy_backend_is_an_error(void)
{
    static const struct director_ops ops = { .type = "test", .resolve = resolve_to_nothing };
    struct director d = { .ops = &ops, .name = SPAN_LIT("d") };
    begin();
    w.r.vars.backend_hint = &d;
    miss();
    EXPECT_ERROR("Director d returned no backend");
    EXPECT_EQ_INT(COUNTED(backend_unhealthy), 1);
    end();
}

static void
a_backend_declared_as_none_is_an_error(void)
{
    begin_with(true, false);
    miss();
    EXPECT_ERROR("No backend");
    end();
}

/* ---- an origin that dies ---- */

static void
an_origin_that_dies_at_the_request_head_is_an_error(void)
{
    begin();
    dies_at(MEMORY_SEND_HEAD, ERR_RESET);
    miss();
    EXPECT_ERROR("the origin died");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_TX_ERROR);
    end();
}

static void
an_origin_that_dies_before_the_response_head_is_an_error(void)
{
    begin();
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_ERROR("the origin died");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
an_origin_that_does_not_answer_in_time_is_an_error(void)
{
    begin();
    params.first_byte_timeout_s = 0.01;
    memory_answer((struct memory_answer){
        .head = OK_HEAD, .late = 1u << MEMORY_RECV_HEAD, .why = "first byte timeout" });
    miss();
    EXPECT_ERROR("first byte timeout");
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_RX_TIMEOUT);
    end();
}

static int32_t
wait_10_ms(struct policy_ctx *ctx)
{
    ctx->fetch->first_byte_timeout = 0.01;
    return ACTION_FETCH;
}

static void
a_policy_sets_how_long_the_origin_may_take(void)
{
    begin();
    params.first_byte_timeout_s = 600;
    w.on[HOOK_BACKEND_FETCH] = wait_10_ms;
    memory_answer((struct memory_answer){ .head = OK_HEAD, .late = 1u << MEMORY_RECV_HEAD });
    miss();
    EXPECT_ERROR("the origin died");
    end();
}

static void
what_is_no_response_is_logged(void)
{
    begin();
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD,
                                          .dies_with = ERR_SYNTAX,
                                          .why = "http format error",
                                          .garbage = "SSH-2.0" });
    miss();
    EXPECT_ERROR("http format error");
    EXPECT_EQ_STR(log_newest(TAG_HTTP_GARBAGE), "SSH-2.0");
    end();
}

static void
a_head_that_contradicts_itself_is_an_error(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD, .wrong = true });
    miss();
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(COUNTED(fetch_bad), 1);
    EXPECT_EQ_STR(log_newest(TAG_ERROR), "Body cannot be fetched");
    EXPECT(!memory_origin.records[0].kept);
    end();
}

static void
a_change_of_protocol_nobody_asked_for_is_an_error(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 101 Switching Protocols\nUpgrade: x\n" });
    miss();
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(COUNTED(fetch_1xx), 1);
    EXPECT_EQ_INT(COUNTED(fetch_bad), 0);
    end();
}

/* ---- a second attempt ---- */

static void
dead_at(enum memory_step step, int err)
{
    enum exchange_retry retry = step == MEMORY_SEND_HEAD ? RETRY_ALWAYS : RETRY_IDEMPOTENT;
    memory_answer(
        (struct memory_answer){ .reused = true, .dies_at = step, .dies_with = err, .retry = retry });
}

static void
a_request_that_reached_nobody_is_sent_again_on_a_new_connection(void)
{
    begin();
    dead_at(MEMORY_RECV_HEAD, ERR_EOF);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_STORED(200, "");
    EXPECT(!memory_origin.records[0].fresh);
    EXPECT(memory_origin.records[1].fresh);
    EXPECT_EQ_INT(COUNTED(backend_retry), 1);
    EXPECT_EQ_INT(COUNTED(backend_reuse), 1);
    EXPECT_EQ_INT(COUNTED(backend_conn), 1);
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_FETCH], 1);
    end();
}

static void
a_request_is_not_sent_a_third_time(void)
{
    begin();
    dead_at(MEMORY_SEND_HEAD, ERR_RESET);
    dead_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(memory_origin.n_opened, 2);
    end();
}

static void
a_post_that_reached_nobody_is_sent_again_while_its_content_is_there(void)
{
    begin();
    w.r.req.method = SPAN_LIT("POST");
    set_content(CONTENT_KNOWN, 4);
    w.body.pieces[0] = "some";
    dead_at(MEMORY_SEND_HEAD, ERR_RESET);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "some");
    end();
}

static void
a_post_whose_content_has_gone_by_is_not_sent_again(void)
{
    begin();
    w.r.req.method = SPAN_LIT("POST");
    set_content(CONTENT_KNOWN, 4);
    w.body.pieces[0] = "some";
    dead_at(MEMORY_RECV_HEAD, ERR_EOF);
    pass();
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
kept_content(const char *method, enum memory_step step)
{
    begin();
    w.r.req.method = span_str(method);
    set_content(CONTENT_KNOWN, 4);
    w.r.body.cached = SPAN_LIT("kept");
    dead_at(step, ERR_RESET);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
}

static void
a_request_with_kept_content_is_sent_again(void)
{
    kept_content("PUT", MEMORY_RECV_HEAD);
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "kept");
    end();
    kept_content("POST", MEMORY_SEND_HEAD);
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "kept");
    end();
}

static void
a_post_that_the_origin_may_have_acted_on_is_not_sent_again(void)
{
    kept_content("POST", MEMORY_RECV_HEAD);
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    EXPECT_EQ_INT(COUNTED(backend_retry), 0);
    end();
}

static const struct test tests[] = {
    TEST(a_sick_backend_is_not_asked),
    TEST(a_backend_with_all_its_connections_in_use_is_not_asked),
    TEST(a_backend_that_refuses_is_an_error),
    TEST(a_director_without_a_healthy_backend_is_an_error),
    TEST(a_backend_declared_as_none_is_an_error),
    TEST(an_origin_that_dies_at_the_request_head_is_an_error),
    TEST(an_origin_that_dies_before_the_response_head_is_an_error),
    TEST(an_origin_that_does_not_answer_in_time_is_an_error),
    TEST(a_policy_sets_how_long_the_origin_may_take),
    TEST(what_is_no_response_is_logged),
    TEST(a_head_that_contradicts_itself_is_an_error),
    TEST(a_change_of_protocol_nobody_asked_for_is_an_error),
    TEST(a_request_that_reached_nobody_is_sent_again_on_a_new_connection),
    TEST(a_request_is_not_sent_a_third_time),
    TEST(a_post_that_reached_nobody_is_sent_again_while_its_content_is_there),
    TEST(a_post_whose_content_has_gone_by_is_not_sent_again),
    TEST(a_request_with_kept_content_is_sent_again),
    TEST(a_post_that_the_origin_may_have_acted_on_is_not_sent_again),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
