/* Clients that speak HTTP/1 over a socket, each test first on the socket alone, then through a layer
 * (support/record_layer.h) that gives whole records, then through one that gives single bytes. */
#include <sys/socket.h>
#include <unistd.h>

#include "proxy/request_fixture.h"
#include "stream/start.h"
#include "stream/wire.h"
#include "support/record_layer.h"

#define HEARD_BYTES (1u << 20)
#define LONG_BYTES 200000u
#define GET(path) "GET " path " HTTP/1.1\r\nHost: h\r\n\r\n"

static enum { SOCKET_ALONE, RECORDS, BYTES } medium;
static const struct listen_socket listener = {
    .fd = -1, .name = { "a0", 2 }, .endpoint = { "test", 4 }, .local_known = true
};
static int peer; /* the client; -1: closed */
static struct record_peer reader;
static char heard[HEARD_BYTES + RECORD_PLAIN_MAX];
static size_t n_heard;
static bool heard_end;
static char long_text[LONG_BYTES + 1];

/* ---- the client ---- */

static void
accepts(void *arg)
{
    const int *fd = arg;
    struct service *sv = &w.server->service;
    atomic_fetch_add(&sv->load->sessions, 1);
    start_session(sv, *fd, &listener, &(struct address){ .family = 1 });
    struct session *s = container_of(sv->sessions.prev, struct session, link);
    if (medium != SOCKET_ALONE)
        record_layer_add(&wire_of(s)->conn, medium == RECORDS ? SIZE_MAX : 1);
}

static void
begin_client(void)
{
    int fds[2], small = 1;
    begin();
    memset(long_text, '#', LONG_BYTES);
    CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, fds) == 0 &&
          setsockopt(fds[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small) == 0);
    peer = fds[1];
    reader = (struct record_peer){ 0 };
    n_heard = 0;
    heard_end = false;
    on_loop(w.loop, accepts, &fds[0]);
}

static void
leave(void)
{
    if (peer >= 0)
        close(peer);
    peer = -1;
}

/* Only the client in memory of the fixture is left. */
static void
end_client(void)
{
    leave();
    for (int i = 0; i < ROUNDS_MAX && COUNTED(sess_live) > 1; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(sess_live), 1);
    EXPECT_EQ_INT(record_layers, 0);
    end();
}

static void
says(const char *text)
{
    if (medium == SOCKET_ALONE)
        CHECK(send(peer, text, strlen(text), MSG_NOSIGNAL) == (ssize_t)strlen(text));
    else
        record_peer_says(peer, RECORD_DATA, text, strlen(text));
    turns(3);
}

static void
says_the_end(void)
{
    if (medium != SOCKET_ALONE)
        record_peer_says(peer, RECORD_END, "", 0);
    CHECK(shutdown(peer, SHUT_WR) == 0);
    turns(3);
}

static void
hears_now(void)
{
    ssize_t n = 1;
    while (n > 0 && n_heard < HEARD_BYTES) {
        n = medium == SOCKET_ALONE ? recv(peer, heard + n_heard, HEARD_BYTES - n_heard, MSG_DONTWAIT)
                                   : record_peer_reads(&reader, peer, heard + n_heard);
        n_heard += n > 0 ? (size_t)n : 0;
    }
    heard_end = n == 0;
    heard[n_heard] = '\0';
}

/* Hears until the text has come `times` times. */
static void
hears(const char *text, unsigned times)
{
    unsigned found = 0;
    for (int i = 0; i < ROUNDS_MAX && found < times && !heard_end; i++) {
        loop_run_once(w.loop, ROUND_WAIT);
        hears_now();
        found = 0;
        for (const char *p = heard; (p = strstr(p, text)) != NULL; p++)
            found++;
    }
    EXPECT_EQ_INT(found, times);
}

static void
hears_the_end(void)
{
    for (int i = 0; i < ROUNDS_MAX && !heard_end; i++) {
        loop_run_once(w.loop, ROUND_WAIT);
        hears_now();
    }
    EXPECT(heard_end);
    EXPECT(medium == SOCKET_ALONE || reader.ended); /* the layer told the end, the socket confirms it */
}

