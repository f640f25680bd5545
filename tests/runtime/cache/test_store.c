/* Look-ups and the reports of fetches: hits, grace, keep, variants, purges, expiry. test_store_waiting.c has
 * waiters and markers. */
#include "store_fixture.h"

#include "base/params.h"
#include "cache/index.h"
#include "log/counters.h"

/* ---- hits ---- */

static void
what_was_stored_is_found(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    EXPECT(l.object == NULL && l.busy != NULL);
    CHECK(fetch_all(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL, "body", 4) == 0);
    EXPECT_FOUND("/a", req, T0, "body");
    EXPECT_FOUND("/b", req, T0, "not a hit");
    EXPECT_FOUND("/a", req, T0 + 3600 * SEC, "not a hit");
    end();
}

static void
keys_are_compared_whole(void)
{
    begin();
    struct http_message *req = REQUEST();
    for (unsigned i = 0; i < 3000; i++) {
        char name[16];
        snprintf(name, sizeof name, "/%u", i);
        CHECK(store_text(&f, name, req, RESPONSE(), HOUR, name) == 0);
    }
    for (unsigned i = 0; i < 3000; i++) {
        char name[16];
        snprintf(name, sizeof name, "/%u", i);
        EXPECT_FOUND(name, req, T0, name);
    }
    end();
}

static void
a_streaming_response_is_found(void)
{
    begin();
    struct lookup l, hit;
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    CHECK(fetch_insert(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL) == 0);
    CHECK(object_publish(l.busy, -1) == 0);
    CHECK(body_add(l.busy, "half", 4) == 0);
    EXPECT_EQ_INT(look(&hit, "/a", req, T0), LOOKUP_HIT);
    EXPECT_EQ_INT(object_state(hit.object), OBJECT_STREAMING);
    object_complete(l.busy);
    EXPECT_EQ_INT(object_state(hit.object), OBJECT_COMPLETE);
    object_release(&hit.object);
    object_release(&l.busy);
    end();
}

static void
a_response_that_fails_half_way_is_found_no_more(void)
{
    begin();
    struct lookup l, hit;
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    CHECK(fetch_insert(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL) == 0);
    CHECK(object_publish(l.busy, -1) == 0);
    EXPECT_EQ_INT(look(&hit, "/a", req, T0), LOOKUP_HIT);
    object_fail(l.busy);
    EXPECT_EQ_INT(object_state(hit.object), OBJECT_FAILED);
    EXPECT_FOUND("/a", req, T0, "not a hit");
    object_release(&hit.object);
    object_release(&l.busy);
    end();
}

static void
the_requests_ttl_limits_what_is_fresh(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 100 * SEC, 10 * SEC, 0 }, "x") == 0);
    l = lookup_of(key(&f.arena, "/a"), req, T0 + 20 * SEC);
    l.ttl_limit = 21 * SEC;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_HIT);
    drop(&l);
    l.ttl_limit = 20 * SEC;
    EXPECT_EQ_INT(store_lookup(f.store, &l),
                  LOOKUP_MISS); /* neither in grace nor to be validated: a plain miss */
    CHECK(l.object == NULL);
    drop(&l);
    end();
}

static void
always_miss_replaces_what_is_there(void)
{
    begin();
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), HOUR, "old") == 0);
    CHECK(store_text(&f, "/a", req, RESPONSE(), HOUR, "new") == 0);
    EXPECT_FOUND("/a", req, T0, "new");
    struct store_stats stats;
    store_stats(f.store, &stats);
    EXPECT_EQ_INT(stats.objects, 1);
    EXPECT_EQ_INT(stats.stored, 1);
    end();
}

static void
touching_counts_hits(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), HOUR, "x") == 0);
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_HIT);
    for (unsigned i = 0; i < 5; i++)
        store_touch(l.object);
    EXPECT_EQ_INT(l.object->hits, 5);
    drop(&l);
    end();
}

static void
a_key_that_failed_stores_nothing(void)
{
    begin();
    struct cache_key k = { .failed = true };
    struct lookup l = lookup_of(&k, REQUEST(), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_FULL);
    EXPECT(l.busy == NULL && l.object == NULL);
    end();
}

/* ---- grace and keep ---- */

