/* Token buckets: limits of a client, and memory of the table. */
#include "base/params.h"
#include "log/counters.h"
#include "test.h"
#include "vmod/throttle.h"

#define SEC NSEC_PER_SEC
#define BUCKETS_MAX (params.vsthrottle_memory_bytes / THROTTLE_BUCKET_BYTES)

static struct throttle_terms
terms(struct span key, int64_t limit, double period, double block, nsec now)
{
    return (struct throttle_terms){ key, limit, period, block, now };
}

static bool
take(const char *key, int64_t limit, double period, nsec now)
{
    struct throttle_terms t = terms(span_str(key), limit, period, 0, now);
    return throttle_take(&t);
}

static bool
take_number(unsigned i, nsec now)
{
    struct throttle_terms t = terms(span_of((const char *)&i, sizeof i), 10, 100, 0, now);
    return throttle_take(&t);
}

static void
empty_the_table(void)
{
    while (throttle_sweep(NSEC_NEVER, 1u << 20))
        ;
}

static void
a_new_world_knows_no_bucket(void)
{
    EXPECT(take("forgotten", 1, 60, 1 * SEC));
    EXPECT(!take("forgotten", 1, 60, 1 * SEC));
    EXPECT(throttle_bytes() > 0);
    throttle_forget_all();
    EXPECT_EQ_INT(throttle_bytes(), 0);
    EXPECT(take("forgotten", 1, 60, 1 * SEC));
    throttle_forget_all();
}

static void
tokens_come_back_evenly(void)
{
    EXPECT(take("a", 2, 10, 1 * SEC));
    EXPECT(take("a", 2, 10, 1 * SEC));
    EXPECT(!take("a", 2, 10, 5 * SEC));
    EXPECT(take("a", 2, 10, 6 * SEC)); /* half a period later: one of two */
    EXPECT(!take("a", 2, 10, 6 * SEC));
    EXPECT(take("a", 3, 10, 6 * SEC)); /* another limit has its own bucket */
    EXPECT(take("a", 2, 11, 6 * SEC));
    EXPECT(take("b", 2, 10, 6 * SEC));
}

static void
a_long_key_takes_as_much_as_a_short_one(void)
{
    static char key[64 << 10];
    empty_the_table();
    for (unsigned i = 0; i < 1000; i++) /* makes all chains */
        take_number(i, SEC);
    size_t before = throttle_bytes();
    struct throttle_terms t = terms(span_of(key, sizeof key), 1, 1e6, 0, SEC), other = t;
    other.key.len--;
    EXPECT(throttle_take(&t));
    EXPECT_EQ_INT(throttle_bytes(), before + THROTTLE_BUCKET_BYTES);
    EXPECT(!throttle_take(&t));
    EXPECT(throttle_take(&other));
}

static void
the_table_keeps_to_its_limit(void)
{
    empty_the_table();
    uint64_t evicted = counters_here()->vsthrottle_evicted;
    for (unsigned i = 0; i < 4 * BUCKETS_MAX; i++)
        EXPECT(take_number(i, SEC));
    EXPECT(throttle_bytes() <= params.vsthrottle_memory_bytes);
    EXPECT(throttle_bytes() >= params.vsthrottle_memory_bytes / 10 * 9);
    EXPECT(counters_here()->vsthrottle_evicted - evicted >= 3 * BUCKETS_MAX);
    EXPECT_EQ_INT(counters_here()->vsthrottle_bytes, throttle_bytes());
}

static void
a_key_at_its_limit_outlives_a_flood_of_others(void)
{
    empty_the_table();
    EXPECT(take("greedy", 1, 1e6, SEC));
    for (unsigned i = 0; i < 4 * BUCKETS_MAX; i++)
        EXPECT(take_number(i, SEC));
    EXPECT(!take("greedy", 1, 1e6, SEC));
}

static void
what_has_filled_up_is_swept(void)
{
    empty_the_table();
    size_t empty = throttle_bytes();
    for (unsigned i = 0; i < 1000; i++)
        EXPECT(take_number(i, SEC)); /* full again after 10 s */
    EXPECT(take("slow", 1, 1000, SEC));
    EXPECT(throttle_sweep(10 * SEC, 1 << 20));
    EXPECT_EQ_INT(throttle_bytes(), empty + 1001 * THROTTLE_BUCKET_BYTES);
    EXPECT(throttle_sweep(12 * SEC, 1 << 20));
    EXPECT_EQ_INT(throttle_bytes(), empty + THROTTLE_BUCKET_BYTES);
    EXPECT(!take("slow", 1, 1000, 12 * SEC));
    EXPECT(!throttle_sweep(1002 * SEC, 1 << 20));
    EXPECT_EQ_INT(throttle_bytes(), empty);
}

static void
a_sweep_does_no_more_than_it_was_asked_for(void)
{
    empty_the_table();
    for (unsigned i = 0; i < 4000; i++)
        take_number(i, SEC);
    size_t before = throttle_bytes();
    EXPECT(throttle_sweep(100 * SEC, 100));
    EXPECT(before - throttle_bytes() >= 100 * THROTTLE_BUCKET_BYTES);
    EXPECT(before - throttle_bytes() <= 200 * THROTTLE_BUCKET_BYTES);
}

static void
a_block_is_not_swept_before_it_ends(void)
{
    struct throttle_terms t = terms(SPAN_LIT("blocked"), 1, 1, 500, SEC);
    empty_the_table();
    EXPECT(throttle_take(&t));
    EXPECT(!throttle_take(&t));
    t.now = 400 * SEC;
    throttle_sweep(t.now, 1 << 20);
    EXPECT_EQ_INT(throttle_blocked(&t), 101 * SEC);
    EXPECT_EQ_INT(throttle_left(&t), 0);
    t.now = 501 * SEC;
    EXPECT_EQ_INT(throttle_blocked(&t), 0);
    EXPECT_EQ_INT(throttle_left(&t), 1);
    EXPECT(!throttle_sweep(t.now, 1 << 20));
}

static const struct test tests[] = {
    { "a_new_world_knows_no_bucket", a_new_world_knows_no_bucket },
    { "tokens_come_back_evenly", tokens_come_back_evenly },
    { "a_long_key_takes_as_much_as_a_short_one", a_long_key_takes_as_much_as_a_short_one },
    { "the_table_keeps_to_its_limit", the_table_keeps_to_its_limit },
    { "a_key_at_its_limit_outlives_a_flood_of_others", a_key_at_its_limit_outlives_a_flood_of_others },
    { "what_has_filled_up_is_swept", what_has_filled_up_is_swept },
    { "a_sweep_does_no_more_than_it_was_asked_for", a_sweep_does_no_more_than_it_was_asked_for },
    { "a_block_is_not_swept_before_it_ends", a_block_is_not_swept_before_it_ends },
};

int
main(int argc, char **argv)
{
    params.vsthrottle_memory_bytes = 1 << 20;
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
