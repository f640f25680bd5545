/* Single objects: packed heads, bodies that grow while they are read, charges, watches, lifetimes. */
#include "fixture.h"

#include "base/params.h"

static struct fixture f;

static struct object *
object_of(struct storage *st, unsigned flags, struct http_message *resp, int64_t content_length)
{
    struct object *o;
    CHECK(object_new(st, flags, &o) == 0);
    CHECK(object_set_head(o, resp, NULL) == 0);
    if (content_length != -2)
        CHECK(object_publish(o, content_length) == 0);
    return o;
}

static struct http_message *
some_response(void)
{
    return response(&f.arena, 200, "Content-Type", "text/plain", NULL);
}

/* ---- heads ---- */

static void
a_loaded_head_equals_the_stored_one(void)
{
    fixture_init(&f, 1 << 20);
    struct http_message out,
        *in = response(&f.arena, 404, "Content-Type", "text/html", "x-strange", "a", "etag", "\"1\"",
                       "Set-Cookie", "a=1", "Set-Cookie", "b=2", "X-Empty", "", NULL);
    in->reason = SPAN_LIT("Nothing Here");
    struct object *o = object_of(f.main, 0, in, 0);
    CHECK(message_init(&out, &f.arena, 6) == 0);
    EXPECT_EQ_INT(object_head_load(o, &out), 0);
    EXPECT_EQ_INT(out.status, 404);
    EXPECT_EQ_STR(out.reason, "Nothing Here");
    EXPECT_EQ_STR(out.proto, "HTTP/1.1");
    EXPECT_EQ_INT(out.n_fields, 6);
    for (unsigned i = 0; i < out.n_fields; i++) {
        EXPECT_EQ_SPAN(out.fields[i].name, in->fields[i].name); /* with its spelling: "etag" */
        EXPECT_EQ_SPAN(out.fields[i].value, in->fields[i].value);
        EXPECT_EQ_INT(out.fields[i].id, in->fields[i].id);
    }
    EXPECT_EQ_STR(object_head_get(o, NAME_ETAG, SPAN_NULL), "\"1\"");
    EXPECT_EQ_STR(object_head_get(o, NAME_NONE, SPAN_LIT("X-Strange")), "a");
    EXPECT_EQ_STR(object_head_get(o, NAME_SET_COOKIE, SPAN_NULL), "a=1");
    EXPECT_EQ_STR(object_head_get(o, NAME_NONE, SPAN_LIT("x-empty")), "");
    EXPECT_EQ_SPAN(object_head_get(o, NAME_AGE, SPAN_NULL), SPAN_NULL);
    CHECK(message_init(&out, &f.arena, 5) == 0);
    EXPECT_EQ_INT(object_head_load(o, &out), ERR_LIMIT);
    object_complete(o);
    object_release(&o);
    fixture_release(&f);
}

static void
a_name_interned_later_is_found_in_an_older_head(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, response(&f.arena, 200, "X-Interned-Later", "v", NULL), 0);
    name_id id;
    CHECK(name_intern(SPAN_LIT("X-Interned-Later"), &id) == 0);
    EXPECT_EQ_STR(object_head_get(o, id, SPAN_NULL), "v");
    struct http_message loaded;
    CHECK(message_init(&loaded, &f.arena, 4) == 0 && object_head_load(o, &loaded) == 0);
    EXPECT_EQ_STR(message_get(&loaded, id), "v");
    object_complete(o);
    object_release(&o);
    fixture_release(&f);
}

static void
hop_by_hop_fields_are_not_stored(void)
{
    fixture_init(&f, 1 << 20);
    struct http_message out,
        *in = response(&f.arena, 200, "Connection", "x-private", "X-Private", "1", "X-Public", "2", NULL);
    message_mark_hop(in);
    struct object *o = object_of(f.main, 0, in, 0);
    CHECK(message_init(&out, &f.arena, 8) == 0);
    EXPECT_EQ_INT(object_head_load(o, &out), 0);
    EXPECT_EQ_INT(out.n_fields, 1);
    EXPECT_EQ_STR(out.fields[0].name, "X-Public");
    object_complete(o);
    object_release(&o);
    fixture_release(&f);
}

