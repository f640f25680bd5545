/* Pages with ESI includes through a stream in memory: windows, memory that is released late, and clients that
 * leave. Everything must be freed at the end (request_fixture.h). */
#include "proxy/request_fixture.h"

#define PAGE "<a><esi:include src=\"/b\"/>-<esi:include src=\"/c\"/></a>      "
#define WHOLE "<a>hello-world</a>      "

static void
make_page(struct policy_ctx *ctx)
{
    ctx->fetch->do_esi = span_eq(ctx->msg[MSG_BEREQ]->url, SPAN_LIT("/a"));
}

static void
page(void)
{
    begin();
    w.inside[HOOK_BACKEND_RESPONSE] = make_page;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 60\n", .body = { PAGE } });
    memory_answer((struct memory_answer)HELLO);
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 5\n", .body = { "world" } });
}

static void
a_page_is_put_together_and_stored(void)
{
    page();
    for (int i = 0; i < 3; i++)
        EXPECT_RESPONSE(asks(GET_A), 200, WHOLE);
    EXPECT_EQ_INT(memory_origin.n_opened, 3);
    EXPECT_EQ_INT(COUNTED(esi_req), 6);
    end();
}

static void
a_page_goes_byte_by_byte_through_a_window(void)
{
    page();
    EXPECT_RESPONSE(asks(GET_A), 200, WHOLE);
    struct memory_stream *s = client();
    s->window = 0;
    starts(s, GET_A);
    turns(5);
    for (unsigned i = 0; i < sizeof WHOLE - 1; i++) {
        EXPECT(!s->over);
        EXPECT_EQ_INT(s->response_bytes, i);
        opens(s, 1);
        turns(4);
    }
    finish(s);
    EXPECT_RESPONSE(s, 200, WHOLE);
    end();
}

/* The stream does not copy before it releases, so ASan sees memory that is freed too early. */
static void
includes_stay_until_their_bytes_are_released(void)
{
    page();
    w.action[HOOK_RECV] = ACTION_PASS; /* every object has one reader */
    struct memory_stream *s = client();
    s->releases_late = true;
    starts(s, GET_A);
    for (int i = 0; i < ROUNDS_MAX && !s->over; i++) {
        loop_run_once(w.loop, ROUND_WAIT);
        releases(s, 1);
    }
    finish(s);
    EXPECT_RESPONSE(s, 200, WHOLE);
    end();
}

/* The page's stream took the bytes; the client has not received them. */
static void
bytes_of_an_include_that_breaks_off_stay_until_they_are_released(void)
{
    begin();
    w.inside[HOOK_BACKEND_RESPONSE] = make_page;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 60\n", .body = { PAGE } });
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 9\n",
                                          .body = { "hello" },
                                          .dies_at = MEMORY_RECV_BODY,
                                          .dies_with = ERR_EOF,
                                          .late = 1u << MEMORY_RECV_BODY });
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 5\n", .body = { "world" } });
    struct memory_stream *s = client();
    s->window = 4; /* the include's first byte */
    starts(s, GET_A);
    while (s->response_bytes < 4) {
        loop_run_once(w.loop, ROUND_WAIT);
        memory_go();
    }
    memory_go();
    turns(10);
    opens(s, SIZE_MAX);
    finish(s);
    EXPECT_RESPONSE(s, 200, WHOLE);
    end();
}

static void
a_client_that_leaves_while_an_include_is_fetched_ends_all(void)
{
    begin();
    w.inside[HOOK_BACKEND_RESPONSE] = make_page;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 60\n", .body = { PAGE } });
    memory_answer((struct memory_answer){
        .head = OK_HEAD "Content-Length: 5\n", .body = { "hello" }, .late = 1u << MEMORY_RECV_HEAD });
    struct memory_stream *s = client();
    starts(s, GET_A);
    while (memory_origin.n_opened < 2)
        loop_run_once(w.loop, ROUND_WAIT);
    wait_at(MEMORY_RECV_HEAD);
    EXPECT_EQ_INT(COUNTED(req_live), 2);
    leaves(s);
    finish(s);
    EXPECT_EQ_INT(COUNTED(req_live), 0);
    memory_go();
    end();
}

static void
a_client_that_leaves_in_a_hook_of_an_include_ends_all(void)
{
    page();
    EXPECT_RESPONSE(asks(GET_A), 200, WHOLE);
    struct memory_stream *s = client();
    s->window = 5; /* in the middle of the first include */
    starts(s, GET_A);
    turns(5);
    EXPECT_EQ_INT(s->response_bytes, 5);
    leaves(s);
    finish(s);
    EXPECT_EQ_INT(COUNTED(req_live), 0);
    end();
}

static const struct test tests[] = {
    TEST(a_page_is_put_together_and_stored),
    TEST(a_page_goes_byte_by_byte_through_a_window),
    TEST(includes_stay_until_their_bytes_are_released),
    TEST(bytes_of_an_include_that_breaks_off_stay_until_they_are_released),
    TEST(a_client_that_leaves_while_an_include_is_fetched_ends_all),
    TEST(a_client_that_leaves_in_a_hook_of_an_include_ends_all),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
