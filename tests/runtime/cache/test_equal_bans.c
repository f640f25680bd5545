/* Equal bans: a new one completes the older ones, which it finds by a hash, few of them under one hold of the
 * lock. */
#include "ban_fixture.h"

#include "cache/ban_internal.h"
#include "cache/index.h"
#include "log/counters.h"

#define MANY 100000u

static void
the_same_ban_again_completes_the_older_one(void)
{
    begin();
    ban("req.url ~ a");
    ban("req.url ~ b");
    ban("req.url ~ a");
    EXPECT_EQ_STR(span_str(list().text), "- req.url ~ a\n- req.url ~ b\nC req.url ~ a\nC \n");
    params.ban_dups = false;
    ban("req.url ~ a");
    EXPECT_EQ_INT(list().completed, 2);
    params.ban_dups = true;
    ban("obj.age > 1d");
    ban("obj.age > 1d"); /* from another time */
    ban("req.url ~ a && req.url ~ b");
    ban("req.url ~ a");
    EXPECT_EQ_INT(list().completed, 4);
    end();
}

static void
equal_bans_are_found_among_many_without_a_walk_through_all(void)
{
    begin();
    char text[32];
    for (unsigned i = 0; i < MANY; i++) {
        snprintf(text, sizeof text, "req.url == /%u", i);
        ban(text);
    }
    struct bans *bans = f.store->bans;
    unsigned most = 0;
    for (unsigned chain = 0; chain < BANS_ALIKE; chain++) {
        unsigned n = 0;
        for (const struct ban *b = bans->alike[chain]; b != NULL; b = b->alike)
            n++;
        most = n > most ? n : most;
    }
    EXPECT(most > 0 && most < BANS_AT_ONCE / 64);
    uint64_t dups = counters_here()->bans_dups;
    ban("req.url == /7");
    EXPECT_EQ_INT(counters_here()->bans_dups, dups + 1);
    ban("req.url == /7");
    EXPECT_EQ_INT(counters_here()->bans_dups, dups + 2);
    end();
}

static void
many_equal_bans_are_completed_a_part_under_each_hold(void)
{
    begin();
    uint64_t dups = counters_here()->bans_dups;
    params.ban_dups = false;
    for (unsigned i = 0; i < 2 * BANS_AT_ONCE; i++)
        ban("req.url ~ a");
    params.ban_dups = true;
    ban("req.url ~ a");
    EXPECT_EQ_INT(counters_here()->bans_dups, dups + BANS_AT_ONCE);
    ban("req.url ~ a");
    EXPECT_EQ_INT(counters_here()->bans_dups, dups + 2 * BANS_AT_ONCE);
    ban("req.url ~ a");
    EXPECT_EQ_INT(list().completed, 2 * BANS_AT_ONCE + 3); /* all but the last, and the first of the list */
    lurk(T0 + SEC);
    EXPECT_EQ_INT(list().n, 1); /* no response holds any */
    end();
}

static const struct test tests[] = {
    TEST(the_same_ban_again_completes_the_older_one),
    TEST(equal_bans_are_found_among_many_without_a_walk_through_all),
    TEST(many_equal_bans_are_completed_a_part_under_each_hold),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
