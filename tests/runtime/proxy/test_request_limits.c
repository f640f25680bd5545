/* Requests with parts that exceed a limit, or without memory, and their responses. See test_request.c. */
#include "proxy/request_fixture.h"

/* ---- limits ---- */

static void
spoil_response(struct policy_ctx *ctx)
{
    ctx->msg[MSG_RESP]->failed = 1;
}

static void
spoil_key(struct policy_ctx *ctx)
{
    ctx->client->key.failed = true;
}

static void
a_response_head_that_does_not_fit_is_a_bare_500(void)
{
    begin();
    w.inside[HOOK_DELIVER] = spoil_response;
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = asks(GET_A);
    EXPECT_EQ_INT(s->status, 500);
    EXPECT(s->failure);
    end();
}

static void
a_head_that_the_protocol_refuses_is_a_bare_500(void)
{
    begin();
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = client();
    s->head_fails = ERR_SYNTAX;
    starts(s, GET_A);
    finish(s);
    EXPECT(s->failure && s->ended);
    end();
}

static void
a_synthetic_head_that_does_not_fit_is_a_bare_500(void)
{
    begin();
    w.action[HOOK_RECV] = ACTION_SYNTH;
    w.inside[HOOK_SYNTH] = spoil_response;
    EXPECT_EQ_INT(asks(GET_A)->status, 500);
    end();
}

static void
a_key_that_does_not_fit_fails(void)
{
    begin();
    w.inside[HOOK_HASH] = spoil_key;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    end();
}

static void
a_fetch_that_fails_before_its_head_is_answered_by_503(void)
{
    begin();
    w.action[HOOK_BACKEND_FETCH] = ACTION_ABANDON;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    EXPECT_EQ_INT(COUNTED(s_synth), 1);
    end();
}

static void
without_fibers_for_a_fetch_there_is_503(void)
{
    begin();
    w.inside[HOOK_MISS] = take_all_fibers;
    EXPECT_RESPONSE(asks(GET_A), 503, "");
    w.inside[HOOK_MISS] = NULL;
    params = defaults;
    memory_answer((struct memory_answer)HELLO);
    EXPECT_RESPONSE(asks(GET_A), 200, "hello");
    end();
}

/* ---- without memory ---- */

static void
use_up_workspace(struct policy_ctx *ctx)
{
    while (arena_alloc(ctx->arena, 64) != NULL)
        ;
}

/* The first hook that uses up the request's workspace. */
static void
begin_with_little(enum vcl_hook hook)
{
    begin();
    params.workspace_client_bytes = 32 << 10;
    w.inside[hook] = use_up_workspace;
}

static void
without_workspace_for_the_response_there_is_a_bare_500(void)
{
    begin_with_little(HOOK_MISS);
    memory_answer((struct memory_answer)HELLO);
    struct memory_stream *s = asks(GET_A);
    EXPECT(s->failure && s->ended);
    EXPECT_EQ_INT(w.calls[HOOK_DELIVER], 0);
    EXPECT_EQ_INT(w.calls[HOOK_SYNTH], 0);
    end();
}

static void
without_workspace_to_show_the_object_a_hit_fails(void)
{
    static const struct span reads[] = { { "obj.http.*", 10 } };
    begin_reading(reads);
    memory_answer((struct memory_answer)HELLO);
    (void)asks(GET_A);
    w.inside[HOOK_HASH] = use_up_workspace;
    EXPECT(asks(GET_A)->ended);
    EXPECT_EQ_INT(w.calls[HOOK_HIT], 0);
    end();
}

static void
without_workspace_for_the_request_to_the_origin_a_pipe_fails(void)
{
    begin_with_little(HOOK_HASH);
    w.action[HOOK_RECV] = ACTION_PIPE;
    struct memory_stream *s = asks(GET_A);
    EXPECT(s->failure);
    EXPECT_EQ_INT(s->stream.close, SC_VCL_FAILURE);
    end();
}

static const struct test tests[] = {
    TEST(a_response_head_that_does_not_fit_is_a_bare_500),
    TEST(a_head_that_the_protocol_refuses_is_a_bare_500),
    TEST(a_synthetic_head_that_does_not_fit_is_a_bare_500),
    TEST(a_key_that_does_not_fit_fails),
    TEST(a_fetch_that_fails_before_its_head_is_answered_by_503),
    TEST(without_fibers_for_a_fetch_there_is_503),
    TEST(without_workspace_for_the_response_there_is_a_bare_500),
    TEST(without_workspace_to_show_the_object_a_hit_fails),
    TEST(without_workspace_for_the_request_to_the_origin_a_pipe_fails),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
