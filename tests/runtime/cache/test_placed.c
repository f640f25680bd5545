/* Bodies in places: which bodies, charges, growing bodies, positions, checksums, and storages that answer
 * late or not at all. */
#include "fixture.h"

#include <xxhash.h>

#include "base/params.h"
#include "cache/index.h"
#include "cache/placed/placed.h"
#include "loop/fiber.h"
#include "support/late_space.h"

#define MIN 50000u
#define LONG (2 * (size_t)PLACED_BYTES + 12345)

static struct fixture f;
static char *content;

static void
begin(void)
{
    fixture_init(&f, 64 << 20);
    params.sendfile_min_bytes = MIN;
    content = malloc(LONG);
    for (size_t i = 0; i < LONG; i++)
        content[i] = (char)(i * 31 + i / 4096);
}

/* The store uses the late space instead of its own. */
static void
begin_late(void)
{
    begin();
    late_begin();
    f.store->space = &late.space;
}

static void
end(void)
{
    params.sendfile_min_bytes = 0;
    free(content);
    fixture_release(&f);
}

static void
end_late(void)
{
    (void)store_expire(f.store, NSEC_NEVER, UINT32_MAX);
    f.store->space = NULL;
    late_end();
    end();
}

static struct object *
announced(unsigned flags, size_t length, struct body_form form)
{
    struct object *o;
    CHECK(object_new(f.main, flags, &o) == 0);
    object_set_form(o, form);
    CHECK(object_set_head(o, response(&f.arena, 200, NULL), NULL) == 0);
    CHECK(object_expect(o, length) == 0);
    return o;
}

static struct object *
written(size_t length)
{
    struct object *o = announced(0, length, (struct body_form){ 0 });
    CHECK(object_publish(o, (int64_t)length) == 0);
    CHECK(body_add(o, content, length) == 0);
    object_complete(o);
    return o;
}

static bool
is_placed(unsigned flags, size_t length, struct body_form form)
{
    struct object *o = announced(flags, length, form);
    bool placed = object_is_placed(o);
    object_body_drop(o);
    object_release(&o);
    return placed;
}

static void
stored_content_from_the_threshold_on_is_placed(void)
{
    begin();
    EXPECT(is_placed(0, MIN, (struct body_form){ 0 }));
    EXPECT(!is_placed(0, MIN - 1, (struct body_form){ 0 }));
    EXPECT(!is_placed(OBJECT_PRIVATE, MIN, (struct body_form){ 0 }));
    EXPECT(!is_placed(0, MIN, (struct body_form){ .noted = true }));
    EXPECT(!is_placed(0, MIN, (struct body_form){ .partial = true }));
    params.sendfile_min_bytes = 0;
    EXPECT(!is_placed(0, LONG, (struct body_form){ 0 }));
    end();
}

static void
without_a_space_bodies_stay_on_the_heap(void)
{
    begin();
    f.store->space_failed = true;
    struct object *o = written(LONG);
    EXPECT(!object_is_placed(o));
    struct body_cursor c = { 0 };
    EXPECT_EQ_SPAN(body_text(&f.arena, o, &c), span_of(content, LONG));
    object_release(&o);
    end();
}

static void
places_are_charged_by_the_page(void)
{
    begin();
    uint64_t before = used(f.main);
    struct object *o = announced(0, MIN, (struct body_form){ 0 });
    uint64_t head = storage_used_for(f.main, USE_HEADS);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), MIN);
    CHECK(object_publish(o, MIN) == 0 && body_add(o, content, MIN) == 0);
    object_complete(o);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_BODIES), MIN);
    uint64_t rounding = storage_used_for(f.main, USE_ROUNDING);
    EXPECT(rounding >= 13 * 4096 - MIN && rounding < 13 * 4096 - MIN + 512);
    EXPECT_EQ_INT(used(f.main), before + head + MIN + rounding);
    EXPECT_EQ_INT(store_placed_bytes(f.store), MIN);
    object_release(&o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    end();
}

