/* A fetch from a request to the stored object, step by step, without a socket: hooks, the request to the
 * origin, the stored response. Other tests of fetch*.c are in test_fetch_*.c beside this file. */
#include "http/fields.h"
#include "proxy/fetch_fixture.h"

/* ---- a miss ---- */

static void
a_miss_stores_the_response(void)
{
    begin();
    memory_answer(
        (struct memory_answer){ .head = OK_HEAD "Content-Length: 5\nX-A: 1\n", .body = { "hello" } });
    miss();
    EXPECT_STORED(200, "hello");
    EXPECT_EQ_STR(object_head_get(w.busy, name_lookup(SPAN_LIT("X-A")), SPAN_LIT("X-A")), "1");
    EXPECT_EQ_INT(object_content_length(w.busy), 5);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    EXPECT(memory_origin.records[0].kept);
    EXPECT_EQ_INT(COUNTED(s_fetch), 1);
    EXPECT_EQ_INT(COUNTED(backend_conn), 1);
    EXPECT_EQ_INT(COUNTED(backend_recycle), 1);
    EXPECT_EQ_INT(COUNTED(fetch_length), 1);
    end();
}

static void
the_origin_is_sent_a_get_without_fields_of_one_hop(void)
{
    begin();
    w.r.req.method = SPAN_LIT("HEAD");
    set_field("Range", "bytes=0-1");
    set_field("Upgrade", "x");
    set_field("X-Own", "1");
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_STR(span_str(memory_origin.records[0].head),
                  "GET /a\nHost: example.com\nX-Own: 1\nAccept-Encoding: gzip\nX-Varnish: 1\n");
    end();
}

static void
a_backend_without_host_gets_the_host_it_was_declared_with(void)
{
    begin();
    message_unset(&w.r.req, NAME_HOST, SPAN_NULL);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_STR(span_str(memory_origin.records[0].head),
                  "GET /a\nAccept-Encoding: gzip\nX-Varnish: 1\nHost: 127.0.0.1\n");
    end();
}

static void
a_stored_response_has_a_date(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(object_head_get(w.busy, NAME_DATE, SPAN_NULL).len, HTTP_DATE_BYTES);
    end();
}

static void
interim_responses_are_passed_over(void)
{
    begin();
    memory_answer((struct memory_answer){
        .interim = { "HTTP/1.1 100 Continue\n", "HTTP/1.1 103 Early Hints\nLink: a\n" }, .head = OK_HEAD });
    miss();
    EXPECT_STORED(200, "");
    EXPECT_EQ_INT(object_head_get(w.busy, name_lookup(SPAN_LIT("Link")), SPAN_LIT("Link")).len, 0);
    EXPECT_EQ_INT(COUNTED(fetch_1xx), 2);
    EXPECT_EQ_INT(COUNTED(fetch_none), 1);
    end();
}

static void
a_second_request_waits_for_nobody_once_the_head_is_published(void)
{
    begin();
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 4\n", .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    start_miss();
    wait_at(MEMORY_RECV_BODY);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_STREAMING);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    memory_go();
    turn(3);
    EXPECT_EQ_STR(body_of(w.busy), "ab");
    memory_go();
    finish();
    EXPECT_STORED(200, "abcd");
    end();
}

static void
without_streaming_nothing_is_published_before_all_is_there(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = store_whole;
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 4\n", .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    start_miss();
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_BUSY);
    memory_go();
    finish();
    EXPECT_STORED(200, "abcd");
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

/* ---- vcl_backend_fetch ---- */

static void
backend_fetch_may_abandon(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = say_abandon;
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(memory_origin.n_opened, 0);
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static void
backend_fetch_may_answer_with_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = say_error;
    miss();
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_COMPLETE);
    EXPECT_EQ_INT(w.busy->status, 404);
    EXPECT_EQ_INT(COUNTED(fetch_failed), 0); /* the policy chose this */
    end();
}

static void
backend_fetch_that_fails_ends_the_fetch(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = say_fail;
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 0);
    end();
}

/* ---- vcl_backend_response ---- */

static int32_t
say_pass_for_a_minute(struct policy_ctx *ctx)
{
    ctx->ret.seconds = 60;
    return ACTION_PASS;
}

static void
backend_response_may_mark_the_key_as_hit_for_pass(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = say_pass_for_a_minute;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT(w.busy->flags & OBJECT_HIT_FOR_PASS);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT_FOR_PASS);
    EXPECT_EQ_INT(COUNTED(beresp_uncacheable), 1);
    end();
}