static void
a_head_may_be_set_again_in_another_storage(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, response(&f.arena, 200, "X-A", "first", NULL), -2);
    EXPECT(used(f.main) > 128);
    CHECK(body_add(o, "gone", 4) == 0);
    object_body_drop(o);
    EXPECT_EQ_INT(used(f.main), 0);
    object_set_storage(o, store_transient(f.store));
    CHECK(object_set_head(o, response(&f.arena, 503, "X-A", "second", NULL), NULL) == 0);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_HEADS), 0);
    CHECK(body_add(o, "new", 3) == 0);
    CHECK(object_publish(o, 3) == 0);
    struct body_reader c = { 0 };
    EXPECT_EQ_STR(body_text(&f.arena, o, &c), "new");
    EXPECT_EQ_STR(object_head_get(o, NAME_NONE, SPAN_LIT("x-a")), "second");
    EXPECT_EQ_INT(o->status, 503);
    object_complete(o);
    object_release(&o);
    fixture_release(&f);
}

static void
a_storage_changed_without_dropping_is_charged_right(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -2);
    object_set_storage(o, store_transient(f.store));
    CHECK(object_set_head(o, some_response(), NULL) == 0);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_HEADS), 0);
    EXPECT_EQ_INT(used(f.main), used(store_transient(f.store))); /* which has no budget of its own */
    EXPECT(used(store_transient(f.store)) > 0);
    object_release(&o);
    fixture_release(&f);
}

/* ---- bodies ---- */

static char *
pattern(size_t n)
{
    char *text = arena_alloc(&f.arena, n);
    for (size_t i = 0; i < n; i++)
        text[i] = (char)(i * 7 + i / 251);
    return text;
}

static void
a_body_reads_as_written(size_t n, int64_t announced, unsigned flags, size_t piece)
{
    const char *text = pattern(n);
    struct object *o = object_of(f.main, flags, some_response(), announced);
    struct body_reader c = { 0 };
    for (size_t at = 0; at < n; at += piece)
        CHECK(body_add(o, text + at, n - at < piece ? n - at : piece) == 0);
    object_complete(o);
    struct span got = body_text(&f.arena, o, &c);
    EXPECT(span_eq(got, span_of(text, n)));
    EXPECT_EQ_INT(c.at, n);
    object_release(&o);
    EXPECT_EQ_INT(used(f.main), 0);
}

static void
bodies_read_as_written_however_they_come(void)
{
    fixture_init(&f, 64 << 20);
    static const size_t sizes[] = { 1,      100,         4096,    32768 - 16,   32768,   100000,
                                    262144, 262144 - 16, 1000000, 1048576 - 16, 1048576, 2500000 };
    static const size_t pieces[] = { 7, 1000, 16384, 1000000 };
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (unsigned p = 0; p < sizeof pieces / sizeof *pieces; p++)
            for (unsigned private = 0; private <= OBJECT_PRIVATE; private++) {
                a_body_reads_as_written(sizes[s], (int64_t)sizes[s], private, pieces[p]);
                a_body_reads_as_written(sizes[s], -1, private, pieces[p]);
            }
    fixture_release(&f);
}

static void
an_announced_body_takes_one_extent_for_its_length(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), 100);
    uint64_t head = used(f.main);
    CHECK(body_add(o, pattern(100), 100) == 0);
    object_complete(o);
    EXPECT_EQ_INT(used(f.main) - head, mem_cost(sizeof(struct content) + 100));
    EXPECT_EQ_INT(object_content_length(o), 100);
    object_release(&o);
    fixture_release(&f);
}

/* Each extent is a piece from the origin, and wakes all readers. */
static void
a_large_announced_body_takes_few_extents(void)
{
    const size_t bytes = (5u << 20) + 100000;
    fixture_init(&f, 16 << 20);
    struct object *o = object_of(f.main, 0, some_response(), (int64_t)bytes);
    uint64_t head = used(f.main);
    char *p;
    size_t n, have = 0;
    while (have < bytes) {
        CHECK(object_body_space(o, bytes - have, &p, &n) == 0);
        memset(p, 'x', n);
        object_body_commit(o, n);
        have += n;
    }
    object_complete(o);
    EXPECT(extents_of(o) <= 5 + 2);
    EXPECT(used(f.main) - head < bytes + bytes / 50);
    object_release(&o);
    fixture_release(&f);
}

