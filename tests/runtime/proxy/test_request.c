/* A request from its head to the last byte of its response, step by step, without a socket: the actions of
 * each hook, and the next step. test_request_limits.c tests limits, test_request_leaves.c clients that leave,
 * and test_request_streams.c windows and turns. */
#include <unistd.h>

#include "proxy/request_fixture.h"

/* ---- hit and miss ---- */

static void
a_miss_is_fetched_and_delivered(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_STR(field_of(s, "Content-Length"), "5");
    EXPECT_EQ_INT(s->announced, 5);
    EXPECT_EQ_INT(COUNTED(cache_miss), 1);
    EXPECT_EQ_INT(w.calls[HOOK_DELIVER], 1);
    end();
}

static void
a_hit_needs_no_origin(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    EXPECT_EQ_INT(COUNTED(cache_hit), 1);
    EXPECT_EQ_INT(w.calls[HOOK_HIT], 1);
    EXPECT(memchr(field_of(s, "X-Varnish").ptr, ' ', field_of(s, "X-Varnish").len) !=
           NULL); /* both numbers */
    end();
}

static void
the_name_of_the_protocol_is_the_streams(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    EXPECT_EQ_STR(log_newest(TAG_RESP + LOG_PROTOCOL), "MEMORY/1.0");
    end();
}

static void
a_head_request_gets_no_content(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = asks("HEAD /a\nHost: h\n");
    EXPECT_RESPONSE(s, 200, "");
    EXPECT_EQ_INT(s->announced, 5);
    EXPECT(!s->has_body);
    end();
}

static void
a_validator_that_matches_gets_304(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    EXPECT_RESPONSE(asks(GET_A "If-None-Match: \"e\"\n"), 304, "");
    end();
}

static void
a_range_gets_its_part(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    struct memory_stream *s = asks(GET_A "Range: bytes=1-3\n");
    EXPECT_RESPONSE(s, 206, "ell");
    EXPECT_EQ_STR(field_of(s, "Content-Range"), "bytes 1-3/5");
    EXPECT_RESPONSE(asks(GET_A "Range: bytes=9-\n"), 416, "");
    end();
}

static void
set_uncacheable(struct policy_ctx *ctx)
{
    ctx->fetch->uncacheable = true;
    ctx->fetch->ttl = 60;
}

static void
an_uncacheable_response_leaves_a_marker_to_miss(void)
{
    begin();
    w.inside[HOOK_BACKEND_RESPONSE] = set_uncacheable;
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_hitmiss), 1);
    EXPECT_EQ_INT(COUNTED(cache_miss), 2);
    end();
}

static void
set_seconds(struct policy_ctx *ctx)
{
    ctx->ret.seconds = 60;
}

static void
a_pass_of_the_response_leaves_a_marker_to_pass(void)
{
    begin();
    w.action[HOOK_BACKEND_RESPONSE] = ACTION_PASS;
    w.inside[HOOK_BACKEND_RESPONSE] = set_seconds;
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_hitpass), 1);
    EXPECT_EQ_INT(COUNTED(s_pass), 1);
    end();
}

static void
set_stale_with_grace(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = 0.001;
    ctx->fetch->grace = 60;
}

static void
a_stale_response_is_delivered_and_refreshed_behind_it(void)
{
    begin();
    w.inside[HOOK_BACKEND_RESPONSE] = set_stale_with_grace;
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 3\n", .body = { "new" } });
    (void)asks(GET_A);
    loop_run_once(w.loop, 3 * NSEC_PER_MSEC);
    usleep(3000);
    turns(1);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_hit_grace), 1);
    EXPECT_EQ_INT(COUNTED(s_bgfetch), 1);
    end();
}

/* ---- actions of hooks ---- */

static void
recv_may_answer_by_itself(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    EXPECT_EQ_INT(COUNTED(s_synth), 1);
    EXPECT_EQ_INT(memory_origin.n_opened, 0);
    end();
}

static void
recv_may_pass(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 2);
    EXPECT_EQ_INT(COUNTED(s_pass), 2);
    end();
}

/* A failure is answered, and ends the session. */
static void
a_failure_in(enum vcl_hook hook)
{
    w.action[hook] = ACTION_FAIL;
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 503, "");
    EXPECT_EQ_INT(s->stream.close, SC_VCL_FAILURE);
    EXPECT(w.a.goaway);
    w.action[hook] = 0;
}

static void
a_failure_in_recv_is_answered_by_503(void)
{
    begin();
    a_failure_in(HOOK_RECV);
    EXPECT_EQ_INT(w.calls[HOOK_HASH], 0);
    end();
}

