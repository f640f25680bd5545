/* Keys with very many variants: a request must not pay for the others. The times are CPU times, the least of
 * several runs, under sanitizers: a look-up that reads the values of 1,000 variants takes far longer than the
 * bound. */
#include "store_fixture.h"

#include <stdio.h>
#include <time.h>

#include "base/params.h"
#include "cache/index.h"
#include "log/counters.h"

#define MANY VARIANTS_MAX
#define VALUE_BYTES 7000u
#define RUNS 5
#define AT_MOST (10 * NSEC_PER_MSEC)

static nsec
cpu_now(void)
{
    struct timespec t;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) == 0);
    return (nsec)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static void
begin_large(void)
{
    fixture_init(&f, 1 << 26);
}

/* Values that differ only at their ends. */
static const char *
long_value(unsigned i)
{
    char *text = arena_alloc(&f.arena, VALUE_BYTES + 16);
    memset(text, 'M', VALUE_BYTES);
    (void)snprintf(text + VALUE_BYTES, 16, "%u", i);
    return text;
}

static const char *
short_value(unsigned i)
{
    return arena_printf(&f.arena, "%u", i).ptr;
}

static void
add_ban(const char *text)
{
    char error[BAN_ERROR_BYTES];
    struct ban_draft *d;
    CHECK(ban_draft_parse(span_str(text), &d, error) == 0 && ban_by_draft(f.store, &d, T0, error) == 0);
}

static void
store_many(const char *fields, const char *name, const char *(*value)(unsigned i))
{
    for (unsigned i = 0; i < MANY; i++)
        CHECK(store_text(&f, "/a", REQUEST(name, value(i)), RESPONSE("Vary", fields), HOUR, "x") == 0);
}

/* The least CPU time of a look-up that must miss. */
static nsec
least_time_to_miss(const char *name, const char *value, bool rfc9111)
{
    struct http_message *req = REQUEST(name, value);
    nsec least = NSEC_NEVER;
    for (unsigned i = 0; i < RUNS; i++) {
        struct lookup l = lookup_of(key(&f.arena, "/a"), req, T0);
        l.rfc9111 = rfc9111;
        nsec start = cpu_now();
        EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
        nsec took = cpu_now() - start;
        least = took < least ? took : least;
        drop(&l);
    }
    return least;
}

static void
a_miss_among_many_long_variants_reads_no_value_of_theirs(void)
{
    begin_large();
    store_many("Foo", "Foo", long_value);
    EXPECT(least_time_to_miss("Foo", long_value(MANY), false) < AT_MOST);
    EXPECT_FOUND("/a", REQUEST("Foo", long_value(7)), T0, "x");
    end();
}

static void
the_meaning_of_languages_is_read_once(void)
{
    begin_large();
    char list[8192];
    for (unsigned i = 0; i < MANY; i++) {
        size_t n = 0;
        for (unsigned k = 0; k < 30; k++)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%0200u-%u;q=0.%u", k > 0 ? "," : "", k, i,
                                  900 - k);
        CHECK(store_text(&f, "/a", REQUEST("Accept-Language", list), RESPONSE("Vary", "Accept-Language"),
                         HOUR, "x") == 0);
    }
    EXPECT(least_time_to_miss("Accept-Language", "fr;q=0.5, de;q=0.4", true) < AT_MOST);
    end();
}

static void
a_request_tests_a_ban_against_its_own_variant_only(void)
{
    begin_large();
    store_many("Foo", "Foo", short_value);
    add_ban("req.url ~ ^/nothing");
    uint64_t tested = counters_here()->bans_tested;
    (void)least_time_to_miss("Foo", "none of them", false);
    EXPECT_EQ_INT(counters_here()->bans_tested - tested, 0);
    EXPECT_FOUND("/a", REQUEST("Foo", "7"), T0, "x");
    EXPECT_FOUND("/a", REQUEST("Foo", "7"), T0, "x");
    EXPECT_EQ_INT(counters_here()->bans_tested - tested, 1);
    end();
}

static void
a_ban_concerns_each_variant_when_it_is_asked_for(void)
{
    begin_large();
    store_many("Foo", "Foo", short_value);
    add_ban("obj.status == 200");
    for (unsigned i = 0; i < MANY; i += 100) {
        struct lookup l;
        EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", short_value(i)), T0), LOOKUP_MISS);
        drop(&l);
    }
    end();
}

/* A look-up that may use any variant tests many of them, in one pass. */
static void
a_lookup_that_ignores_vary_passes_over_many_stale_variants_once(void)
{
    begin_large();
    for (unsigned i = 0; i < MANY; i++)
        CHECK(store_text(&f, "/a", REQUEST("Foo", short_value(i)), RESPONSE("Vary", "Foo"),
                         (struct life){ SEC, 0, 3600 * SEC }, "x") == 0);
    add_ban("req.url ~ ^/nothing");
    uint64_t tested = counters_here()->bans_tested;
    struct lookup l = lookup_of(key(&f.arena, "/a"), REQUEST("Foo", "x"), T0 + 2 * SEC);
    l.ignore_vary = true;
    nsec start = cpu_now();
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_MISS);
    EXPECT(cpu_now() - start < 10 * AT_MOST);
    EXPECT_EQ_INT(counters_here()->bans_tested - tested, MANY);
    drop(&l);
    end();
}