static void
a_long_body_of_unknown_length_takes_little_more(void)
{
    const size_t piece = 100000, bytes = 30 * piece;
    fixture_init(&f, 4 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -1);
    uint64_t head = used(f.main);
    for (size_t have = 0; have < bytes; have += piece)
        EXPECT_EQ_INT(body_add(o, pattern(piece), piece), 0);
    object_complete(o);
    EXPECT(used(f.main) - head < bytes + bytes / 12);
    object_release(&o);
    fixture_release(&f);
}

static void
a_small_body_of_unknown_length_takes_no_more_although_it_is_read(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -1);
    uint64_t head = used(f.main);
    CHECK(body_add(o, pattern(100), 100) == 0);
    struct object *reader = o;
    object_ref(reader);
    object_complete(o);
    EXPECT_EQ_INT(used(f.main) - head, mem_cost(sizeof(struct content) + 100));
    EXPECT_EQ_INT(object_content_length(o), -1);
    object_release(&o);
    object_release(&reader);
    fixture_release(&f);
}

static void
many_small_pieces_make_few_extents(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -1);
    for (unsigned i = 0; i < 5000; i++)
        CHECK(body_add(o, "0123456789", 10) == 0);
    EXPECT(extents_of(o) < 40);
    uint64_t before = used(f.main);
    object_complete(o); /* trimmed, since it has no reader */
    EXPECT(used(f.main) < before);
    EXPECT(used(f.main) < 50000 + 50000 / 4);
    object_release(&o);
    fixture_release(&f);
}

static void
a_body_stored_before_publishing_is_trimmed_although_somebody_waits(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -2), *waits = o;
    uint64_t head = used(f.main);
    object_ref(waits);
    for (unsigned i = 0; i < 100; i++)
        CHECK(body_add(o, "0123456789", 10) == 0);
    CHECK(object_publish(o, 1000) == 0);
    EXPECT(used(f.main) - head < 1000 + 1000 / 4 + 400); /* and the table of extents */
    object_complete(o);
    object_release(&o);
    object_release(&waits);
    fixture_release(&f);
}

static void
a_reader_follows_a_growing_body(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o = object_of(f.main, 0, some_response(), -1);
    struct body_reader r;
    enum body_next next;
    struct iovec iov[4];
    body_open(&r, &o->body);
    EXPECT_EQ_INT(body_gather(&r, iov, 4, 100, &next), 0);
    EXPECT_EQ_INT(next, BODY_NOT_YET);
    CHECK(body_add(o, "abc", 3) == 0);
    EXPECT_EQ_STR(body_text(&f.arena, o, &r), "abc");
    EXPECT_EQ_INT(body_gather(&r, iov, 4, 100, &next), 0);
    CHECK(body_add(o, "defg", 4) == 0);
    EXPECT_EQ_INT(body_gather(&r, iov, 4, 2, &next), 1);
    EXPECT_EQ_INT(iov[0].iov_len, 2);
    EXPECT_EQ_STR(body_text(&f.arena, o, &r), "defg");
    object_complete(o);
    object_release(&o);
    fixture_release(&f);
}

static size_t
first_space(size_t bytes)
{
    struct object *o = object_of(f.main, OBJECT_PRIVATE, some_response(), (int64_t)bytes);
    char *p;
    size_t n = 0;
    EXPECT_EQ_INT(object_body_space(o, bytes, &p, &n), 0);
    object_complete(o);
    object_release(&o);
    return n;
}

static void
a_private_body_comes_in_larger_pieces_the_longer_it_is_and_the_more_room_there_is(void)
{
    fixture_init(&f, 16 << 20);
    EXPECT(first_space(4 << 20) > 100000);
    EXPECT(first_space(100000) <= 32768);
    storage_hold(f.main, USE_REQUESTS, 9 << 20);
    EXPECT(first_space(4 << 20) < 16384);
    storage_hold(f.main, USE_REQUESTS, -(9 << 20));
    fixture_release(&f);
}