static int32_t
uncacheable_for_a_minute(struct policy_ctx *ctx)
{
    ctx->fetch->uncacheable = true;
    ctx->fetch->ttl = 60;
    return ACTION_DELIVER;
}

static void
an_uncacheable_response_marks_the_key_as_hit_for_miss(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = uncacheable_for_a_minute;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT(w.busy->flags & OBJECT_HIT_FOR_MISS);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT_FOR_MISS);
    end();
}

static int32_t
uncacheable_now(struct policy_ctx *ctx)
{
    ctx->fetch->uncacheable = true;
    ctx->fetch->ttl = ctx->fetch->grace = ctx->fetch->keep = 0;
    return ACTION_DELIVER;
}

static void
an_uncacheable_response_without_lifetime_leaves_nothing_behind(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = uncacheable_now;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT(w.busy->flags & OBJECT_PRIVATE);
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static int32_t
abandon(struct policy_ctx *ctx)
{
    EXPECT_EQ_INT(ctx->msg[MSG_BERESP]->status, 200);
    return ACTION_ABANDON;
}

static void
backend_response_may_abandon(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = abandon;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT_FAILED();
    EXPECT(!memory_origin.records[0].kept); /* its content has not arrived yet */
    end();
}

static void
backend_response_may_answer_with_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = say_error;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.busy->status, 404);
    EXPECT_EQ_INT(COUNTED(fetch_failed), 0);
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 1);
    end();
}

static void
backend_response_that_fails_ends_the_fetch(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = say_fail;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_FAILED();
    end();
}

static int32_t
roll_back(struct policy_ctx *ctx)
{
    ctx->fetch->rolled_back = true;
    return ACTION_DELIVER;
}

static void
a_response_that_the_policy_rolled_back_is_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = roll_back;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.busy->status, 503);
    end();
}

static int32_t
overflow(struct policy_ctx *ctx)
{
    ctx->msg[MSG_BERESP]->failed = true;
    return ACTION_DELIVER;
}

static void
a_head_that_did_not_fit_is_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = overflow;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_STR(object_head_get(w.busy, NAME_SERVER, SPAN_NULL), "Varnish");
    end();
}

static int32_t
close_after(struct policy_ctx *ctx)
{
    struct http_message *m = ctx->msg[ctx->hook == HOOK_BACKEND_FETCH ? MSG_BEREQ : MSG_BERESP];
    CHECK(message_set(m, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close")) == 0);
    return ctx->hook == HOOK_BACKEND_FETCH ? ACTION_FETCH : ACTION_DELIVER;
}

static void
a_policy_that_says_close_in_the_request_is_obeyed(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = close_after;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT(memory_origin.records[0].ended && !memory_origin.records[0].kept);
    EXPECT_EQ_INT(COUNTED(backend_recycle), 0);
    end();
}

static void
a_policy_that_says_close_in_the_response_is_obeyed(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = close_after;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT(memory_origin.records[0].ended && !memory_origin.records[0].kept);
    end();
}

static int32_t
remember_original(struct policy_ctx *ctx)
{
    const struct http_message *m = ctx->fetch->bereq_original;
    EXPECT(m != NULL && m != ctx->msg[MSG_BEREQ]);
    EXPECT_EQ_STR(message_get(m, NAME_HOST), "example.com");
    return ACTION_FETCH;
}

static void
a_policy_that_rolls_back_finds_the_request_as_it_was_made(void)
{
    begin_with(false, true);
    w.on[HOOK_BACKEND_FETCH] = remember_original;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_FETCH], 1);
    end();
}

/* ---- retry ---- */

static int32_t
retry_once(struct policy_ctx *ctx)
{
    return ctx->fetch->retries == 0 ? ACTION_RETRY : ACTION_DELIVER;
}

static void
a_retry_asks_again_under_a_new_number(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = retry_once;
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 500 No\n" });
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT_STORED(200, "ab");
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_FETCH], 2);
    EXPECT(memory_origin.records[0].kept); /* there was no content to discard */
    EXPECT_EQ_STR(span_str(memory_origin.records[1].head),
                  "GET /a\nHost: example.com\nAccept-Encoding: gzip\nX-Varnish: 2\n");
    end();
}

