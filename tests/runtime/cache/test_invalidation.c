/* Invalidations during a fetch: the response goes to requests that arrived before, and to no later one. Each
 * kind, beside the same invalidation before the fetch, which must not affect the response. */
#include "store_fixture.h"

#include "base/params.h"
#include "cache/index.h"
#include "cache/invalidation_internal.h"

static const struct life GRACE = { 3600 * SEC, 600 * SEC, 0 };

static struct http_message *
shown(void)
{
    return RESPONSE("xkey", "one two", "kind", "a");
}

/* ---- the kinds ---- */

static void
ban_text(const char *text)
{
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    CHECK(ban_draft_parse(span_str(text), &d, error) == 0);
    CHECK(ban_by_draft(f.store, &d, T0, error) == 0);
}

static void
hard_purge(void)
{
    purge_key(f.store, key(&f.arena, "/a"));
}
static void
tag_purge(void)
{
    purge_tags(f.store, SPAN_LIT("none two"), false, T0, 0);
}
static void
ban_on_object(void)
{
    ban_text("obj.http.kind == a");
}
static void
ban_on_request(void)
{
    ban_text("req.url == /");
}
static void
ban_on_both(void)
{
    ban_text("req.url == / && obj.http.kind == a");
}

static void
completed_ban(void)
{
    params.ban_lurker_age_s = 0;
    params.ban_lurker_sleep_s = 0.01;
    ban_on_object();
    (void)store_lurk(f.store, T0 + SEC, NULL, NULL);
}

static void
ban_overtaken_by_its_like(void)
{
    params.ban_dups = true;
    ban_on_object();
    ban_on_object();
}

static void (*const kinds[])(void) = {
    hard_purge,
    tag_purge,
    ban_on_object,
    ban_on_request,
    ban_on_both,
    completed_ban,
    ban_overtaken_by_its_like,
};
#define KINDS (sizeof kinds / sizeof kinds[0])

/* ---- one fetch ---- */

static struct object *
asked(void)
{
    struct lookup l;
    CHECK(look(&l, "/a", REQUEST(), T0) == LOOKUP_MISS);
    (void)store_born(f.store, l.busy);
    return l.busy;
}

static void
finish(struct object *busy, struct life life)
{
    CHECK(fetch_all(f.store, busy, shown(), REQUEST(), T0, life, NULL, "old", 3) == 0);
}

/* ---- tests ---- */

static void
what_comes_during_a_fetch_keeps_it_from_later_requests(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        begin();
        struct object *busy = asked();
        kinds[i]();
        finish(busy, HOUR);
        EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
        finish(asked(), HOUR);
        EXPECT_FOUND("/a", REQUEST(), T0, "old");
        end();
    }
}

static void
what_came_before_the_origin_was_asked_concerns_no_response(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        begin();
        struct lookup l;
        EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0), LOOKUP_MISS);
        kinds[i]();
        (void)store_born(f.store, l.busy);
        finish(l.busy, HOUR);
        EXPECT_FOUND("/a", REQUEST(), T0, "old");
        end();
    }
}

static void
a_retry_is_born_anew(void)
{
    begin();
    struct object *busy = asked();
    hard_purge();
    ban_on_object();
    (void)store_born(f.store, busy);
    finish(busy, HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "old");
    end();
}

/* Two wait: one arrived before the purge, one after. */
static void
waiters_from_before_get_the_response_and_others_do_not(void)
{
    for (size_t i = 1; i < KINDS; i++) { /* after a purge by key no request waits for such a fetch */
        begin();
        struct waiting before = { 0 }, after = { 0 };
        struct lookup l, m;
        struct object *busy = asked();
        EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_WAIT);
        kinds[i]();
        EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_WAIT);
        finish(busy, HOUR);
        fixture_turn(&f);
        EXPECT_EQ_INT(before.calls, 1);
        EXPECT_EQ_INT(after.calls, 1);
        EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_HIT);
        EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_MISS);
        drop(&l);
        drop(&m);
        end();
    }
}