static void
a_private_body_is_freed_as_it_is_read(void)
{
    fixture_init(&f, 4 << 20);
    struct object *o = object_of(f.main, OBJECT_PRIVATE, some_response(), -1), *reader = o;
    struct body_reader c = { 0 };
    object_ref(reader);
    uint64_t head = used(f.main);
    for (unsigned round = 0; round < 50; round++) {
        CHECK(body_add(o, pattern(20000), 20000) == 0);
        EXPECT_EQ_INT(object_body_pending(o), 20000);
        (void)body_text(&f.arena, reader, &c);
        EXPECT_EQ_INT(object_body_pending(o), 0);
        EXPECT(used(f.main) - head <= 2 * 32768);
    }
    object_complete(o);
    EXPECT_EQ_INT(used(f.main), head); /* everything was read: the last segment goes with the writer */
    object_release(&o);
    object_release(&reader);
    fixture_release(&f);
}

static void
the_reader_frees_the_end_of_a_private_body_that_was_complete_before(void)
{
    fixture_init(&f, 4 << 20);
    struct object *o = object_of(f.main, OBJECT_PRIVATE, some_response(), 5), *reader = o;
    struct body_reader c = { 0 };
    object_ref(reader);
    uint64_t head = used(f.main);
    CHECK(body_add(o, "hello", 5) == 0);
    object_complete(o);
    object_release(&o);
    EXPECT_EQ_STR(body_text(&f.arena, reader, &c), "hello");
    EXPECT_EQ_INT(used(f.main), head);
    object_release(&reader);
    fixture_release(&f);
}

static void
a_body_that_can_never_fit_is_refused_at_once(void)
{
    fixture_init(&f, 100000);
    struct object *o = object_of(f.main, 0, some_response(), 100001);
    char *p;
    size_t n;
    EXPECT_EQ_INT(object_body_space(o, 100, &p, &n), ERR_NOMEM);
    object_fail(o);
    object_release(&o);
    fixture_release(&f);
}

static void
a_304_shares_the_body_and_copies_nothing(void)
{
    fixture_init(&f, 4 << 20);
    const char *text = pattern(300000);
    struct object *from = object_of(f.main, 0, some_response(), 300000);
    struct object *o = object_of(f.main, 0, some_response(), -2);
    struct body_reader c = { 0 };
    CHECK(body_add(from, text, 300000) == 0);
    object_complete(from);
    uint64_t bodies = storage_used_for(f.main, USE_BODIES);
    object_share_body(o, from);
    CHECK(object_publish(o, 300000) == 0);
    object_complete(o);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), bodies);
    object_release(&from);
    EXPECT(span_eq(body_text(&f.arena, o, &c), span_of(text, 300000)));
    object_release(&o);
    fixture_release(&f);
}

/* Its only reader frees nothing that the other owner needs. */
static void
a_private_response_shares_a_body_without_freeing_it(void)
{
    fixture_init(&f, 4 << 20);
    const char *text = pattern(300000);
    struct object *from = object_of(f.main, 0, some_response(), 300000);
    struct object *o = object_of(store_transient(f.store), OBJECT_PRIVATE, some_response(), -2);
    struct body_reader own = { 0 }, other = { 0 };
    CHECK(body_add(from, text, 300000) == 0);
    object_complete(from);
    object_share_body(o, from);
    CHECK(object_publish(o, 300000) == 0);
    object_complete(o);
    EXPECT(span_eq(body_text(&f.arena, o, &own), span_of(text, 300000)));
    object_release(&o);
    EXPECT(span_eq(body_text(&f.arena, from, &other), span_of(text, 300000)));
    object_release(&from);
    fixture_release(&f);
}

/* ---- watches ---- */

struct counted {
    struct watch watch;
    unsigned calls;
    bool unwatch;
};

static void
count_call(struct watch *w)
{
    struct counted *c = container_of(w, struct counted, watch);
    c->calls++;
    if (c->unwatch)
        object_unwatch(w);
}

