/* Words of a text. */
#include "base/split.h"
#include "test.h"

/* Words joined by '|'. */
static struct span
words_of(struct span text, const char *separators, char out[64])
{
    struct span word;
    size_t n = 0;
    while (split_next(&text, span_str(separators), &word)) {
        memcpy(out + n, word.ptr, word.len);
        n += word.len;
        out[n++] = '|';
    }
    return span_of(out, n);
}

static void
a_run_of_separators_counts_as_one(void)
{
    char out[64];
    EXPECT_EQ_STR(words_of(SPAN_LIT("one two"), " ", out), "one|two|");
    EXPECT_EQ_STR(words_of(SPAN_LIT(", one,, \ttwo ,"), " \t,", out), "one|two|");
    EXPECT_EQ_STR(words_of(SPAN_LIT("one two"), "", out), "one two|");
}

static void
a_text_may_have_no_words(void)
{
    char out[64];
    EXPECT_EQ_STR(words_of(SPAN_LIT(""), " ", out), "");
    EXPECT_EQ_STR(words_of(SPAN_LIT(" , "), " ,", out), "");
    EXPECT_EQ_STR(words_of(SPAN_NULL, " ", out), "");
}

static void
the_rest_goes_on_at_the_separator(void)
{
    struct span rest = SPAN_LIT("one  two"), word;
    EXPECT(split_next(&rest, SPAN_LIT(" "), &word));
    EXPECT_EQ_STR(word, "one");
    EXPECT_EQ_STR(rest, "  two");
    EXPECT(split_next(&rest, SPAN_LIT(" "), &word));
    EXPECT_EQ_STR(rest, "");
    EXPECT(!split_next(&rest, SPAN_LIT(" "), &word));
    EXPECT_EQ_STR(word, "");
}

static const struct test tests[] = {
    { "a_run_of_separators_counts_as_one", a_run_of_separators_counts_as_one },
    { "a_text_may_have_no_words", a_text_may_have_no_words },
    { "the_rest_goes_on_at_the_separator", the_rest_goes_on_at_the_separator },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
