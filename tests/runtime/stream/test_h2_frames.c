/* What a connection answers to frames that break the rules: the code of GOAWAY or RST_STREAM, in 4.x and by
 * RFC 9113. */
#include "h2_fixture.h"

#define NONE UINT32_MAX

/* One frame behind a request on stream 1 that is still open. Codes: of GOAWAY, or of a reset of `stream`. */
static const struct broken {
    const char *what;
    unsigned type, flags;
    uint32_t stream;
    const char *payload;
    size_t n;
    uint32_t goaway, reset, goaway_rfc, reset_rfc;
} broken[] = {
    { "DATA of the connection", H2_DATA, 0, 0, "x", 1, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR, NONE },
    { "DATA of an idle stream", H2_DATA, 0, 5, "x", 1, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR, NONE },
    { "DATA behind the end", H2_DATA, 0, 1, "x", 1, NONE, H2_STREAM_CLOSED, NONE, H2_STREAM_CLOSED },
    { "DATA with more padding than payload", H2_DATA, H2_PADDED, 1, "\2x", 2, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "HEADERS of the connection", H2_HEADERS, WHOLE, 0, "\x82", 1, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "HEADERS of an even stream", H2_HEADERS, WHOLE, 4, "\x82", 1, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "HEADERS behind the end", H2_HEADERS, WHOLE, 1, "\x82", 1, H2_PROTOCOL_ERROR, NONE, H2_STREAM_CLOSED,
      NONE },
    { "HEADERS with an unknown index", H2_HEADERS, WHOLE, 5, "\xff", 1, H2_COMPRESSION_ERROR, NONE,
      H2_COMPRESSION_ERROR, NONE },
    { "HEADERS without fields", H2_HEADERS, WHOLE, 5, "\x82", 1, NONE, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR },
    { "RST_STREAM of an idle stream", H2_RST_STREAM, 0, 5, "\0\0\0\0", 4, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "RST_STREAM of the connection", H2_RST_STREAM, 0, 0, "\0\0\0\0", 4, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "RST_STREAM of three bytes", H2_RST_STREAM, 0, 1, "\0\0\0", 3, H2_FRAME_SIZE_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "SETTINGS of a stream", H2_SETTINGS, 0, 1, "", 0, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR, NONE },
    { "SETTINGS of five bytes", H2_SETTINGS, 0, 0, "\0\1\0\0\0", 5, H2_PROTOCOL_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "SETTINGS with ACK and payload", H2_SETTINGS, H2_ACK, 0, "\0\1\0\0\0\0", 6, H2_FRAME_SIZE_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "a window of 2^31", H2_SETTINGS, 0, 0, "\0\4\x80\0\0\0", 6, H2_FLOW_CONTROL_ERROR, NONE,
      H2_FLOW_CONTROL_ERROR, NONE },
    { "PUSH_PROMISE", H2_PUSH_PROMISE, 0, 1, "\0\0\0\2", 4, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR,
      NONE },
    { "PING of a stream", H2_PING, 0, 1, "01234567", 8, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR, NONE },
    { "PING of seven bytes", H2_PING, 0, 0, "0123456", 7, H2_FRAME_SIZE_ERROR, NONE, H2_FRAME_SIZE_ERROR,
      NONE },
    { "an answer to no PING", H2_PING, H2_ACK, 0, "01234567", 8, H2_PROTOCOL_ERROR, NONE, NONE, NONE },
    { "GOAWAY of a stream", H2_GOAWAY, 0, 1, "\0\0\0\0\0\0\0\0", 8, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "GOAWAY of seven bytes", H2_GOAWAY, 0, 0, "\0\0\0\0\0\0\0", 7, H2_FRAME_SIZE_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "WINDOW_UPDATE by nothing", H2_WINDOW_UPDATE, 0, 0, "\0\0\0\0", 4, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "WINDOW_UPDATE of a stream by nothing", H2_WINDOW_UPDATE, 0, 1, "\0\0\0\0", 4, NONE, H2_PROTOCOL_ERROR,
      NONE, H2_PROTOCOL_ERROR },
    { "WINDOW_UPDATE beyond 2^31", H2_WINDOW_UPDATE, 0, 0, "\x7f\xff\xff\xff", 4, H2_FLOW_CONTROL_ERROR, NONE,
      H2_FLOW_CONTROL_ERROR, NONE },
    { "WINDOW_UPDATE of a stream beyond 2^31", H2_WINDOW_UPDATE, 0, 1, "\x7f\xff\xff\xff", 4, NONE,
      H2_FLOW_CONTROL_ERROR, NONE, H2_FLOW_CONTROL_ERROR },
    { "WINDOW_UPDATE of an idle stream", H2_WINDOW_UPDATE, 0, 5, "\0\0\0\1", 4, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "WINDOW_UPDATE of three bytes", H2_WINDOW_UPDATE, 0, 0, "\0\0\1", 3, H2_FRAME_SIZE_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "CONTINUATION of nothing", H2_CONTINUATION, 0, 1, "\x82", 1, H2_PROTOCOL_ERROR, NONE, H2_PROTOCOL_ERROR,
      NONE },
    { "PRIORITY_UPDATE of a stream", H2_PRIORITY_UPDATE, 0, 1, "\0\0\0\1", 4, H2_PROTOCOL_ERROR, NONE,
      H2_PROTOCOL_ERROR, NONE },
    { "PRIORITY_UPDATE of three bytes", H2_PRIORITY_UPDATE, 0, 0, "\0\0\1", 3, H2_FRAME_SIZE_ERROR, NONE,
      H2_FRAME_SIZE_ERROR, NONE },
    { "PRIORITY of four bytes", H2_PRIORITY, 0, 1, "\0\0\0\0", 4, NONE, NONE, NONE, H2_FRAME_SIZE_ERROR },
    { "an unknown frame", 0x40, 0xff, 7, "x", 1, NONE, NONE, NONE, NONE },
};

