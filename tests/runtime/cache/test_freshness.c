/* Lifetimes and ages (RFC 9111, 4.2) and conditional requests (RFC 9110, 13.2.2). The expectations are those
 * of the public cache tests for a shared cache. */
#include "fixture.h"

static struct arena arena;
static const struct freshness_rules DEFAULTS = { .ttl = 120 * SEC, .grace = 10 * SEC },
                                    RFC = { .ttl = 120 * SEC, .rfc9111 = true };

#define DATE "Tue, 14 Nov 2023 22:13:20 GMT" /* T0 */
#define DATE_PLUS_30 "Tue, 14 Nov 2023 22:13:50 GMT"
#define DATE_LESS_30 "Tue, 14 Nov 2023 22:12:50 GMT"
#define HOUR_AHEAD "Tue, 14 Nov 2023 23:13:20 GMT"
#define HOUR_AHEAD_30 "Tue, 14 Nov 2023 23:13:50 GMT"

static struct freshness
by(const struct freshness_rules *rules, const struct http_message *m)
{
    struct freshness f;
    freshness_of(m, T0, rules, &f);
    return f;
}

static struct freshness
of(const struct http_message *m)
{
    return by(&DEFAULTS, m);
}

/* Seconds of freshness left when the response arrives. */
static int64_t
left(const struct freshness_rules *rules, const struct http_message *m)
{
    struct freshness f = by(rules, m);
    return nsec_add(f.origin_time, f.ttl) == NSEC_NEVER ? INT64_MAX : (f.origin_time + f.ttl - T0) / SEC;
}

#define LEFT(...) left(&DEFAULTS, response(&arena, 200, __VA_ARGS__, NULL))
#define LEFT_OF(status, ...) left(&DEFAULTS, response(&arena, status, ##__VA_ARGS__, NULL))
#define LEFT_BY_RFC(...) left(&RFC, response(&arena, 200, __VA_ARGS__, NULL))

static void
s_maxage_then_max_age_then_expires_then_the_default(void)
{
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=10, s-maxage=20"), 20);
    EXPECT_EQ_INT(LEFT("Cache-Control", "s-maxage=5", "Cache-Control", "max-age=100"), 5);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=7", "Expires", HOUR_AHEAD, "Date", DATE), 7);
    EXPECT_EQ_INT(LEFT("Cache-Control", "MaX-aGe=7"), 7);
    EXPECT_EQ_INT(LEFT("Cache-Control", "foobar, max-age=7"), 7);
    EXPECT_EQ_INT(LEFT("Expires", DATE_PLUS_30, "Date", DATE), 30);
    EXPECT_EQ_INT(LEFT("X-Other", "1"), 120);
}

static void
max_age_zero_or_invalid_is_stale(void)
{
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=0", "Expires", HOUR_AHEAD), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=-5"), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age='3600'"), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "extension=\"max-age=100\", max-age=1"), 1);
}

static void
large_max_age_saturates(void)
{
    EXPECT(LEFT("Cache-Control", "max-age=2147483647") >= INT32_MAX - 1);
    EXPECT(LEFT("Cache-Control", "max-age=2147483648") >= INT32_MAX - 1);
    EXPECT(LEFT("Cache-Control", "max-age=99999999999") >= INT32_MAX - 1);
}

static void
age_counts_against_the_lifetime(void)
{
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "40"), 60);
    EXPECT(LEFT("Cache-Control", "max-age=100", "Age", "100") <= 0);
    EXPECT_EQ_INT(LEFT("Expires", DATE_PLUS_30, "Date", DATE, "Age", "20"), 10);
}

static void
invalid_age_is_ignored_and_the_first_of_several_counts(void)
{
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "abc"), 100);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "-5"), 100);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "40.0"), 100);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "+40"), 100);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "10, 200"), 90);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "10", "Age", "200"), 90);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=100", "Age", "0, 7200"), 100);
}

/* RFC 9111, 4.2.1: the shorter of two, and a lifetime that does not parse is 0; 5.1: such an Age is ignored.
 */