static void
requests_after_a_purge_do_not_wait_for_the_fetch_it_invalidates(void)
{
    begin();
    struct waiting before = { 0 }, after = { 0 }, third = { 0 };
    struct lookup l, m, n;
    struct object *busy = asked();
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_WAIT);
    hard_purge();
    EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&n, &third, "/a", REQUEST(), T0), LOOKUP_WAIT);
    finish(busy, HOUR);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_HIT);
    EXPECT_EQ_INT(third.calls, 0); /* still waits for the second fetch */
    (void)store_born(f.store, m.busy);
    CHECK(fetch_all(f.store, m.busy, shown(), REQUEST(), T0, HOUR, NULL, "new", 3) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&n, &third, "/a", REQUEST(), T0), LOOKUP_HIT);
    EXPECT_FOUND("/a", REQUEST(), T0, "new");
    drop(&l);
    drop(&n);
    end();
}

static void
a_waiter_that_leaves_gives_back_what_it_was_given(void)
{
    begin();
    struct waiting before = { 0 };
    struct lookup l;
    struct object *busy = asked();
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_WAIT);
    tag_purge();
    finish(busy, HOUR);
    store_unwait(f.store, &before.waiter);
    EXPECT(before.waiter.given == NULL);
    end(); /* nothing stays charged */
}

static void
what_is_given_is_not_for_other_variants(void)
{
    begin();
    struct waiting w = { 0 };
    struct lookup l, m;
    EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", "1"), T0), LOOKUP_MISS);
    (void)store_born(f.store, l.busy);
    EXPECT_EQ_INT(look_or_wait(&m, &w, "/a", REQUEST("Foo", "2"), T0), LOOKUP_WAIT);
    tag_purge();
    CHECK(fetch_all(f.store, l.busy, RESPONSE("xkey", "two", "Vary", "Foo"), REQUEST("Foo", "1"), T0, HOUR,
                    NULL, "1", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&m, &w, "/a", REQUEST("Foo", "2"), T0), LOOKUP_MISS);
    drop(&m);
    end();
}

static void
a_marker_is_invalidated_too_and_all_waiters_fetch(void)
{
    begin();
    struct waiting one = { 0 }, two = { 0 };
    struct lookup l, m;
    struct object *busy = asked();
    EXPECT_EQ_INT(look_or_wait(&l, &one, "/a", REQUEST(), T0), LOOKUP_WAIT);
    EXPECT_EQ_INT(look_or_wait(&m, &two, "/a", REQUEST(), T0), LOOKUP_WAIT);
    hard_purge();
    busy->flags |= OBJECT_HIT_FOR_MISS;
    finish(busy, HOUR);
    fixture_turn(&f);
    EXPECT_EQ_INT(one.calls + two.calls, 2);
    EXPECT_EQ_INT(look_or_wait(&l, &one, "/a", REQUEST(), T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&m, &two, "/a", REQUEST(), T0), LOOKUP_MISS); /* not for the first */
    drop(&l);
    drop(&m);
    end();
}

static void
a_soft_purge_during_a_fetch_stores_it_stale(void)
{
    for (int by_tag = 0; by_tag < 2; by_tag++) {
        begin();
        struct lookup l;
        struct object *busy = asked();
        if (by_tag)
            purge_tags(f.store, SPAN_LIT("one"), true, T0, 0);
        else
            soft_purge_key(f.store, key(&f.arena, "/a"), T0, 0, -1, -1);
        finish(busy, GRACE);
        EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0 + SEC), LOOKUP_HIT_GRACE_FETCH);
        EXPECT_EQ_INT(l.object->grace, 600 * SEC);
        drop(&l);
        end();
    }
}

