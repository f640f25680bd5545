/* Content of HTTP/2 streams: windows of both sides, turns, and a peer that reads slowly or not at all. */
#include "h2_fixture.h"

/* ---- windows for responses ---- */

static void
a_window_may_open_byte_by_byte(void)
{
    begin();
    put_setting(H2_INITIAL_WINDOW_SIZE, 0);
    put_request(1, "/n40");
    talk();
    EXPECT_EQ_INT(got(1).heads, 1); /* heads need no window */
    EXPECT_EQ_INT(got(1).bytes, 0);
    for (size_t i = 1; i <= 40; i++) {
        put_number(H2_WINDOW_UPDATE, 1, 1);
        talk();
        EXPECT_EQ_INT(got(1).bytes, i);
    }
    EXPECT_WHOLE(1, 40);
    end();
}

static void
the_connection_has_a_window_of_its_own(void)
{
    begin();
    put_setting(H2_INITIAL_WINDOW_SIZE, 1 << 20);
    put_request(1, "/n100000");
    put_request(3, "/n100000");
    talk();
    EXPECT_EQ_INT(got(1).bytes + got(3).bytes, 65535);
    put_number(H2_WINDOW_UPDATE, 0, 200000 - 65535);
    talk();
    EXPECT_WHOLE(1, 100000);
    EXPECT_WHOLE(3, 100000);
    end();
}

/* RFC 9113, 6.9.2: a smaller initial window may make windows negative. */
static void
a_negative_window_opens_again(void)
{
    begin();
    put_request(1, "/n70000");
    talk();
    EXPECT_EQ_INT(got(1).bytes, 65535);
    put_setting(H2_INITIAL_WINDOW_SIZE, 10);
    put_number(H2_WINDOW_UPDATE, 0, 1 << 20);
    put_number(H2_WINDOW_UPDATE, 1, 65525);
    talk();
    EXPECT_EQ_INT(got(1).bytes, 65535);
    put_number(H2_WINDOW_UPDATE, 1, 1);
    talk();
    EXPECT_EQ_INT(got(1).bytes, 65536);
    put_setting(H2_INITIAL_WINDOW_SIZE, 65535);
    talk();
    EXPECT_WHOLE(1, 70000);
    end();
}

static void
a_response_without_content_passes_a_shut_window(void)
{
    begin();
    put_request(1, "/n100000");
    talk();
    EXPECT_EQ_INT(got(1).bytes, 65535);
    put_request(3, "/n0");
    put_request(5, "/n10");
    talk();
    EXPECT_WHOLE(3, 0);
    EXPECT_EQ_INT(got(5).heads, 1);
    EXPECT_EQ_INT(got(5).bytes, 0);
    end();
}

/* A stream that waits for its own window must not hold the others up. */
static void
a_stream_whose_window_is_shut_holds_nobody_up(void)
{
    begin();
    put_number(H2_WINDOW_UPDATE, 0, 1 << 20);
    put_request(1, "/l100000");
    talk();
    on_loop(peer.loop, served_go, NULL); /* sends in a round of its own */
    peer_read();
    EXPECT_EQ_INT(got(1).bytes, 65535);
    put_request(3, "/n1000");
    talk();
    EXPECT_WHOLE(3, 1000);
    end();
}

static void
shut_windows_end_a_session_after_h2_window_timeout(void)
{
    begin();
    params.h2_window_timeout_s = 0.05;
    put_setting(H2_INITIAL_WINDOW_SIZE, 1 << 20);
    put_request(1, "/n100000");
    put_request(3, "/n100000");
    talk();
    EXPECT_NO_GOAWAY();
    for (int i = 0; i < 300 && count_control(H2_GOAWAY) == 0; i++) {
        loop_run_once(peer.loop, PEER_WAIT);
        (void)peer_read_some(PEER_READS_MAX);
    }
    EXPECT_GOAWAY(3, H2_ENHANCE_YOUR_CALM);
    EXPECT_EQ_INT(COUNTED(h2_killed_window), 1);
    EXPECT_EQ_INT(served.n_live, 0);
    end();
}

/* ---- windows for requests ---- */

static void
the_window_of_an_upload_opens_as_it_is_read(void)
{
    begin();
    put_upload(1, "/b10");
    for (size_t at = 0; at < 65000; at += 5000)
        put_data(1, at, 5000, 0);
    talk();
    EXPECT_EQ_INT(got(1).window, 0);
    EXPECT(got(0).window >= 1 << 20); /* the connection's is open for all streams */
    put_data(1, 65000, 535, 0);
    on_loop(peer.loop, served_go, NULL);
    talk();
    EXPECT_EQ_INT(got(1).window, 65535);
    EXPECT_EQ_INT(served.received, 65535);
    put_data(1, 65535, 1000, H2_END_STREAM);
    talk();
    EXPECT_WHOLE(1, 10);
    EXPECT_EQ_INT(served.received, 66535);
    EXPECT_EQ_INT(served.read_last, 0);
    end();
}

static void
content_behind_the_window_resets_the_stream(void)
{
    begin();
    put_upload(1, "/b10");
    for (size_t at = 0; at < 65000; at += 5000)
        put_data(1, at, 5000, 0);
    put_data(1, 65000, 536, 0);
    put_request(3, "/n10");
    talk();
    EXPECT_EQ_INT(got(1).reset, H2_FLOW_CONTROL_ERROR);
    EXPECT_WHOLE(3, 10);
    end();
}

