/* Objects near a loop: hits of them take no lock of the store, and what changes for look-ups changes for them
 * at once. */
#include "store_fixture.h"

#include "base/clock.h"
#include "cache/evict/evict.h"
#include "cache/index.h"
#include "cache/near.h"
#include "loop/loop_internal.h"

#define OFTEN 20u /* hits, after which a loop keeps an object */
#define LIMIT (64u << 20)
#define LONG (LIMIT / (64 * 256) - 1000) /* of an object that a loop may keep */

static char content[LONG + 1000];

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

static void
store_content(const char *name, struct http_message *resp, const char *body, size_t n)
{
    struct lookup l = lookup_of(key(&f.arena, name), REQUEST(), T0);
    l.always_miss = true;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    EXPECT_EQ_INT(fetch_all(f.store, l.busy, resp, l.request, T0, HOUR, NULL, body, n), 0);
}

/* The object of a hit, with the caller's reference. */
static struct object *
hit(const char *name)
{
    struct lookup l;
    EXPECT_EQ_INT(look(&l, name, REQUEST(), T0), LOOKUP_HIT);
    store_touch(l.object);
    return l.object;
}

static void
hit_often(const char *name)
{
    for (unsigned i = 0; i < OFTEN; i++) {
        struct object *o = hit(name);
        object_release(&o);
    }
}

static void
store_near(const char *name)
{
    store_content(name, RESPONSE(), name, strlen(name));
    hit_often(name);
}

static unsigned
near_loops(struct object *o)
{
    return atomic_load(&o->near);
}

static struct shard *
shard_with(const char *name)
{
    return shard_of(f.store, index_key_digest(f.store, key(&f.arena, name)));
}

/* A look-up that took the lock would wait for ever. */
static void
a_hot_object_is_hit_without_its_shard(void)
{
    start();
    store_near("/hot");
    pthread_mutex_lock(&shard_with("/hot")->lock);
    EXPECT_FOUND("/hot", REQUEST(), T0, "/hot");
    pthread_mutex_unlock(&shard_with("/hot")->lock);
    stop();
}

static void
a_request_costs_the_object_no_reference(void)
{
    start();
    store_near("/hot");
    struct object *first = hit("/hot"), *second = hit("/hot");
    EXPECT_EQ_INT(atomic_load(&first->refs), 2); /* the index and the slot */
    object_release(&first);
    object_release(&second);
    stop();
}

