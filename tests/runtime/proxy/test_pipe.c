/* A pipe between a client's stream and an exchange, both in memory: bytes in both directions, and its end. */
#include "loop/fiber.h"
#include "proxy/fetch_fixture.h"
#include "proxy/pipe.h"

/* The client's end of the tunnel. */
static struct client {
    const char *says;           /* bytes of one receipt; NULL: none now */
    bool closes, breaks, stuck; /* ends its bytes; resets; takes no bytes */
    bool shut;                  /* got the end of the origin's bytes */
    char got[MEMORY_TEXT_BYTES];
    size_t n_got;
} client;

static int connected; /* result of pipe_connect */
static bool ended;

static void
tunnel_start(struct stream *s)
{
    CHECK(s->waiter == NULL);
}

static ssize_t
tunnel_read(struct stream *s, void *buf, size_t n)
{
    if (client.breaks)
        return ERR_RESET;
    if (client.says == NULL)
        return client.closes ? 0 : ERR_AGAIN;
    size_t len = strlen(client.says);
    CHECK(len <= n);
    memcpy(buf, client.says, len);
    client.says = NULL;
    return (ssize_t)len;
}

static ssize_t
tunnel_write(struct stream *s, const struct iovec *iov, int n)
{
    if (client.stuck)
        return ERR_AGAIN;
    CHECK(n == 1 && client.n_got + iov->iov_len < sizeof client.got);
    memcpy(client.got + client.n_got, iov->iov_base, iov->iov_len);
    client.n_got += iov->iov_len;
    return (ssize_t)iov->iov_len;
}

static void
tunnel_shut(struct stream *s)
{
    client.shut = true;
}

static const struct stream_ops tunnel_ops = {
    .tunnel_start = tunnel_start,
    .tunnel_read = tunnel_read,
    .tunnel_write = tunnel_write,
    .tunnel_shut = tunnel_shut,
};

static void
handed_over(struct request *r)
{
    CHECK(r == &w.r && r->stream->waiter == NULL);
    ended = true;
}

/* As step_pipe in request.c does. */
static void
pipe_fiber(void *arg)
{
    struct exchange *x = NULL;
    struct http_message bereq;
    w.r.route = ROUTE_PIPE;
    CHECK(pipe_allowed() && pipe_prepare(&w.r, &bereq) == 0);
    connected = pipe_connect(&w.r, &bereq, &x);
    if (connected == 0)
        pipe_start(&w.r, &x);
    else
        pipe_log_end(&w.r);
}

static void
spawn(void *arg)
{
    policy_ref(w.policy, w.loop);
    w.r.policy = w.policy;
    CHECK(fiber_spawn(w.loop, pipe_fiber, NULL) == 0);
    if (connected != 0)
        policy_unref(w.policy, w.loop);
}

static void
begin_pipe(void)
{
    begin();
    memset(&client, 0, sizeof client);
    w.stream.ops = &tunnel_ops;
    w.stream.can_tunnel = true;
    w.stream.bytes.req_head = 20;
    w.r.handed_over = handed_over;
    ended = false;
    connected = 1;
}

static void
open_pipe(void)
{
    on_loop(w.loop, spawn, NULL);
}

static void
client_ready(void *arg)
{
    if (w.stream.waiter != NULL)
        w.stream.waiter->on_turn(w.stream.waiter, SIZE_MAX);
}

static void
client_says(const char *text)
{
    client.says = text;
    on_loop(w.loop, client_ready, NULL);
}

static void
origin_ready(void *arg)
{
    struct exchange *x = memory_newest();
    if (x != NULL && x->on_ready != NULL)
        x->on_ready(x);
}

static void
origin_says(const char *text)
{
    memory_origin.tunnel_says = text;
    on_loop(w.loop, origin_ready, NULL);
}

static void
client_closes(void)
{
    client.closes = true;
    on_loop(w.loop, client_ready, NULL);
}

static void
origin_closes(void)
{
    memory_origin.tunnel_closes = true;
    on_loop(w.loop, origin_ready, NULL);
}

static void
end_pipe(void)
{
    if (!ended) {
        client_closes();
        origin_closes();
    }
    EXPECT(ended);
    EXPECT_EQ_INT(COUNTED(n_pipe), 0);
    end();
}

/* ---- directions ---- */

static void
a_pipe_opens_with_the_head_of_the_request(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    EXPECT_EQ_INT(connected, 0);
    EXPECT(strstr(memory_origin.records[0].head, "GET /a\nHost: example.com\n") ==
           memory_origin.records[0].head);
    EXPECT(strstr(memory_origin.records[0].head, "Connection: close\n") != NULL);
    EXPECT_EQ_INT(memory_newest()->tunnel_unsent, 0);
    EXPECT(w.r.policy == NULL); /* a pipe holds no policy */
    end_pipe();
}

static void
bytes_go_both_ways(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    client_says("up");
    origin_says("down");
    client_says("more");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "upmore");
    EXPECT_EQ_STR(span_of(client.got, client.n_got), "down");
    EXPECT_EQ_INT(COUNTED(s_pipe_in), 6);
    EXPECT_EQ_INT(COUNTED(s_pipe_out), 4);
    end_pipe();
}

static void
content_that_was_kept_goes_before_what_the_client_sends(void)
{
    begin_pipe();
    w.r.body.cached = SPAN_LIT("kept");
    client.says = "sent";
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "keptsent");
    EXPECT(strstr(memory_origin.records[0].head, "Content-Length: 4\n") != NULL);
    end_pipe();
}