static void
a_retry_closes_a_connection_whose_content_was_not_received(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = retry_once;
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 500 No\nContent-Length: 2\n", .body = { "ab" } });
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_STORED(200, "");
    EXPECT(!memory_origin.records[0].kept);
    EXPECT(memory_origin.records[1].kept);
    end();
}

static int32_t
spoil_then_retry(struct policy_ctx *ctx)
{
    if (ctx->fetch->retries > 0)
        return ACTION_DELIVER;
    ctx->fetch->uncacheable = true;
    ctx->fetch->do_stream = false;
    ctx->fetch->filters = SPAN_LIT("nonsense");
    return ACTION_RETRY;
}

static void
a_retry_forgets_what_the_policy_said_of_the_last_response(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = spoil_then_retry;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_STORED(200, "");
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

static void
too_many_retries_are_an_error(void)
{
    begin();
    params.max_retries = 2;
    w.on[HOOK_BACKEND_RESPONSE] = say_retry;
    for (int i = 0; i < 3; i++)
        memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_INT(memory_origin.n_opened, 3);
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "Too many retries, delivering 503");
    end();
}

static void
backend_error_may_retry(void)
{
    begin();
    w.on[HOOK_BACKEND_ERROR] = say_retry;
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_STORED(200, "");
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

static void
too_many_retries_of_errors_end_the_fetch(void)
{
    begin();
    params.max_retries = 1;
    w.on[HOOK_BACKEND_ERROR] = say_retry;
    for (int i = 0; i < 2; i++)
        memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "Too many retries, failing");
    end();
}

/* ---- pass ---- */

static void
equal_lengths_are_passed_on_as_one(void)
{
    begin();
    w.r.req.method = SPAN_LIT("HEAD");
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 5, 5\n" });
    pass();
    EXPECT_EQ_STR(object_head_get(w.busy, NAME_CONTENT_LENGTH, SPAN_NULL), "5");
    end();
}

static void
a_pass_is_stored_for_its_client_alone(void)
{
    begin();
    w.r.req.method = SPAN_LIT("DELETE");
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ok" } });
    pass();
    EXPECT_STORED(200, "ok");
    EXPECT(strncmp(memory_origin.records[0].head, "DELETE /a\n", 10) == 0);
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static void
a_head_that_is_passed_has_no_content(void)
{
    begin();
    w.r.req.method = SPAN_LIT("HEAD");
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 100\n" });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(object_head_get(w.busy, NAME_CONTENT_LENGTH, SPAN_NULL), "100");
    EXPECT_EQ_INT(COUNTED(fetch_head), 1);
    end();
}

static const struct test tests[] = {
    TEST(a_miss_stores_the_response),
    TEST(the_origin_is_sent_a_get_without_fields_of_one_hop),
    TEST(a_backend_without_host_gets_the_host_it_was_declared_with),
    TEST(a_stored_response_has_a_date),
    TEST(interim_responses_are_passed_over),
    TEST(a_second_request_waits_for_nobody_once_the_head_is_published),
    TEST(without_streaming_nothing_is_published_before_all_is_there),
    TEST(backend_fetch_may_abandon),
    TEST(backend_fetch_may_answer_with_an_error),
    TEST(backend_fetch_that_fails_ends_the_fetch),
    TEST(backend_response_may_mark_the_key_as_hit_for_pass),
    TEST(an_uncacheable_response_marks_the_key_as_hit_for_miss),
    TEST(an_uncacheable_response_without_lifetime_leaves_nothing_behind),
    TEST(backend_response_may_abandon),
    TEST(backend_response_may_answer_with_an_error),
    TEST(backend_response_that_fails_ends_the_fetch),
    TEST(a_response_that_the_policy_rolled_back_is_an_error),
    TEST(a_head_that_did_not_fit_is_an_error),
    TEST(a_policy_that_says_close_in_the_request_is_obeyed),
    TEST(a_policy_that_says_close_in_the_response_is_obeyed),
    TEST(a_policy_that_rolls_back_finds_the_request_as_it_was_made),
    TEST(a_retry_asks_again_under_a_new_number),
    TEST(a_retry_closes_a_connection_whose_content_was_not_received),
    TEST(a_retry_forgets_what_the_policy_said_of_the_last_response),
    TEST(too_many_retries_are_an_error),
    TEST(backend_error_may_retry),
    TEST(too_many_retries_of_errors_end_the_fetch),
    TEST(equal_lengths_are_passed_on_as_one),
    TEST(a_pass_is_stored_for_its_client_alone),
    TEST(a_head_that_is_passed_has_no_content),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
