/* Content of a response through a fetch: into the object, at the pace of a single reader, and into full
 * storages. */
#include "proxy/fetch_fixture.h"

/* ---- content of the response ---- */

static void
content_of_unknown_length_comes_in_pieces(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "one ", "two ", "three" } });
    miss();
    EXPECT_STORED(200, "one two three");
    EXPECT_EQ_INT(object_content_length(w.busy), -1); /* as in the head that was already sent */
    EXPECT_EQ_INT(COUNTED(fetch_chunked), 1);
    EXPECT(memory_origin.records[0].kept);
    end();
}

static void
content_that_ends_with_the_connection_closes_it(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "all" }, .until_close = true });
    miss();
    EXPECT_STORED(200, "all");
    EXPECT(!memory_origin.records[0].kept);
    EXPECT_EQ_INT(COUNTED(fetch_eof), 1);
    EXPECT_EQ_STR(log_newest(TAG_FETCH_BODY), "4 eof stream");
    end();
}

static void
a_piece_larger_than_a_segment_is_stored_in_several(void)
{
    static char large[30000];
    begin();
    params.fetch_chunksize_bytes = 4096;
    memset(large, 'x', sizeof large - 1);
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { large } });
    miss();
    EXPECT_STORED(200, large);
    end();
}

static void
a_204_has_no_content(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = "HTTP/1.1 204 No Content\nCache-Control: max-age=60\n" });
    miss();
    EXPECT_STORED(204, "");
    EXPECT_EQ_INT(COUNTED(fetch_204), 1);
    end();
}

static void
content_that_just_fits_its_storage_is_stored(void)
{
    static char exact[2048];
    begin();
    params.fetch_piece_bytes = 256;
    memset(exact, 'x', sizeof exact - 1);
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2047\n", .body = { exact } });
    miss();
    EXPECT_STORED(200, exact);
    end();
}

static void
content_cut_short_while_it_is_streamed_fails_the_object(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 9\n", .body = { "half" } });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "straight insufficient bytes");
    EXPECT_EQ_INT(memory_origin.records[0].close_why, CLOSE_RX_BODY);
    EXPECT_EQ_INT(COUNTED(fetch_failed), 1);
    EXPECT_EQ_INT(looks_up(), LOOKUP_MISS);
    end();
}

static void
content_cut_short_before_it_is_published_becomes_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = store_whole;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 9\n", .body = { "half" } });
    miss();
    EXPECT_STORED(503, "");
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 1);
    end();
}

static void
an_origin_that_dies_within_the_content_fails_the_object(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD,
                                          .body = { "half" },
                                          .dies_at = MEMORY_RECV_BODY,
                                          .dies_with = ERR_RESET,
                                          .why = "chunked insufficient bytes" });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(log_count(TAG_FETCH_ERROR), 2); /* the system's error, then the missing part */
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "chunked insufficient bytes");
    end();
}

static void
malformed_content_fails_the_object(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD,
                                          .body = { "half" },
                                          .dies_at = MEMORY_RECV_BODY,
                                          .dies_with = ERR_SYNTAX,
                                          .why = "chunked header non-hex" });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(log_count(TAG_FETCH_ERROR), 1);
    end();
}

static void
an_origin_that_pauses_too_long_within_the_content_fails_the_object(void)
{
    begin();
    params.between_bytes_timeout_s = 0.01;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 4\n",
                                          .body = { "half" },
                                          .late = 1u << MEMORY_RECV_BODY,
                                          .why = "straight insufficient bytes" });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(log_count(TAG_FETCH_ERROR), 2);
    end();
}

static void
content_that_nothing_frames_goes_straight_to_the_object(void)
{
    begin();
    memory_answer((struct memory_answer){
        .head = OK_HEAD, .body = { "ab", "cd" }, .until_close = true, .straight = true });
    miss();
    EXPECT_STORED(200, "abcd");
    end();
}

static void
an_origin_that_dies_within_content_that_nothing_frames_fails_the_object(void)
{
    begin();
    memory_answer((struct memory_answer){ .head = OK_HEAD,
                                          .body = { "ab" },
                                          .until_close = true,
                                          .straight = true,
                                          .dies_at = MEMORY_RECV_BODY,
                                          .dies_with = ERR_RESET,
                                          .why = "eof socket fail" });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "eof socket fail");
    end();
}

/* ---- the reader's pace ---- */

static void
a_pass_stops_where_its_client_does_not_read(void)
{
    begin();
    params.transit_buffer_bytes = 4;
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "12345", "6789", "0" } });
    start_pass();
    turn(5);
    EXPECT(!over());
    EXPECT_EQ_STR(body_of(w.busy), "12345"); /* which wakes the fetch */
    finish();
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_COMPLETE);
    end();
}

