/* Requests that wait for the fetch of another request, and markers, which keep requests from waiting. */
#include "store_fixture.h"

/* ---- waiting ---- */

static void
one_fetches_others_wait(struct lookup *l, struct waiting *w, unsigned n, struct http_message *req)
{
    struct lookup other;
    EXPECT_EQ_INT(look(l, "/a", req, T0), LOOKUP_MISS);
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ_INT(look_or_wait(&other, &w[i], "/a", req, T0), LOOKUP_WAIT);
}

static void
others_wait_for_a_fetch_and_then_hit(void)
{
    begin();
    struct lookup l, other;
    struct waiting w[3] = { 0 };
    struct http_message *req = REQUEST();
    one_fetches_others_wait(&l, w, 3, req);
    CHECK(fetch_insert(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(w[0].calls, 0); /* inserted, not yet published */
    CHECK(object_publish(l.busy, 0) == 0);
    fixture_turn(&f);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT_EQ_INT(w[i].calls, 1);
        EXPECT_EQ_INT(look_or_wait(&other, &w[i], "/a", req, T0), LOOKUP_HIT);
        object_release(&other.object);
    }
    object_complete(l.busy);
    object_release(&l.busy);
    end();
}

static void
after_a_failed_fetch_one_waiter_takes_its_turn(void)
{
    begin();
    struct lookup l, next, last;
    struct waiting w[2] = { 0 };
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&next, &w[0], "/a", req, T0), LOOKUP_WAIT);
    EXPECT_EQ_INT(look_or_wait(&last, &w[1], "/a", req, T0), LOOKUP_WAIT);
    object_fail(l.busy);
    object_release(&l.busy);
    fixture_turn(&f);
    EXPECT_EQ_INT(w[0].calls, 1);
    EXPECT_EQ_INT(w[1].calls, 0);
    EXPECT_EQ_INT(look_or_wait(&next, &w[0], "/a", req, T0), LOOKUP_MISS);
    CHECK(fetch_all(f.store, next.busy, RESPONSE(), req, T0, HOUR, NULL, "x", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(w[1].calls, 1);
    EXPECT_EQ_INT(look_or_wait(&last, &w[1], "/a", req, T0), LOOKUP_HIT);
    object_release(&last.object);
    end();
}

/* n requests wait for the fetch of another. */
static void
begin_to_wait(struct lookup *fetching, struct waiting *w, unsigned n)
{
    struct lookup other;
    EXPECT_EQ_INT(look(fetching, "/a", REQUEST(), T0), LOOKUP_MISS);
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ_INT(look_or_wait(&other, &w[i], "/a", REQUEST(), T0), LOOKUP_WAIT);
}

static unsigned
woken(const struct waiting *w, unsigned n)
{
    unsigned calls = 0;
    fixture_turn(&f);
    for (unsigned i = 0; i < n; i++)
        calls += w[i].calls;
    return calls;
}

static void
after_an_unshared_response_no_waiter_waits_for_another(void)
{
    begin();
    struct lookup first, l[3], late;
    struct waiting w[3] = { 0 }, w_late = { 0 };
    begin_to_wait(&first, w, 3);
    store_withdraw_for(f.store, first.busy, WITHDRAW_UNSHARED);
    object_release(&first.busy);
    EXPECT_EQ_INT(woken(w, 3), 3);
    for (unsigned i = 0; i < 3; i++)
        EXPECT_EQ_INT(look_or_wait(&l[i], &w[i], "/a", REQUEST(), T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&late, &w_late, "/a", REQUEST(), T0), LOOKUP_WAIT); /* for one of them */
    drop(&l[0]);
    drop(&l[1]);
    CHECK(fetch_all(f.store, l[2].busy, RESPONSE(), REQUEST(), T0, HOUR, NULL, "x", 1) == 0);
    EXPECT_EQ_INT(woken(&w_late, 1), 1);
    EXPECT_EQ_INT(look_or_wait(&late, &w_late, "/a", REQUEST(), T0), LOOKUP_HIT);
    object_release(&late.object);
    /* The next request that must wait is patient again. */
    for (unsigned i = 0; i < 2; i++)
        EXPECT_EQ_INT(look_or_wait(&l[i], &w[i], "/b", REQUEST(), T0), i == 0 ? LOOKUP_MISS : LOOKUP_WAIT);
    drop(&l[0]);
    store_unwait(f.store, &w[1].waiter);
    end();
}

static void
repeated_failures_wake_more_and_more(void)
{
    begin();
    struct lookup first, l[7];
    struct waiting w[7] = { 0 };
    begin_to_wait(&first, w, 7);
    object_fail(first.busy);
    object_release(&first.busy);
    unsigned done = 0, began = 0;
    static const unsigned rounds[] = { 1, 2, 4 };
    for (unsigned r = 0; r < 3; r++) {
        EXPECT_EQ_INT(woken(w, 7), began + rounds[r]);
        for (; began < done + rounds[r]; began++)
            EXPECT_EQ_INT(look_or_wait(&l[began], &w[began], "/a", REQUEST(), T0), LOOKUP_MISS);
        for (; done < began; done++) {
            object_fail(l[done].busy);
            object_release(&l[done].busy);
        }
    }
    end();
}

static void
a_success_after_a_failure_serves_all_that_still_wait(void)
{
    begin();
    struct lookup first, l[4];
    struct waiting w[4] = { 0 };
    begin_to_wait(&first, w, 4);
    object_fail(first.busy);
    object_release(&first.busy);
    EXPECT_EQ_INT(woken(w, 4), 1);
    EXPECT_EQ_INT(look_or_wait(&l[0], &w[0], "/a", REQUEST(), T0), LOOKUP_MISS);
    CHECK(fetch_all(f.store, l[0].busy, RESPONSE(), REQUEST(), T0, HOUR, NULL, "x", 1) == 0);
    EXPECT_EQ_INT(woken(w, 4), 4);
    for (unsigned i = 1; i < 4; i++) {
        EXPECT_EQ_INT(look_or_wait(&l[i], &w[i], "/a", REQUEST(), T0), LOOKUP_HIT);
        object_release(&l[i].object);
    }
    end();
}

static void
a_waiter_whose_fetch_is_for_itself_passes_on_its_turn(void)
{
    begin();
    struct lookup first, l;
    struct waiting w[2] = { 0 };
    begin_to_wait(&first, w, 2);
    drop(&first);
    EXPECT_EQ_INT(woken(w, 2), 1);
    l = lookup_of(key(&f.arena, "/a"), REQUEST(), T0);
    l.always_miss = true;
    l.waiter = &w[0].waiter;
    l.no_wait = true;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    EXPECT_EQ_INT(woken(w, 2), 2); /* nobody may wait for its fetch */
    drop(&l);
    store_unwait(f.store, &w[1].waiter);
    end();
}

static void
a_turn_is_passed_on_by_who_gives_up(void)
{
    begin();
    struct lookup l;
    struct waiting w[3] = { 0 };
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    for (unsigned i = 0; i < 3; i++) {
        struct lookup other;
        EXPECT_EQ_INT(look_or_wait(&other, &w[i], "/a", req, T0), LOOKUP_WAIT);
    }
    store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    store_unwait(f.store, &w[0].waiter); /* its notice is on the way */
    fixture_turn(&f);
    EXPECT_EQ_INT(w[0].calls, 0);
    EXPECT_EQ_INT(w[1].calls, 1);
    store_unwait(f.store, &w[1].waiter); /* already called, but cancelled instead */
    fixture_turn(&f);
    EXPECT_EQ_INT(w[2].calls, 1);
    store_unwait(f.store, &w[2].waiter);
    end();
}

static void
a_waiter_may_be_freed_after_unwait(void)
{
    begin();
    struct lookup l, other;
    struct waiting *w = calloc(1, sizeof *w);
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&other, w, "/a", req, T0), LOOKUP_WAIT);
    store_unwait(f.store, &w->waiter);
    EXPECT_EQ_INT(look_or_wait(&other, w, "/a", req, T0), LOOKUP_WAIT);
    CHECK(fetch_all(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL, "x", 1) == 0);
    store_unwait(f.store, &w->waiter);
    EXPECT_EQ_INT(w->calls, 0);
    free(w);
    end();
}