static void
expect_answer(const struct broken *b, uint32_t goaway, uint32_t reset)
{
    uint32_t last, error, failures = atomic_load(&test_failures);
    put_request(1, "/l10");
    peer_put_frame(b->type, b->flags, b->stream, b->payload, b->n);
    talk();
    bool ends = got_goaway(&last, &error);
    EXPECT_EQ_INT(ends, goaway != NONE);
    if (ends) {
        EXPECT_EQ_INT(error, goaway);
        EXPECT_EQ_INT(last, b->type == H2_HEADERS && b->stream == 5 ? 5 : 1);
    }
    EXPECT_EQ_INT(b->stream == 0 ? NO_RESET : got(b->stream).reset, reset == NONE ? NO_RESET : reset);
    if (atomic_load(&test_failures) != failures)
        fprintf(stderr, "... %s\n", b->what);
    end();
}

static void
each_frame_has_its_answer_in_4x(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        begin();
        expect_answer(&broken[i], broken[i].goaway, broken[i].reset);
    }
}

static void
each_frame_has_its_answer_by_rfc_9113(void)
{
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        begin_rfc();
        expect_answer(&broken[i], broken[i].goaway_rfc, broken[i].reset_rfc);
    }
}

static void
a_frame_larger_than_announced_ends_the_connection(void)
{
    char head[H2_HEAD_BYTES];
    begin();
    h2_put_frame(head, H2_DATA, 0, H2_PAYLOAD_DEFAULT + 1, 1);
    peer_put(head, sizeof head);
    talk();
    EXPECT_GOAWAY(0, H2_FRAME_SIZE_ERROR);
    end();
}

static void
frames_between_the_pieces_of_a_block_end_the_connection(void)
{
    for (unsigned type = 0; type <= 0x40; type += type < 9 ? 1 : 0x37) {
        begin();
        put_request(1, "/n10");
        peer.out[4] = H2_END_STREAM; /* without END_HEADERS */
        peer_put_frame(type, 0,
                       type == H2_CONTINUATION                  ? 3
                       : type == H2_SETTINGS || type == H2_PING ? 0
                                                                : 1,
                       "01234567", 8);
        talk();
        EXPECT_GOAWAY(1, H2_PROTOCOL_ERROR);
        end();
    }
}

/* ---- the budget ---- */

static void
rapid_resets_end_the_session_in_two_steps(void)
{
    begin();
    for (uint32_t id = 1; id < 160; id += 2) { /* 80 of 100 */
        put_request(id, "/l10");
        put_number(H2_RST_STREAM, id, H2_CANCEL);
    }
    talk();
    EXPECT_GOAWAY(0x7fffffff, H2_NO_ERROR);
    EXPECT_EQ_INT(COUNTED(h2_budget_low), 1);
    for (uint32_t id = 161; id < 203; id += 2) {
        put_request(id, "/l10");
        put_number(H2_RST_STREAM, id, H2_CANCEL);
    }
    talk();
    EXPECT_GOAWAY(199, H2_ENHANCE_YOUR_CALM); /* the 100th: fields took a little, too */
    EXPECT_EQ_INT(COUNTED(h2_killed_reset), 1);
    EXPECT_EQ_INT(served.n_live, 0);
    end();
}

static void
floods_are_counted_by_their_kind(void)
{
    begin();
    params.h2_frame_limit = 20;
    for (int i = 0; i < 21; i++)
        peer_put_frame(H2_PING, 0, 0, "01234567", 8);
    talk();
    EXPECT_GOAWAY(0, H2_ENHANCE_YOUR_CALM);
    EXPECT_EQ_INT(COUNTED(h2_killed_control), 1);
    end();
    begin();
    params.h2_frame_limit = 20;
    put_upload(1, "/r10");
    for (int i = 0; i < 22; i++)
        put_data(1, (size_t)i, 1, 0);
    talk();
    EXPECT_GOAWAY(1, H2_ENHANCE_YOUR_CALM);
    EXPECT_EQ_INT(COUNTED(h2_killed_tiny), 1);
    end();
}

static const struct test tests[] = {
    TEST(each_frame_has_its_answer_in_4x),
    TEST(each_frame_has_its_answer_by_rfc_9113),
    TEST(a_frame_larger_than_announced_ends_the_connection),
    TEST(frames_between_the_pieces_of_a_block_end_the_connection),
    TEST(rapid_resets_end_the_session_in_two_steps),
    TEST(floods_are_counted_by_their_kind),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
