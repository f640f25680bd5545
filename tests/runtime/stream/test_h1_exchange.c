/* HTTP/1 to an origin: an exchange over a socket whose other end the test holds. Checks the bytes on the
 * wire, the parsed response, and whether the connection is kept. */
#include "stream/exchange_fixture.h"

/* ---- the request ---- */

static void
a_request_without_content_is_a_head(void)
{
    begin();
    start(&ask);
    origin_accepts();
    EXPECT_EQ_STR(span_str(origin_reads("\r\n\r\n")), "GET /a HTTP/1.1\r\nHost: h\r\n\r\n");
    origin_says("HTTP/1.1 204 No\r\n\r\n");
    finish();
    EXPECT_EQ_INT(result, 0);
    EXPECT_EQ_INT(x->bytes.bereq_head, strlen("GET /a HTTP/1.1\r\nHost: h\r\n\r\n"));
    end();
}

static struct content sent;

static void
send_now(void)
{
    open_exchange(false);
    if (result == 0)
        result = exchange_send_head(x, &head, &sent, soon());
    if (result == 0)
        result = exchange_send_body(x, SPAN_LIT("hello"), false, soon());
    if (result == 0)
        result = exchange_send_body(x, SPAN_NULL, true, soon());
}
static void (*const send_content)(void) = send_now;

static void
sends(enum content_kind kind, uint64_t bytes, const char *last, const char *wire)
{
    sent = (struct content){ kind, bytes };
    head.method = SPAN_LIT("POST");
    start(&send_content);
    origin_accepts();
    const char *text = origin_reads(last);
    finish();
    EXPECT_EQ_STR(span_str(text), wire);
}