static size_t
count_heard(char c)
{
    size_t n = 0;
    for (size_t i = 0; i < n_heard; i++)
        n += heard[i] == c;
    return n;
}

static void
answers(const char *body)
{
    static char heads[4][128];
    static unsigned next;
    char *head = heads[next++ % 4];
    snprintf(head, sizeof heads[0], OK_HEAD "Content-Length: %zu\n", strlen(body));
    memory_answer((struct memory_answer){ .head = head, .body = { body } });
}

/* ---- responses ---- */

static void
a_connection_serves_one_request_after_another(void)
{
    begin_client();
    answers("hello");
    says(GET("/a"));
    hears("hello", 1);
    says(GET("/a"));
    hears("hello", 2);
    EXPECT_EQ_INT(COUNTED(cache_hit), 1);
    EXPECT_EQ_INT(COUNTED(client_req), 2);
    EXPECT(!heard_end);
    end_client();
}

static void
pipelined_requests_are_answered_in_order(void)
{
    begin_client();
    answers("first");
    answers("second");
    says(GET("/a") GET("/b") GET("/a"));
    hears("first", 2);
    const char *second = strstr(heard, "second");
    EXPECT(second != NULL && strstr(heard, "first") < second && strstr(second, "first") != NULL);
    EXPECT_EQ_INT(COUNTED(client_req), 3);
    end_client();
}

static void
a_long_response_waits_for_its_client(void)
{
    begin_client();
    answers(long_text);
    says(GET("/a"));
    turns(20);
    EXPECT_EQ_INT(COUNTED(req_live), 1);
    hears("\r\n\r\n", 1);
    for (int i = 0; i < ROUNDS_MAX && count_heard('#') < LONG_BYTES; i++) {
        loop_run_once(w.loop, ROUND_WAIT);
        hears_now();
    }
    EXPECT_EQ_INT(count_heard('#'), LONG_BYTES);
    turns(3);
    EXPECT_EQ_INT(COUNTED(req_live), 0); /* the layer holds no byte of it any more */
    answers("next");
    says(GET("/b"));
    hears("next", 1);
    end_client();
}

static void
content_of_unknown_length_goes_in_chunks(void)
{
    begin_client();
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "abc", long_text, "def" } });
    says(GET("/a"));
    hears("\r\n0\r\n\r\n", 1);
    EXPECT(strstr(heard, "Transfer-Encoding: chunked\r\n") != NULL && strstr(heard, "def") != NULL);
    EXPECT_EQ_INT(count_heard('#'), LONG_BYTES);
    end_client();
}

static void
a_close_goes_behind_the_response(void)
{
    begin_client();
    answers(long_text);
    says("GET /a HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n");
    hears_the_end();
    EXPECT_EQ_INT(count_heard('#'), LONG_BYTES);
    EXPECT(strstr(heard, "Connection: close\r\n") != NULL);
    end_client();
}

/* ---- requests ---- */

static void
content_of_a_request_reaches_the_origin(void)
{
    static char request[4000];
    begin_client();
    w.action[HOOK_RECV] = ACTION_PASS;
    answers("done");
    snprintf(request, sizeof request, "POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 3000\r\n\r\n%.3000s",
             long_text);
    says(request);
    hears("done", 1);
    EXPECT_EQ_INT(memory_origin.records[0].body_bytes, 3000);
    answers("next"); /* the connection is where the content ended */
    says(GET("/b"));
    hears("next", 1);
    end_client();
}

static void
an_expected_100_comes_first(void)
{
    begin_client();
    w.action[HOOK_RECV] = ACTION_PASS;
    answers("done");
    says("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    hears("100 Continue", 1);
    says("hello");
    hears("done", 1);
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "hello");
    end_client();
}

static void
what_is_no_request_is_refused(void)
{
    begin_client();
    says("no request\r\n\r\n");
    hears("HTTP/1.1 400 Bad Request", 1);
    says_the_end();
    hears_the_end();
    end_client();
}

/* ---- clients that leave ---- */