static void
without_a_waiter_or_ignoring_busy_nobody_waits(void)
{
    begin();
    struct lookup l, other;
    struct waiting w = { 0 };
    struct http_message *req = REQUEST();
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look(&other, "/a", req, T0), LOOKUP_MISS);
    EXPECT(other.busy != l.busy);
    drop(&other);
    other = lookup_of(key(&f.arena, "/a"), req, T0);
    w.waiter.loop = f.loop;
    w.waiter.fn = count_call;
    other.waiter = &w.waiter;
    other.ignore_busy = true;
    EXPECT_EQ_INT(store_lookup(f.store, &other), LOOKUP_MISS);
    drop(&other);
    drop(&l);
    end();
}

static void
requests_for_other_variants_do_not_wait_for_each_other(void)
{
    begin();
    struct lookup b, c, b2, c2;
    struct waiting w[4] = { 0 };
    struct http_message *of_b = REQUEST("Foo", "b"), *of_c = REQUEST("Foo", "c");
    CHECK(store_text(&f, "/a", REQUEST("Foo", "a"), RESPONSE("Vary", "Foo"), HOUR, "a") == 0);
    EXPECT_EQ_INT(look_or_wait(&b, &w[0], "/a", of_b, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&c, &w[1], "/a", of_c, T0), LOOKUP_MISS); /* does not wait for b */
    EXPECT_EQ_INT(look_or_wait(&b2, &w[2], "/a", of_b, T0), LOOKUP_WAIT);
    EXPECT_EQ_INT(look_or_wait(&c2, &w[3], "/a", of_c, T0), LOOKUP_WAIT);
    CHECK(fetch_all(f.store, b.busy, RESPONSE("Vary", "Foo"), of_b, T0, HOUR, NULL, "b", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&b2, &w[2], "/a", of_b, T0), LOOKUP_HIT);
    EXPECT_EQ_INT(look_or_wait(&c2, &w[3], "/a", of_c, T0), LOOKUP_WAIT);
    CHECK(fetch_all(f.store, c.busy, RESPONSE("Vary", "Foo"), of_c, T0, HOUR, NULL, "c", 1) == 0);
    fixture_turn(&f);
    EXPECT_EQ_INT(look_or_wait(&c2, &w[3], "/a", of_c, T0), LOOKUP_HIT);
    drop(&b2);
    drop(&c2);
    end();
}

