/* Bodies in the space of a storage: which bodies, charges, growing bodies, positions, checksums, and storages
 * that answer late or not at all. */
#include "fixture.h"

#include <xxhash.h>

#include "base/params.h"
#include "cache/index.h"
#include "body/partial.h"
#include "body/writer.h"
#include "loop/fiber.h"
#include "support/late_space.h"

#define MIN 50000u
#define LONG (2 * (size_t)PLACE_BYTES_MAX + 12345)

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
    f.store->files.space = &late.space;
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
    f.store->files.space = NULL;
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
    CHECK(object_publish(o, (int64_t)length) == 0 && body_add(o, content, length) == 0);
    bool placed = is_in_space(o);
    object_complete(o);
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
    EXPECT(is_placed(0, MIN, (struct body_form){ .noted = true })); /* a page with includes, too */
    params.sendfile_min_bytes = 0;
    EXPECT(!is_placed(0, LONG, (struct body_form){ 0 }));
    end();
}

static void
without_a_space_bodies_stay_on_the_heap(void)
{
    begin();
    f.store->files.failed = true;
    struct object *o = written(LONG);
    EXPECT(!is_in_space(o));
    struct body_reader c = { 0 };
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
    CHECK(body_add(o, content, PLACE_BYTES_MAX + 10) == 0);
    object_body_drop(o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    object_release(&o);
    o = announced(0, LONG, (struct body_form){ 0 });
    CHECK(object_publish(o, LONG) == 0 && body_add(o, content, PLACE_BYTES_MAX + 10) == 0);
    object_fail(o);
    object_release(&o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    end();
}

static void
expect_next(struct body_reader *r, size_t most, size_t n)
{
    struct iovec iov;
    enum body_next next;
    EXPECT_EQ_INT(body_gather(r, &iov, 1, most, &next), 1);
    EXPECT_EQ_SPAN(span_of(iov.iov_base, iov.iov_len), span_of(content + r->at, n));
    body_advance(r, n, 0);
}

static void
a_reader_follows_a_growing_body(void)
{
    begin();
    struct object *o = announced(0, LONG, (struct body_form){ 0 });
    struct body_reader r;
    body_open(&r, &o->body);
    CHECK(object_publish(o, LONG) == 0);
    CHECK(body_add(o, content, 100) == 0);
    expect_next(&r, 40, 40);
    expect_next(&r, SIZE_MAX, 60);
    CHECK(body_add(o, content + 100, PLACE_BYTES_MAX) == 0);
    expect_next(&r, SIZE_MAX, PLACE_BYTES_MAX - 100);
    expect_next(&r, SIZE_MAX, 100);
    CHECK(body_add(o, content + 100 + PLACE_BYTES_MAX, LONG - PLACE_BYTES_MAX - 100) == 0);
    object_complete(o);
    expect_next(&r, SIZE_MAX, PLACE_BYTES_MAX - 100);
    body_seek(&r, LONG - 1, LONG);
    expect_next(&r, SIZE_MAX, 1);
    EXPECT_EQ_INT(object_stored_bytes(o) >= LONG, 1);
    body_close(&r);
    object_release(&o);
    end();
}

/* From the threshold on it is written into places, which grow with it; the last one is trimmed. */
static void
a_long_body_of_unknown_length_goes_on_in_places(void)
{
    begin();
    uint64_t before = used(f.main);
    struct object *o;
    struct body_reader r = { 0 };
    CHECK(object_new(f.main, 0, &o) == 0);
    CHECK(object_set_head(o, response(&f.arena, 200, NULL), NULL) == 0 && object_publish(o, -1) == 0);
    for (size_t at = 0; at < LONG; at += 1000)
        CHECK(body_add(o, content + at, LONG - at < 1000 ? LONG - at : 1000) == 0);
    EXPECT(store_placed_bytes(f.store) > LONG / 2);
    object_complete(o);
    EXPECT(store_placed_bytes(f.store) > LONG - 4 * MIN && used(f.main) - before < LONG + LONG / 12);
    EXPECT_EQ_SPAN(body_text(&f.arena, o, &r), span_of(content, LONG));
    object_release(&o);
    EXPECT_EQ_INT(used(f.main), before);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
    end();
}

static void
extents_of_a_partial_body_are_places(void)
{
    begin();
    struct body b = { 0 };
    struct hole_claim c;
    char *at;
    size_t n;
    CHECK(body_make_holes(&b, f.main, LONG, PLACE_BYTES_MAX, SPAN_LIT("v")) == 0);
    CHECK(hole_claim(&b, PLACE_BYTES_MAX, LONG, &c));
    claim_confirm(&c);
    CHECK(claim_space(&c, &at, &n) == 0 && n == PLACE_BYTES_MAX);
    memcpy(at, content + PLACE_BYTES_MAX, n);
    EXPECT(claim_commit(&c, n));
    claim_end(&c);
    EXPECT_EQ_INT(store_placed_bytes(f.store), PLACE_BYTES_MAX);
    struct body_reader r;
    struct iovec iov;
    enum body_next next;
    int fd;
    off_t in_file;
    body_open(&r, &b);
    EXPECT_EQ_INT(body_gather(&r, &iov, 1, 1, &next), 0);
    EXPECT_EQ_INT(next, BODY_GAP);
    body_seek(&r, PLACE_BYTES_MAX + 5, LONG);
    expect_next(&r, 10, 10);
    EXPECT_EQ_INT(body_gather(&r, &iov, 1, 10, &next), 1);
    EXPECT(body_file(&r, &fd, &in_file));
    body_close(&r);
    body_release(&b);
    EXPECT_EQ_INT(store_placed_bytes(f.store), 0);
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
    struct body_reader reader;
    struct iovec iov;
    int n;
    body_open(&reader, &r->o->body);
    while ((n = body_read(&reader, &iov, 300000)) == 1) {
        EXPECT(memcmp(iov.iov_base, content + r->n, iov.iov_len) == 0);
        r->n += iov.iov_len;
        body_advance(&reader, iov.iov_len, 0);
    }
    body_close(&reader);
    if (n < 0)
        store_lost(r->o);
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
    EXPECT_EQ_INT(r.n, PLACE_BYTES_MAX);
    object_release(&o);
    struct lookup l = lookup_of(key(&f.arena, "a"), request(&f.arena, NULL), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    object_fail(l.busy);
    object_release(&l.busy);
    end_late();
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
    object_passed(o, 1000);
    EXPECT_EQ_INT(object_body_pending(o), LONG - 1000);
    object_complete(o);
    object_passed(o, LONG);
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
    TEST(a_long_body_of_unknown_length_goes_on_in_places),
    TEST(extents_of_a_partial_body_are_places),
    TEST(each_place_has_the_checksum_of_its_bytes),
    TEST(a_fiber_waits_for_each_place),
    TEST(a_response_with_an_unreadable_body_is_dropped),
    TEST(a_private_body_reports_its_reader),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