static void
policies_of_4_read_seconds_as_varnish_does(void)
{
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=60, max-age=30"), 60);
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "max-age=60, max-age=30"), 30);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=60", "Cache-Control", "max-age=30"), 60);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=1.9"), 1);
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "max-age=1.9"), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=+60"), 60);
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "max-age=+60"), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=+"), 0);
    EXPECT_EQ_INT(LEFT("Cache-Control", "max-age=.5"), 0);
    EXPECT_EQ_INT(of(response(&arena, 200, "Cache-Control", "max-age=1, stale-while-revalidate=4.5", NULL))
                      .grace,
                  4 * SEC);
}

/* Its time to be kept begins when it arrives, not when its origin made it. */
static void
no_cache_is_stale_from_its_arrival_at_any_age(void)
{
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "no-cache, max-age=100", "Age", "40"), 0);
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "no-cache, max-age=10", "Age", "40"), -30);
    EXPECT_EQ_INT(LEFT_BY_RFC("Cache-Control", "no-cache, max-age=100"), 0);
}

static void
huge_age_means_stale(void)
{
    EXPECT(LEFT("Cache-Control", "max-age=3600", "Age", "2147483647") < 0);
    EXPECT(LEFT("Cache-Control", "max-age=3600", "Age", "2147483648") < 0);
    EXPECT(LEFT("Cache-Control", "max-age=3600", "Age", "99999999999999999999999") < 0);
}

static void
expires_counts_from_the_received_date(void)
{
    EXPECT_EQ_INT(LEFT("Expires", HOUR_AHEAD_30, "Date", HOUR_AHEAD), 30); /* fast clock */
    EXPECT_EQ_INT(LEFT("Expires", HOUR_AHEAD_30, "Date", HOUR_AHEAD, "Age", "20"), 10);
    EXPECT_EQ_INT(LEFT("Expires", DATE, "Date", DATE_LESS_30), 30); /* slow clock */
    EXPECT_EQ_INT(LEFT("Expires", DATE, "Date", HOUR_AHEAD), 0);
    EXPECT_EQ_INT(of(response(&arena, 200, "Expires", DATE, "Date", DATE, NULL)).ttl, 0);
    EXPECT_EQ_INT(LEFT("Expires", DATE_PLUS_30, "Date", "foo"), 30);
    EXPECT_EQ_INT(LEFT("Expires", DATE_PLUS_30), 30);
}

static void
invalid_expires_is_stale(void)
{
    EXPECT_EQ_INT(LEFT("Expires", "0", "Date", DATE), 0);
    EXPECT_EQ_INT(LEFT("Expires", "-1"), 0);
    EXPECT_EQ_INT(LEFT("Expires", "Tue, 14 Nov 2023 23:13:20 AEST", "Date", DATE), 0);
    EXPECT_EQ_INT(LEFT("Expires", HOUR_AHEAD, "Expires", HOUR_AHEAD_30, "Date", DATE), 0);
    EXPECT_EQ_INT(LEFT("Expires", HOUR_AHEAD, "Expires", HOUR_AHEAD, "Date", DATE), 3600);
}

static void
age_that_was_received_counts(void)
{
    struct freshness f = of(response(&arena, 200, "Cache-Control", "max-age=10", "Age", "2", NULL));
    EXPECT_EQ_INT(f.origin_time, T0 - 2 * SEC);
    EXPECT_EQ_INT(f.ttl, 10 * SEC);
}

static void
only_some_statuses_are_cacheable(void)
{
    static const unsigned by_default[] = { 200, 203, 204, 300, 301, 304, 404, 410, 414 };
    static const unsigned never[] = { 201, 202, 206, 400, 403, 405, 500, 502, 503, 504, 599 };
    for (unsigned i = 0; i < sizeof by_default / sizeof *by_default; i++) {
        EXPECT(of(response(&arena, by_default[i], NULL)).cacheable);
        EXPECT_EQ_INT(LEFT_OF(by_default[i]), 120);
    }
    for (unsigned i = 0; i < sizeof never / sizeof *never; i++) {
        EXPECT(!of(response(&arena, never[i], "Cache-Control", "max-age=10", NULL)).cacheable);
        EXPECT_EQ_INT(of(response(&arena, never[i], NULL)).ttl, -SEC);
    }
}

