/* Markers near a loop: a request of an uncacheable response takes no lock of the store, and its response
 * enters the index only if it is stored after all. */
#include "store_fixture.h"

#include "cache/index.h"
#include "cache/near.h"
#include "loop/loop_internal.h"

#define OFTEN 20u
#define TTL (120 * SEC)
#define LIMIT (64u << 20)

static const struct life MARKED = { TTL, 0, 0 };

static void
start(void)
{
    fixture_init(&f, LIMIT);
    (void)loop_swap_current(f.loop);
}

static void
stop(void)
{
    near_empty();
    (void)loop_swap_current(NULL);
    end();
}

/* Withdraws the fetch, if the marker asks for one. */
static enum lookup_result
find_marker(void)
{
    struct lookup l;
    enum lookup_result r = look(&l, "/hot", REQUEST(), T0);
    drop(&l);
    return r;
}

static void
mark(unsigned flag)
{
    struct lookup l;
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_MISS);
    l.busy->flags |= (unsigned char)flag;
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, RESPONSE("xkey", "tag", "name", "hot"), l.request, T0, MARKED,
                            NULL, "x", 1),
                  0);
    for (unsigned i = 0; i < OFTEN; i++)
        (void)find_marker();
}

static pthread_mutex_t *
its_lock(void)
{
    return &shard_of(f.store, index_key_digest(f.store, key(&f.arena, "/hot")))->lock;
}

/* A look-up or a withdrawal that took the lock would wait for ever. */
static void
a_marker_is_found_without_its_shard(void)
{
    start();
    mark(OBJECT_HIT_FOR_MISS);
    pthread_mutex_lock(its_lock());
    EXPECT_EQ_INT(find_marker(), LOOKUP_HIT_FOR_MISS);
    pthread_mutex_unlock(its_lock());
    stop();
    start();
    mark(OBJECT_HIT_FOR_PASS);
    pthread_mutex_lock(its_lock());
    EXPECT_EQ_INT(find_marker(), LOOKUP_HIT_FOR_PASS);
    pthread_mutex_unlock(its_lock());
    stop();
}

static void
a_request_costs_the_marker_no_reference(void)
{
    start();
    struct lookup l;
    mark(OBJECT_HIT_FOR_MISS);
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_HIT_FOR_MISS);
    EXPECT_EQ_INT(atomic_load(&l.object->refs), 2); /* the index and the slot */
    drop(&l);
    stop();
}

static void
a_marker_is_not_kept_while_its_response_is_read(void)
{
    start();
    struct lookup l;
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_MISS);
    struct object *read = l.busy;
    object_ref(read);
    read->flags |= OBJECT_HIT_FOR_MISS;
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, RESPONSE(), l.request, T0, MARKED, NULL, "body", 4), 0);
    for (unsigned i = 0; i < OFTEN; i++)
        EXPECT_EQ_INT(find_marker(), LOOKUP_HIT_FOR_MISS);
    EXPECT_EQ_INT(atomic_load(&read->near), 0);
    struct body_reader r = { 0 };
    EXPECT_EQ_STR(body_text(&f.arena, read, &r), "body");
    EXPECT_EQ_INT(find_marker(), LOOKUP_HIT_FOR_MISS);
    EXPECT_EQ_INT(atomic_load(&read->near), 1);
    object_release(&read);
    stop();
}

/* ---- what makes it unfindable ---- */

static void
purge_it(void)
{
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/hot")), 1);
}

static void
purge_its_tag(void)
{
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("tag"), false, T0, 0), 1);
}

static void
purge_its_tag_softly(void)
{
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("tag"), true, T0, 0), 1);
}

static void
purge_everything(void)
{
    (void)purge_all(f.store, false, T0);
}

static void
ban_it(void)
{
    struct ban_draft *d;
    char error[BAN_ERROR_BYTES];
    CHECK(ban_draft_parse(SPAN_LIT("obj.http.name == hot"), &d, error) == 0);
    EXPECT_EQ_INT(ban_by_draft(f.store, &d, T0, error), 0);
}

static void
let_it_expire(void)
{
    (void)store_expire(f.store, T0 + TTL, UINT32_MAX);
}

static void (*const ways[])(void) = { purge_it,         purge_its_tag, purge_its_tag_softly,
                                      purge_everything, ban_it,        let_it_expire };
#define WAYS (sizeof ways / sizeof *ways)

static void
a_near_marker_goes_as_others_do(void)
{
    for (unsigned i = 0; i < WAYS; i++) {
        start();
        mark(OBJECT_HIT_FOR_MISS);
        ways[i]();
        EXPECT_EQ_INT(find_marker(), LOOKUP_MISS);
        stop();
    }
}

static void
a_near_marker_ends_with_its_ttl(void)
{
    start();
    struct lookup l;
    mark(OBJECT_HIT_FOR_MISS);
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0 + TTL - 1), LOOKUP_HIT_FOR_MISS);
    drop(&l);
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0 + TTL), LOOKUP_MISS);
    drop(&l);
    stop();
}

/* ---- the response ---- */

static void
a_response_that_is_cacheable_after_all_is_found(void)
{
    start();
    struct lookup l;
    mark(OBJECT_HIT_FOR_MISS);
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_HIT_FOR_MISS);
    object_release(&l.object);
    (void)store_born(f.store, l.busy);
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, RESPONSE(), l.request, T0, HOUR, NULL, "new", 3), 0);
    EXPECT_FOUND("/hot", REQUEST(), T0, "new");
    stop();
}

/* The purge, the ban or the end of the marker came after the origin was asked. */
static void
no_response_is_stored_after_its_marker_has_left(void)
{
    for (unsigned i = 0; i < WAYS; i++) {
        start();
        struct lookup l;
        mark(OBJECT_HIT_FOR_MISS);
        EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_HIT_FOR_MISS);
        object_release(&l.object);
        (void)store_born(f.store, l.busy);
        ways[i]();
        EXPECT_EQ_INT(find_marker(), LOOKUP_MISS);
        EXPECT_EQ_INT(fetch_all(f.store, l.busy, RESPONSE("xkey", "tag", "name", "hot"), l.request, T0, HOUR,
                                NULL, "late", 4),
                      0);
        EXPECT_FOUND("/hot", REQUEST(), T0, "not a hit");
        stop();
    }
}

static void
a_marker_is_renewed_when_it_ends_soon(void)
{
    start();
    struct lookup l;
    mark(OBJECT_HIT_FOR_MISS);
    EXPECT_EQ_INT(look(&l, "/hot", REQUEST(), T0), LOOKUP_HIT_FOR_MISS);
    EXPECT(store_is_marked(f.store, l.busy, TTL / 2, T0 + TTL / 2));
    EXPECT(!store_is_marked(f.store, l.busy, TTL / 2, T0 + TTL / 2 + 1));
    purge_it();
    EXPECT(!store_is_marked(f.store, l.busy, TTL / 2, T0));
    drop(&l);
    stop();
}

static const struct test tests[] = {
    TEST(a_marker_is_found_without_its_shard),
    TEST(a_request_costs_the_marker_no_reference),
    TEST(a_marker_is_not_kept_while_its_response_is_read),
    TEST(a_near_marker_goes_as_others_do),
    TEST(a_near_marker_ends_with_its_ttl),
    TEST(a_response_that_is_cacheable_after_all_is_found),
    TEST(no_response_is_stored_after_its_marker_has_left),
    TEST(a_marker_is_renewed_when_it_ends_soon),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