static void
the_end_of_a_fetch_wakes_no_waiters_of_other_variants(void)
{
    begin();
    struct lookup b, c, other;
    struct waiting w = { 0 };
    struct http_message *of_b = REQUEST("Foo", "b"), *of_c = REQUEST("Foo", "c");
    CHECK(store_text(&f, "/a", REQUEST("Foo", "a"), RESPONSE("Vary", "Foo"), HOUR, "a") == 0);
    EXPECT_EQ_INT(look(&b, "/a", of_b, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", of_b, T0), LOOKUP_WAIT);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT_EQ_INT(look(&c, "/a", of_c, T0), LOOKUP_MISS);
        store_withdraw_for(f.store, c.busy, (enum withdrawal)i);
        object_release(&c.busy);
        EXPECT_EQ_INT(woken(&w, 1), 0);
    }
    EXPECT_EQ_INT(look(&c, "/a", of_c, T0), LOOKUP_MISS);
    CHECK(fetch_all(f.store, c.busy, RESPONSE("Vary", "Foo"), of_c, T0, HOUR, NULL, "c", 1) == 0);
    EXPECT_EQ_INT(woken(&w, 1), 0);
    /* The fetch varies on other fields than foreseen, or its policy changes the selecting field. */
    CHECK(fetch_all(f.store, b.busy, RESPONSE("Vary", "Foo"), REQUEST("Foo", "changed"), T0, HOUR, NULL, "b",
                    1) == 0);
    EXPECT_EQ_INT(woken(&w, 1), 1);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", of_b, T0), LOOKUP_MISS);
    drop(&other);
    end();
}

static void
a_response_with_another_vary_wakes_all(void)
{
    begin();
    struct lookup b, c, other;
    struct waiting w = { 0 };
    struct http_message *of_b = REQUEST("Foo", "b"), *of_c = REQUEST("Foo", "c");
    CHECK(store_text(&f, "/a", REQUEST("Foo", "a"), RESPONSE("Vary", "Foo"), HOUR, "a") == 0);
    EXPECT_EQ_INT(look(&b, "/a", of_b, T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", of_b, T0), LOOKUP_WAIT);
    EXPECT_EQ_INT(look(&c, "/a", of_c, T0), LOOKUP_MISS);
    CHECK(fetch_all(f.store, c.busy, RESPONSE(), of_c, T0, HOUR, NULL, "for all", 7) == 0);
    EXPECT_EQ_INT(woken(&w, 1), 1);
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", of_b, T0), LOOKUP_HIT);
    object_release(&other.object);
    drop(&b);
    end();
}

/* ---- markers ---- */

static void
insert_marker(const char *name, unsigned flag, struct http_message *req, nsec ttl)
{
    struct lookup l;
    EXPECT_EQ_INT(look(&l, name, req, T0), LOOKUP_MISS);
    l.busy->flags |= (unsigned char)flag;
    CHECK(fetch_all(f.store, l.busy, RESPONSE("Vary", "*"), req, T0, (struct life){ ttl, 0, 0 }, NULL, "x",
                    1) == 0);
}

static void
who_finds_a_hit_for_miss_fetches_without_waiting(void)
{
    begin();
    struct lookup a, b;
    struct waiting w[2] = { 0 };
    struct http_message *req = REQUEST();
    insert_marker("/a", OBJECT_HIT_FOR_MISS, req, 120 * SEC);
    EXPECT_EQ_INT(look_or_wait(&a, &w[0], "/a", req, T0), LOOKUP_HIT_FOR_MISS);
    EXPECT_EQ_INT(look_or_wait(&b, &w[1], "/a", req, T0), LOOKUP_HIT_FOR_MISS);
    EXPECT(a.busy != NULL && b.busy != NULL && a.busy != b.busy);
    EXPECT(a.object != NULL && a.object == b.object); /* the marker, for the log */
    drop(&a);
    object_release(&b.object);
    CHECK(fetch_all(f.store, b.busy, RESPONSE(), req, T0, HOUR, NULL, "y", 1) == 0);
    EXPECT_FOUND("/a", req, T0, "y"); /* cacheable after all */
    end();
}

static void
nobody_waits_for_the_fetch_of_a_hit_for_miss_that_has_expired(void)
{
    begin();
    struct lookup a, b;
    struct waiting w = { 0 };
    struct http_message *req = REQUEST();
    insert_marker("/a", OBJECT_HIT_FOR_MISS, req, 10 * SEC);
    EXPECT_EQ_INT(look(&a, "/a", req, T0 + 9 * SEC), LOOKUP_HIT_FOR_MISS);
    EXPECT_EQ_INT(look_or_wait(&b, &w, "/a", req, T0 + 10 * SEC), LOOKUP_MISS);
    drop(&a);
    drop(&b);
    end();
}

static void
a_hit_for_miss_wakes_all_waiters(void)
{
    begin();
    struct lookup l, other;
    struct waiting w[3] = { 0 };
    struct http_message *req = REQUEST();
    one_fetches_others_wait(&l, w, 3, req);
    l.busy->flags |= OBJECT_HIT_FOR_MISS;
    CHECK(fetch_all(f.store, l.busy, RESPONSE(), req, T0, (struct life){ 120 * SEC, 0, 0 }, NULL, "", 0) ==
          0);
    fixture_turn(&f);
    for (unsigned i = 0; i < 3; i++) {
        EXPECT_EQ_INT(w[i].calls, 1);
        EXPECT_EQ_INT(look_or_wait(&other, &w[i], "/a", req, T0), LOOKUP_HIT_FOR_MISS);
        drop(&other);
    }
    end();
}

static void
who_finds_a_hit_for_pass_passes(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    insert_marker("/a", OBJECT_HIT_FOR_PASS, req, 120 * SEC);
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_HIT_FOR_PASS);
    EXPECT(l.object != NULL && l.busy == NULL);
    drop(&l);
    EXPECT_EQ_INT(look(&l, "/a", req, T0 + 120 * SEC), LOOKUP_MISS); /* a marker has neither grace nor keep */
    EXPECT(l.object == NULL);
    drop(&l);
    end();
}

static const char large[20000];

static struct miss
miss_of(const char *name, struct http_message *req, nsec now)
{
    struct lookup l = lookup_of(key(&f.arena, name), req, now);
    l.explain = true;
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    drop(&l);
    return l.miss;
}

static void
a_miss_tells_of_a_marker_before_and_after_its_removal(void)
{
    static const unsigned flags[] = { OBJECT_HIT_FOR_MISS, OBJECT_HIT_FOR_PASS };
    for (unsigned i = 0; i < 2; i++) {
        begin();
        struct http_message *req = REQUEST();
        insert_marker("/a", flags[i], req, 120 * SEC);
        struct miss before = miss_of("/a", req, T0 + 200 * SEC);
        store_expire(f.store, T0 + 200 * SEC, 10);
        struct miss after = miss_of("/a", req, T0 + 200 * SEC);
        EXPECT(before.cause == MISS_MARKER_ENDED && before.ago == 80 * SEC);
        EXPECT(after.cause == MISS_MARKER_ENDED && after.ago == 80 * SEC);
        end();
    }
}

/* A marker with a large body that is being read. */
static struct object *
insert_marker_with_reader(struct http_message *req)
{
    struct lookup l;
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_MISS);
    struct object *reader = l.busy;
    object_ref(reader);
    l.busy->flags |= OBJECT_HIT_FOR_MISS;
    CHECK(fetch_all(f.store, l.busy, RESPONSE(), req, T0, HOUR, NULL, large, sizeof large) == 0);
    return reader;
}

static void
a_marker_does_not_keep_a_body_whose_reader_went(void)
{
    begin();
    struct lookup l;
    struct http_message *req = REQUEST();
    struct object *reader = insert_marker_with_reader(req);
    EXPECT(used(f.main) > sizeof large);
    object_release(&reader);
    EXPECT(used(f.main) < 1000);
    EXPECT_EQ_INT(look(&l, "/a", req, T0), LOOKUP_HIT_FOR_MISS);
    drop(&l);
    end();
}

static void
a_marker_does_not_keep_the_body_it_came_with(void)
{
    begin();
    struct http_message *req = REQUEST();
    struct object *reader = insert_marker_with_reader(req);
    EXPECT(used(f.main) > sizeof large);
    struct body_reader c = { 0 };
    EXPECT_EQ_INT(body_text(&f.arena, reader, &c).len, sizeof large);
    EXPECT(used(f.main) < 1000);
    object_release(&reader);
    insert_marker("/b", OBJECT_HIT_FOR_MISS, req, 120 * SEC); /* and one without a reader */
    EXPECT(used(f.main) < 1000);
    end();
}

static const struct test tests[] = {
    TEST(others_wait_for_a_fetch_and_then_hit),
    TEST(after_a_failed_fetch_one_waiter_takes_its_turn),
    TEST(after_an_unshared_response_no_waiter_waits_for_another),
    TEST(repeated_failures_wake_more_and_more),
    TEST(a_success_after_a_failure_serves_all_that_still_wait),
    TEST(a_waiter_whose_fetch_is_for_itself_passes_on_its_turn),
    TEST(a_turn_is_passed_on_by_who_gives_up),
    TEST(a_waiter_may_be_freed_after_unwait),
    TEST(without_a_waiter_or_ignoring_busy_nobody_waits),
    TEST(requests_for_other_variants_do_not_wait_for_each_other),
    TEST(the_end_of_a_fetch_wakes_no_waiters_of_other_variants),
    TEST(a_response_with_another_vary_wakes_all),
    TEST(who_finds_a_hit_for_miss_fetches_without_waiting),
    TEST(nobody_waits_for_the_fetch_of_a_hit_for_miss_that_has_expired),
    TEST(a_hit_for_miss_wakes_all_waiters),
    TEST(who_finds_a_hit_for_pass_passes),
    TEST(a_miss_tells_of_a_marker_before_and_after_its_removal),
    TEST(a_marker_does_not_keep_a_body_whose_reader_went),
    TEST(a_marker_does_not_keep_the_body_it_came_with),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
