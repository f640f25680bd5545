/* A request and its stream: windows, turns, memory that is released late, several streams in one session,
 * tunnels, and clients that are too slow. */
#include "proxy/deliver.h"
#include "proxy/request_fixture.h"

#define BIG_BYTES 100000
#define FILM_BYTES (18u << 20)

static char big[BIG_BYTES + 1];

static struct memory_answer
big_answer(void)
{
    for (unsigned i = 0; i < BIG_BYTES; i++)
        big[i] = (char)('a' + i % 26);
    return (struct memory_answer){ .head = OK_HEAD "Content-Length: 100000\n", .body = { big } };
}

/* ---- windows and turns ---- */

static void
a_window_that_opens_byte_by_byte_gets_byte_by_byte(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->window = 0;
    starts(s, GET_A);
    turns(5);
    for (unsigned i = 0; i < 5; i++) {
        EXPECT(!s->over);
        EXPECT_EQ_INT(s->response_bytes, i);
        opens(s, 1);
        turns(2);
    }
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    end();
}

static void
a_stream_whose_turn_it_is_not_waits_though_its_window_is_open(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->not_its_turn = true;
    starts(s, GET_A);
    turns(10);
    EXPECT_EQ_INT(s->stream.taken, 0);
    EXPECT(!s->over);
    has_turn(s);
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    end();
}

static void
a_turn_takes_no_more_than_its_budget(void)
{
    begin();
    memory_answer(big_answer());
    (void)asks(GET_A);
    struct memory_stream *s = client();
    s->turn_bytes = 10000;
    starts(s, GET_A);
    finish(s);
    EXPECT_EQ_INT(s->response_bytes, BIG_BYTES);
    EXPECT_EQ_INT(memcmp(s->response, big, BIG_BYTES), 0);
    EXPECT(s->turns >= 9);
    end();
}

static unsigned offers;

static ssize_t
takes_all(struct stream *s, const struct iovec *iov, int n, bool last)
{
    ssize_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += (ssize_t)iov[i].iov_len;
    s->taken += (uint64_t)bytes;
    s->released = s->taken;
    offers++;
    return bytes;
}

static void
delivered(struct delivery *d, int err)
{
    EXPECT_EQ_INT(err, 0);
    EXPECT(d->last_sent);
}

/* In pieces of 1 MB, which are cheapest for kernel and reader. Other requests get their turn after 4 MB. */
static void
a_large_body_goes_in_large_pieces_and_leaves_others_their_turn(void)
{
    static const struct stream_ops ops = { .send_body = takes_all };
    begin();
    char *film = calloc(1, FILM_BYTES);
    CHECK(film != NULL);
    struct stream s = { .ops = &ops };
    struct delivery d = { .stream = &s,
                          .loop = w.loop,
                          .done = delivered,
                          .idle_timeout = NSEC_PER_SEC,
                          .send_deadline = NSEC_NEVER };
    offers = 0;
    deliver_text(&d, span_of(film, FILM_BYTES));
    EXPECT_EQ_INT(deliver_start(&d), DELIVERY_PENDING);
    EXPECT_EQ_INT(offers, 4);
    EXPECT_EQ_INT(s.taken, 4u << 20);
    turns(20);
    EXPECT_EQ_INT(offers, 18);
    EXPECT_EQ_INT(s.taken, FILM_BYTES);
    EXPECT(s.waiter == NULL);
    free(film);
    end();
}

static void
a_synthetic_response_waits_for_its_window_too(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *s = client();
    s->window = 0;
    starts(s, GET_A);
    finish(s); /* without content no window is needed */
    EXPECT_RESPONSE(s, 418, "");
    end();
}

static void
say_sorry(struct policy_ctx *ctx)
{
    ctx->client->synth_body = SPAN_LIT("sorry");
}