static void
redirects_that_may_change_need_an_explicit_lifetime(void)
{
    EXPECT(!of(response(&arena, 302, NULL)).cacheable);
    EXPECT(!of(response(&arena, 307, NULL)).cacheable);
    EXPECT(!of(response(&arena, 308, NULL)).cacheable);
    EXPECT_EQ_INT(LEFT_OF(303, "Cache-Control", "max-age=8"), 8);
    EXPECT_EQ_INT(LEFT_OF(308, "Cache-Control", "max-age=7"), 7);
    EXPECT_EQ_INT(LEFT_OF(302, "Cache-Control", "max-age=9"), 9);
    EXPECT_EQ_INT(LEFT_OF(307, "Expires", DATE_PLUS_30, "Date", DATE), 30);
}

static void
stale_while_revalidate_is_the_grace(void)
{
    EXPECT_EQ_INT(of(response(&arena, 200, "Cache-Control", "max-age=1, stale-while-revalidate=4", NULL))
                      .grace,
                  4 * SEC);
    EXPECT_EQ_INT(of(response(&arena, 200, "Cache-Control", "max-age=1", NULL)).grace, 10 * SEC);
}

static void
what_was_understood_is_reported(void)
{
    struct freshness f = of(response(&arena, 200, "Date", DATE, "Expires", DATE_PLUS_30, "Age", "3", NULL));
    EXPECT_EQ_INT(f.date, T0);
    EXPECT_EQ_INT(f.expires, T0 + 30 * SEC);
    EXPECT_EQ_INT(f.age, 3 * SEC);
    EXPECT_EQ_INT(f.max_age_s, -1);
    f = of(response(&arena, 200, "Cache-Control", "max-age=5", NULL));
    EXPECT_EQ_INT(f.date, -1);
    EXPECT_EQ_INT(f.expires, -1);
    EXPECT_EQ_INT(f.age, -1);
    EXPECT_EQ_INT(f.max_age_s, 5);
}

/* ---- conditional requests ---- */

static bool
not_modified(const struct http_message *req, const struct http_message *resp)
{
    return conditional_check(req, resp, false) == CONDITIONAL_NOT_MODIFIED;
}

static void
if_none_match_compares_weakly_and_knows_lists(void)
{
    struct http_message *r = response(&arena, 200, "ETag", "W/\"a\"", NULL);
    EXPECT(not_modified(request(&arena, "If-None-Match", "\"a\"", NULL), r));
    EXPECT(not_modified(request(&arena, "If-None-Match", "W/\"a\"", NULL), r));
    EXPECT(not_modified(request(&arena, "If-None-Match", "\"x\", \"a\", \"y\"", NULL), r));
    EXPECT(not_modified(request(&arena, "If-None-Match", "\"x\"", "If-None-Match", "\"a\"", NULL), r));
    EXPECT(not_modified(request(&arena, "If-None-Match", "*", NULL), r));
    EXPECT(!not_modified(request(&arena, "If-None-Match", "\"A\"", NULL), r));
    EXPECT(!not_modified(request(&arena, "If-None-Match", "\"a\"", NULL), response(&arena, 200, NULL)));
}

static void
with_a_range_no_weak_tag_matches(void)
{
    struct http_message *strong = response(&arena, 200, "ETag", "\"a\"", NULL),
                        *weak = response(&arena, 200, "ETag", "W/\"a\"", NULL);
    EXPECT(
        not_modified(request(&arena, "Range", "bytes=1-2", "If-None-Match", "\"x\", \"a\"", NULL), strong));
    EXPECT(not_modified(request(&arena, "Range", "bytes=1-2", "If-None-Match", "*", NULL), weak));
    EXPECT(!not_modified(request(&arena, "Range", "bytes=1-2", "If-None-Match", "W/\"a\"", NULL), strong));
    EXPECT(!not_modified(request(&arena, "Range", "bytes=1-2", "If-None-Match", "\"a\"", NULL), weak));
    EXPECT(!not_modified(request(&arena, "Range", "bytes=1-2", "If-None-Match", "W/\"a\"", NULL), weak));
}