/* A loop reads its clock once a round, so a request may carry a time before a purge that it came after. */
static void
a_soft_purge_is_seen_by_requests_with_an_older_clock(void)
{
    enum { BY_KEY, BY_TAG, OF_ALL, BEFORE_INSERTION, END };
    for (int how = BY_KEY; how < END; how++) {
        begin();
        struct lookup l;
        struct object *busy = asked();
        nsec purged = T0 + 5 * SEC, earlier = purged - 1;
        if (how != BEFORE_INSERTION)
            finish(busy, GRACE);
        if (how == BY_TAG)
            purge_tags(f.store, SPAN_LIT("one"), true, purged, 0);
        else if (how == OF_ALL)
            (void)purge_all(f.store, true, purged);
        else
            soft_purge_key(f.store, key(&f.arena, "/a"), purged, 0, -1, -1);
        if (how == BEFORE_INSERTION)
            finish(busy, GRACE);
        EXPECT_EQ_INT(look(&l, "/a", REQUEST(), earlier), LOOKUP_HIT_GRACE_FETCH);
        EXPECT(object_ttl_left(l.object, earlier) < 0);
        drop(&l);
        soft_purge_key(f.store, key(&f.arena, "/a"), purged, 0, 0, 0);
        EXPECT_EQ_INT(look(&l, "/a", REQUEST(), earlier), LOOKUP_MISS); /* no grace is left */
        drop(&l);
        end();
    }
}

static void
a_soft_purge_with_a_ttl_ends_freshness_by_the_clock(void)
{
    begin();
    finish(asked(), GRACE);
    soft_purge_key(f.store, key(&f.arena, "/a"), T0, 2 * SEC, -1, -1);
    EXPECT_FOUND("/a", REQUEST(), T0 + SEC, "old");
    end();
}

/* The remaining ttl counts from the purge, also for a response that arrived later. */
static void
the_lifetimes_of_a_soft_purge_are_those_of_the_newest_and_the_shortest_ttl(void)
{
    begin();
    struct object *busy = asked();
    soft_purge_key(f.store, key(&f.arena, "/a"), T0 - 5 * SEC, 10 * SEC, 20 * SEC, 40 * SEC);
    soft_purge_key(f.store, key(&f.arena, "/a"), T0, 60 * SEC, 30 * SEC, -1);
    CHECK(fetch_insert(f.store, busy, shown(), REQUEST(), T0, GRACE, NULL) == 0);
    EXPECT_EQ_INT(busy->ttl, 5 * SEC);
    EXPECT_EQ_INT(busy->grace, 30 * SEC);
    EXPECT_EQ_INT(busy->keep, 40 * SEC);
    CHECK(object_publish(busy, 0) == 0);
    object_complete(busy);
    object_release(&busy);
    end();
}

/* Between store_insert and object_publish: a short time, but the purge must not be lost. */
static void
what_comes_between_insertion_and_publication_counts(void)
{
    for (size_t i = 0; i < KINDS; i++) {
        begin();
        struct waiting w = { 0 };
        struct lookup l;
        struct object *busy = asked();
        EXPECT_EQ_INT(look_or_wait(&l, &w, "/a", REQUEST(), T0), LOOKUP_WAIT);
        CHECK(fetch_insert(f.store, busy, shown(), REQUEST(), T0, HOUR, NULL) == 0);
        kinds[i]();
        CHECK(object_publish(busy, 0) == 0);
        object_complete(busy);
        object_release(&busy);
        EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
        fixture_turn(&f);
        EXPECT_EQ_INT(w.calls, 1); /* the waiter was not forgotten */
        (void)look_or_wait(&l, &w, "/a", REQUEST(), T0);
        drop(&l);
        end();
    }
}

static void
a_fetch_does_not_invalidate_its_own_response(void)
{
    begin();
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    for (uint64_t maker = 7; maker <= 8; maker++) { /* in the second round another fetch's policy purges */
        struct object *busy = asked();
        busy->xid = 7;
        purge_tags(f.store, SPAN_LIT("one"), false, T0, maker);
        CHECK(ban_draft_parse(SPAN_LIT("obj.http.kind == a"), &d, error) == 0);
        ban_draft_by(d, maker, atomic_load(&busy->live->born));
        CHECK(ban_by_draft(f.store, &d, T0, error) == 0);
        finish(busy, HOUR);
        EXPECT_FOUND("/a", REQUEST(), T0, maker == 7 ? "old" : "not a hit");
        (void)purge_key(f.store, key(&f.arena, "/a"));
    }
    end();
}

