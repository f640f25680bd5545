/* An HTTP/2 connection from its preface to its end: what arrives in which pieces, resets, and GOAWAY. */
#include "h2_fixture.h"

/* ---- the beginning ---- */

static void
the_preface_may_come_byte_by_byte(void)
{
    begin_bare();
    say_hello();
    put_request(1, "/n10");
    peer_send_in(1);
    peer_read();
    EXPECT_EQ_INT(count_control(H2_SETTINGS), 2); /* ours, and the answer to the client's */
    EXPECT_WHOLE(1, 10);
    end();
}

static void
a_wrong_preface_ends_the_connection_without_an_answer(void)
{
    begin_bare();
    peer_put(H2_PREFACE, H2_PREFACE_BYTES - 3);
    peer_put("X\r\n", 3);
    talk();
    EXPECT(peer.at_end);
    EXPECT_EQ_INT(peer.n, 0);
    end();
}

static void
an_upgrade_without_a_preface_ends_with_the_idle_timeout(void)
{
    begin_bare();
    params.timeout_idle_s = 0.05;
    params.linger_time_s = 0;
    const char ask[] = "GET /n10 HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                       "Upgrade: h2c\r\nHTTP2-Settings: \r\n\r\n";
    peer_put(ask, sizeof ask - 1);
    talk();
    for (int i = 0; i < 200 && !list_empty(&served.sv.sessions); i++)
        loop_run_once(peer.loop, PEER_WAIT);
    EXPECT(list_empty(&served.sv.sessions));
    EXPECT_EQ_INT(served.n_live, 0);
    end();
}

static void
an_upgraded_request_is_answered_behind_the_preface(void)
{
    begin_bare();
    const char ask[] = "GET /n10 HTTP/1.1\r\nHost: h\r\nConnection: Upgrade, HTTP2-Settings\r\n"
                       "Upgrade: h2c\r\nHTTP2-Settings: AAQAAAAF\r\n\r\n"; /* initial window 5 */
    const char answer[] = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n";
    peer_put(ask, sizeof ask - 1);
    talk();
    EXPECT_EQ_SPAN(span_of((char *)peer.bytes, peer.n), span_str(answer));
    peer.taken = peer.n;
    say_hello();
    talk();
    EXPECT_EQ_INT(got(1).bytes, 5);
    put_number(H2_WINDOW_UPDATE, 1, 100);
    talk();
    EXPECT_WHOLE(1, 10);
    end();
}

/* ---- header blocks ---- */

static void
a_block_may_come_in_pieces_with_padding_and_priority(void)
{
    char block[128], first[200];
    begin();
    size_t n = block_of(block, "GET", "/n10");
    first[0] = 7;                         /* bytes of padding */
    memcpy(first + 1, "\0\0\0\3\x10", 5); /* the tree of RFC 7540 */
    memcpy(first + 6, block, 4);
    memset(first + 10, 0, 7);
    peer_put_frame(H2_HEADERS, H2_END_STREAM | H2_PADDED | H2_WITH_PRIORITY, 1, first, 17);
    peer_put_frame(H2_CONTINUATION, 0, 1, block + 4, 3);
    peer_put_frame(H2_CONTINUATION, H2_END_HEADERS, 1, block + 7, n - 7);
    peer_send_in(1);
    peer_read();
    EXPECT_WHOLE(1, 10);
    EXPECT_NO_GOAWAY();
    end();
}