static void
if_modified_since_counts_only_without_if_none_match(void)
{
    struct http_message *r = response(&arena, 200, "ETag", "\"a\"", "Last-Modified", DATE, NULL);
    EXPECT(not_modified(request(&arena, "If-Modified-Since", DATE, NULL), r));
    EXPECT(not_modified(request(&arena, "If-Modified-Since", DATE_PLUS_30, NULL), r));
    EXPECT(not_modified(request(&arena, "If-Modified-Since", "Tuesday, 14-Nov-23 22:13:20 GMT", NULL), r));
    EXPECT(!not_modified(request(&arena, "If-Modified-Since", DATE_LESS_30, NULL), r));
    EXPECT(!not_modified(request(&arena, "If-Modified-Since", "yesterday", NULL), r));
    EXPECT(!not_modified(request(&arena, "If-None-Match", "\"b\"", "If-Modified-Since", DATE, NULL), r));
}

static void
without_last_modified_the_date_stands_in(void)
{
    struct http_message *r = response(&arena, 200, "Date", DATE, NULL);
    EXPECT(not_modified(request(&arena, "If-Modified-Since", DATE, NULL), r));
    EXPECT(!not_modified(request(&arena, "If-Modified-Since", DATE_LESS_30, NULL), r));
    EXPECT(!not_modified(request(&arena, "If-Modified-Since", DATE, NULL),
                         response(&arena, 200, "Last-Modified", "junk", "Date", DATE, NULL)));
}

static void
conditions_apply_to_get_and_head_of_a_200(void)
{
    struct http_message *req = request(&arena, "If-None-Match", "*", NULL);
    EXPECT(!not_modified(req, response(&arena, 404, "ETag", "\"a\"", NULL)));
    req->method = SPAN_LIT("HEAD");
    EXPECT(not_modified(req, response(&arena, 200, "ETag", "\"a\"", NULL)));
    req->method = SPAN_LIT("POST");
    EXPECT(!not_modified(req, response(&arena, 200, "ETag", "\"a\"", NULL)));
}

static const struct test tests[] = {
    { "s_maxage_then_max_age_then_expires_then_the_default",
      s_maxage_then_max_age_then_expires_then_the_default },
    { "max_age_zero_or_invalid_is_stale", max_age_zero_or_invalid_is_stale },
    { "large_max_age_saturates", large_max_age_saturates },
    { "age_counts_against_the_lifetime", age_counts_against_the_lifetime },
    { "invalid_age_is_ignored_and_the_first_of_several_counts",
      invalid_age_is_ignored_and_the_first_of_several_counts },
    TEST(policies_of_4_read_seconds_as_varnish_does),
    TEST(no_cache_is_stale_from_its_arrival_at_any_age),
    { "policies_of_4_read_seconds_as_varnish_does", policies_of_4_read_seconds_as_varnish_does },
    { "no_cache_is_stale_from_its_arrival_at_any_age", no_cache_is_stale_from_its_arrival_at_any_age },
    { "huge_age_means_stale", huge_age_means_stale },
    { "expires_counts_from_the_received_date", expires_counts_from_the_received_date },
    { "invalid_expires_is_stale", invalid_expires_is_stale },
    { "age_that_was_received_counts", age_that_was_received_counts },
    { "only_some_statuses_are_cacheable", only_some_statuses_are_cacheable },
    { "redirects_that_may_change_need_an_explicit_lifetime",
      redirects_that_may_change_need_an_explicit_lifetime },
    { "stale_while_revalidate_is_the_grace", stale_while_revalidate_is_the_grace },
    { "what_was_understood_is_reported", what_was_understood_is_reported },
    { "if_none_match_compares_weakly_and_knows_lists", if_none_match_compares_weakly_and_knows_lists },
    { "with_a_range_no_weak_tag_matches", with_a_range_no_weak_tag_matches },
    { "if_modified_since_counts_only_without_if_none_match",
      if_modified_since_counts_only_without_if_none_match },
    { "without_last_modified_the_date_stands_in", without_last_modified_the_date_stands_in },
    { "conditions_apply_to_get_and_head_of_a_200", conditions_apply_to_get_and_head_of_a_200 },
};

int
main(int argc, char **argv)
{
    names_init();
    arena_init(&arena, 0);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    arena_release(&arena);
    mem_thread_release();
    return status;
}