static void
each_hit_is_counted_at_once_for_its_loop(void)
{
    start();
    store_near("/hot");
    hit_often("/hot");
    struct object *o = hit("/hot");
    EXPECT_EQ_INT(object_hits(o), 2 * OFTEN + 1);
    near_empty();
    EXPECT_EQ_INT(atomic_load(&o->hits), 2 * OFTEN + 1);
    object_release(&o);
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
purge_it_softly(void)
{
    EXPECT_EQ_INT(soft_purge_key(f.store, key(&f.arena, "/hot"), T0, 0, 0, 0), 1);
}

static void
purge_everything(void)
{
    (void)purge_all(f.store, false, T0);
}

static void
purge_everything_softly(void)
{
    (void)purge_all(f.store, true, T0);
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
    (void)store_expire(f.store, T0 + 7200 * SEC, UINT32_MAX);
}

static void
make_it_stale(void)
{
    struct object *o = hit("/hot");
    store_make_stale(f.store, o, T0);
    object_release(&o);
}

static void
lose_it(void)
{
    struct object *o = hit("/hot");
    store_lost(o);
    object_release(&o);
}

static void
a_near_object_goes_as_others_do(void)
{
    static void (*const ways[])(void) = { purge_it,        purge_its_tag,    purge_its_tag_softly,
                                          purge_it_softly, purge_everything, purge_everything_softly,
                                          ban_it,          let_it_expire,    make_it_stale,
                                          lose_it };
    for (unsigned i = 0; i < sizeof ways / sizeof *ways; i++) {
        start();
        store_content("/hot", RESPONSE("xkey", "tag", "name", "hot"), "old", 3);
        hit_often("/hot");
        ways[i]();
        EXPECT_FOUND("/hot", REQUEST(), T0, "not a hit");
        stop();
    }
}

static void
a_newer_object_is_found(void)
{
    start();
    store_near("/hot");
    store_content("/hot", RESPONSE(), "newer", 5);
    EXPECT_FOUND("/hot", REQUEST(), T0, "newer");
    hit_often("/hot");
    EXPECT_FOUND("/hot", REQUEST(), T0, "newer");
    stop();
}

/* The newer one may be for other requests, and the next look-up finds the older again. */
static void
a_newer_variant_does_not_hide_it(void)
{
    start();
    struct lookup l;
    struct http_message *german = REQUEST("Accept-Language", "de"),
                        *english = REQUEST("Accept-Language", "en");
    EXPECT_EQ_INT(look(&l, "/hot", german, T0), LOOKUP_MISS);
    fetch_all(f.store, l.busy, RESPONSE("Vary", "Accept-Language"), german, T0, HOUR, NULL, "tag", 3);
    for (unsigned i = 0; i < OFTEN; i++) {
        EXPECT_EQ_INT(look(&l, "/hot", german, T0), LOOKUP_HIT);
        store_touch(l.object);
        drop(&l);
    }
    EXPECT_FOUND("/hot", english, T0, "not a hit");
    EXPECT_EQ_INT(look(&l, "/hot", english, T0), LOOKUP_MISS);
    fetch_all(f.store, l.busy, RESPONSE("Vary", "Accept-Language"), english, T0, HOUR, NULL, "day", 3);
    EXPECT_FOUND("/hot", german, T0, "tag");
    EXPECT_FOUND("/hot", english, T0, "day");
    stop();
}

/* ---- memory ---- */

static void
who_reads_it_keeps_it(void)
{
    start();
    store_near("/hot");
    struct object *o = hit("/hot");
    struct body_reader r = { 0 };
    purge_it();
    EXPECT_FOUND("/hot", REQUEST(), T0, "not a hit"); /* the loop has let go of it */
    EXPECT_EQ_INT(atomic_load(&o->refs), 1);
    EXPECT_EQ_STR(body_text(&f.arena, o, &r), "/hot");
    object_release(&o);
    stop();
}

/* The loop runs once, at this time. */
static void
turn_at(nsec mono)
{
    clock_stop(T0, mono);
    (void)loop_swap_current(NULL);
    fixture_turn(&f);
    (void)loop_swap_current(f.loop);
}

static void
the_memory_of_a_purged_object_returns_within_a_second(void)
{
    start();
    nsec mono = clock_mono_ns();
    turn_at(mono);
    store_content("/hot", RESPONSE(), content, LONG);
    hit_often("/hot");
    purge_it();
    uint64_t before = used(f.main);
    turn_at(mono + SEC);
    EXPECT(used(f.main) < before - LONG);
    clock_stop(0, 0);
    stop();
}

static void
an_object_that_is_hit_no_more_leaves(void)
{
    start();
    nsec mono = clock_mono_ns();
    turn_at(mono);
    store_near("/hot");
    struct object *o = hit("/hot");
    turn_at(mono + SEC);
    EXPECT_EQ_INT(near_loops(o), 1);
    turn_at(mono + 2 * SEC);
    EXPECT_EQ_INT(near_loops(o), 0);
    EXPECT_EQ_INT(loop_next_timer(f.loop), NSEC_NEVER); /* an idle loop is not woken */
    clock_stop(0, 0);
    object_release(&o);
    stop();
}

static void
a_near_object_can_be_evicted(void)
{
    start();
    store_near("/hot");
    EXPECT_EQ_INT(queues_evict(f.main, 1).objects, 1);
    EXPECT_FOUND("/hot", REQUEST(), T0, "not a hit");
    stop();
}

/* Their memory is free only after a sweep: eviction of more would not free it sooner. */
static void
no_more_is_evicted_because_loops_keep_it(void)
{
    start();
    char name[8] = "/0";
    for (; name[1] < '8'; name[1]++) {
        store_content(name, RESPONSE(), content, LONG);
        hit_often(name);
    }
    EXPECT(store_shrink(f.store, 2 * LONG) >= 2 * LONG);
    unsigned left = 0;
    for (name[1] = '0'; name[1] < '8'; name[1]++)
        left += strcmp(found(name, REQUEST(), T0), "not a hit") != 0;
    EXPECT_EQ_INT(left, 6);
    stop();
}

static void
what_is_read_is_not_evicted(void)
{
    start();
    store_near("/hot");
    struct object *o = hit("/hot"), *other = o;
    object_ref(other); /* as a watch does */
    EXPECT_EQ_INT(queues_evict(f.main, 1).objects, 0);
    object_release(&o);
    object_release(&other);
    stop();
}

static void
a_long_body_is_not_kept(void)
{
    start();
    store_content("/long", RESPONSE(), content, sizeof content);
    hit_often("/long");
    struct object *o = hit("/long");
    EXPECT_EQ_INT(near_loops(o), 0);
    object_release(&o);
    stop();
}

/* ---- slots ---- */

/* Another name whose key has the same slot as `name`. */
static const char *
rival(const char *name)
{
    static char other[32];
    unsigned i = 0;
    do
        snprintf(other, sizeof other, "/rival-%u", i++);
    while (shard_with(other) != shard_with(name));
    return other;
}

static void
the_hotter_of_two_keeps_the_slot(void)
{
    start();
    const char *other = rival("/hot");
    store_near("/hot");
    store_content(other, RESPONSE(), "rival", 5);
    for (unsigned i = 0; i < 2 * OFTEN; i++) {
        hit_often("/hot");
        struct object *o = hit(other);
        object_release(&o);
    }
    struct object *hot = hit("/hot"), *o = hit(other);
    EXPECT_EQ_INT(near_loops(hot), 1);
    EXPECT_EQ_INT(near_loops(o), 0);
    object_release(&hot);
    object_release(&o);
    for (unsigned i = 0; i < 10 * OFTEN; i++) {
        o = hit(other);
        object_release(&o);
    }
    o = hit(other);
    EXPECT_EQ_INT(near_loops(o), 1); /* now it is the hotter one */
    object_release(&o);
    stop();
}

static const struct test tests[] = {
    TEST(a_hot_object_is_hit_without_its_shard),
    TEST(a_request_costs_the_object_no_reference),
    TEST(each_hit_is_counted_at_once_for_its_loop),
    TEST(a_near_object_goes_as_others_do),
    TEST(a_newer_object_is_found),
    TEST(a_newer_variant_does_not_hide_it),
    TEST(who_reads_it_keeps_it),
    TEST(the_memory_of_a_purged_object_returns_within_a_second),
    TEST(an_object_that_is_hit_no_more_leaves),
    TEST(a_near_object_can_be_evicted),
    TEST(no_more_is_evicted_because_loops_keep_it),
    TEST(what_is_read_is_not_evicted),
    TEST(a_long_body_is_not_kept),
    TEST(the_hotter_of_two_keeps_the_slot),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
