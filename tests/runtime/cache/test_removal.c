/* The table of removals: what it remembers of a key, and for how long. */
#include "fixture.h"

#include <stdlib.h>

#include "cache/removal.h"

#define NOON (1700000000 * NSEC_PER_SEC)

static struct removals *table;

static struct digest
key_of(uint64_t n)
{
    return (struct digest){ .low = n, .high = n << 40 | 7 };
}

static void
a_removal_is_found_with_its_cause_and_age(void)
{
    struct removal_note note;
    EXPECT(!removals_find(table, key_of(1), NOON, &note));
    removals_add(table, key_of(1), REMOVAL_PURGED, false, NOON);
    EXPECT(removals_find(table, key_of(1), NOON + 3 * NSEC_PER_SEC, &note));
    EXPECT(note.cause == REMOVAL_PURGED && !note.marker && note.ago == 3 * NSEC_PER_SEC);
    removals_add(table, key_of(1), REMOVAL_EXPIRED, true, NOON);
    EXPECT(removals_find(table, key_of(1), NOON, &note) && note.cause == REMOVAL_EXPIRED && note.marker);
}

static void
another_key_in_the_same_row_takes_its_place(void)
{
    struct removal_note note;
    removals_add(table, key_of(2), REMOVAL_BANNED, false, NOON);
    EXPECT(!removals_find(table, key_of(3), NOON, &note)); /* the same row, another key */
    removals_add(table, key_of(3), REMOVAL_EVICTED, false, NOON);
    EXPECT(!removals_find(table, key_of(2), NOON, &note));
}

static void
a_request_that_began_before_the_removal_sees_no_age(void)
{
    struct removal_note note;
    removals_add(table, key_of(4), REMOVAL_PURGED, false, NOON);
    EXPECT(removals_find(table, key_of(4), NOON - NSEC_PER_SEC, &note) && note.ago == 0);
}

static const struct test tests[] = {
    TEST(a_removal_is_found_with_its_cause_and_age),
    TEST(another_key_in_the_same_row_takes_its_place),
    TEST(a_request_that_began_before_the_removal_sees_no_age),
};

int
main(int argc, char **argv)
{
    table = calloc(1, sizeof *table);
    CHECK(table != NULL);
    int failed = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    free(table);
    return failed;
}
