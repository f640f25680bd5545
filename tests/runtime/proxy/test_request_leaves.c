/* Clients that leave, stop reading, or send malformed bytes, at each step of a request; and refused requests.
 * Everything must be freed at the end (request_fixture.h), and no hook runs for a client that has left. */
#include "proxy/request_fixture.h"

/* ---- before and between hooks ---- */

static struct memory_stream *leaving;

static void
leave_in_hook(struct policy_ctx *ctx)
{
    if (leaving != NULL)
        memory_leave(leaving);
    leaving = NULL;
}

/* The client leaves while the hook runs: no other hook runs, and nothing is sent. */
static void
leaves_in(enum vcl_hook hook)
{
    params.features |= FEATURE_VCL_REQ_RESET;
    struct memory_stream *s = leaving = client();
    w.inside[hook] = leave_in_hook;
    starts(s, GET_A);
    finish(s);
    EXPECT(!s->got_head);
    EXPECT(leaving == NULL);
    EXPECT_EQ_INT(w.calls[hook], 1);
}

static void
a_client_that_leaves_in_hash_reaches_no_look_up(void)
{
    begin();
    leaves_in(HOOK_HASH);
    EXPECT_EQ_INT(w.calls[HOOK_MISS], 0);
    EXPECT_EQ_INT(COUNTED(cache_miss), 0);
    end();
}

static void
a_client_that_leaves_in_purge_gets_no_answer(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PURGE;
    leaves_in(HOOK_PURGE);
    EXPECT_EQ_INT(w.calls[HOOK_SYNTH], 0);
    end();
}

static void
a_client_that_leaves_before_a_restart_is_not_served_again(void)
{
    begin();
    w.action[HOOK_MISS] = ACTION_RESTART;
    leaves_in(HOOK_MISS);
    EXPECT_EQ_INT(w.calls[HOOK_RECV], 1);
    EXPECT_EQ_INT(COUNTED(req_restarts), 0);
    end();
}

static void
a_client_that_leaves_before_a_pass_opens_no_exchange(void)
{
    begin();
    w.action[HOOK_MISS] = ACTION_PASS;
    leaves_in(HOOK_MISS);
    EXPECT_EQ_INT(memory_origin.n_opened, 0);
    end();
}

static void
a_client_that_leaves_before_synth_gets_none(void)
{
    begin();
    w.action[HOOK_MISS] = ACTION_SYNTH;
    leaves_in(HOOK_MISS);
    EXPECT_EQ_INT(w.calls[HOOK_SYNTH], 0);
    end();
}

static void
a_client_that_leaves_before_a_failure_is_told_gets_no_answer(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    w.action[HOOK_PASS] = ACTION_FAIL;
    leaves_in(HOOK_PASS);
    end();
}

static void
a_client_that_leaves_in_hit_releases_the_object(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    w.calls[HOOK_DELIVER] = 0;
    leaves_in(HOOK_HIT);
    EXPECT_EQ_INT(w.calls[HOOK_DELIVER], 0);
    end();
}