static void
a_failure_in_hash_is_answered_by_503(void)
{
    begin();
    a_failure_in(HOOK_HASH);
    end();
}

static void
a_failure_in_miss_is_answered_by_503_and_withdraws_the_fetch(void)
{
    begin();
    a_failure_in(HOOK_MISS);
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello"); /* no request waits for the withdrawn fetch */
    end();
}

static void
a_failure_in_pass_is_answered_by_503(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    a_failure_in(HOOK_PASS);
    end();
}

static void
a_failure_in_hit_is_answered_by_503(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    a_failure_in(HOOK_HIT);
    end();
}

static void
a_failure_in_deliver_is_answered_by_503(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    a_failure_in(HOOK_DELIVER);
    end();
}

static void
a_failure_in_purge_is_answered_by_503(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PURGE;
    a_failure_in(HOOK_PURGE);
    end();
}

static void
a_failure_in_synth_is_a_bare_500(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    w.action[HOOK_SYNTH] = ACTION_FAIL;
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 500, "");
    EXPECT_EQ_INT(s->stream.close, SC_OVERLOAD);
    end();
}

static void
a_hit_may_pass(void)
{
    begin();
    w.first[HOOK_HIT] = ACTION_PASS;
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 3\n", .body = { "own" } });
    (void)asks(GET_A);
    EXPECT_RESPONSE(asks(GET_A), 200, "own");
    end();
}

static void
a_hit_may_answer_by_itself(void)
{
    begin();
    w.action[HOOK_HIT] = ACTION_SYNTH;
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    end();
}

static void
a_miss_may_pass(void)
{
    begin();
    w.action[HOOK_MISS] = ACTION_PASS;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_miss), 0);
    EXPECT_EQ_INT(COUNTED(s_pass), 1);
    end();
}

static void
a_miss_may_answer_by_itself(void)
{
    begin();
    w.action[HOOK_MISS] = ACTION_SYNTH;
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    end();
}

static void
a_pass_may_answer_by_itself(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    w.action[HOOK_PASS] = ACTION_SYNTH;
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    end();
}

static void
deliver_may_answer_by_itself(void)
{
    begin();
    w.action[HOOK_DELIVER] = ACTION_SYNTH;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    end();
}

/* In its second call the hook does the same as in the builtin policy. */
static void
a_restart_in(enum vcl_hook hook)
{
    w.first[hook] = ACTION_RESTART;
    memset(w.calls, 0, sizeof w.calls);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(w.calls[HOOK_RECV], 2);
    EXPECT_EQ_INT(COUNTED(req_restarts), 1);
}

static void
recv_may_restart(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    a_restart_in(HOOK_RECV);
    end();
}

static void
a_miss_may_restart(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    a_restart_in(HOOK_MISS);
    end();
}

static void
deliver_may_restart(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    a_restart_in(HOOK_DELIVER);
    end();
}

static void
a_hit_may_restart(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    a_restart_in(HOOK_HIT);
    end();
}

static void
a_pass_may_restart(void)
{
    begin();
    w.first[HOOK_RECV] = ACTION_PASS;
    w.action[HOOK_PASS] = ACTION_RESTART;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(req_restarts), 1);
    end();
}

static void
synth_may_restart(void)
{
    begin();
    w.first[HOOK_RECV] = ACTION_SYNTH;
    w.action[HOOK_SYNTH] = ACTION_RESTART;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    end();
}

static void
too_many_restarts_are_answered_by_503(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_RESTART;
    w.action[HOOK_SYNTH] = ACTION_RESTART; /* with its own message about too many restarts */
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    EXPECT_EQ_INT(w.calls[HOOK_RECV], params.max_restarts + 1);
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "Too many restarts");
    end();
}

static void
a_purge_takes_the_stored_response_away(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    w.action[HOOK_RECV] = ACTION_PURGE;
    EXPECT(asks(GET_A)->ended);
    EXPECT_EQ_INT(COUNTED(n_obj_purged), 1);
    w.action[HOOK_RECV] = 0;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 2);
    end();
}

static void
a_purge_may_restart_and_fetch_anew(void)
{
    begin();
    w.first[HOOK_RECV] = ACTION_PURGE;
    w.action[HOOK_PURGE] = ACTION_RESTART;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_miss), 1);
    end();
}

/* ---- policies ---- */

static void
drop_policy(void *arg)
{
    proxy_set_policy(w.loop, NULL);
}