static void
synthetic_content_comes_as_the_window_opens(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    w.inside[HOOK_SYNTH] = say_sorry;
    struct memory_stream *s = client();
    s->window = 2;
    s->releases_late = true;
    starts(s, GET_A);
    turns(3);
    EXPECT_EQ_INT(s->stream.taken, 2);
    opens(s, 3);
    turns(3);
    EXPECT(s->ended && !s->over); /* the request owns the text until its release */
    releases(s, SIZE_MAX);
    finish(s);
    EXPECT_RESPONSE(s, 418, "sorry");
    end();
}

static void
a_synthetic_response_is_cut_to_its_range(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    w.inside[HOOK_SYNTH] = say_sorry;
    EXPECT_RESPONSE(asks(GET_A "Range: bytes=0-1\n"), 418, "sorry"); /* only a 200 has ranges */
    end();
}

/* ---- late release ---- */

static void
a_request_outlives_its_last_byte_until_that_is_released(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    turns(5);
    EXPECT_EQ_INT(s->stream.taken, 5);
    EXPECT(s->ended && !s->over);
    EXPECT_EQ_INT(COUNTED(req_live), 1);
    releases(s, 4);
    turns(2);
    EXPECT(!s->over);
    releases(s, 1);
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    end();
}

static void
a_passed_response_is_kept_until_it_is_released(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    params.transit_buffer_bytes = 20000;
    memory_answer(big_answer());
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    for (int i = 0; i < ROUNDS_MAX && !s->over; i++) {
        loop_run_once(w.loop, 0);
        if (!s->over)
            releases(s, 777);
    }
    EXPECT(s->over && s->ended);
    EXPECT_EQ_INT(s->response_bytes, BIG_BYTES);
    EXPECT_EQ_INT(memcmp(s->response, big, BIG_BYTES), 0);
    end();
}

static void
an_origin_is_not_read_further_than_the_client_has_released(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PASS;
    params.transit_buffer_bytes = 20000;
    memory_answer(big_answer());
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    turns(50);
    EXPECT(s->stream.taken < BIG_BYTES);
    EXPECT_EQ_INT(s->stream.released, 0);
    for (int i = 0; i < ROUNDS_MAX && !s->over; i++) {
        loop_run_once(w.loop, 0);
        if (!s->over)
            releases(s, SIZE_MAX);
    }
    EXPECT_EQ_INT(s->response_bytes, BIG_BYTES);
    end();
}

static void
a_client_that_leaves_before_it_has_released_frees_the_request(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    turns(5);
    leaves(s);
    EXPECT(s->over);
    end();
}

static void
a_response_counts_as_sent_when_it_was_written_not_when_it_was_released(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    turns(5);
    nsec before = clock_real_ns();
    while (clock_real_ns() < before + 30 * NSEC_PER_MSEC)
        turns(1);
    releases(s, SIZE_MAX);
    finish(s);
    double when = 0, since_start = 0, since_last = 1;
    struct span resp = log_newest(TAG_TIMESTAMP);
    EXPECT_EQ_INT(sscanf(resp.ptr, "Resp: %lf %lf %lf", &when, &since_start, &since_last), 3);
    EXPECT(when < nsec_seconds(before) + 0.025);
    end();
}

/* ---- several streams ---- */

static void
two_streams_of_a_session_are_served_at_once(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 4\n", .body = { "slow" }, .late = 1u << MEMORY_RECV_HEAD });
    (void)asks(GET_A);
    struct memory_stream *slow = client();
    starts(slow, "GET /slow\nHost: h\n");
    wait_at(MEMORY_RECV_HEAD);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT(!slow->over);
    memory_go();
    finish(slow);
    EXPECT_RESPONSE(slow, 200, "slow");
    end();
}

static void
two_streams_take_turns_in_one_write(void)
{
    begin();
    memory_answer(big_answer());
    (void)asks(GET_A);
    struct memory_stream *one = client(), *two = client();
    one->turn_bytes = two->turn_bytes = 10000;
    unsigned before = w.a.flushes;
    starts(one, GET_A);
    starts(two, GET_A);
    finish(one);
    finish(two);
    EXPECT_EQ_INT(one->response_bytes, BIG_BYTES);
    EXPECT_EQ_INT(two->response_bytes, BIG_BYTES);
    EXPECT(w.a.flushes - before < one->turns + two->turns);
    end();
}