static void
one_request_refreshes_what_is_in_grace(void)
{
    begin();
    struct lookup first, second, third;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 10 * SEC, 10 * SEC, 0 }, "old") == 0);
    EXPECT_EQ_INT(look(&first, "/a", req, T0 + 15 * SEC), LOOKUP_HIT_GRACE_FETCH);
    EXPECT_EQ_INT(look(&second, "/a", req, T0 + 15 * SEC), LOOKUP_HIT_GRACE);
    EXPECT(second.busy == NULL && second.object == first.object);
    CHECK(fetch_all(f.store, first.busy, RESPONSE(), req, T0 + 15 * SEC, HOUR, first.object, "new", 3) == 0);
    EXPECT_EQ_INT(look(&third, "/a", req, T0 + 15 * SEC), LOOKUP_HIT);
    EXPECT(third.object != first.object);
    object_release(&first.object);
    drop(&second);
    drop(&third);
    end();
}

static void
a_refresh_that_fails_leaves_the_stale_one_and_may_be_tried_again(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 10 * SEC, 10 * SEC, 0 }, "old") == 0);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 15 * SEC), LOOKUP_HIT_GRACE_FETCH);
    CHECK(fetch_insert(f.store, l.busy, RESPONSE(), req, T0 + 15 * SEC, HOUR, l.object) == 0);
    CHECK(object_publish(l.busy, -1) == 0);
    object_fail(l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 15 * SEC), LOOKUP_HIT_GRACE_FETCH);
    drop(&l);
    end();
}

static void
the_requests_grace_limits_the_objects(void)
{
    begin();
    struct http_message *req = REQUEST();
    struct lookup l;
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 10 * SEC, 10 * SEC, 0 }, "old") == 0);
    l = lookup_of(key(&f.arena, "/a"), req, T0 + 15 * SEC);
    l.grace_limit = 5 * SEC;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    EXPECT(l.object != NULL); /* still usable for a conditional fetch */
    drop(&l);
    end();
}

static void
what_is_in_keep_comes_with_the_miss(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 10 * SEC, 0, 50 * SEC }, "old") == 0);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 59 * SEC), LOOKUP_MISS);
    EXPECT(l.object != NULL);
    drop(&l);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 60 * SEC), LOOKUP_MISS);
    EXPECT(l.object == NULL);
    drop(&l);
    end();
}

/* ---- variants ---- */

static void
variants_live_side_by_side(void)
{
    begin();
    struct http_message *german = REQUEST("Accept-Language", "de"), *plain = REQUEST();
    CHECK(store_text(&f, "/a", german, RESPONSE("Vary", "Accept-Language"), HOUR, "german") == 0);
    EXPECT_FOUND("/a", plain, T0, "not a hit");
    CHECK(store_text(&f, "/a", plain, RESPONSE("Vary", "Accept-Language"), HOUR, "plain") == 0);
    EXPECT_FOUND("/a", german, T0, "german");
    EXPECT_FOUND("/a", plain, T0, "plain");
    struct lookup l = lookup_of(key(&f.arena, "/a"), REQUEST("Accept-Language", "fr"), T0);
    l.ignore_vary = true;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_HIT);
    drop(&l);
    end();
}

static void
codings_are_no_variants_when_delivery_unpacks(void)
{
    begin();
    struct http_message *gzip = REQUEST("Accept-Encoding", "gzip"), *plain = REQUEST();
    CHECK(store_text(&f, "/a", gzip, RESPONSE("Vary", "Accept-Encoding"), HOUR, "zipped") == 0);
    EXPECT_FOUND("/a", plain, T0, "zipped");
    params.http_gzip_support = false;
    EXPECT_FOUND("/a", plain, T0, "not a hit");
    params.http_gzip_support = true;
    end();
}

static void
vary_star_is_never_reused(void)
{
    begin();
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE("Vary", "Foo, *"), HOUR, "x") == 0);
    EXPECT_FOUND("/a", req, T0, "not a hit");
    end();
}

static void
a_key_has_a_limited_number_of_variants(void)
{
    begin();
    struct store_stats stats;
    for (unsigned i = 0; i < 1100; i++) {
        char text[16];
        snprintf(text, sizeof text, "%u", i);
        CHECK(store_text(&f, "/a", REQUEST("Foo", text), RESPONSE("Vary", "Foo"), HOUR, text) == 0);
    }
    store_stats(f.store, &stats);
    EXPECT_EQ_INT(stats.objects, 1000);
    EXPECT_EQ_INT(stats.entries, 1);
    EXPECT_FOUND("/a", REQUEST("Foo", "99"), T0, "not a hit");
    EXPECT_FOUND("/a", REQUEST("Foo", "100"), T0, "100");
    end();
}

/* ---- purges, expiry ---- */