static void
padding_counts_for_the_window_and_is_not_content(void)
{
    char padded[300] = { (char)255 };
    begin();
    put_upload(1, "/r10");
    for (int i = 0; i < 400; i++)
        peer_put_frame(H2_DATA, H2_PADDED, 1, padded, 256);
    talk();
    EXPECT(got(1).window >= 400 * 256 - 65535);
    EXPECT_EQ_INT(got(1).reset, NO_RESET);
    put_data(1, 0, 7, H2_END_STREAM);
    talk();
    EXPECT_EQ_INT(served.received, 7);
    EXPECT_WHOLE(1, 10);
    end();
}

/* ---- the socket ---- */

static void
a_response_larger_than_the_socket_takes_arrives_whole(void)
{
    begin();
    put_setting(H2_INITIAL_WINDOW_SIZE, 1 << 20);
    put_number(H2_WINDOW_UPDATE, 0, 1 << 20);
    put_request(1, "/n1000000");
    peer_send();
    for (int i = 0; i < 100000 && !peer.at_end; i++) {
        peer_turns(1);
        if (peer_read_some(777) == 0 && i > 3000)
            break;
    }
    peer_read();
    EXPECT_WHOLE(1, 1000000);
    end();
}

static void
a_peer_that_does_not_read_stops_our_reading_only(void)
{
    begin();
    params.h2_frame_limit = 0;
    for (int i = 0; i < 30000; i++)
        peer_put_frame(H2_PING, 0, 0, "01234567", 8);
    put_request(1, "/n10");
    size_t at = 0, n_out = peer.n_out;
    for (int i = 0; at < n_out && i < 100000; i++) {
        ssize_t put = send(peer.fd, peer.out + at, n_out - at, MSG_NOSIGNAL | MSG_DONTWAIT);
        at += put > 0 ? (size_t)put : 0;
        peer_turns(2);
        if (i == 300) /* stuck: neither side reads */
            EXPECT(at < n_out);
        if (i > 300)
            (void)peer_read_some(5000);
    }
    peer.n_out = 0;
    EXPECT_EQ_INT(at, n_out);
    peer_read();
    EXPECT_EQ_INT(count_control(H2_PING), 30000);
    EXPECT_WHOLE(1, 10);
    end();
}

/* ---- turns ---- */

/* The streams of DATA frames since peer.taken, one digit each: (id + 1) / 2. Neighbours count once. */
static const char *
order_of_data(void)
{
    static char text[200];
    struct h2_frame f;
    const uint8_t *payload;
    size_t n = 0, taken = peer.taken;
    while (peer_next(&f, &payload) && n < sizeof text - 1) {
        char digit = (char)('0' + (f.stream + 1) / 2);
        if (f.type == H2_DATA && f.bytes > 0 && (n == 0 || text[n - 1] != digit))
            text[n++] = digit;
    }
    text[n] = '\0';
    peer.taken = taken;
    return text;
}

static void
urgent_streams_go_first(void)
{
    begin();
    put_setting(H2_INITIAL_WINDOW_SIZE, 1 << 20);
    put_request(1, "/n100000"); /* takes the window of the connection */
    talk();
    put_request(3, "/n1000");
    put_request(5, "/n1000");
    put_request(7, "/n1000");
    put_priority(5, "u=0");
    put_priority(7, "u=1");
    put_priority(1, "u=7");
    talk();
    peer.taken = peer.n;
    put_number(H2_WINDOW_UPDATE, 0, 1 << 20);
    talk();
    EXPECT_EQ_STR(span_str(order_of_data()), "3421");
    end();
}

static void
incremental_streams_share(void)
{
    begin();
    put_setting(H2_INITIAL_WINDOW_SIZE, 1 << 20);
    put_request(1, "/n100000"); /* takes the window of the connection */
    talk();
    put_request(3, "/n40000");
    put_request(5, "/n40000");
    put_priority(3, "i");
    put_priority(5, "i");
    put_priority(1, "u=7");
    talk();
    peer.taken = peer.n;
    put_number(H2_WINDOW_UPDATE, 0, 1 << 20);
    talk();
    EXPECT_EQ_STR(span_str(order_of_data()), "2323231");
    EXPECT_EQ_INT(got(3).bytes, 40000);
    end();
}

static const struct test tests[] = {
    TEST(a_window_may_open_byte_by_byte),
    TEST(the_connection_has_a_window_of_its_own),
    TEST(a_negative_window_opens_again),
    TEST(a_response_without_content_passes_a_shut_window),
    TEST(a_stream_whose_window_is_shut_holds_nobody_up),
    TEST(shut_windows_end_a_session_after_h2_window_timeout),
    TEST(the_window_of_an_upload_opens_as_it_is_read),
    TEST(content_behind_the_window_resets_the_stream),
    TEST(padding_counts_for_the_window_and_is_not_content),
    TEST(a_response_larger_than_the_socket_takes_arrives_whole),
    TEST(a_peer_that_does_not_read_stops_our_reading_only),
    TEST(urgent_streams_go_first),
    TEST(incremental_streams_share),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