static void
without_a_policy_there_is_a_bare_503(void)
{
    begin();
    on_loop(w.loop, drop_policy, NULL);
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 503, "");
    EXPECT_EQ_INT(s->stream.close, SC_OVERLOAD);
    end();
}

static void
name_label(struct policy_ctx *ctx)
{
    ctx->ret.text = SPAN_LIT("l");
}

static void
a_label_that_is_none_is_answered_by_503(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_VCL;
    w.inside[HOOK_RECV] = name_label;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "Illegal return(vcl): No such label");
    end();
}

static void
add_label(void *arg)
{
    proxy_set_label(w.loop, SPAN_LIT("l"), w.other);
}

static void
drop_label(void *arg)
{
    proxy_set_label(w.loop, SPAN_LIT("l"), NULL);
}

static void
a_label_leads_to_another_policy_once(void)
{
    begin();
    w.other = image_load(&w.policy_env, &w.image);
    on_loop(w.loop, add_label, NULL);
    w.first[HOOK_RECV] = ACTION_VCL;
    w.inside[HOOK_RECV] = name_label;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(w.calls[HOOK_RECV], 2);
    memset(w.calls, 0, sizeof w.calls);
    w.action[HOOK_RECV] = ACTION_VCL;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    EXPECT_EQ_STR(log_newest(TAG_VCL_ERROR), "Illegal return(vcl): Only from active VCL");
    on_loop(w.loop, drop_label, NULL);
    end();
}

/* ---- refreshing a stale response ---- */

static void
store_stale(void)
{
    w.inside[HOOK_BACKEND_RESPONSE] = set_stale_with_grace;
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    usleep(3000);
    turns(1);
}

static void
a_refresh_that_cannot_start_leaves_the_stale_response(void)
{
    begin();
    store_stale();
    w.inside[HOOK_HIT] = take_all_fibers;
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT_EQ_INT(COUNTED(s_bgfetch), 0);
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
a_refresh_takes_the_content_of_the_request_with_it(void)
{
    begin();
    store_stale();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->body[0] = "abc";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_EQ_INT(s->status, 200);
    EXPECT_EQ_INT(COUNTED(s_bgfetch), 1);
    EXPECT_EQ_STR(span_str(memory_origin.records[1].body), "abc");
    end();
}

static const struct test tests[] = {
    TEST(a_miss_is_fetched_and_delivered),
    TEST(a_hit_needs_no_origin),
    TEST(the_name_of_the_protocol_is_the_streams),
    TEST(a_head_request_gets_no_content),
    TEST(a_validator_that_matches_gets_304),
    TEST(a_range_gets_its_part),
    TEST(an_uncacheable_response_leaves_a_marker_to_miss),
    TEST(a_pass_of_the_response_leaves_a_marker_to_pass),
    TEST(a_stale_response_is_delivered_and_refreshed_behind_it),
    TEST(recv_may_answer_by_itself),
    TEST(recv_may_pass),
    TEST(a_failure_in_recv_is_answered_by_503),
    TEST(a_failure_in_hash_is_answered_by_503),
    TEST(a_failure_in_miss_is_answered_by_503_and_withdraws_the_fetch),
    TEST(a_failure_in_pass_is_answered_by_503),
    TEST(a_failure_in_hit_is_answered_by_503),
    TEST(a_failure_in_deliver_is_answered_by_503),
    TEST(a_failure_in_purge_is_answered_by_503),
    TEST(a_failure_in_synth_is_a_bare_500),
    TEST(a_hit_may_pass),
    TEST(a_hit_may_answer_by_itself),
    TEST(a_miss_may_pass),
    TEST(a_miss_may_answer_by_itself),
    TEST(a_pass_may_answer_by_itself),
    TEST(deliver_may_answer_by_itself),
    TEST(recv_may_restart),
    TEST(a_miss_may_restart),
    TEST(deliver_may_restart),
    TEST(a_hit_may_restart),
    TEST(a_pass_may_restart),
    TEST(synth_may_restart),
    TEST(too_many_restarts_are_answered_by_503),
    TEST(a_purge_takes_the_stored_response_away),
    TEST(a_purge_may_restart_and_fetch_anew),
    TEST(without_a_policy_there_is_a_bare_503),
    TEST(a_label_that_is_none_is_answered_by_503),
    TEST(a_label_leads_to_another_policy_once),
    TEST(a_refresh_that_cannot_start_leaves_the_stale_response),
    TEST(a_refresh_takes_the_content_of_the_request_with_it),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