static void
a_client_that_leaves_in_miss_leaves_the_fetch_to_others(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    leaves_in(HOOK_MISS);
    EXPECT_EQ_INT(w.calls[HOOK_DELIVER], 0);
    w.inside[HOOK_MISS] = NULL;
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
a_client_that_leaves_in_deliver_is_sent_nothing(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = leaving = client();
    w.inside[HOOK_DELIVER] = leave_in_hook;
    starts(s, GET_A);
    finish(s);
    EXPECT_EQ_INT(s->response_bytes, 0);
    EXPECT(!s->ended);
    end();
}

static void
a_client_that_leaves_in_synth_is_sent_nothing(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *s = leaving = client();
    w.inside[HOOK_SYNTH] = leave_in_hook;
    starts(s, GET_A);
    finish(s);
    EXPECT(!s->ended);
    end();
}

/* ---- while the request waits ---- */

static void
a_client_that_leaves_while_the_origin_is_asked_does_not_wait_for_it(void)
{
    begin();
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 5\n", .body = { "hello" }, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *s = client();
    starts(s, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    leaves(s);
    turns(2);
    EXPECT(s->over);
    EXPECT_EQ_INT(w.calls[HOOK_DELIVER], 0);
    memory_go(); /* the fetch goes on for other clients */
    turns(5);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
a_client_that_leaves_a_pass_does_not_wait_for_the_origin(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 5\n", .body = { "hello" }, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *s = client();
    starts(s, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    leaves(s);
    turns(2);
    EXPECT(s->over);
    memory_go();
    end();
}

static void
a_client_that_leaves_while_another_fetches_waits_no_longer(void)
{
    begin();
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 5\n", .body = { "hello" }, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *first = client(), *second = client();
    starts(first, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    starts(second, GET_A);
    turns(2);
    EXPECT_EQ_INT(COUNTED(busy_sleep), 1);
    leaves(second);
    turns(2);
    EXPECT(second->over && !first->over);
    EXPECT_EQ_INT(COUNTED(busy_wakeup), 0);
    EXPECT_EQ_INT(COUNTED(busy_killed), 0);
    memory_go();
    finish(first);
    EXPECT_RESPONSE(first, 200, "hello");
    end();
}

static void
busy_wait_timeout_ends_the_wait_for_another(void)
{
    begin();
    params.busy_wait_timeout_s = 0.005;
    params.first_byte_timeout_s = 0.1; /* for the first request, which fails then */
    memory_answer((struct memory_answer){ .head = OK_HEAD, .late = 1u << MEMORY_RECV_HEAD });
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *first = client();
    starts(first, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello"); /* fetched by the request itself */
    EXPECT_EQ_INT(COUNTED(busy_killed), 1);
    finish(first);
    EXPECT_EQ_INT(first->status, 503);
    end();
}

static void
a_client_that_leaves_in_the_middle_of_the_response_ends_its_delivery(void)
{
    begin();
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 4\n", .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    struct memory_stream *s = client();
    starts(s, GET_A);
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    leaves(s);
    EXPECT(s->over);
    EXPECT(!s->ended);
    memory_go();
    end();
}

static void
a_client_that_leaves_while_its_content_is_sent_ends_the_fetch(void)
{
    begin();
    params.features |= FEATURE_VCL_REQ_RESET;
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    struct memory_stream *s = client();
    s->body[0] = "abc";
    s->body_waits = true;
    starts(s, "POST /a\nHost: h\n");
    turns(3);
    EXPECT(!s->over);
    leaves(s);
    finish(s);
    EXPECT(!s->got_head);
    end();
}

/* ---- content ---- */

static void
content_goes_to_the_origin(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->body[0] = "abc";
    s->body[1] = "def";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "abcdef");
    EXPECT_EQ_INT(s->stream.bytes.req_body, 6);
    end();
}

static void
content_of_another_length_than_announced_cancels_the_exchange(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    struct memory_stream *s = client();
    s->body[0] = "abc";
    s->body_waits = true;
    starts(s, "POST /a\nHost: h\n");
    turns(3);
    sends_end(s, ERR_SYNTAX);
    finish(s);
    EXPECT_EQ_INT(s->status, 503);
    EXPECT(!memory_origin.records[0].body_ended);
    end();
}

static void
keep_content(struct policy_ctx *ctx)
{
    (void)ctx->client->ops->keep_content(ctx->client, 4);
}

static void
content_that_cannot_be_kept_ends_the_request_without_an_answer(void)
{
    begin();
    w.inside[HOOK_RECV] = keep_content;
    struct memory_stream *s = client();
    s->body[0] = "abcdef";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT(!s->got_head);
    EXPECT_EQ_INT(s->stream.close, SC_RX_BODY);
    end();
}

static void
content_that_was_kept_is_sent_again_after_a_restart(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    w.inside[HOOK_RECV] = keep_content;
    w.first[HOOK_DELIVER] = ACTION_RESTART;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->body[0] = "abc";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "abc");
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "abc");
    end();
}

static void
content_that_is_gone_cannot_be_sent_again(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    w.first[HOOK_DELIVER] = ACTION_RESTART;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    struct memory_stream *s = client();
    s->body[0] = "abc";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_EQ_INT(s->status, 503);
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
content_nobody_wanted_is_received_to_its_end(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *s = client();
    s->body[0] = "abc";
    s->body_waits = true;
    starts(s, "POST /a\nHost: h\n");
    turns(3);
    EXPECT(!s->got_head);
    sends_end(s, 0);
    finish(s);
    EXPECT_RESPONSE(s, 418, "");
    EXPECT_EQ_INT(s->stream.close, SC_NONE);
    end();
}

static void
content_that_does_not_come_is_not_waited_for_longer_than_timeout_idle(void)
{
    begin();
    params.timeout_idle_s = 0.005;
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *s = client();
    s->body_waits = true;
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_EQ_INT(s->status, 418);
    EXPECT_EQ_INT(s->stream.close, SC_RX_BODY);
    end();
}

/* ---- 100 Continue ---- */

static struct memory_stream *
expects_continue(void)
{
    struct memory_stream *s = client();
    s->body[0] = "abc";
    s->stream.continue_due = true;
    return s;
}

static void
a_client_that_waits_for_100_gets_one(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = expects_continue();
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_STR(span_str(s->interim), "100\n");
    end();
}

static void
a_client_that_cannot_be_told_to_go_on_is_not_served(void)
{
    begin();
    struct memory_stream *s = expects_continue();
    s->interim_fails = ERR_RESET;
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT(!s->got_head);
    EXPECT_EQ_INT(w.calls[HOOK_HASH], 0);
    end();
}

static void
an_answer_instead_of_100_says_close(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *s = expects_continue();
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_EQ_INT(s->status, 418);
    EXPECT_EQ_STR(span_str(s->interim), "");
    EXPECT_EQ_STR(field_of(s, "Connection"), "close");
    EXPECT_EQ_INT(s->stream.close, SC_RESP_CLOSE);
    end();
}

/* ---- refusal ---- */

static void
without_a_fiber_the_protocol_refuses_the_stream(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *first = client(), *second = client();
    starts(first, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    params.fibers_max = 1;
    starts(second, GET_A);
    EXPECT(second->refused && second->over);
    EXPECT_EQ_INT(second->why, STREAM_REFUSED);
    EXPECT_EQ_INT(COUNTED(req_dropped), 1);
    EXPECT_EQ_INT(COUNTED(fibers_limited), 1);
    memory_go();
    finish(first);
    end();
}

static const struct test tests[] = {
    TEST(a_client_that_leaves_in_hash_reaches_no_look_up),
    TEST(a_client_that_leaves_in_purge_gets_no_answer),
    TEST(a_client_that_leaves_before_a_restart_is_not_served_again),
    TEST(a_client_that_leaves_before_a_pass_opens_no_exchange),
    TEST(a_client_that_leaves_before_synth_gets_none),
    TEST(a_client_that_leaves_before_a_failure_is_told_gets_no_answer),
    TEST(a_client_that_leaves_in_hit_releases_the_object),
    TEST(a_client_that_leaves_in_miss_leaves_the_fetch_to_others),
    TEST(a_client_that_leaves_in_deliver_is_sent_nothing),
    TEST(a_client_that_leaves_in_synth_is_sent_nothing),
    TEST(a_client_that_leaves_while_the_origin_is_asked_does_not_wait_for_it),
    TEST(a_client_that_leaves_a_pass_does_not_wait_for_the_origin),
    TEST(a_client_that_leaves_while_another_fetches_waits_no_longer),
    TEST(busy_wait_timeout_ends_the_wait_for_another),
    TEST(a_client_that_leaves_in_the_middle_of_the_response_ends_its_delivery),
    TEST(a_client_that_leaves_while_its_content_is_sent_ends_the_fetch),
    TEST(content_goes_to_the_origin),
    TEST(content_of_another_length_than_announced_cancels_the_exchange),
    TEST(content_that_cannot_be_kept_ends_the_request_without_an_answer),
    TEST(content_that_was_kept_is_sent_again_after_a_restart),
    TEST(content_that_is_gone_cannot_be_sent_again),
    TEST(content_nobody_wanted_is_received_to_its_end),
    TEST(content_that_does_not_come_is_not_waited_for_longer_than_timeout_idle),
    TEST(a_client_that_waits_for_100_gets_one),
    TEST(a_client_that_cannot_be_told_to_go_on_is_not_served),
    TEST(an_answer_instead_of_100_says_close),
    TEST(without_a_fiber_the_protocol_refuses_the_stream),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
