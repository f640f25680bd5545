/* Purges of everything: lookups pass over what they removed, at once, and the sweep frees it in pieces. */
#include "store_fixture.h"

#include "base/params.h"
#include "cache/invalidation_internal.h"
#include "cache/variants.h"

static const struct life GRACE = { 3600 * SEC, 600 * SEC, 300 * SEC };

static struct http_message *
tagged(void)
{
    return RESPONSE("xkey", "one", "kind", "a");
}

static struct object *
ask(const char *name)
{
    struct lookup l;
    CHECK(look(&l, name, REQUEST(), T0) == LOOKUP_MISS);
    (void)store_born(f.store, l.busy);
    return l.busy;
}

static void
finish(struct object *busy)
{
    CHECK(fetch_all(f.store, busy, tagged(), REQUEST(), T0, GRACE, NULL, "body", 4) == 0);
}

static struct store_stats
stats_now(void)
{
    struct store_stats stats;
    store_stats(f.store, &stats);
    return stats;
}

static void
nothing_is_found_and_the_sweep_frees_it_in_pieces(void)
{
    char name[16];
    fixture_init(&f, 16 << 20);
    for (unsigned i = 0; i < 5000; i++) {
        snprintf(name, sizeof name, "/%u", i);
        finish(ask(name));
    }
    EXPECT_EQ_INT(purge_all(f.store, false, T0), 5000);
    EXPECT_EQ_INT(stats_now().stored, 5000); /* not freed yet */
    for (unsigned i = 0; i < 5000; i += 500) {
        snprintf(name, sizeof name, "/%u", i);
        EXPECT_FOUND(name, REQUEST(), T0, "not a hit");
    }
    finish(ask("/new"));
    unsigned pieces = 0;
    for (bool more = true; more; pieces++) {
        uint64_t before = stats_now().stored;
        more = store_sweep(f.store, 1000, NSEC_NEVER);
        EXPECT(before - stats_now().stored < 1200);
    }
    EXPECT(pieces >= 5);
    EXPECT_EQ_INT(stats_now().stored, 1);
    EXPECT_FOUND("/new", REQUEST(), T0, "body");
    EXPECT(!store_sweep(f.store, 1000, NSEC_NEVER));
    EXPECT_EQ_INT(atomic_load(&f.store->purged_all.latest), 0); /* lookups need not ask any more */
    end();
}

static void
a_soft_one_makes_stale_what_a_lookup_and_the_sweep_find(void)
{
    for (int swept = 0; swept < 2; swept++) {
        begin();
        struct lookup l;
        finish(ask("/a"));
        EXPECT_EQ_INT(purge_all(f.store, true, T0 + 5 * SEC), 1);
        if (swept)
            (void)store_sweep(f.store, 1000, NSEC_NEVER);
        EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0 + 6 * SEC), LOOKUP_HIT_GRACE_FETCH);
        EXPECT_EQ_INT(l.object->ttl, 5 * SEC);
        EXPECT_EQ_INT(l.object->grace, 600 * SEC);
        EXPECT_EQ_INT(l.object->keep, 300 * SEC);
        drop(&l);
        finish(ask("/b"));
        EXPECT_FOUND("/b", REQUEST(), T0 + 6 * SEC, "body");
        end();
    }
}

static void
fetches_under_way_are_judged_at_their_insertion(void)
{
    for (int soft = 0; soft < 2; soft++)
        for (int swept = 0; swept < 2; swept++) {
            begin();
            struct lookup l;
            struct object *old = ask("/a");
            (void)purge_all(f.store, soft, T0);
            for (int i = 0; i < 3 * swept; i++)
                (void)store_sweep(f.store, 1000, NSEC_NEVER); /* must not forget the purge */
            finish(old);
            EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0 + SEC), soft ? LOOKUP_HIT_GRACE_FETCH : LOOKUP_MISS);
            (void)store_born(f.store, l.busy);
            struct object *young = l.busy;
            l.busy = NULL;
            drop(&l);
            finish(young);
            EXPECT_FOUND("/a", REQUEST(), T0 + SEC, "body");
            (void)store_sweep(f.store, 1000, NSEC_NEVER);
            EXPECT_FOUND("/a", REQUEST(), T0 + SEC, "body");
            end();
        }
}

static void
requests_after_it_do_not_wait_for_a_fetch_from_before(void)
{
    begin();
    struct waiting before = { 0 }, after = { 0 };
    struct lookup l, m;
    struct object *old = ask("/a");
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_WAIT);
    (void)purge_all(f.store, false, T0);
    EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_MISS);
    finish(old);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_HIT);
    drop(&l);
    drop(&m);
    end();
}

static void
between_insertion_and_publication_it_counts(void)
{
    for (int swept = 0; swept < 2; swept++) {
        begin();
        struct waiting w = { 0 };
        struct lookup l;
        struct object *busy = ask("/a");
        EXPECT_EQ_INT(look_or_wait(&l, &w, "/a", REQUEST(), T0), LOOKUP_WAIT);
        CHECK(fetch_insert(f.store, busy, tagged(), REQUEST(), T0, GRACE, NULL) == 0);
        (void)purge_all(f.store, false, T0);
        if (swept)
            (void)store_sweep(f.store, 1000, NSEC_NEVER);
        CHECK(object_publish(busy, 0) == 0);
        object_complete(busy);
        object_release(&busy);
        fixture_turn(&f);
        EXPECT_EQ_INT(w.calls, 1);
        /* It asked before the purge, so it may get the response. */
        EXPECT_EQ_INT(look_or_wait(&l, &w, "/a", REQUEST(), T0), swept ? LOOKUP_HIT : LOOKUP_MISS);
        drop(&l);
        EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
        end();
    }
}