static void
a_client_that_leaves_while_the_fetch_waits_for_room_ends_it(void)
{
    begin();
    params.transit_buffer_bytes = 4;
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { "12345", "6789" } });
    start_pass();
    turn(5);
    EXPECT(!over());
    client_leaves();
    finish();
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "Pass delivery abandoned");
    EXPECT(!memory_origin.records[0].kept);
    EXPECT_EQ_INT(COUNTED(fetch_failed), 0); /* this is not an error */
    end();
}

static void
a_client_that_leaves_while_the_fetch_waits_for_the_origin_ends_it(void)
{
    begin();
    memory_answer(
        (struct memory_answer){ .head = OK_HEAD, .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    start_pass();
    wait_at(MEMORY_RECV_BODY);
    client_leaves();
    finish();
    EXPECT(memory_origin.records[0].interrupted);
    EXPECT(!memory_origin.records[0].kept);
    end();
}

static void
a_client_that_leaves_a_shared_response_does_not_end_it(void)
{
    begin();
    memory_answer(
        (struct memory_answer){ .head = OK_HEAD, .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    start_miss();
    wait_at(MEMORY_RECV_BODY);
    client_leaves();
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    wait_at(MEMORY_RECV_BODY);
    memory_go();
    finish();
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

static int32_t
uncacheable_for_a_minute(struct policy_ctx *ctx)
{
    ctx->fetch->uncacheable = true;
    ctx->fetch->ttl = 60;
    return ACTION_DELIVER;
}

static void
a_client_that_leaves_the_response_of_a_marker_ends_it(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = uncacheable_for_a_minute;
    memory_answer(
        (struct memory_answer){ .head = OK_HEAD, .body = { "ab", "cd" }, .late = 1u << MEMORY_RECV_BODY });
    start_miss();
    wait_at(MEMORY_RECV_BODY);
    client_leaves();
    finish();
    EXPECT(memory_origin.records[0].interrupted);
    end();
}

static void
a_client_that_leaves_before_the_head_changes_nothing(void)
{
    begin();
    memory_answer(
        (struct memory_answer){ .head = OK_HEAD, .body = { "ab" }, .late = 1u << MEMORY_RECV_HEAD });
    start_miss();
    wait_at(MEMORY_RECV_HEAD);
    client_leaves();
    memory_go();
    finish();
    EXPECT_EQ_INT(looks_up(), LOOKUP_HIT);
    end();
}

/* ---- storage ---- */

static int32_t
for_an_hour(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = 3600;
    ctx->fetch->storage = w.main;
    return ACTION_DELIVER;
}

static void
a_response_that_finds_no_room_goes_to_transient_for_a_short_time(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = for_an_hour;
    storage_hold(w.main, USE_REQUESTS, (1 << 20) - 100); /* less than a head needs is left */
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2\n", .body = { "ab" } });
    miss();
    EXPECT_STORED(200, "ab");
    EXPECT(object_storage(w.busy) == store_transient(w.store));
    EXPECT(object_ttl_left(w.busy, clock_real_ns()) <= nsec_of(params.shortlived_s));
    storage_hold(w.main, USE_REQUESTS, -((1 << 20) - 100));
    end();
}

static void
a_response_larger_than_its_storage_is_not_shared(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = for_an_hour;
    memory_answer((struct memory_answer){ .head = OK_HEAD "Content-Length: 2000000\n", .body = { "ab" } });
    miss();
    EXPECT_FAILED();                             /* the origin sent less than that */
    EXPECT(w.busy->flags & OBJECT_HIT_FOR_MISS); /* a marker for other requests */
    EXPECT(object_storage(w.busy) == store_transient(w.store));
    end();
}

static int32_t
for_five_seconds(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = 5;
    ctx->fetch->grace = ctx->fetch->keep = 0;
    return ACTION_DELIVER;
}

static void
starts_to_receive(const char *head)
{
    w.on[HOOK_BACKEND_RESPONSE] = for_five_seconds;
    memory_answer((struct memory_answer){ .head = head, .body = { "ab" }, .late = 1u << MEMORY_RECV_BODY });
    start_miss();
    wait_at(MEMORY_RECV_BODY);
    EXPECT_EQ_INT(object_state(w.busy), OBJECT_STREAMING);
}

static void
a_long_response_that_finds_no_room_in_transient_goes_to_its_client_only(void)
{
    static const char *const heads[] = { OK_HEAD "Content-Length: 100000\n", OK_HEAD };
    for (unsigned i = 0; i < 2; i++) {
        begin();
        storage_hold(w.main, USE_REQUESTS, 1 << 20); /* as if slow clients read all that it has stored */
        starts_to_receive(heads[i]);
        EXPECT(w.busy->flags & OBJECT_HIT_FOR_MISS); /* so that waiters do not wait for each other */
        EXPECT(storage_used_for(store_transient(w.store), USE_BODIES) <= 16384);
        storage_hold(w.main, USE_REQUESTS, -(1 << 20));
        client_leaves();
        finish();
        end();
    }
}

static void
a_short_response_finds_room_in_transient(void)
{
    begin();
    storage_hold(w.main, USE_REQUESTS, 1 << 20);
    starts_to_receive(OK_HEAD "Content-Length: 2\n");
    EXPECT((w.busy->flags & OBJECT_PRIVATE) == 0);
    memory_go();
    finish();
    EXPECT_STORED(200, "ab");
    storage_hold(w.main, USE_REQUESTS, -(1 << 20));
    end();
}

static int32_t
no_storage(struct policy_ctx *ctx)
{
    ctx->fetch->ttl = 3600;
    ctx->fetch->storage = NULL;
    return ACTION_DELIVER;
}

static void
a_response_without_a_storage_is_an_error(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = no_storage;
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_EQ_INT(w.busy->status, 503);
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "Could not get storage");
    end();
}

static void
with_no_storage_at_all_the_fetch_fails(void)
{
    begin();
    w.on[HOOK_BACKEND_RESPONSE] = for_an_hour;
    CHECK(store_add_storage(w.store, SPAN_LIT("Transient"), 100, &(struct storage *){ NULL }) == 0);
    storage_hold(w.main, USE_REQUESTS, (1 << 20) - 100);
    memory_answer((struct memory_answer){ .head = OK_HEAD });
    miss();
    EXPECT_FAILED();
    EXPECT_EQ_INT(w.calls[HOOK_BACKEND_ERROR], 1); /* an error response does not fit either */
    storage_hold(w.main, USE_REQUESTS, -((1 << 20) - 100));
    end();
}

static void
content_that_outgrows_its_storage_fails_the_object(void)
{
    static char half[40000];
    begin();
    CHECK(store_add_storage(w.store, SPAN_LIT("Transient"), 20000, &(struct storage *){ NULL }) == 0);
    memset(half, 'x', sizeof half - 1);
    memory_answer((struct memory_answer){ .head = OK_HEAD, .body = { half, half } });
    pass();
    EXPECT_FAILED();
    EXPECT_EQ_STR(log_newest(TAG_FETCH_ERROR), "Could not get storage");
    EXPECT(!memory_origin.records[0].kept);
    end();
}

static const struct test tests[] = {
    TEST(content_of_unknown_length_comes_in_pieces),
    TEST(content_that_ends_with_the_connection_closes_it),
    TEST(a_piece_larger_than_a_segment_is_stored_in_several),
    TEST(a_204_has_no_content),
    TEST(content_that_just_fits_its_storage_is_stored),
    TEST(content_cut_short_while_it_is_streamed_fails_the_object),
    TEST(content_cut_short_before_it_is_published_becomes_an_error),
    TEST(an_origin_that_dies_within_the_content_fails_the_object),
    TEST(malformed_content_fails_the_object),
    TEST(an_origin_that_pauses_too_long_within_the_content_fails_the_object),
    TEST(content_that_nothing_frames_goes_straight_to_the_object),
    TEST(an_origin_that_dies_within_content_that_nothing_frames_fails_the_object),
    TEST(a_pass_stops_where_its_client_does_not_read),
    TEST(a_client_that_leaves_while_the_fetch_waits_for_room_ends_it),
    TEST(a_client_that_leaves_while_the_fetch_waits_for_the_origin_ends_it),
    TEST(a_client_that_leaves_a_shared_response_does_not_end_it),
    TEST(a_client_that_leaves_the_response_of_a_marker_ends_it),
    TEST(a_client_that_leaves_before_the_head_changes_nothing),
    TEST(a_response_that_finds_no_room_goes_to_transient_for_a_short_time),
    TEST(a_response_larger_than_its_storage_is_not_shared),
    TEST(a_long_response_that_finds_no_room_in_transient_goes_to_its_client_only),
    TEST(a_short_response_finds_room_in_transient),
    TEST(a_response_without_a_storage_is_an_error),
    TEST(with_no_storage_at_all_the_fetch_fails),
    TEST(content_that_outgrows_its_storage_fails_the_object),
};

int
main(int argc, char **argv)
{
    defaults = params;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