static void
a_stream_that_is_stuck_holds_up_no_other(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    struct memory_stream *stuck = client();
    stuck->window = 0;
    starts(stuck, GET_A);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    EXPECT(!stuck->over);
    opens(stuck, 5);
    finish(stuck);
    EXPECT_RESPONSE(stuck, 200, "hello");
    end();
}

static void
streams_of_two_sessions_share_one_fetch(void)
{
    begin();
    second_client();
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 5\n", .body = { "hello" }, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *one = client(), *two = memory_stream_new(&w.b);
    starts(one, GET_A);
    wait_at(MEMORY_RECV_HEAD);
    starts(two, GET_A);
    turns(2);
    memory_go();
    finish(one);
    finish(two);
    EXPECT_RESPONSE(one, 200, "hello");
    EXPECT_RESPONSE(two, 200, "hello");
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    EXPECT_EQ_INT(COUNTED(busy_wakeup), 1);
    end();
}

static void
a_reset_of_one_stream_leaves_the_other_alone(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    struct memory_stream *one = client(), *two = client();
    one->window = two->window = 2;
    starts(one, GET_A);
    starts(two, GET_A);
    turns(2);
    leaves(one);
    EXPECT(one->over && !two->over);
    opens(two, 3);
    finish(two);
    EXPECT_RESPONSE(two, 200, "hello");
    end();
}

static void
streams_in_a_row_are_served_one_behind_the_other(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *first = client(), *second = client(), *third = client();
    queues(second, GET_A);
    queues(third, GET_A);
    starts(first, GET_A);
    finish(third);
    EXPECT_RESPONSE(first, 200, "hello");
    EXPECT_RESPONSE(second, 200, "hello");
    EXPECT_RESPONSE(third, 200, "hello");
    EXPECT_EQ_INT(COUNTED(cache_hit), 2);
    end();
}

/* If nothing has to wait, one fiber handles them one after the other. */
static void
streams_in_a_row_may_share_a_fiber(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    struct memory_stream *first = client(), *second = client();
    queues(second, GET_A);
    starts(first, GET_A);
    EXPECT(first->over && second->over);
    EXPECT_RESPONSE(second, 418, "");
    end();
}

/* ---- origins and clients that break off ---- */

/* After the first three bytes of nine. */
static struct memory_stream *
asks_origin_that_dies(const char *head)
{
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 9\n",
                                          .body = { "hel" },
                                          .dies_at = MEMORY_RECV_BODY,
                                          .dies_with = ERR_EOF,
                                          .late = 1u << MEMORY_RECV_BODY });
    struct memory_stream *s = client();
    starts(s, head);
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    turns(2);
    EXPECT(s->response_bytes > 0 && !s->over);
    memory_go();
    finish(s);
    return s;
}

static void
a_response_that_the_origin_cuts_is_reset(void)
{
    begin();
    struct memory_stream *s = asks_origin_that_dies(GET_A);
    EXPECT(s->was_reset && !s->ended);
    EXPECT_EQ_INT(s->why, STREAM_FAILED);
    end();
}

static void
a_range_that_the_origin_cuts_is_reset_as_such(void)
{
    begin();
    struct memory_stream *s = asks_origin_that_dies(GET_A "Range: bytes=1-7\n");
    EXPECT(s->was_reset);
    EXPECT_EQ_INT(s->why, STREAM_RANGE_SHORT);
    end();
}

static void
a_client_that_takes_nothing_is_reset_after_idle_send_timeout(void)
{
    begin();
    params.idle_send_timeout_s = 0.005;
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->window = 2;
    starts(s, GET_A);
    finish(s);
    EXPECT(s->was_reset);
    EXPECT_EQ_INT(s->why, STREAM_IDLE);
    end();
}