static void
a_block_must_arrive_in_time_however_slowly_it_comes(void)
{
    begin();
    params.timeout_req_s = 0.05;
    put_request(1, "/n10");
    peer.out[4] = H2_END_STREAM; /* without END_HEADERS */
    peer_send();
    for (int i = 0; i < 200 && count_control(H2_GOAWAY) == 0; i++) {
        char zero = 0; /* of the head of the next frame, at most */
        if (i % 25 == 0 && i < 200)
            (void)send(peer.fd, &zero, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        loop_run_once(peer.loop, PEER_WAIT);
        (void)peer_read_some(PEER_READS_MAX);
        if (i == 150)
            break;
    }
    EXPECT_GOAWAY(1, H2_ENHANCE_YOUR_CALM);
    end();
}

static void
the_last_empty_piece_of_a_block_may_exhaust_the_budget(void)
{
    char block[128];
    begin();
    params.h2_frame_limit = 4;
    size_t n = block_of(block, "GET", "/n10");
    peer_put_frame(H2_HEADERS, H2_END_STREAM, 1, block, n);
    for (int i = 0; i < 3; i++) /* SETTINGS took a little before */
        peer_put_frame(H2_CONTINUATION, 0, 1, "", 0);
    peer_put_frame(H2_CONTINUATION, H2_END_HEADERS, 1, "", 0);
    talk();
    EXPECT_GOAWAY(1, H2_ENHANCE_YOUR_CALM);
    EXPECT_EQ_INT(served.n_begun, 0);
    EXPECT_EQ_INT(COUNTED(h2_killed_empty), 1);
    end();
}

/* ---- resets by the client, at every step ---- */

static void
reset_ends_a_request_that_waits(void)
{
    begin();
    put_request(1, "/l10");
    put_number(H2_RST_STREAM, 1, H2_CANCEL);
    talk();
    EXPECT_EQ_INT(served.n_done, 1);
    EXPECT_EQ_INT(served.n_reset, 1);
    EXPECT_EQ_INT(got(1).heads, 0);
    EXPECT_EQ_INT(got(1).reset, NO_RESET);
    end();
}

static void
reset_ends_a_request_that_waits_for_its_body(void)
{
    begin();
    put_upload(1, "/r10");
    put_data(1, 0, 100, 0);
    peer_send();
    EXPECT_EQ_INT(served.received, 100);
    put_number(H2_RST_STREAM, 1, H2_CANCEL);
    talk();
    EXPECT_EQ_INT(served.read_last, ERR_RESET);
    EXPECT_EQ_INT(served.n_done, 1);
    EXPECT_EQ_INT(got(1).heads, 0);
    end();
}

static void
reset_ends_a_delivery_that_waits_for_a_window(void)
{
    begin();
    put_request(1, "/n100000");
    talk();
    EXPECT_EQ_INT(got(1).bytes, 65535);
    EXPECT_EQ_INT(served.n_done, 0);
    put_number(H2_RST_STREAM, 1, H2_CANCEL);
    put_request(3, "/n0");
    talk();
    EXPECT_EQ_INT(served.n_reset, 1);
    EXPECT_WHOLE(3, 0);
    end();
}

static void
reset_ends_a_request_that_waits_for_a_fiber(void)
{
    begin();
    params.h2_fibers_max = 1;
    put_request(1, "/l10");
    put_request(3, "/n10");
    put_request(5, "/n10");
    put_number(H2_RST_STREAM, 3, H2_CANCEL);
    talk();
    EXPECT_EQ_INT(served.n_live, 2);
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_WHOLE(1, 10);
    EXPECT_EQ_INT(got(3).heads, 0);
    EXPECT_WHOLE(5, 10);
    end();
}

static void
requests_that_wait_for_a_fiber_are_served_in_order_and_refused_if_none_is_left(void)
{
    begin();
    params.h2_fibers_max = 1;
    put_request(1, "/l10");
    put_request(3, "/x");
    put_request(5, "/x");
    put_request(7, "/n10");
    talk();
    EXPECT_EQ_INT(served.n_refused, 0);
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_EQ_INT(got(3).reset, H2_REFUSED_STREAM);
    EXPECT_EQ_INT(got(5).reset, H2_REFUSED_STREAM);
    EXPECT_WHOLE(7, 10);
    EXPECT_EQ_INT(served.n_live, 0);
    end();
}

static void
a_response_that_fails_resets_its_stream_alone(void)
{
    begin();
    put_request(1, "/e50000");
    put_request(3, "/f");
    put_request(5, "/n10");
    talk();
    EXPECT_EQ_INT(got(1).reset, H2_INTERNAL_ERROR);
    EXPECT(!got(1).ended);
    EXPECT_EQ_INT(got(3).status, 0x8e); /* 500 */
    EXPECT(got(3).ended);
    EXPECT_WHOLE(5, 10);
    end();
}

static void
interim_responses_and_trailers_have_their_blocks(void)
{
    begin();
    put_request(1, "/h10");
    put_request(3, "/t10");
    put_request(5, "/t0");
    talk();
    EXPECT_EQ_INT(got(1).heads, 2);
    EXPECT(got(1).ended);
    EXPECT_EQ_INT(got(3).heads, 2);
    EXPECT_EQ_INT(got(3).bytes, 10);
    EXPECT(got(3).ended);
    EXPECT_EQ_INT(got(5).heads, 2);
    EXPECT(got(5).ended);
    end();
}

/* ---- GOAWAY ---- */

static void
leave_now(void *unused)
{
    struct session *s = container_of(served.sv.sessions.next, struct session, link);
    s->ops->retire(s);
}

static void
an_idle_session_leaves_when_the_client_knows_it(void)
{
    begin();
    params.linger_time_s = 0;
    on_loop(peer.loop, leave_now, NULL);
    peer_read();
    EXPECT_GOAWAY(0x7fffffff, H2_NO_ERROR);
    EXPECT(!peer.at_end);
    peer_put_frame(H2_PING, H2_ACK, 0, "goodbye", 8);
    talk();
    EXPECT_EQ_INT(count_control(H2_GOAWAY), 2);
    EXPECT_GOAWAY(0, H2_NO_ERROR);
    EXPECT(peer.at_end);
    end();
}

/* Requests on their way when the first GOAWAY was sent are served. */
static void
a_session_leaves_in_two_steps(void)
{
    begin();
    put_request(1, "/l10");
    talk();
    on_loop(peer.loop, leave_now, NULL);
    peer_read();
    EXPECT_GOAWAY(0x7fffffff, H2_NO_ERROR);
    EXPECT_EQ_INT(count_control(H2_PING), 1);
    put_request(3, "/n10");
    talk();
    EXPECT_WHOLE(3, 10);
    peer_put_frame(H2_PING, H2_ACK, 0, "goodbye", 8);
    put_request(5, "/n10");
    talk();
    EXPECT_GOAWAY(3, H2_NO_ERROR);
    EXPECT_EQ_INT(got(5).heads, 0);
    EXPECT(!peer.at_end);
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_WHOLE(1, 10);
    EXPECT(peer.at_end);
    end();
}

/* RFC 9113, 6.8: the number of the last stream never grows. */
static void
a_later_goaway_names_no_later_stream(void)
{
    begin();
    put_request(1, "/l10");
    talk();
    on_loop(peer.loop, leave_now, NULL);
    peer_put_frame(H2_PING, H2_ACK, 0, "goodbye", 8);
    put_request(7, "/n10");
    talk();
    EXPECT_GOAWAY(1, H2_NO_ERROR);
    peer_put_frame(H2_PING, 0, 0, "short", 5);
    talk();
    EXPECT_GOAWAY(1, H2_FRAME_SIZE_ERROR);
    end();
}

static void
a_policy_that_closes_lets_other_streams_finish(void)
{
    begin();
    put_request(1, "/l10");
    put_request(3, "/c10");
    talk();
    EXPECT_WHOLE(3, 10);
    EXPECT_GOAWAY(0x7fffffff, H2_NO_ERROR);
    peer_put_frame(H2_PING, H2_ACK, 0, "goodbye", 8);
    talk();
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_WHOLE(1, 10);
    EXPECT(peer.at_end);
    end();
}

static void
after_the_clients_goaway_its_streams_finish(void)
{
    begin();
    put_request(1, "/l10");
    peer_put_frame(H2_GOAWAY, 0, 0, "\0\0\0\0\0\0\0\0", 8);
    talk();
    EXPECT(!peer.at_end);
    on_loop(peer.loop, served_go, NULL);
    peer_read();
    EXPECT_WHOLE(1, 10);
    EXPECT(peer.at_end);
    end();
}

static void
a_client_that_leaves_ends_all_its_requests(void)
{
    begin();
    params.h2_fibers_max = 4;
    put_request(1, "/k");
    put_request(3, "/n200000");
    put_upload(5, "/r10");
    put_request(7, "/k");
    put_request(9, "/n10"); /* waits for a fiber */
    put_data(5, 0, 50, 0);
    peer_send();
    peer_close();
    peer_turns(20);
    EXPECT_EQ_INT(served.n_live, 0);
    EXPECT(list_empty(&served.sv.sessions));
    EXPECT_EQ_INT(served.n_done, 4);
    end();
}

static const struct test tests[] = {
    TEST(the_preface_may_come_byte_by_byte),
    TEST(a_wrong_preface_ends_the_connection_without_an_answer),
    TEST(an_upgrade_without_a_preface_ends_with_the_idle_timeout),
    TEST(an_upgraded_request_is_answered_behind_the_preface),
    TEST(a_block_may_come_in_pieces_with_padding_and_priority),
    TEST(a_block_must_arrive_in_time_however_slowly_it_comes),
    TEST(the_last_empty_piece_of_a_block_may_exhaust_the_budget),
    TEST(reset_ends_a_request_that_waits),
    TEST(reset_ends_a_request_that_waits_for_its_body),
    TEST(reset_ends_a_delivery_that_waits_for_a_window),
    TEST(reset_ends_a_request_that_waits_for_a_fiber),
    TEST(requests_that_wait_for_a_fiber_are_served_in_order_and_refused_if_none_is_left),
    TEST(a_response_that_fails_resets_its_stream_alone),
    TEST(interim_responses_and_trailers_have_their_blocks),
    TEST(an_idle_session_leaves_when_the_client_knows_it),
    TEST(a_session_leaves_in_two_steps),
    TEST(a_later_goaway_names_no_later_stream),
    TEST(a_policy_that_closes_lets_other_streams_finish),
    TEST(after_the_clients_goaway_its_streams_finish),
    TEST(a_client_that_leaves_ends_all_its_requests),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
