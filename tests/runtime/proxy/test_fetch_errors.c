/* Error responses of a fetch, and responses and requests that do not fit or are malformed. */
#include "proxy/fetch_fixture.h"

/* ---- error responses ---- */

static int32_t
with_body(struct policy_ctx *ctx)
{
    ctx->fetch->synth_body = SPAN_LIT("sorry");
    return ACTION_DELIVER;
}

static void
an_error_response_has_the_content_of_the_policy(void)
{
    begin();
    w.on[HOOK_BACKEND_ERROR] = with_body;
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_STORED(503, "sorry");
    EXPECT_EQ_INT(object_content_length(w.busy), 5);
    end();
}

static void
an_error_that_nobody_waits_for_is_not_kept(void)
{
    begin();
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static void
do_nothing(struct store_waiter *waiter)
{
}

static void
an_error_that_others_wait_for_is_kept_for_a_second(void)
{
    struct store_waiter waiter = { .fn = do_nothing };
    begin();
    memory_answer((struct memory_answer){
        .late = 1u << MEMORY_RECV_HEAD, .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    start_miss();
    wait_at(MEMORY_RECV_HEAD);
    waiter.loop = w.loop;
    struct lookup l = { .key = &w.r.vars.key,
                        .request = &w.r.req,
                        .now = loop_real(w.loop),
                        .grace_limit = -1,
                        .ttl_limit = -1,
                        .waiter = &waiter };
    EXPECT_EQ_INT(store_lookup(w.store, &l), LOOKUP_WAIT);
    memory_go();
    finish();
    store_unwait(w.store, &waiter);
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

static void
backend_error_may_abandon(void)
{
    begin();
    w.on[HOOK_BACKEND_ERROR] = say_abandon;
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_FAILED();
    end();
}

static void
backend_error_that_fails_ends_the_fetch(void)
{
    begin();
    w.on[HOOK_BACKEND_ERROR] = say_fail;
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_FAILED();
    end();
}

static int32_t
overflow(struct policy_ctx *ctx)
{
    ctx->msg[MSG_BERESP]->failed = true;
    return ACTION_DELIVER;
}

static void
an_error_response_that_does_not_fit_fails(void)
{
    begin();
    w.on[HOOK_BACKEND_ERROR] = overflow;
    dies_at(MEMORY_RECV_HEAD, ERR_EOF);
    miss();
    EXPECT_FAILED();
    end();
}

/* ---- messages that cannot be stored or sent ---- */

static int32_t
filter_nobody_has(struct policy_ctx *ctx)
{
    ctx->fetch->filters = SPAN_LIT("rot13");
    return ACTION_DELIVER;
}

static void
a_filter_nobody_has_is_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = filter_nobody_has;
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "text" } });
    miss();
    EXPECT_ERROR("Filter 'rot13' not found");
    end();
}

static void
a_response_that_varies_on_anything_is_not_shared(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD "Vary: Accept, *\n" });
    miss();
    EXPECT_STORED(200, "");
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static void
an_illegal_vary_is_logged_and_not_shared(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD "Vary: a b\n" });
    miss();
    EXPECT_STORED(200, "");
    EXPECT_EQ_STR(log_newest(TAG_ERROR), "Illegal 'Vary' header");
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static int32_t
spoil_request(struct policy_ctx *ctx)
{
    ctx->msg[MSG_BEREQ]->failed = true;
    return ACTION_FETCH;
}

static void
a_request_that_does_not_fit_is_not_sent(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = spoil_request;
    miss();
    EXPECT_ERROR("out of workspace");
    EXPECT_EQ_INT(memory_origin.n_opened, 0);
    end();
}

static struct arena *workspace; /* of the current fetch */

static int32_t
show_workspace(struct policy_ctx *ctx)
{
    workspace = ctx->arena;
    return ACTION_FETCH;
}

static void
take_workspace(void)
{
    struct arena_hold hold = { 0 };
    CHECK(arena_withhold(workspace, arena_left(workspace), &hold));
}

static int32_t
retry_without_workspace(struct policy_ctx *ctx)
{
    take_workspace();
    return ACTION_RETRY;
}

static void
a_workspace_that_is_full_at_a_retry_fails(void)
{
    begin();
    w.on[HOOK_BACKEND_FETCH] = show_workspace;
    w.on[HOOK_BACKEND_RESPONSE] = retry_without_workspace;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(memory_origin.n_opened, 1);
    end();
}

static void
a_fetch_without_memory_does_not_begin(void)
{
    begin();
    params.workspace_backend_bytes = 64;
    start_miss();
    EXPECT_EQ_INT(w.err, ERR_NOMEM);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_BUSY); /* the request decides about the object */
    EXPECT(over());
    store_withdraw(w.store, w.busy);
    end();
}

static void
a_fetch_without_a_fiber_does_not_begin(void)
{
    begin();
    params.fibers_max = 0;
    start_miss();
    EXPECT_EQ_INT(w.err, ERR_LIMIT);
    EXPECT(over());
    EXPECT_EQ_INT(COUNTED(s_fetch), 0);
    store_withdraw(w.store, w.busy);
    end();
}

static const struct test tests[] = {
    TEST(an_error_response_has_the_content_of_the_policy),
    TEST(an_error_that_nobody_waits_for_is_not_kept),
    TEST(an_error_that_others_wait_for_is_kept_for_a_second),
    TEST(backend_error_may_abandon),
    TEST(backend_error_that_fails_ends_the_fetch),
    TEST(an_error_response_that_does_not_fit_fails),
    TEST(a_filter_nobody_has_is_an_error),
    TEST(a_response_that_varies_on_anything_is_not_shared),
    TEST(an_illegal_vary_is_logged_and_not_shared),
    TEST(a_request_that_does_not_fit_is_not_sent),
    TEST(a_workspace_that_is_full_at_a_retry_fails),
    TEST(a_fetch_without_memory_does_not_begin),
    TEST(a_fetch_without_a_fiber_does_not_begin),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