static void
a_client_that_takes_a_byte_now_and_then_is_reset_after_send_timeout(void)
{
    begin();
    params.send_timeout_s = 0.02;
    memory_answer(big_answer());
    struct memory_stream *s = client();
    s->window = 1;
    starts(s, GET_A);
    for (int i = 0; i < 100 * ROUNDS_MAX && !s->over; i++) {
        loop_run_once(w.loop, NSEC_PER_MSEC);
        if (!s->over)
            opens(s, 1);
    }
    EXPECT(s->was_reset);
    EXPECT_EQ_INT(s->why, STREAM_SLOW);
    end();
}

/* ---- sessions ---- */

static void
drain(void *arg)
{
    proxy_drain(w.loop);
}

static void
a_session_that_is_drained_finishes_its_streams(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->window = 2;
    starts(s, GET_A);
    turns(2);
    on_loop(w.loop, drain, NULL);
    EXPECT(w.a.goaway && !s->over);
    opens(s, 3);
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    end();
}

static void
set_timeouts(struct policy_ctx *ctx)
{
    ctx->client->timeout_idle = 7;
    ctx->client->send_timeout = 9;
}

static void
timeouts_that_a_policy_sets_are_the_sessions(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    w.inside[HOOK_RECV] = set_timeouts;
    (void)asks(GET_A);
    EXPECT(session_idle_timeout(&w.a.session) == 7);
    EXPECT(w.a.session.timeouts.send == 9);
    EXPECT(w.a.session.timeouts.linger < 0);
    end();
}

static void
the_socket_of_a_session_may_be_none(void)
{
    begin();
    EXPECT_EQ_INT(session_set_tos(&w.a.session, 1), ERR_NOTFOUND);
    EXPECT_EQ_INT(session_set_pace(&w.a.session, 1), ERR_NOTFOUND);
    EXPECT_EQ_INT(session_set_congestion(&w.a.session, SPAN_LIT("cubic")), ERR_NOTFOUND);
    end();
}

/* ---- tunnels ---- */

static struct memory_stream *
pipes(void)
{
    w.action[HOOK_RECV] = ACTION_PIPE;
    struct memory_stream *s = client();
    s->body_waits = true;
    starts(s, "GET /a\nHost: h\nUpgrade: x\n");
    turns(3);
    return s;
}

static void
a_pipe_carries_bytes_both_ways(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = NULL });
    memory_origin.tunnel_says = "down";
    struct memory_stream *s = pipes();
    EXPECT(s->in_tunnel);
    EXPECT_EQ_STR(body_of(s), "down");
    sends(s, "up");
    turns(3);
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "up");
    leaves(s);
    EXPECT(s->over);
    EXPECT_EQ_INT(COUNTED(s_pipe), 1);
    EXPECT_EQ_INT(COUNTED(s_pipe_in), 2);
    EXPECT_EQ_INT(COUNTED(s_pipe_out), 4);
    end();
}

static void
a_pipe_ends_when_both_sides_have(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = NULL });
    memory_origin.tunnel_says = "down";
    memory_origin.tunnel_closes = true;
    struct memory_stream *s = pipes();
    EXPECT(s->tunnel_is_shut && !s->over);
    sends_end(s, 0);
    finish(s);
    EXPECT(memory_origin.tunnel_shut);
    end();
}

static void
a_pipe_that_may_not_be_is_a_pass(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    w.action[HOOK_RECV] = ACTION_PIPE;
    struct memory_stream *s = client();
    s->stream.can_tunnel = false;
    starts(s, GET_A);
    finish(s);
    EXPECT_RESPONSE(s, 200, "hello");
    EXPECT_EQ_INT(w.calls[HOOK_PIPE], 0);
    EXPECT_EQ_INT(w.calls[HOOK_PASS], 1);
    EXPECT_EQ_INT(log_count(TAG_VCL_ERROR), 1);
    end();
}

