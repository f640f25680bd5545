/* Content of a request on its way to the origin: streamed, stored, refused, cut, and sent again. */
#include "proxy/fetch_fixture.h"

static void
client_sends(enum content_kind kind, uint64_t bytes, const char *first, const char *second)
{
    w.r.req.method = SPAN_LIT("POST");
    set_content(kind, bytes);
    w.body.pieces[0] = first;
    w.body.pieces[1] = second;
}

static void
content_of_the_client_goes_to_the_origin(void)
{
    begin();
    client_sends(CONTENT_KNOWN, 8, "some", "more");
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "somemore");
    EXPECT(memory_origin.records[0].body_ended);
    end();
}

static void
content_of_unknown_length_is_looked_at_before_a_connection_is_taken(void)
{
    begin();
    client_sends(CONTENT_UNKNOWN, 0, "some", "more");
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "somemore");
    end();
}

static void
malformed_content_reaches_no_origin(void)
{
    begin();
    client_sends(CONTENT_UNKNOWN, 0, NULL, NULL);
    w.body.after = ERR_SYNTAX;
    pass();
    EXPECT_EQ_INT(memory_origin.n_opened, 0);
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "req.body read error: 0 (Success)");
    end();
}

static void
a_client_that_breaks_off_its_content_ends_the_exchange(void)
{
    begin();
    client_sends(CONTENT_KNOWN, 8, "some", NULL);
    w.body.after = ERR_TIMEOUT;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_RX_BODY);
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "req.body read error: 11 (Resource temporarily unavailable)");
    end();
}

static int32_t
unset_body(struct policy_ctx *ctx)
{
    ctx->fetch->body_unset = true;
    return ACTION_FETCH;
}

static void
content_that_the_policy_unsets_is_not_sent(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = unset_body;
    client_sends(CONTENT_KNOWN, 4, "some", NULL);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_INT(memory_origin.records[0].body_bytes, 0);
    EXPECT_EQ_INT(w.body.at, 0);
    end();
}

static void
kept_content_is_sent_again_with_a_retry(void)
{
    begin();
    client_sends(CONTENT_KNOWN, 4, NULL, NULL);
    w.r.body.cached = SPAN_LIT("kept");
    w.on[HOOK_BACKEND_ERROR] = say_retry;
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    pass();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "kept");
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "kept");
    end();
}

static void
content_that_has_gone_by_forbids_a_retry(void)
{
    begin();
    client_sends(CONTENT_KNOWN, 4, "gone", NULL);
    w.on[HOOK_BACKEND_ERROR] = say_retry;
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    pass();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "The request body is gone: no retry");
    end();
}

static void
an_origin_that_answers_before_it_has_read_all_is_heard(void)
{
    begin();
    client_sends(CONTENT_KNOWN, 8, "some", "more");
    memory_answer((struct memory_answer){
        .head = "HTTP/1.1 413 Too Large\n", .dies_at = MEMORY_SEND_BODY, .dies_with = ERR_RESET });
    pass();
    EXPECT_STORED(413, "");
    EXPECT_EQ_INT(w.body.at, 1);
    end();
}

/* A refresh that sends the client's content blocks the client only until the content is sent. */
static void
a_background_fetch_with_content_gives_the_request_back(void)
{
    begin();
    struct lookup l;
    client_sends(CONTENT_KNOWN, 4, "some", NULL);
    EXPECT_EQ_INT(look_up(&l), LOOKUP_MISS);
    w.busy = l.busy;
    memory_answer((struct memory_answer){
        .head = OK_HEAD, .body = { "ab" }, .late = 1u << MEMORY_RECV_HEAD | 1u << MEMORY_RECV_BODY });
    start(FETCH_BACKGROUND);
    wait_at(MEMORY_RECV_HEAD);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_BUSY);
    w.on[HOOK_BACKEND_RESPONSE] = store_whole;
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_REQ_DONE);
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    finish();
    EXPECT_STORED(200, "ab");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "some");
    end();
}

static const struct test tests[] = {
    TEST(content_of_the_client_goes_to_the_origin),
    TEST(content_of_unknown_length_is_looked_at_before_a_connection_is_taken),
    TEST(malformed_content_reaches_no_origin),
    TEST(a_client_that_breaks_off_its_content_ends_the_exchange),
    TEST(content_that_the_policy_unsets_is_not_sent),
    TEST(kept_content_is_sent_again_with_a_retry),
    TEST(content_that_has_gone_by_forbids_a_retry),
    TEST(an_origin_that_answers_before_it_has_read_all_is_heard),
    TEST(a_background_fetch_with_content_gives_the_request_back),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
