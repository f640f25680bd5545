/* Fetches for a key with a stored response: a refresh in the background, or a confirmation by a 304. */
#include "proxy/fetch_fixture.h"

/* ---- in the background ---- */

static int32_t
keep_for_an_hour(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = ctx->fetch->age + 0.01;
    ctx->fetch->grace = HOUR;
    ctx->fetch->keep = HOUR;
    return ACTION_DELIVER;
}

/* Stores a response that is stale and in grace. */
static void
store_stale(const char *fields, const char *body)
{
    static char head[256];
    w.on[HOOK_BACKEND_RESPONSE] = keep_for_an_hour;
    snprintf(head, sizeof head, "HTTP/1.1 200 OK\n%s", fields);
    memory_answer((struct memory_answer){ .head = head, .body = { body } });
    miss();
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_COMPLETE);
    client_leaves();
    w.on[HOOK_BACKEND_RESPONSE] = NULL;
    for (int i = 0; i < 10; i++)
        loop_run_once(w.loop, 2 * NSEC_PER_MSEC);
}

static void
refresh(void)
{
    struct lookup l;
    EXPECT_EQ_INT(look_up(&l), LOOKUP_HIT_GRACE_FETCH);
    w.busy = l.busy;
    w.stale = l.object;
    start(FETCH_BACKGROUND);
}

static void
a_background_fetch_replaces_the_stale_response(void)
{
    begin();
    store_stale("", "old");
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "new" } });
    refresh();
    finish();
    EXPECT_STORED(200, "new");
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

static void
a_background_fetch_that_fails_leaves_the_stale_response(void)
{
    begin();
    store_stale("", "old");
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    refresh();
    finish();
    EXPECT_FAILED();
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 1);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT_GRACE_FETCH);
    end();
}

static int32_t
error_that_lives(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = 60;
    return ACTION_DELIVER;
}

static void
an_error_that_was_given_a_life_replaces_the_stale_response(void)
{
    begin();
    store_stale("", "old");
    w.on[HOOK_BACKEND_ERROR] = error_that_lives;
    memory_answer((struct memory_answer){ .dies_at = MEMORY_RECV_HEAD, .dies_with = ERR_EOF });
    refresh();
    finish();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

/* ---- revalidation ---- */

static void
a_304_refreshes_the_stored_response(void)
{
    begin();
    store_stale("ETag: \"e\"\nX-Old: 1\n", "old");
    memory_answer((struct memory_answer){
        .head = "HTTP/1.1 304 Not Modified\nX-New: 1\nCache-Control: max-age=60\nContent-Length: 99\n" });
    refresh();
    finish();
    EXPECT(strstr(memory_origin.records[1].head, "If-None-Match: \"e\"\n") != NULL);
    EXPECT_STORED(200, "old");
    EXPECT_EQ_STR(object_head_get(w.busy, name_lookup(SPAN_LIT("X-Old")), SPAN_LIT("X-Old")), "1");
    EXPECT_EQ_STR(object_head_get(w.busy, name_lookup(SPAN_LIT("X-New")), SPAN_LIT("X-New")), "1");
    EXPECT_EQ_INT(object_head_get(w.busy, NAME_CONTENT_LENGTH, SPAN_NULL).len, 0);
    EXPECT_EQ_INT(COUNTED(fetch_304), 1);
    EXPECT(memory_origin.records[1].kept);
    end();
}

static void
a_304_without_streaming_is_whole_at_once(void)
{
    begin();
    store_stale("Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\n", "old");
    w.on[HOOK_BACKEND_RESPONSE] = store_whole;
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 304 Not Modified\n" });
    refresh();
    finish();
    EXPECT_STORED(200, "old");
    end();
}

static void
a_304_nobody_asked_for_is_an_error(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 304 Not Modified\n" });
    miss();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_RX_BAD);
    EXPECT_EQ_STR(log_newest(TAG_ERROR), "304 response but not conditional fetch");
    end();
}

static void
a_304_to_a_pass_is_passed_on(void)
{
    begin();
    set_field("If-None-Match", "\"x\"");
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 304 Not Modified\n" });
    pass();
    EXPECT_STORED(304, "");
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

static void
a_304_whose_refreshed_head_does_not_fit_fails(void)
{
    begin();
    store_stale("ETag: \"e\"\n", "old");
    w.on[HOOK_BACKEND_FETCH] = show_workspace;
    memory_answer(
        (struct memory_answer){ .head = "HTTP/1.1 304 Not Modified\n", .meanwhile = take_workspace });
    refresh();
    finish();
    EXPECT_FAILED(); /* an error response does not fit either */
    EXPECT_EQ_STR(
        log_newest(TAG_NOTICE),
        "vsl: Fetched again without conditions: workspace_backend is too small for the refreshed head");
    end();
}

/* The stale response is still incomplete. Nothing is built from it before it is complete. */
static void
start_304_of_a_growing_response(struct object **growing)
{
    CHECK(object_new(w.main, 0, growing) == 0);
    struct http_message m;
    CHECK(message_init(&m, &w.r.arena, 8) == 0);
    m.status = 200;
    m.proto = SPAN_LIT("HTTP/1.1");
    m.reason = SPAN_LIT("OK");
    CHECK(message_set(&m, NAME_ETAG, SPAN_NULL, SPAN_LIT("\"e\"")) == 0);
    CHECK(object_set_head(*growing, &m, NULL) == 0 && object_publish(*growing, -1) == 0);
    struct lookup l;
    EXPECT_EQ_INT(look_up(&l), LOOKUP_MISS);
    w.busy = l.busy;
    w.stale = *growing;
    object_ref(*growing);
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 304 Not Modified\nCache-Control: max-age=60\n" });
    start(FETCH_MISS);
    turn(3);
    EXPECT(!over());
    EXPECT(memory_origin.records[0].kept); /* the fetch does not wait for the origin */
}

static void
complete_now(void *object)
{
    char *p;
    size_t n;
    CHECK(object_body_space(object, 3, &p, &n) == 0);
    memcpy(p, "abc", 3);
    object_body_commit(object, 3);
    object_complete(object);
}

static void
a_304_waits_for_the_response_it_confirms(void)
{
    begin();
    struct object *growing;
    start_304_of_a_growing_response(&growing);
    on_loop(w.loop, complete_now, growing);
    finish();
    EXPECT_STORED(200, "abc");
    object_release(&growing);
    end();
}

static void
fail_now(void *object)
{
    object_fail(object);
}

static void
a_304_fails_with_the_response_it_confirms(void)
{
    begin();
    struct object *growing;
    start_304_of_a_growing_response(&growing);
    on_loop(w.loop, fail_now, growing);
    finish();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "Template object failed");
    object_release(&growing);
    end();
}

static const struct test tests[] = {
    TEST(a_background_fetch_replaces_the_stale_response),
    TEST(a_background_fetch_that_fails_leaves_the_stale_response),
    TEST(an_error_that_was_given_a_life_replaces_the_stale_response),
    TEST(a_304_refreshes_the_stored_response),
    TEST(a_304_without_streaming_is_whole_at_once),
    TEST(a_304_nobody_asked_for_is_an_error),
    TEST(a_304_to_a_pass_is_passed_on),
    TEST(a_304_whose_refreshed_head_does_not_fit_fails),
    TEST(a_304_waits_for_the_response_it_confirms),
    TEST(a_304_fails_with_the_response_it_confirms),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