static void
a_dropped_or_failed_body_gives_everything_back(void)
{
    begin();
    uint64_t before = used(f.main);
    struct object *o = announced(0, LONG, (struct body_form){ 0 });
    CHECK(body_add(o, content, PLACED_BYTES + 10) == 0);
    object_body_drop(o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    object_release(&o);
    o = announced(0, LONG, (struct body_form){ 0 });
    CHECK(object_publish(o, LONG) == 0 && body_add(o, content, PLACED_BYTES + 10) == 0);
    object_fail(o);
    object_release(&o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    end();
}

static void
expect_at(struct object *o, uint64_t at, struct pinned *x, size_t n)
{
    if (!placed_has(o, at, x)) {
        place_unpin(x);
        EXPECT_EQ_INT(placed_pin(o, at, NULL, x), PIN_READY);
    }
    struct iovec iov = placed_bytes(o, at, x);
    EXPECT_EQ_SPAN(span_of(iov.iov_base, iov.iov_len), span_of(content + at, n));
}

static void
a_reader_follows_a_growing_body(void)
{
    begin();
    struct object *o = announced(0, LONG, (struct body_form){ 0 });
    struct pinned x = { 0 };
    CHECK(object_publish(o, LONG) == 0);
    CHECK(body_add(o, content, 100) == 0);
    expect_at(o, 0, &x, 100);
    expect_at(o, 40, &x, 60);
    CHECK(body_add(o, content + 100, PLACED_BYTES) == 0);
    expect_at(o, 100, &x, PLACED_BYTES - 100);
    expect_at(o, PLACED_BYTES, &x, 100);
    CHECK(body_add(o, content + 100 + PLACED_BYTES, LONG - PLACED_BYTES - 100) == 0);
    object_complete(o);
    expect_at(o, PLACED_BYTES, &x, PLACED_BYTES);
    expect_at(o, LONG - 1, &x, 1);
    EXPECT_EQ_INT(object_stored_bytes(o) >= LONG, 1);
    place_unpin(&x);
    object_release(&o);
    end();
}

static void
each_place_has_the_checksum_of_its_bytes(void)
{
    begin_late();
    struct object *o = written(LONG);
    EXPECT_EQ_INT(late.checksum, XXH3_64bits(content + LONG - 12345, 12345));
    object_release(&o);
    end_late();
}

/* ---- readers on a fiber ---- */

struct reading {
    struct object *o;
    size_t n;
    int err;
    bool done;
};

static void
read_all(void *arg)
{
    struct reading *r = arg;
    struct body_reader reader = { 0 };
    struct iovec iov;
    int n;
    while ((n = object_read(r->o, &reader, &iov, 300000)) == 1) {
        EXPECT(memcmp(iov.iov_base, content + r->n, iov.iov_len) == 0);
        r->n += iov.iov_len;
        object_read_on(r->o, &reader, iov.iov_len);
    }
    object_read_end(&reader);
    r->err = n;
    r->done = true;
}

static void
a_fiber_waits_for_each_place(void)
{
    begin_late();
    struct object *o = written(LONG);
    struct reading r = { .o = o };
    CHECK(fiber_spawn(f.loop, read_all, &r) == 0);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT(!r.done);
        EXPECT_EQ_INT(late.n, i + 1);
        late_answer(i, true);
        fixture_turn(&f);
    }
    EXPECT(r.done && r.err == 0);
    EXPECT_EQ_INT(r.n, LONG);
    object_release(&o);
    end_late();
}

static struct object *
stored(void)
{
    struct lookup l = lookup_of(key(&f.arena, "a"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    struct object *o = l.busy;
    CHECK(fetch_insert(f.store, o, response(&f.arena, 200, NULL), request(&f.arena, NULL), T0,
                       (struct life){ .ttl = 60 * SEC }, NULL) == 0);
    CHECK(object_expect(o, LONG) == 0 && object_publish(o, LONG) == 0);
    CHECK(body_add(o, content, LONG) == 0);
    object_complete(o);
    return o;
}

static void
a_response_with_an_unreadable_body_is_dropped(void)
{
    begin_late();
    struct object *o = stored();
    struct reading r = { .o = o };
    CHECK(fiber_spawn(f.loop, read_all, &r) == 0);
    late_answer(0, true);
    fixture_turn(&f);
    late_answer(1, false);
    fixture_turn(&f);
    EXPECT(r.done);
    EXPECT_EQ_INT(r.err, ERR_SYS);
    EXPECT_EQ_INT(r.n, PLACED_BYTES);
    object_release(&o);
    struct lookup l = lookup_of(key(&f.arena, "a"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    object_fail(l.busy);
    object_release(&l.busy);
    end_late();
}

static void
copy(void *arg)
{
    struct object **o = arg;
    CHECK(object_body_copy(o[1], o[0]) == 0);
    object_complete(o[1]);
}

static void
a_body_is_copied_into_places_and_out_of_them(void)
{
    begin();
    struct object *o[2] = { written(LONG), announced(0, LONG, (struct body_form){ 0 }) };
    CHECK(object_publish(o[1], LONG) == 0);
    CHECK(fiber_spawn(f.loop, copy, o) == 0);
    fixture_turn(&f);
    object_release(&o[0]);
    params.sendfile_min_bytes = 0;
    o[0] = announced(0, LONG, (struct body_form){ 0 });
    EXPECT(object_is_placed(o[1]) && !object_is_placed(o[0]));
    CHECK(object_publish(o[0], LONG) == 0);
    struct object *back[2] = { o[1], o[0] };
    CHECK(fiber_spawn(f.loop, copy, back) == 0);
    fixture_turn(&f);
    struct body_cursor c = { 0 };
    EXPECT_EQ_SPAN(body_text(&f.arena, o[0], &c), span_of(content, LONG));
    object_release(&o[0]);
    object_release(&o[1]);
    end();
}

/* A response may become private after its length was announced. Its fetch waits for its reader. */
static void
a_private_body_reports_its_reader(void)
{
    begin();
    struct object *o = announced(0, LONG, (struct body_form){ 0 });
    o->flags |= OBJECT_PRIVATE;
    CHECK(object_publish(o, LONG) == 0 && body_add(o, content, LONG) == 0);
    EXPECT_EQ_INT(object_body_pending(o), LONG);
    placed_passed(o, 1000);
    EXPECT_EQ_INT(object_body_pending(o), LONG - 1000);
    object_complete(o);
    placed_passed(o, LONG);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0); /* the last byte was read */
    object_release(&o);
    end();
}

static const struct test tests[] = {
    TEST(stored_content_from_the_threshold_on_is_placed),
    TEST(without_a_space_bodies_stay_on_the_heap),
    TEST(places_are_charged_by_the_page),
    TEST(a_dropped_or_failed_body_gives_everything_back),
    TEST(a_reader_follows_a_growing_body),
    TEST(each_place_has_the_checksum_of_its_bytes),
    TEST(a_fiber_waits_for_each_place),
    TEST(a_response_with_an_unreadable_body_is_dropped),
    TEST(a_body_is_copied_into_places_and_out_of_them),
    TEST(a_private_body_reports_its_reader),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
