/* The two levels of a scan's result, compared with one flag a bit. */
#include "match/pattern_bits.h"

#include <stdlib.h>

#include "test.h"

#define BITS_MAX 10000u

static void
expect_same(const uint64_t *bits, const bool *flags, unsigned n)
{
    size_t summary = bits_summary_words(n);
    unsigned next = BITS_NONE;
    for (unsigned i = n; i-- > 0;) {
        next = flags[i] ? i : next;
        if (bits_has(bits, summary, i) != flags[i] || bits_next(bits, summary, i) != next)
            EXPECT_EQ_INT(i, BITS_NONE); /* names the bit */
    }
}

static void
agrees_with_flags(unsigned n, unsigned added)
{
    static bool flags[BITS_MAX];
    size_t summary = bits_summary_words(n), words = bits_words(n);
    uint64_t *bits = malloc(words * sizeof *bits), *more = malloc(words * sizeof *more);
    EXPECT(bits != NULL && more != NULL);
    for (unsigned round = 0; round < 3; round++) {
        memset(bits, 0xa5, words * sizeof *bits); /* what is not cleared */
        memset(more, 0x5a, words * sizeof *more);
        memset(flags, 0, sizeof flags);
        bits_clear(bits, summary);
        bits_clear(more, summary);
        for (unsigned i = 0; i < added; i++) {
            unsigned bit = (unsigned)rand() % n;
            bits_add(i % 2 == 0 ? bits : more, summary, bit);
            flags[bit] = true;
        }
        bits_join(bits, summary, more);
        expect_same(bits, flags, n);
    }
    free(bits);
    free(more);
}

static void
results_of_any_size_agree_with_flags(void)
{
    static const unsigned sizes[] = { 1, 2, 63, 64, 65, 4095, 4096, 4097, 8192, BITS_MAX };
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        for (unsigned added = 0; added < 2000; added = 3 * added + 1)
            agrees_with_flags(sizes[i], added);
}

static void
a_result_is_cleared_by_its_summary(void)
{
    EXPECT_EQ_INT(bits_summary_words(4096), 1);
    EXPECT_EQ_INT(bits_summary_words(4097), 2);
    EXPECT_EQ_INT(bits_words(5000), 2 + 79);
}

static const struct test tests[] = {
    { "results_of_any_size_agree_with_flags", results_of_any_size_agree_with_flags },
    { "a_result_is_cleared_by_its_summary", a_result_is_cleared_by_its_summary },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