static void
a_ban_of_ones_own_does_not_stand_for_that_of_another(void)
{
    begin();
    params.ban_dups = true;
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    struct object *busy = asked();
    busy->xid = 7;
    ban_on_object();
    CHECK(ban_draft_parse(SPAN_LIT("obj.http.kind == a"), &d, error) == 0);
    ban_draft_by(d, 7, atomic_load(&busy->live->born));
    CHECK(ban_by_draft(f.store, &d, T0, error) == 0);
    finish(busy, HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
    end();
}

static void
count_ban(const struct ban_info *info, void *arg)
{
    (void)info;
    ++*(unsigned *)arg;
}

static unsigned
bans_listed_after_a_round(void)
{
    unsigned n = 0;
    (void)store_lurk(f.store, T0 + SEC, NULL, NULL);
    store_ban_each(f.store, count_ban, &n);
    return n;
}

static void
a_fetch_keeps_the_list_of_bans_until_its_response_is_settled(void)
{
    for (int withdrawn = 0; withdrawn < 2; withdrawn++) {
        begin();
        params.ban_lurker_age_s = 0;
        struct object *busy = asked();
        ban_on_object();
        EXPECT_EQ_INT(bans_listed_after_a_round(), 2);
        if (withdrawn)
            store_withdraw(f.store, busy); /* it may take long to reach its only client */
        else
            object_fail(busy);
        EXPECT_EQ_INT(bans_listed_after_a_round(), 1);
        object_release(&busy);
        end();
    }
}

/* ---- the records ---- */

static void
purge_others(unsigned n)
{
    static unsigned long long number;
    char name[32];
    for (unsigned i = 0; i < n; i++) {
        snprintf(name, sizeof name, "/other/%llu", number++);
        struct cache_key k = { name, (uint32_t)strlen(name), 0, false };
        EXPECT_EQ_INT(purge_key(f.store, &k), 0);
    }
}

static const struct purges *
remembered(void)
{
    return &f.store->invalidations->purges;
}

static uint32_t
rows_of(const struct purges *p)
{
    return p->newer.rows.n + p->older.rows.n;
}

static void
below_the_floor_all_is_taken_for_purged(void)
{
    begin();
    params.purges_max = 1000;
    struct waiting before = { 0 }, after = { 0 };
    struct lookup l, m;
    struct object *old = asked();
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_WAIT);
    purge_others(1);
    EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_WAIT);
    purge_others(999);
    EXPECT_EQ_INT(remembered()->floor, 0);
    EXPECT_EQ_INT(rows_of(remembered()), 1000);
    purge_others(1); /* the older half is forgotten */
    EXPECT(remembered()->floor > 0 && remembered()->floor < position_now(&f.store->positions));
    EXPECT_EQ_INT(rows_of(remembered()), 501);
    finish(old, HOUR);
    fixture_turn(&f);
    /* which requests came after the forgotten purge is not known: none but those from before any */
    EXPECT_EQ_INT(look_or_wait(&l, &before, "/a", REQUEST(), T0), LOOKUP_HIT);
    EXPECT_EQ_INT(look_or_wait(&m, &after, "/a", REQUEST(), T0), LOOKUP_MISS);
    drop(&l);
    drop(&m);
    struct object *young = asked();
    hard_purge(); /* finds the newest of many */
    finish(young, HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "not a hit");
    finish(asked(), HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "old");
    params.purges_max = 2000000;
    end();
}

static void
purges_that_no_fetch_needs_are_forgotten(void)
{
    fixture_init(&f, UINT64_C(16) << 20);
    purge_others(100000);
    EXPECT(rows_of(remembered()) <= 64);
    struct object *busy = asked();
    purge_others(10000);
    EXPECT(rows_of(remembered()) >= 10000);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_PURGES), purges_bytes(remembered()));
    (void)store_sweep(f.store, 1, NSEC_NEVER);
    EXPECT(rows_of(remembered()) >= 10000);
    finish(busy, HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "old");
    (void)store_sweep(f.store, 1, NSEC_NEVER);
    EXPECT_EQ_INT(rows_of(remembered()), 0);
    EXPECT_EQ_INT(remembered()->floor, 0);
    EXPECT_EQ_INT(storage_used_for(f.main, USE_PURGES), 0);
    end();
}