static void
a_purge_takes_all_variants_and_nothing_else(void)
{
    begin();
    struct http_message *one = REQUEST("Foo", "1"), *two = REQUEST("Foo", "2");
    CHECK(store_text(&f, "/a", one, RESPONSE("Vary", "Foo"), HOUR, "1") == 0);
    CHECK(store_text(&f, "/a", two, RESPONSE("Vary", "Foo"), HOUR, "2") == 0);
    CHECK(store_text(&f, "/b", one, RESPONSE(), HOUR, "b") == 0);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/a")), 2);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/a")), 0);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/never")), 0);
    EXPECT_FOUND("/a", one, T0, "not a hit");
    EXPECT_FOUND("/a", two, T0, "not a hit");
    EXPECT_FOUND("/b", one, T0, "b");
    end();
}

static void
a_purge_leaves_readers_and_fetches_alone(void)
{
    begin();
    struct lookup hit, miss, other;
    struct waiting w = { 0 };
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), HOUR, "read me") == 0);
    EXPECT_EQ_INT(look(&hit, "/a", req, T0), LOOKUP_HIT);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/a")), 1);
    EXPECT(hit.object->flags & OBJECT_PURGED);
    EXPECT_EQ_INT(look(&miss, "/a", req, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", req, T0), LOOKUP_WAIT);
    CHECK(fetch_insert(f.store, miss.busy, RESPONSE(), req, T0, HOUR, NULL) == 0);
    EXPECT_EQ_INT(purge_key(f.store, key(&f.arena, "/a")), 0);
    CHECK(object_publish(miss.busy, 0) == 0);
    object_complete(miss.busy);
    fixture_turn(&f);
    EXPECT_EQ_INT(w.calls, 1);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", req, T0), LOOKUP_HIT);
    EXPECT_FOUND("/a", req, T0, "not a hit"); /* it arrived after the purge */
    struct body_reader c = { 0 };
    EXPECT_EQ_STR(body_text(&f.arena, hit.object, &c), "read me");
    drop(&hit);
    drop(&other);
    object_release(&miss.busy);
    end();
}

static void
a_soft_purge_makes_stale_and_keeps_grace(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 100 * SEC, 10 * SEC, 0 }, "x") == 0);
    EXPECT_EQ_INT(soft_purge_key(f.store, key(&f.arena, "/a"), T0 + 5 * SEC, 0, -1, -1), 1);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 14 * SEC), LOOKUP_HIT_GRACE_FETCH);
    EXPECT_EQ_INT(soft_purge_key(f.store, key(&f.arena, "/a"), T0 + 5 * SEC, 50 * SEC, 20 * SEC, 30 * SEC),
                  1);
    EXPECT_EQ_INT(l.object->ttl, 5 * SEC); /* not longer than before */
    EXPECT_EQ_INT(l.object->grace, 20 * SEC);
    EXPECT_EQ_INT(l.object->keep, 30 * SEC);
    drop(&l);
    EXPECT_EQ_INT(store_expire(f.store, T0 + 55 * SEC - 1, 10), 0);
    EXPECT_EQ_INT(store_expire(f.store, T0 + 55 * SEC, 10), 1);
    end();
}

static void
expiry_takes_what_is_dead_and_keeps_its_budget(void)
{
    begin();
    struct http_message *req = REQUEST();
    for (unsigned i = 0; i < 200; i++) {
        char name[16];
        snprintf(name, sizeof name, "/%u", i);
        CHECK(store_text(&f, name, req, RESPONSE(), (struct life){ (i + 1) * SEC, 0, 0 }, name) == 0);
    }
    EXPECT_EQ_INT(store_expire(f.store, T0, 1000), 0);
    uint64_t counted = counters_here()->n_expired;
    EXPECT_EQ_INT(store_expire(f.store, T0 + 100 * SEC, 30), 30);
    EXPECT_EQ_INT(counters_here()->n_expired - counted, 30);
    EXPECT_EQ_INT(store_expire(f.store, T0 + 100 * SEC, 1000), 70);
    EXPECT_EQ_INT(store_expire(f.store, T0 + 100 * SEC, 1000), 0);
    EXPECT_FOUND("/100", req, T0 + 100 * SEC, "/100");
    end();
}

/* The variants of one key share a shard, and so its heap of expiry times. */
static void
many_objects_of_a_shard_expire_in_order(void)
{
    begin();
    unsigned dies_at[60] = { 0 };
    for (unsigned i = 0; i < 300; i++) {
        char text[16];
        unsigned s = 1 + i * 7919 % 59;
        snprintf(text, sizeof text, "%u", i);
        CHECK(store_text(&f, "/a", REQUEST("Foo", text), RESPONSE("Vary", "Foo"),
                         (struct life){ s * SEC, 0, 0 }, "x") == 0);
        if (i % 3 == 0) { /* expires earlier than planned */
            struct lookup l;
            EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", text), T0), LOOKUP_HIT);
            s = s > 20 ? s - 20 : s;
            index_soften(f.store, l.object, (struct softening){ T0 + s * SEC, -1, -1, false });
            drop(&l);
        }
        dies_at[s]++;
    }
    for (unsigned s = 0; s < 60; s++)
        EXPECT_EQ_INT(store_expire(f.store, T0 + s * SEC, 1000), dies_at[s]);
    end();
}