static void
changes_before_a_call_count_once(void)
{
    fixture_init(&f, 1 << 20);
    struct counted w = { 0 };
    struct object *o = object_of(f.main, 0, some_response(), -1);
    object_watch(o, &w.watch, f.loop, count_call);
    for (unsigned i = 0; i < 5; i++)
        CHECK(body_add(o, "x", 1) == 0);
    EXPECT_EQ_INT(w.calls, 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    CHECK(body_add(o, "x", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 2);
    object_complete(o);
    object_release(&o);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 3);
    object_unwatch(&w.watch);
    fixture_release(&f);
}

static void
an_unwatched_watch_may_be_freed_while_its_notice_is_under_way(void)
{
    fixture_init(&f, 1 << 20);
    struct counted *w = calloc(1, sizeof *w);
    struct object *o = object_of(f.main, 0, some_response(), -1);
    object_watch(o, &w->watch, f.loop, count_call);
    CHECK(body_add(o, "x", 1) == 0);
    object_unwatch(&w->watch);
    EXPECT_EQ_INT(w->calls, 0);
    free(w);
    fixture_turn(&f); /* ASan would see a call */
    object_fail(o);
    object_release(&o);
    fixture_release(&f);
}

static void
a_watch_may_end_itself(void)
{
    fixture_init(&f, 1 << 20);
    struct counted w = { .unwatch = true };
    struct object *o = object_of(f.main, 0, some_response(), -1);
    object_watch(o, &w.watch, f.loop, count_call);
    CHECK(body_add(o, "x", 1) == 0);
    fixture_turn(&f);
    CHECK(body_add(o, "x", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    object_fail(o);
    object_release(&o);
    fixture_release(&f);
}

static void
watching_what_is_complete_calls_once(void)
{
    fixture_init(&f, 1 << 20);
    struct counted w = { 0 };
    struct object *o = object_of(f.main, 0, some_response(), 0);
    object_complete(o);
    object_watch(o, &w.watch, f.loop, count_call);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    object_unwatch(&w.watch);
    object_release(&o);
    fixture_release(&f);
}

static void
a_watch_keeps_the_object(void)
{
    fixture_init(&f, 1 << 20);
    struct counted w = { 0 };
    struct object *o = object_of(f.main, 0, some_response(), 0);
    object_watch(o, &w.watch, f.loop, count_call);
    object_complete(o);
    object_release(&o);
    EXPECT(used(f.main) > 0);
    object_unwatch(&w.watch);
    EXPECT_EQ_INT(used(f.main), 0);
    fixture_release(&f);
}

static void
the_writer_hears_of_its_reader(void)
{
    fixture_init(&f, 1 << 20);
    struct counted w = { 0 };
    struct object *o = object_of(f.main, OBJECT_PRIVATE, some_response(), -1), *reader = o;
    struct body_reader c = { 0 };
    object_ref(reader);
    object_on_reader(o, &w.watch, f.loop, count_call);
    CHECK(body_add(o, "hello", 5) == 0);
    EXPECT(!object_abandoned(o));
    body_open(&c, &reader->body);
    body_advance(&c, 2, 0);
    object_passed(reader, 2);
    EXPECT_EQ_INT(object_body_pending(o), 3);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    object_release(&reader);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 2);
    EXPECT(object_abandoned(o));
    object_unwatch(&w.watch);
    object_fail(o);
    object_release(&o);
    fixture_release(&f);
}

/* ---- lifetimes ---- */

static void
lifetimes_follow_each_other(void)
{
    fixture_init(&f, 1 << 20);
    struct object *o;
    CHECK(object_new(f.main, 0, &o) == 0);
    o->origin_time = T0;
    o->ttl = 10 * SEC;
    o->grace = 5 * SEC;
    o->keep = 20 * SEC;
    EXPECT_EQ_INT(object_age(o, T0 + 3 * SEC), 3 * SEC);
    EXPECT_EQ_INT(object_age(o, T0 - 3 * SEC), 0);
    EXPECT_EQ_INT(object_ttl_left(o, T0 + 3 * SEC), 7 * SEC);
    EXPECT(object_ttl_left(o, T0 + 10 * SEC) < 0);
    EXPECT(object_fresh(o, T0 + 10 * SEC - 1));
    EXPECT(!object_fresh(o, T0 + 10 * SEC));
    EXPECT(!object_in_grace(o, T0 + 10 * SEC - 1, -1));
    EXPECT(object_in_grace(o, T0 + 10 * SEC, -1));
    EXPECT(!object_in_grace(o, T0 + 15 * SEC, -1));
    EXPECT(!object_in_grace(o, T0 + 12 * SEC, 2 * SEC));
    EXPECT(!object_in_grace(o, T0 + 10 * SEC, 0));
    EXPECT(!object_in_grace(o, T0 + 16 * SEC, 100 * SEC));
    EXPECT(object_in_keep(o, T0 + 35 * SEC - 1));
    EXPECT(!object_in_keep(o, T0 + 35 * SEC));
    o->ttl = NSEC_NEVER;
    EXPECT(object_fresh(o, T0 * 4));
    EXPECT(object_in_keep(o, T0 * 4));
    o->ttl = -5 * SEC;
    o->grace = -1;
    EXPECT(!object_fresh(o, T0));
    EXPECT(!object_in_grace(o, T0, -1));
    object_release(&o);
    fixture_release(&f);
}

static const struct test tests[] = {
    { "a_loaded_head_equals_the_stored_one", a_loaded_head_equals_the_stored_one },
    { "a_name_interned_later_is_found_in_an_older_head", a_name_interned_later_is_found_in_an_older_head },
    { "hop_by_hop_fields_are_not_stored", hop_by_hop_fields_are_not_stored },
    { "a_head_may_be_set_again_in_another_storage", a_head_may_be_set_again_in_another_storage },
    { "a_storage_changed_without_dropping_is_charged_right",
      a_storage_changed_without_dropping_is_charged_right },
    { "bodies_read_as_written_however_they_come", bodies_read_as_written_however_they_come },
    { "an_announced_body_takes_one_extent_for_its_length",
      an_announced_body_takes_one_extent_for_its_length },
    { "a_large_announced_body_takes_few_extents", a_large_announced_body_takes_few_extents },
    { "a_long_body_of_unknown_length_takes_little_more", a_long_body_of_unknown_length_takes_little_more },
    { "a_small_body_of_unknown_length_takes_no_more_although_it_is_read",
      a_small_body_of_unknown_length_takes_no_more_although_it_is_read },
    { "many_small_pieces_make_few_extents", many_small_pieces_make_few_extents },
    { "a_body_stored_before_publishing_is_trimmed_although_somebody_waits",
      a_body_stored_before_publishing_is_trimmed_although_somebody_waits },
    { "a_reader_follows_a_growing_body", a_reader_follows_a_growing_body },
    { "a_private_body_comes_in_larger_pieces_the_longer_it_is_and_the_more_room_there_is",
      a_private_body_comes_in_larger_pieces_the_longer_it_is_and_the_more_room_there_is },
    { "a_private_body_is_freed_as_it_is_read", a_private_body_is_freed_as_it_is_read },
    { "the_reader_frees_the_end_of_a_private_body_that_was_complete_before",
      the_reader_frees_the_end_of_a_private_body_that_was_complete_before },
    { "a_body_that_can_never_fit_is_refused_at_once", a_body_that_can_never_fit_is_refused_at_once },
    { "a_304_shares_the_body_and_copies_nothing", a_304_shares_the_body_and_copies_nothing },
    { "a_private_response_shares_a_body_without_freeing_it",
      a_private_response_shares_a_body_without_freeing_it },
    { "changes_before_a_call_count_once", changes_before_a_call_count_once },
    { "an_unwatched_watch_may_be_freed_while_its_notice_is_under_way",
      an_unwatched_watch_may_be_freed_while_its_notice_is_under_way },
    { "a_watch_may_end_itself", a_watch_may_end_itself },
    { "watching_what_is_complete_calls_once", watching_what_is_complete_calls_once },
    { "a_watch_keeps_the_object", a_watch_keeps_the_object },
    { "the_writer_hears_of_its_reader", the_writer_hears_of_its_reader },
    { "lifetimes_follow_each_other", lifetimes_follow_each_other },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