static void
more_lists_of_fields_than_allowed_drop_the_oldest(void)
{
    begin_large();
    for (unsigned i = 0; i < VARY_LISTS_MAX + 4; i++) {
        const char *name = arena_printf(&f.arena, "F%u", i).ptr;
        CHECK(store_text(&f, "/a", REQUEST(name, "1"), RESPONSE("Vary", name), HOUR, "x") == 0);
    }
    for (unsigned i = 0; i < VARY_LISTS_MAX + 4; i++) {
        /* Each request lacks the fields of all other lists, so only its own field tells them apart. */
        struct http_message *req = REQUEST(arena_printf(&f.arena, "F%u", i).ptr, "1");
        struct lookup l = lookup_of(key(&f.arena, "/a"), req, T0);
        l.explain = true;
        EXPECT_EQ_INT(store_lookup(f.store, &l), i < 4 ? LOOKUP_MISS : LOOKUP_HIT);
        drop(&l);
    }
    end();
}

/* ---- fetches under way ---- */

static void
a_fetch_beyond_the_limit_of_its_key_is_private(void)
{
    begin();
    uint32_t limit = params.key_fetches_max;
    params.key_fetches_max = 3;
    struct lookup l[5], hit;
    CHECK(store_text(&f, "/a", REQUEST("Foo", "old"), RESPONSE("Vary", "Foo"), HOUR, "x") == 0);
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ_INT(look(&l[i], "/a", REQUEST("Foo", short_value(i)), T0), LOOKUP_MISS);
        EXPECT_EQ_INT((l[i].busy->flags & OBJECT_PRIVATE) != 0, i == 3);
    }
    EXPECT_EQ_INT(look(&hit, "/a", REQUEST("Foo", "old"), T0), LOOKUP_HIT);
    drop(&hit);
    /* A request of another key is not concerned, and each way to end a fetch makes room for another. */
    EXPECT_EQ_INT(look(&l[4], "/b", REQUEST(), T0), LOOKUP_MISS);
    EXPECT_EQ_INT(l[4].busy->flags & OBJECT_PRIVATE, 0);
    drop(&l[4]);
    CHECK(fetch_all(f.store, l[0].busy, RESPONSE("Vary", "Foo"), REQUEST("Foo", "0"), T0, HOUR, NULL, "y",
                    1) == 0);
    object_fail(l[1].busy);
    object_release(&l[1].busy);
    drop(&l[2]);
    drop(&l[3]);
    for (unsigned i = 0; i < 4; i++) {
        EXPECT_EQ_INT(look(&l[i], "/a", REQUEST("Foo", short_value(10 + i)), T0), LOOKUP_MISS);
        EXPECT_EQ_INT((l[i].busy->flags & OBJECT_PRIVATE) != 0, i == 3);
    }
    for (unsigned i = 0; i < 4; i++)
        drop(&l[i]);
    params.key_fetches_max = limit;
    end();
}

static void
beyond_the_limit_a_stale_response_is_served_in_grace_without_a_fetch(void)
{
    begin();
    uint32_t limit = params.key_fetches_max;
    params.key_fetches_max = 1;
    struct lookup busy, l;
    struct life life = { SEC, 100 * SEC, 100 * SEC };
    CHECK(store_text(&f, "/a", REQUEST("Foo", "old"), RESPONSE("Vary", "Foo"), life, "x") == 0);
    EXPECT_EQ_INT(look(&busy, "/a", REQUEST("Foo", "new"), T0), LOOKUP_MISS);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", "old"), T0 + 2 * SEC), LOOKUP_HIT_GRACE);
    drop(&l);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", "old"), T0 + 150 * SEC), LOOKUP_MISS);
    EXPECT(l.object == NULL &&
           (l.busy->flags & OBJECT_PRIVATE) != 0); /* nothing to validate for a client alone */
    drop(&l);
    drop(&busy);
    EXPECT_EQ_INT(look(&l, "/a", REQUEST("Foo", "old"), T0 + 2 * SEC), LOOKUP_HIT_GRACE_FETCH);
    drop(&l);
    params.key_fetches_max = limit;
    end();
}

static void
requests_for_many_fetched_variants_read_their_own_value_once(void)
{
    begin_large();
    static struct lookup l[MANY];
    CHECK(store_text(&f, "/a", REQUEST("Foo", "old"), RESPONSE("Vary", "Foo"), HOUR, "x") == 0);
    for (unsigned i = 0; i < MANY - 1; i++)
        EXPECT_EQ_INT(look(&l[i], "/a", REQUEST("Foo", long_value(i)), T0), LOOKUP_MISS);
    EXPECT(least_time_to_miss("Foo", long_value(MANY), false) < AT_MOST);
    struct lookup other;
    struct waiting w = { 0 };
    EXPECT_EQ_INT(look_or_wait(&other, &w, "/a", REQUEST("Foo", long_value(7)), T0), LOOKUP_WAIT);
    store_unwait(f.store, &w.waiter);
    for (unsigned i = 0; i < MANY - 1; i++)
        drop(&l[i]);
    end();
}

static const struct test tests[] = {
    TEST(a_miss_among_many_long_variants_reads_no_value_of_theirs),
    TEST(the_meaning_of_languages_is_read_once),
    TEST(a_request_tests_a_ban_against_its_own_variant_only),
    TEST(a_ban_concerns_each_variant_when_it_is_asked_for),
    TEST(a_lookup_that_ignores_vary_passes_over_many_stale_variants_once),
    TEST(more_lists_of_fields_than_allowed_drop_the_oldest),
    TEST(a_fetch_beyond_the_limit_of_its_key_is_private),
    TEST(beyond_the_limit_a_stale_response_is_served_in_grace_without_a_fetch),
    TEST(requests_for_many_fetched_variants_read_their_own_value_once),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
