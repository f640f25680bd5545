/* Pattern sets and PCRE2 have the same answers for random patterns and subjects. `make compare-patterns` runs
 * many more pairs. */
#include "support/pattern_pairs.h"
#include "test.h"

#define PAIRS 100000u

static void
sets_answer_as_pcre2(void)
{
    static struct pairs p = { .random = 20261123 };
    while (p.compared < PAIRS)
        pairs_random_set(&p);
    printf("%llu pairs, %llu match, %llu limits; %llu patterns, %llu left to PCRE2\n", p.compared, p.matched,
           p.limits, p.patterns, p.left);
    EXPECT_EQ_INT(p.wrong, 0);
    EXPECT(p.matched > PAIRS / 4);
    EXPECT(p.left < p.patterns / 2);
}

static const struct test tests[] = {
    { "sets_answer_as_pcre2", sets_answer_as_pcre2 },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