static void
pipe_may_answer_by_itself_or_fail(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PIPE;
    w.action[HOOK_PIPE] = ACTION_SYNTH;
    EXPECT_RESPONSE(asks(GET_A), 418, "");
    w.action[HOOK_PIPE] = ACTION_FAIL;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    end();
}

static void
over_pipe_sess_max_there_is_no_pipe(void)
{
    begin();
    params.pipe_sess_max = 1;
    memory_answer((struct memory_answer){ .head = NULL });
    struct memory_stream *s = pipes();
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    EXPECT_EQ_INT(COUNTED(pipe_limited), 1);
    leaves(s);
    finish(s);
    end();
}

static void
a_pipe_whose_origin_is_not_there_is_503(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_PIPE;
    memory_answer((struct memory_answer){ .dies_at = MEMORY_OPEN, .dies_with = ERR_RESET });
    struct memory_stream *s = asks(GET_A);
    EXPECT_RESPONSE(s, 503, "");
    EXPECT_EQ_INT(s->stream.close, SC_TX_ERROR);
    end();
}

static void
a_pipe_after_the_content_was_taken_is_503(void)
{
    begin();
    w.first[HOOK_RECV] = ACTION_PASS;
    w.action[HOOK_RECV] = ACTION_PIPE;
    w.first[HOOK_DELIVER] = ACTION_RESTART;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    struct memory_stream *s = client();
    s->body[0] = "abc";
    starts(s, "POST /a\nHost: h\n");
    finish(s);
    EXPECT_EQ_INT(s->status, 503);
    EXPECT(!s->in_tunnel);
    end();
}

static const struct test tests[] = {
    TEST(a_window_that_opens_byte_by_byte_gets_byte_by_byte),
    TEST(a_stream_whose_turn_it_is_not_waits_though_its_window_is_open),
    TEST(a_turn_takes_no_more_than_its_budget),
    TEST(a_large_body_goes_in_large_pieces_and_leaves_others_their_turn),
    TEST(a_synthetic_response_waits_for_its_window_too),
    TEST(synthetic_content_comes_as_the_window_opens),
    TEST(a_synthetic_response_is_cut_to_its_range),
    TEST(a_request_outlives_its_last_byte_until_that_is_released),
    TEST(a_passed_response_is_kept_until_it_is_released),
    TEST(an_origin_is_not_read_further_than_the_client_has_released),
    TEST(a_client_that_leaves_before_it_has_released_frees_the_request),
    TEST(a_response_counts_as_sent_when_it_was_written_not_when_it_was_released),
    TEST(two_streams_of_a_session_are_served_at_once),
    TEST(two_streams_take_turns_in_one_write),
    TEST(a_stream_that_is_stuck_holds_up_no_other),
    TEST(streams_of_two_sessions_share_one_fetch),
    TEST(a_reset_of_one_stream_leaves_the_other_alone),
    TEST(streams_in_a_row_are_served_one_behind_the_other),
    TEST(streams_in_a_row_may_share_a_fiber),
    TEST(a_response_that_the_origin_cuts_is_reset),
    TEST(a_range_that_the_origin_cuts_is_reset_as_such),
    TEST(a_client_that_takes_nothing_is_reset_after_idle_send_timeout),
    TEST(a_client_that_takes_a_byte_now_and_then_is_reset_after_send_timeout),
    TEST(a_session_that_is_drained_finishes_its_streams),
    TEST(timeouts_that_a_policy_sets_are_the_sessions),
    TEST(the_socket_of_a_session_may_be_none),
    TEST(a_pipe_carries_bytes_both_ways),
    TEST(a_pipe_ends_when_both_sides_have),
    TEST(a_pipe_that_may_not_be_is_a_pass),
    TEST(pipe_may_answer_by_itself_or_fail),
    TEST(over_pipe_sess_max_there_is_no_pipe),
    TEST(a_pipe_whose_origin_is_not_there_is_503),
    TEST(a_pipe_after_the_content_was_taken_is_503),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