/* A fetch takes 2 s, and 250,000 purges a second come meanwhile. */
static void
a_million_foreign_purges_keep_no_response_out(void)
{
    enum { FETCHES = 1000, PURGES = 1000000, PURGES_OF_A_FETCH = 500000 };
    static struct object *busy[FETCHES];
    char name[16];
    fixture_init(&f, UINT64_C(1) << 30);
    unsigned stored = 0, most = 0;
    for (unsigned i = 0; i < 2 * FETCHES; i++) {
        struct object **at = &busy[i % FETCHES];
        struct lookup l;
        if (i >= FETCHES) {
            snprintf(name, sizeof name, "/%u", i - FETCHES);
            finish(*at, HOUR);
            stored += strcmp(found(name, REQUEST(), T0), "old") == 0;
        }
        snprintf(name, sizeof name, "/%u", i);
        CHECK(look(&l, name, REQUEST(), T0) == LOOKUP_MISS);
        (void)store_born(f.store, l.busy);
        *at = l.busy;
        purge_others(PURGES_OF_A_FETCH / FETCHES);
        most = rows_of(remembered()) > most ? (unsigned)rows_of(remembered()) : most;
    }
    EXPECT_EQ_INT(stored, FETCHES);
    EXPECT_EQ_INT(position_now(&f.store->positions) >= PURGES, true);
    printf("%u of %d stored, at most %u purges remembered\n", stored, FETCHES, most);
    for (unsigned i = 0; i < FETCHES; i++) {
        object_fail(busy[i]);
        object_release(&busy[i]);
    }
    end();
}

static void
a_million_digests_take_at_most_40_mb(void)
{
    fixture_init(&f, UINT64_C(1) << 30);
    struct object *busy = asked();
    purge_others(1000000);
    EXPECT_EQ_INT(rows_of(remembered()), 1000000);
    EXPECT(storage_used_for(f.main, USE_PURGES) <= UINT64_C(40) << 20);
    printf("%.1f bytes for each purge\n", (double)storage_used_for(f.main, USE_PURGES) / 1e6);
    finish(busy, HOUR);
    EXPECT_FOUND("/a", REQUEST(), T0, "old");
    end();
}

static const struct test tests[] = {
    TEST(what_comes_during_a_fetch_keeps_it_from_later_requests),
    TEST(what_came_before_the_origin_was_asked_concerns_no_response),
    TEST(a_retry_is_born_anew),
    TEST(waiters_from_before_get_the_response_and_others_do_not),
    TEST(requests_after_a_purge_do_not_wait_for_the_fetch_it_invalidates),
    TEST(a_waiter_that_leaves_gives_back_what_it_was_given),
    TEST(what_is_given_is_not_for_other_variants),
    TEST(a_marker_is_invalidated_too_and_all_waiters_fetch),
    TEST(a_soft_purge_during_a_fetch_stores_it_stale),
    TEST(a_soft_purge_is_seen_by_requests_with_an_older_clock),
    TEST(a_soft_purge_with_a_ttl_ends_freshness_by_the_clock),
    TEST(the_lifetimes_of_a_soft_purge_are_those_of_the_newest_and_the_shortest_ttl),
    TEST(what_comes_between_insertion_and_publication_counts),
    TEST(a_fetch_does_not_invalidate_its_own_response),
    TEST(a_ban_of_ones_own_does_not_stand_for_that_of_another),
    TEST(a_fetch_keeps_the_list_of_bans_until_its_response_is_settled),
    TEST(below_the_floor_all_is_taken_for_purged),
    TEST(purges_that_no_fetch_needs_are_forgotten),
    TEST(a_million_foreign_purges_keep_no_response_out),
    TEST(a_million_digests_take_at_most_40_mb),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