static void
a_marker_is_gone_too(void)
{
    begin();
    struct object *busy = ask("/a");
    struct lookup l;
    busy->flags |= OBJECT_HIT_FOR_PASS;
    finish(busy);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0), LOOKUP_HIT_FOR_PASS);
    drop(&l);
    (void)purge_all(f.store, false, T0);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0), LOOKUP_MISS);
    drop(&l);
    end();
}

static void
the_cause_of_a_miss_is_a_purge(void)
{
    for (int swept = 0; swept < 2; swept++) {
        begin();
        finish(ask("/a"));
        (void)purge_all(f.store, false, T0);
        if (swept)
            (void)store_sweep(f.store, 1000, NSEC_NEVER);
        struct lookup l = lookup_of(key(&f.arena, "/a"), REQUEST(), swept ? clock_real_ns() : T0 + 7 * SEC);
        l.explain = true;
        EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
        EXPECT_EQ_INT(l.miss.cause, MISS_PURGED);
        EXPECT(swept || l.miss.ago == 7 * SEC);
        drop(&l);
        end();
    }
}

static void
nothing_else_counts_what_is_removed(void)
{
    begin();
    struct object *variants[2];
    struct ban_count count;
    struct ban_draft *d;
    char error[BAN_ERROR_BYTES];
    finish(ask("/a"));
    (void)purge_all(f.store, false, T0);
    CHECK(ban_draft_parse(SPAN_LIT("obj.http.kind == a"), &d, error) == 0);
    store_ban_count(f.store, d, T0, SEC, &count);
    ban_draft_release(&d);
    EXPECT_EQ_INT(count.matching, 0);
    EXPECT_EQ_INT(store_variants(f.store, key(&f.arena, "/a"), variants, 2), 1);
    struct variant shown;
    variant_describe(f.store, variants[0], REQUEST(), false, T0, &shown);
    EXPECT(shown.purged);
    object_release(&variants[0]);
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("one"), true, T0, 0), 0);
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("one"), false, T0, 0), 0);
    finish(ask("/b"));
    (void)purge_all(f.store, false, T0);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/b")), 0);
    end();
}

/* The freshness that a soft one ended does not return with the next. */
static void
several_in_a_row_keep_the_earliest_end(void)
{
    begin();
    struct lookup l;
    finish(ask("/a"));
    for (unsigned i = 1; i <= 10; i++)
        (void)purge_all(f.store, true, T0 + i * SEC);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0 + 20 * SEC), LOOKUP_HIT_GRACE_FETCH);
    EXPECT_EQ_INT(l.object->ttl, SEC);
    drop(&l);
    end();
}

static void
a_million_objects_are_answered_at_once(void)
{
    char name[16];
    fixture_init(&f, UINT64_C(4) << 30);
    unsigned n = 1000000;
    for (unsigned i = 0; i < n; i++) {
        struct cache_key k = { name, (uint32_t)snprintf(name, sizeof name, "/%u", i), 0, false };
        struct lookup l = lookup_of(&k, NULL, T0);
        CHECK(store_lookup(f.store, &l) == LOOKUP_MISS);
        CHECK(fetch_all(f.store, l.busy, tagged(), NULL, T0, GRACE, NULL, "", 0) == 0);
        if (i % 1000 == 0) {
            arena_release(&f.arena);
            arena_init(&f.arena, 0);
        }
    }
    nsec start, took = NSEC_NEVER, longest = 0;
    for (unsigned i = 0; i < 10; i++) { /* the machine may be busy now and then */
        start = clock_mono_ns();
        EXPECT_EQ_INT(purge_all(f.store, false, T0), n);
        took = clock_mono_ns() - start < took ? clock_mono_ns() - start : took;
    }
    start = clock_mono_ns();
    for (bool more = true; more;) {
        nsec from = clock_mono_ns();
        more = store_sweep(f.store, 2000, NSEC_PER_MSEC);
        nsec one = clock_mono_ns() - from;
        longest = one > longest ? one : longest;
    }
    EXPECT_EQ_INT(stats_now().stored, 0);
    EXPECT(took < 5 * NSEC_PER_MSEC);
    printf("purged in %.3f ms, swept in %.0f ms, the longest piece %.1f ms\n", (double)took / 1e6,
           (double)(clock_mono_ns() - start) / 1e6, (double)longest / 1e6);
    end();
}

static const struct test tests[] = {
    TEST(nothing_is_found_and_the_sweep_frees_it_in_pieces),
    TEST(a_soft_one_makes_stale_what_a_lookup_and_the_sweep_find),
    TEST(fetches_under_way_are_judged_at_their_insertion),
    TEST(requests_after_it_do_not_wait_for_a_fetch_from_before),
    TEST(between_insertion_and_publication_it_counts),
    TEST(a_marker_is_gone_too),
    TEST(the_cause_of_a_miss_is_a_purge),
    TEST(nothing_else_counts_what_is_removed),
    TEST(several_in_a_row_keep_the_earliest_end),
    TEST(a_million_objects_are_answered_at_once),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