static void
content_of_known_length_is_announced(void)
{
    begin();
    sends(CONTENT_KNOWN, 5, "hello", "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ_INT(result, 0);
    EXPECT_EQ_INT(x->bytes.bereq_body, 5);
    end();
}

static void
content_of_unknown_length_goes_in_chunks(void)
{
    begin();
    sends(CONTENT_UNKNOWN, 0, "0\r\n\r\n",
          "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
    EXPECT_EQ_INT(result, 0);
    end();
}

static void
framing_takes_away_what_does_not_hold(void)
{
    begin();
    CHECK(message_set(&head, NAME_CONTENT_LENGTH, SPAN_NULL, SPAN_LIT("9")) == 0);
    CHECK(message_set(&head, NAME_TRANSFER_ENCODING, SPAN_NULL, SPAN_LIT("gzip")) == 0);
    CHECK(h1_frame(&head, &nothing) == 0);
    EXPECT(!message_has(&head, NAME_CONTENT_LENGTH) && !message_has(&head, NAME_TRANSFER_ENCODING));
    end();
}

static void
begin_upload_now(void)
{
    static const struct content content = { CONTENT_KNOWN, 1000 };
    head.method = SPAN_LIT("POST");
    open_exchange(false);
    if (result == 0)
        result = exchange_send_head(x, &head, &content, soon());
    if (result == 0)
        result = exchange_send_body(x, SPAN_LIT("hello"), false, soon());
}
static void (*const begin_upload)(void) = begin_upload_now;

/* Says the pieces after the beginning of an upload. Returns after how many of them the upload is useless; -1:
 * never. */
static int
useless_after(const char *const pieces[], int n)
{
    int found = -1;
    begin();
    start(&begin_upload);
    origin_accepts();
    finish();
    (void)origin_reads("hello");
    EXPECT(!exchange_answered(x));
    for (int i = 0; i < n; i++) {
        origin_says(pieces[i]);
        if (found < 0 && exchange_answered(x))
            found = i + 1;
    }
    return found;
}

static void
an_early_answer_makes_the_rest_of_the_content_useless(void)
{
    EXPECT_EQ_INT(useless_after((const char *const[]){ "HTTP/1.1 4", "13 Too Large\r\n" }, 2), 2);
    end();
    EXPECT_EQ_INT(useless_after((const char *const[]){ "HTTP/1.1 100 Continue\r\n", "\r\n",
                                                       "HTTP/1.1 103 \nLink: <a>\n\nHTTP",
                                                       "/1.1 302 Found\r\n" },
                                4),
                  4);
    origin_says("\r\n");
    for (unsigned status = 100; status != 302; status = answer.status) {
        start(&recv_head);
        finish();
        EXPECT_EQ_INT(result, 0);
    }
    end();
    EXPECT_EQ_INT(useless_after((const char *const[]){ "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ab" },
                                2),
                  -1);
    origin_closes();
    EXPECT(exchange_answered(x));
    end();
    EXPECT_EQ_INT(useless_after((const char *const[]){ "SSH-2.0-OpenSSH\r\n" }, 1), 1);
    end();
}

/* ---- the response ---- */

static void
a_connection_is_kept_and_used_again(void)
{
    begin();
    whole("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    EXPECT_EQ_STR(content(), "hello");
    EXPECT(!x->reused);
    EXPECT(is_kept());
    whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
    EXPECT_EQ_STR(content(), "ab");
    EXPECT(x->reused);
    EXPECT(is_kept());
    end();
}

#define LONG_BYTES 20000
#define UPLOAD_BYTES (4u << 20) /* more than both sockets hold */

/* Returns LONG_BYTES bytes between two texts. */
static const char *
long_between(const char *before, const char *after)
{
    static char all[LONG_BYTES + 200];
    size_t n = strlen(before);
    CHECK(n + LONG_BYTES + strlen(after) < sizeof all);
    memcpy(all, before, n);
    memset(all + n, 'x', LONG_BYTES);
    memcpy(all + n + LONG_BYTES, after, strlen(after) + 1);
    return all;
}

static void
piece_now(void)
{
    result = exchange_recv_body(x, received, sizeof received, soon());
}
static void (*const recv_piece)(void) = piece_now;

/* The first piece was copied, and the second went from the socket to its final place. */
static void
most_content_that_arrives_with_the_head_is_left_in_the_socket(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says(long_between("HTTP/1.1 200 OK\r\nContent-Length: 20000\r\n\r\n", ""));
    finish();
    start(&recv_piece);
    finish();
    EXPECT_EQ_INT(result, 8192 - x->bytes.beresp_head);
    start(&recv_piece);
    finish();
    EXPECT_EQ_INT(result, LONG_BYTES + x->bytes.beresp_head - 8192);
    EXPECT(is_kept());
    end();
}

static void
a_head_may_be_longer_than_the_first_read(void)
{
    begin();
    params.http_resp_hdr_len_bytes = LONG_BYTES + 100;
    whole(long_between("HTTP/1.1 204 No\r\nX: ", "\r\n\r\n"));
    EXPECT_EQ_INT(answer.status, 204);
    EXPECT_EQ_INT(message_get_named(&answer, NAME_NONE, SPAN_LIT("X")).len, LONG_BYTES);
    EXPECT(is_kept());
    end();
}

static void
an_interim_head_is_told_apart(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 103 Early\r\nLink: a\r\n\r\nHTTP/1.1 204 No\r\n\r\n");
    finish();
    EXPECT_EQ_INT(answer.status, 103);
    EXPECT(exchange_head_is_interim(&answer));
    start(&recv_head);
    finish();
    EXPECT_EQ_INT(answer.status, 204);
    EXPECT_EQ_INT(x->content.kind, CONTENT_NONE);
    EXPECT(is_kept());
    end();
}

static void
chunks_are_decoded(void)
{
    begin();
    whole(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=b\r\n!\r\n0\r\nX-T: 1\r\n\r\n");
    EXPECT_EQ_STR(content(), "hello!");
    EXPECT_EQ_INT(x->bytes.beresp_body, 6);
    answer.n_fields = 0;
    EXPECT_EQ_INT(exchange_recv_trailers(x, &answer), 0);
    EXPECT_EQ_STR(message_get_named(&answer, NAME_NONE, SPAN_LIT("X-T")), "1");
    EXPECT(is_kept());
    end();
}

static void
chunks_may_arrive_byte_by_byte(void)
{
    static const char wire[] = "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n";
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    finish();
    start(&recv_content);
    for (const char *p = wire; *p != '\0'; p++)
        origin_says((char[]){ *p, '\0' });
    finish();
    EXPECT_EQ_INT(result, 0);
    EXPECT_EQ_STR(content(), "abcde");
    EXPECT(is_kept());
    end();
}

static void
bytes_behind_a_response_close_its_connection(void)
{
    begin();
    whole("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab");
    EXPECT_EQ_STR(content(), "a");
    EXPECT(!is_kept());
    end();
}

static void
a_response_that_was_not_received_closes_its_connection(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n");
    finish();
    EXPECT(!is_kept());
    end();
}

static void
an_origin_that_says_close_is_obeyed(void)
{
    begin();
    whole("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na");
    EXPECT(!is_kept());
    end();
}

static void
an_owner_that_wants_a_close_gets_it(void)
{
    begin();
    whole("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na");
    x->close_after = true;
    EXPECT(!is_kept());
    end();
}

static void
without_framing_the_content_ends_with_the_connection(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\n\r\nall ");
    finish();
    EXPECT(x->until_close);
    start(&recv_content);
    origin_says("of it");
    origin_closes();
    finish();
    EXPECT_EQ_INT(result, 0);
    EXPECT_EQ_STR(content(), "all of it");
    EXPECT(!is_kept());
    end();
}

static void
a_response_to_head_has_no_content(void)
{
    begin();
    head.method = SPAN_LIT("HEAD");
    whole("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n");
    EXPECT_EQ_INT(x->content.kind, CONTENT_NONE);
    EXPECT(is_kept());
    end();
}

/* ---- errors ---- */

/* No complete head arrives. Returns the error that the exchange reports. */
static void
fails(const char *says, bool closes, int err, const char *why, enum backend_close close_why)
{
    start(&ask);
    if (peer == -1)
        origin_accepts();
    (void)origin_reads("\r\n\r\n");
    if (says != NULL)
        origin_says(says);
    if (closes)
        origin_closes();
    finish();
    EXPECT_EQ_INT(result, err);
    EXPECT_EQ_STR(span_str(x->error.why), why);
    EXPECT_EQ_INT(x->close_why, close_why);
}

static void
an_origin_that_closes_without_an_answer_is_an_error(void)
{
    begin();
    fails(NULL, true, ERR_EOF, "HTC eof (-1)", CLOSE_RX_BAD);
    EXPECT_EQ_INT(x->retry, RETRY_NEVER); /* it was a new connection: the origin has seen the request */
    end();
}

static void
what_was_sent_on_a_kept_connection_that_ends_may_be_repeated_if_idempotent(void)
{
    begin();
    whole("HTTP/1.1 204 No\r\n\r\n");
    EXPECT(is_kept());
    fails(NULL, true, ERR_EOF, "HTC eof (-1)", CLOSE_RX_BAD);
    EXPECT(x->reused);
    EXPECT_EQ_INT(x->retry, RETRY_IDEMPOTENT);
    end();
}

/* The origin resets the connection between its check and the first byte. */
static void
late_reset(void)
{
    struct linger at_once = { 1, 0 };
    open_exchange(false);
    CHECK(setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0 && close(peer) == 0);
    peer = -1;
    result = exchange_send_head(x, &head, &nothing, soon());
}
static void (*const send_too_late)(void) = late_reset;

static void
a_request_of_which_no_byte_was_sent_may_be_repeated(void)
{
    begin();
    whole("HTTP/1.1 204 No\r\n\r\n");
    EXPECT(is_kept());
    start(&send_too_late);
    finish();
    EXPECT_EQ_INT(result, ERR_RESET);
    EXPECT(x->reused);
    EXPECT_EQ_INT(x->retry, RETRY_ALWAYS);
    end();
}

static void
a_head_that_is_cut_is_an_error(void)
{
    begin();
    fails("HTTP/1.1 200 OK\r\nA: ", true, ERR_SYNTAX, "HTC eof (-1)", CLOSE_RX_BAD);
    EXPECT_EQ_INT(x->retry, RETRY_NEVER);
    end();
}

static void
what_is_no_head_is_shown(void)
{
    begin();
    fails("SSH-2.0-x\r\nmore", false, ERR_SYNTAX, "http format error", CLOSE_RX_JUNK);
    EXPECT_EQ_STR(x->error.garbage, "SSH-2.0-x\r");
    end();
}

static void
late_now(void)
{
    open_exchange(false);
    result = exchange_send_head(x, &head, &nothing, soon());
    if (result == 0)
        result = exchange_recv_head(x, &answer, nsec_add(loop_now(loop), 20 * NSEC_PER_MSEC), 2);
}
static void (*const ask_in_a_hurry)(void) = late_now;

static void
an_origin_that_says_nothing_in_time_is_an_error(void)
{
    begin();
    start(&ask_in_a_hurry);
    origin_accepts();
    finish();
    EXPECT_EQ_INT(result, ERR_TIMEOUT);
    EXPECT_EQ_STR(span_str(x->error.why), "first byte timeout");
    EXPECT_EQ_INT(x->close_why, CLOSE_RX_TIMEOUT);
    end();
}

static void
lengths_that_contradict_each_other_are_facts_that_are_wrong(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n");
    finish();
    EXPECT_EQ_INT(result, 0);
    EXPECT(x->content_wrong && x->error.why != NULL);
    EXPECT(!is_kept());
    end();
}

static void
content_that_is_cut_is_an_error(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
    finish();
    start(&recv_content);
    origin_closes();
    finish();
    EXPECT_EQ_INT(result, ERR_EOF);
    EXPECT_EQ_STR(span_str(x->error.why), "straight insufficient bytes");
    end();
}

static void
chunks_that_are_no_chunks_are_an_error(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n");
    finish();
    start(&recv_content);
    finish();
    EXPECT_EQ_INT(result, ERR_SYNTAX);
    EXPECT_EQ_STR(span_str(x->error.why), "chunked header non-hex");
    end();
}

static void
interrupt_now(void *arg)
{
    exchange_interrupt(x);
}

static void
a_fiber_that_waits_for_content_can_be_interrupted(void)
{
    begin();
    start(&ask);
    origin_accepts();
    (void)origin_reads("\r\n\r\n");
    origin_says("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf");
    finish();
    start(&recv_content);
    loop_run_once(loop, WAIT);
    EXPECT(!done);
    on_loop(loop, interrupt_now, NULL);
    finish();
    EXPECT_EQ_INT(result, layered ? ERR_RESET : ERR_EOF); /* the layer misses the origin's end */
    end();
}

/* ---- tunnel ---- */

static void
tunnel_now(void)
{
    open_exchange(false);
    if (result == 0)
        result = exchange_tunnel_start(x, &head);
}
static void (*const open_tunnel)(void) = tunnel_now;

static unsigned ready;

static void
count_ready(struct exchange *exchange)
{
    ready++;
}

static void
a_tunnel_moves_bytes_both_ways(void)
{
    char text[RECORD_PLAIN_MAX];
    begin();
    start(&open_tunnel);
    origin_accepts();
    finish();
    EXPECT_EQ_INT(result, 0);
    EXPECT(x->tunnel_unsent > 0);
    x->on_ready = count_ready;
    ready = 0;
    struct iovec iov = { (void *)(uintptr_t)"up", 2 };
    EXPECT_EQ_INT(exchange_tunnel_write(x, &iov, 1), 2);
    EXPECT_EQ_INT(x->tunnel_unsent, 0);
    EXPECT_EQ_STR(span_str(origin_reads("up")), "GET /a HTTP/1.1\r\nHost: h\r\n\r\nup");
    EXPECT_EQ_INT(exchange_tunnel_read(x, text, sizeof text), ERR_AGAIN);
    origin_says("down");
    EXPECT(ready > 0);
    EXPECT_EQ_INT(exchange_tunnel_read(x, text, sizeof text), 4);
    exchange_tunnel_shut(x);
    EXPECT_EQ_INT(origin_receives(text, sizeof text), 0);
    origin_closes();
    EXPECT_EQ_INT(exchange_tunnel_read(x, text, sizeof text), 0);
    EXPECT_EQ_INT(x->bytes.bereq_head, 0); /* the pipe counts its bytes itself */
    end();
}

/* ---- a layer below the connection ---- */

/* A TLS server sends tickets when it likes. */
static void
a_record_of_the_layer_alone_leaves_an_idle_connection_in_the_pool(void)
{
    begin();
    whole("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello");
    struct record_layer *layer = record_layer_of(&h1_exchange_of(x)->bc->conn);
    EXPECT(is_kept());
    record_peer_says(peer, RECORD_TICKET, "new", 3);
    for (int i = 0; i < ROUNDS_MAX && layer->tickets == 0; i++)
        loop_run_once(loop, WAIT);
    EXPECT_EQ_INT(layer->tickets, 1);
    EXPECT_EQ_INT(backend_idle(backend), 1);
    whole("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab");
    EXPECT(x->reused);
    EXPECT(is_kept());
    origin_says("unasked");
    for (int i = 0; i < ROUNDS_MAX && backend_idle(backend) > 0; i++)
        loop_run_once(loop, WAIT);
    EXPECT_EQ_INT(backend_idle(backend), 0);
    end();
}

static void
fill_now(void)
{
    static const struct content content = { CONTENT_KNOWN, UPLOAD_BYTES };
    static char bytes[UPLOAD_BYTES];
    head.method = SPAN_LIT("POST");
    open_exchange(false);
    if (result == 0)
        result = exchange_send_head(x, &head, &content, soon());
    if (result == 0)
        result = exchange_send_body(x, span_of(bytes, sizeof bytes), true, soon());
}
static void (*const fill)(void) = fill_now;

/* Otherwise the origin would wait for bytes that nobody sends. */
static void
a_request_is_sent_when_its_last_byte_is_with_the_kernel(void)
{
    size_t n = 0;
    begin();
    start(&fill);
    origin_accepts();
    for (int i = 0; i < ROUNDS_MAX && !done; i++) {
        char text[RECORD_PLAIN_MAX];
        loop_run_once(loop, WAIT);
        for (ssize_t got; (got = origin_receives(text, sizeof text)) > 0;)
            n += (size_t)got;
    }
    EXPECT_EQ_INT(result, 0);
    EXPECT(n > UPLOAD_BYTES);
    end();
}

/* On a socket only: reads there give all that has arrived. */
static const struct test of_sockets[] = {
    TEST(most_content_that_arrives_with_the_head_is_left_in_the_socket),
    TEST(what_is_no_head_is_shown),
};

static const struct test of_layers[] = {
    TEST(a_record_of_the_layer_alone_leaves_an_idle_connection_in_the_pool),
    TEST(a_request_is_sent_when_its_last_byte_is_with_the_kernel),
};

static const struct test tests[] = {
    TEST(a_request_without_content_is_a_head),
    TEST(content_of_known_length_is_announced),
    TEST(content_of_unknown_length_goes_in_chunks),
    TEST(framing_takes_away_what_does_not_hold),
    TEST(an_early_answer_makes_the_rest_of_the_content_useless),
    TEST(a_connection_is_kept_and_used_again),
    TEST(a_head_may_be_longer_than_the_first_read),
    TEST(an_interim_head_is_told_apart),
    TEST(chunks_are_decoded),
    TEST(chunks_may_arrive_byte_by_byte),
    TEST(bytes_behind_a_response_close_its_connection),
    TEST(a_response_that_was_not_received_closes_its_connection),
    TEST(an_origin_that_says_close_is_obeyed),
    TEST(an_owner_that_wants_a_close_gets_it),
    TEST(without_framing_the_content_ends_with_the_connection),
    TEST(a_response_to_head_has_no_content),
    TEST(an_origin_that_closes_without_an_answer_is_an_error),
    TEST(what_was_sent_on_a_kept_connection_that_ends_may_be_repeated_if_idempotent),
    TEST(a_request_of_which_no_byte_was_sent_may_be_repeated),
    TEST(a_head_that_is_cut_is_an_error),
    TEST(an_origin_that_says_nothing_in_time_is_an_error),
    TEST(lengths_that_contradict_each_other_are_facts_that_are_wrong),
    TEST(content_that_is_cut_is_an_error),
    TEST(chunks_that_are_no_chunks_are_an_error),
    TEST(a_fiber_that_waits_for_content_can_be_interrupted),
    TEST(a_tunnel_moves_bytes_both_ways),
};

int
main(int argc, char **argv)
{
    defaults = params;
    int failed = test_run(argc, argv, of_sockets, sizeof of_sockets / sizeof *of_sockets) |
                 test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    layered = true;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests) |
           test_run(argc, argv, of_layers, sizeof of_layers / sizeof *of_layers) | failed;
}
