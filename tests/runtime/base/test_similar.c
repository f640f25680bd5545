/* Suggestions for misspelt words. */
#include "base/similar.h"

#include "test.h"

static const char *const names[] = { "default_ttl", "default_grace", "ban.list", "ban", "status", "req.url" };

static const char *
meant(const char *word)
{
    struct similar s = similar_to(span_str(word));
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
        similar_try(&s, names[i]);
    return s.name == NULL ? "" : s.name;
}

static void
the_nearest_name_is_found(void)
{
    static const char *const rows[][2] = {
        { "defualt_ttl", "default_ttl" }, /* a swap is one edit */
        { "default_gr4c", "default_grace" },
        { "ban_list", "ban.list" },
        { "STATUS", "status" },
        { "bun", "ban" },
        { "req.ulr", "req.url" },
        { "", "" },
        { "none", "" },
        { "bnn.lxst", "ban.list" }, /* two edits of eight letters */
        { "bnn.lxxt", "" },         /* three */
    };
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++)
        EXPECT_EQ_STR(span_str(meant(rows[i][0])), rows[i][1]);
}

static void
words_over_the_limit_resemble_nothing(void)
{
    char word[SIMILAR_BYTES_MAX + 2] = { 0 };
    memset(word, 'x', SIMILAR_BYTES_MAX + 1);
    struct similar s = similar_to(span_str(word));
    similar_try(&s, word);
    EXPECT(s.name == NULL);
    word[SIMILAR_BYTES_MAX] = '\0';
    s = similar_to(span_str(word));
    similar_try(&s, word);
    EXPECT(s.name == word);
}

static const struct test tests[] = {
    { "the_nearest_name_is_found", the_nearest_name_is_found },
    { "words_over_the_limit_resemble_nothing", words_over_the_limit_resemble_nothing },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