static void
a_client_may_end_its_side_before_the_response(void)
{
    begin_client();
    answers("hello");
    says(GET("/a"));
    says_the_end();
    hears("hello", 1);
    hears_the_end();
    end_client();
}

static void
a_client_that_leaves_ends_its_request(void)
{
    begin_client();
    answers(long_text);
    says(GET("/a"));
    turns(20);
    EXPECT_EQ_INT(COUNTED(req_live), 1);
    leave();
    for (int i = 0; i < ROUNDS_MAX && COUNTED(req_live) > 0; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(req_live), 0);
    EXPECT_EQ_INT(COUNTED(sess_closed), 1);
    end_client();
}

static void
a_client_that_leaves_in_its_content_ends_its_request(void)
{
    begin_client();
    w.action[HOOK_RECV] = ACTION_PASS;
    answers("never");
    says("POST /a HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf");
    leave();
    for (int i = 0; i < ROUNDS_MAX && COUNTED(req_live) > 0; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(req_live), 0);
    EXPECT(!memory_origin.records[0].kept);
    end_client();
}

/* ---- pipes ---- */

static void
origin_ready(void *arg)
{
    struct exchange *x = memory_newest();
    if (x != NULL && x->on_ready != NULL)
        x->on_ready(x);
}

static void
begin_pipe(void)
{
    begin_client();
    w.action[HOOK_RECV] = ACTION_PIPE;
    memory_answer((struct memory_answer){ 0 });
    says(GET("/a"));
    for (int i = 0; i < ROUNDS_MAX && COUNTED(n_pipe) == 0; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_INT(COUNTED(n_pipe), 1);
}

static void
origin_says(const char *text)
{
    memory_origin.tunnel_says = text;
    on_loop(w.loop, origin_ready, NULL);
    turns(3);
}

static void
a_pipe_moves_bytes_both_ways(void)
{
    begin_pipe();
    says("up");
    origin_says("down");
    hears("down", 1);
    says("more");
    for (int i = 0; i < ROUNDS_MAX && memory_origin.records[0].body_bytes < 6; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "upmore");
    says_the_end();
    EXPECT(memory_origin.tunnel_shut);
    memory_origin.tunnel_closes = true;
    on_loop(w.loop, origin_ready, NULL);
    hears_the_end();
    EXPECT_EQ_INT(COUNTED(n_pipe), 0);
    end_client();
}

/* Both sides have ended before the client reads: all bytes arrive, then the end. */
static void
a_pipe_ends_behind_its_last_byte(void)
{
    static char piece[1001];
    unsigned n = 0;
    begin_pipe();
    memset(piece, '#', sizeof piece - 1);
    do { /* until the pipe reads no more */
        origin_says(piece);
        n++;
    } while (memory_origin.tunnel_says == NULL && n < 1000);
    EXPECT(n > 2 && n < 1000);
    says_the_end();
    memory_origin.tunnel_closes = true;
    on_loop(w.loop, origin_ready, NULL);
    turns(5);
    hears_the_end();
    EXPECT_EQ_INT(count_heard('#'), n * (sizeof piece - 1));
    EXPECT_EQ_INT(COUNTED(n_pipe), 0);
    end_client();
}

static const struct test tests[] = {
    TEST(a_connection_serves_one_request_after_another),
    TEST(pipelined_requests_are_answered_in_order),
    TEST(a_long_response_waits_for_its_client),
    TEST(content_of_unknown_length_goes_in_chunks),
    TEST(a_close_goes_behind_the_response),
    TEST(content_of_a_request_reaches_the_origin),
    TEST(an_expected_100_comes_first),
    TEST(what_is_no_request_is_refused),
    TEST(a_client_may_end_its_side_before_the_response),
    TEST(a_client_that_leaves_ends_its_request),
    TEST(a_client_that_leaves_in_its_content_ends_its_request),
    TEST(a_pipe_moves_bytes_both_ways),
    TEST(a_pipe_ends_behind_its_last_byte),
};

int
main(int argc, char **argv)
{
    int failed = 0;
    defaults = params;
    for (medium = SOCKET_ALONE; medium <= BYTES; medium++)
        failed |= test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    return failed;
}