static void
an_object_without_a_lifetime_serves_only_its_own_fetch(void)
{
    begin();
    struct http_message *req = REQUEST();
    CHECK(store_text(&f, "/a", req, RESPONSE(), (struct life){ 0, 0, 0 }, "x") == 0);
    EXPECT_FOUND("/a", req, T0, "not a hit");
    EXPECT_EQ_INT(store_expire(f.store, T0, 10), 1);
    end();
}

static void
a_withdrawn_object_is_private(void)
{
    begin();
    struct lookup l;
    struct store_stats stats;
    EXPECT_EQ_INT(look(&l, "/a", REQUEST(), T0), LOOKUP_MISS);
    EXPECT(!object_abandoned(l.busy));
    store_withdraw(f.store, l.busy);
    store_withdraw(f.store, l.busy);
    EXPECT(l.busy->flags & OBJECT_PRIVATE);
    EXPECT(object_abandoned(l.busy));
    store_stats(f.store, &stats);
    EXPECT_EQ_INT(stats.objects, 0);
    EXPECT_EQ_INT(stats.entries, 0);
    object_release(&l.busy);
    end();
}

static void
what_was_published_but_not_inserted_is_not_found(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    CHECK(object_set_head(l.busy, RESPONSE(), req) == 0);
    l.busy->origin_time = T0;
    l.busy->ttl = 10 * SEC;
    CHECK(object_publish(l.busy, 0) == 0);
    EXPECT_FOUND("/a", req, T0, "not a hit");
    object_complete(l.busy);
    EXPECT_FOUND("/a", req, T0, "not a hit");
    drop(&l);
    end();
}

static void
storages_have_names_and_take_turns(void)
{
    begin();
    struct storage *s1, *again;
    EXPECT_EQ_INT(store_add_storage(f.store, SPAN_LIT("s1"), 1000, &s1), 0);
    EXPECT_EQ_INT(store_add_storage(f.store, SPAN_LIT("s1"), 1000, &again), ERR_EXISTS);
    EXPECT(store_storage(f.store, SPAN_LIT("s0")) == f.main);
    EXPECT(store_storage(f.store, SPAN_LIT("s2")) == NULL);
    EXPECT(store_storage(f.store, SPAN_LIT("Transient")) == store_transient(f.store));
    struct storage *a = store_storage(f.store, SPAN_NULL), *b = store_storage(f.store, SPAN_NULL);
    EXPECT(a != b && a != store_transient(f.store) && b != store_transient(f.store));
    EXPECT_EQ_INT(store_add_storage(f.store, SPAN_LIT("Transient"), 5000, &again), 0);
    EXPECT(again == store_transient(f.store));
    EXPECT_EQ_INT(again->limit_bytes, 5000);
    end();
}

static const struct test tests[] = {
    TEST(what_was_stored_is_found),
    TEST(keys_are_compared_whole),
    TEST(a_streaming_response_is_found),
    TEST(a_response_that_fails_half_way_is_found_no_more),
    TEST(the_requests_ttl_limits_what_is_fresh),
    TEST(always_miss_replaces_what_is_there),
    TEST(touching_counts_hits),
    TEST(a_key_that_failed_stores_nothing),
    TEST(one_request_refreshes_what_is_in_grace),
    TEST(a_refresh_that_fails_leaves_the_stale_one_and_may_be_tried_again),
    TEST(the_requests_grace_limits_the_objects),
    TEST(what_is_in_keep_comes_with_the_miss),
    TEST(variants_live_side_by_side),
    TEST(codings_are_no_variants_when_delivery_unpacks),
    TEST(vary_star_is_never_reused),
    TEST(a_key_has_a_limited_number_of_variants),
    TEST(a_purge_takes_all_variants_and_nothing_else),
    TEST(a_purge_leaves_readers_and_fetches_alone),
    TEST(a_soft_purge_makes_stale_and_keeps_grace),
    TEST(expiry_takes_what_is_dead_and_keeps_its_budget),
    TEST(many_objects_of_a_shard_expire_in_order),
    TEST(an_object_without_a_lifetime_serves_only_its_own_fetch),
    TEST(a_withdrawn_object_is_private),
    TEST(what_was_published_but_not_inserted_is_not_found),
    TEST(storages_have_names_and_take_turns),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