static void
bytes_wait_for_a_side_that_takes_none(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    memory_origin.tunnel_stuck = true;
    open_pipe();
    EXPECT(memory_newest()->tunnel_unsent > 0);
    client_says("up");
    EXPECT(client.says != NULL); /* unread, because the head goes first */
    memory_origin.tunnel_stuck = false;
    on_loop(w.loop, origin_ready, NULL);
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "up");
    client.stuck = true;
    origin_says("down");
    EXPECT_EQ_INT(client.n_got, 0);
    client.stuck = false;
    on_loop(w.loop, client_ready, NULL);
    EXPECT_EQ_STR(span_of(client.got, client.n_got), "down");
    end_pipe();
}

/* ---- its end ---- */

static void
a_client_that_sends_no_more_may_still_receive(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    client_closes();
    EXPECT(memory_origin.tunnel_shut && !ended);
    origin_says("late");
    EXPECT_EQ_STR(span_of(client.got, client.n_got), "late");
    origin_closes();
    EXPECT(ended);
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_TX_PIPE);
    end_pipe();
}

static void
an_origin_that_sends_no_more_may_still_receive(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    origin_closes();
    EXPECT(client.shut && !ended);
    client_says("late");
    EXPECT_EQ_STR(span_str(memory_origin.records[0].body), "late");
    client_closes();
    EXPECT(ended);
    end_pipe();
}

static void
a_client_that_breaks_ends_the_pipe(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    client.breaks = true;
    on_loop(w.loop, client_ready, NULL);
    EXPECT(ended && memory_origin.records[0].ended);
    end_pipe();
}

static void
a_pipe_without_memory_for_its_head_has_no_transaction(void)
{
    static char url[1u << 17];
    struct http_message bereq;
    begin_pipe();
    memset(url, 'a', sizeof url);
    w.r.req.url = span_of(url, sizeof url);
    w.r.arena.limit_bytes = w.r.arena.used_bytes + sizeof url / 2;
    EXPECT_EQ_INT(pipe_prepare(&w.r, &bereq), ERR_NOMEM);
    EXPECT(w.r.pipe_log == NULL);
    end();
}

static void
reset_now(void *arg)
{
    stream_break(&w.stream);
}

static void
a_client_that_resets_its_stream_ends_the_pipe(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    on_loop(w.loop, reset_now, NULL);
    EXPECT(ended && memory_origin.records[0].ended);
    end_pipe();
}

static void
a_pipe_in_which_nothing_moves_ends(void)
{
    begin_pipe();
    params.pipe_timeout_s = 0.01;
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    for (int i = 0; i < ROUNDS_MAX && !ended; i++)
        loop_run_once(w.loop, ROUND_WAIT);
    EXPECT(ended);
    end_pipe();
}

static void
the_log_tells_the_bytes_of_a_pipe(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    client_says("123");
    origin_says("45");
    client_closes();
    origin_closes();
    char want[64];
    snprintf(want, sizeof want, "20 %zu 3 2", memory_origin.records[0].head_bytes);
    EXPECT_EQ_STR(log_newest(TAG_PIPE_ACCT), want);
    EXPECT_EQ_STR(log_newest(TAG_BEREQ_ACCT), "0 0 0 0 0 0");
    end_pipe();
}

/* ---- refused pipes ---- */

static void
an_origin_that_refuses_is_an_error(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ .dies_at = MEMORY_OPEN, .dies_with = ERR_BUSY });
    open_pipe();
    EXPECT_EQ_INT(connected, ERR_BUSY);
    EXPECT(w.stream.waiter == NULL);
    end();
}

static void
a_head_that_the_protocol_cannot_carry_is_an_error(void)
{
    begin_pipe();
    memory_answer((struct memory_answer){ .dies_at = MEMORY_SEND_HEAD, .dies_with = ERR_SYNTAX });
    open_pipe();
    EXPECT_EQ_INT(connected, ERR_SYNTAX);
    EXPECT(memory_origin.records[0].ended);
    end();
}

static struct backend *
resolve_to_nothing(struct director *d, struct policy_ctx *ctx)
{
    return NULL;
}

static void
a_director_without_a_healthy_backend_is_an_error(void)
{
    static const struct director_ops ops = { .type = "test", .resolve = resolve_to_nothing };
    struct director d = { .ops = &ops, .name = SPAN_LIT("d") };
    begin_pipe();
    w.r.vars.backend_hint = &d;
    open_pipe();
    EXPECT_EQ_INT(connected, ERR_SICK);
    end();
}

static void
pipes_are_limited(void)
{
    begin_pipe();
    params.pipe_sess_max = 1;
    memory_answer((struct memory_answer){ 0 });
    open_pipe();
    EXPECT(!pipe_allowed());
    client_closes();
    origin_closes();
    EXPECT(pipe_allowed());
    end_pipe();
}

static const struct test tests[] = {
    TEST(a_pipe_opens_with_the_head_of_the_request),
    TEST(bytes_go_both_ways),
    TEST(content_that_was_kept_goes_before_what_the_client_sends),
    TEST(bytes_wait_for_a_side_that_takes_none),
    TEST(a_client_that_sends_no_more_may_still_receive),
    TEST(an_origin_that_sends_no_more_may_still_receive),
    TEST(a_client_that_breaks_ends_the_pipe),
    TEST(a_client_that_resets_its_stream_ends_the_pipe),
    TEST(a_pipe_in_which_nothing_moves_ends),
    TEST(the_log_tells_the_bytes_of_a_pipe),
    TEST(an_origin_that_refuses_is_an_error),
    TEST(a_head_that_the_protocol_cannot_carry_is_an_error),
    TEST(a_director_without_a_healthy_backend_is_an_error),
    TEST(a_pipe_without_memory_for_its_head_has_no_transaction),
    TEST(pipes_are_limited),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
