/* References resolved against the target of a request, and lists of languages. */
#include "base/check.h"
#include "http/language.h"
#include "http/url.h"
#include "test.h"

static void
references_of_the_same_origin_are_resolved(void)
{
    static const struct {
        const char *reference, *url;
    } rows[] = {
        /* the target is http://Example.com:8080/a/b/c?q */
        { "d", "/a/b/d" },
        { "./d", "/a/b/d" },
        { "../d", "/a/d" },
        { "../../../d", "/d" },
        { "/d?x=1#f", "/d?x=1" },
        { "?y", "/a/b/c?y" },
        { "", "/a/b/c?q" },
        { "#f", "/a/b/c?q" },
        { "d/./e/../f/..", "/a/b/d/" },
        { ".", "/a/b/" },
        { "..", "/a/" },
        { "//example.COM:8080/x/../y", "/y" },
        { "http://example.com:8080", "/" },
        { "https://example.com:8080?z", "/?z" },
        { " /d ", "/d" },
        { "d:e/f", NULL },
        { "./d:e", "/a/b/d:e" },
        { "//example.com/x", NULL },
        { "http://other/x", NULL },
        { "http:/x", NULL },
        { "ftp://example.com:8080/x", NULL },
        { "mailto:a@b", NULL },
    };
    struct url_base base = { SPAN_LIT("Example.com:8080"), SPAN_LIT("/a/b/c?q") };
    struct arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct span out = SPAN_LIT("-");
        int err = url_of_same_origin(&base, span_str(rows[i].reference), &a, &out);
        bool right = rows[i].url == NULL ? EXPECT_EQ_INT(err, ERR_NOTFOUND)
                                         : EXPECT_EQ_INT(err, 0) && EXPECT_EQ_STR(out, rows[i].url);
        if (!right)
            fprintf(stderr, "  %s\n", rows[i].reference);
    }
    arena_release(&a);
}

static void
no_host_and_no_path_resolve_nothing(void)
{
    struct arena a;
    struct span out;
    arena_init(&a, 0);
    EXPECT_EQ_INT(url_of_same_origin(&(struct url_base){ SPAN_NULL, SPAN_LIT("/a") }, SPAN_LIT("//h/x"), &a,
                                     &out),
                  ERR_NOTFOUND);
    EXPECT_EQ_INT(url_of_same_origin(&(struct url_base){ SPAN_LIT("h"), SPAN_LIT("*") }, SPAN_LIT("x"), &a,
                                     &out),
                  ERR_NOTFOUND);
    arena_release(&a);
}

static void
languages_are_compared_as_a_set_with_weights(void)
{
    EXPECT(language_lists_equal(SPAN_LIT("en, de;q=0.5"), SPAN_LIT("DE ; q=0.50,en;q=1")));
    EXPECT(!language_lists_equal(SPAN_LIT("en, de"), SPAN_LIT("en, de;q=0.5")));
    EXPECT(!language_lists_equal(SPAN_LIT("en"), SPAN_LIT("en, de")));
    EXPECT(!language_lists_equal(SPAN_LIT(""), SPAN_LIT("")));
    EXPECT(language_lists_equal(SPAN_LIT("en;q=x"), SPAN_LIT("en")));
    char many[4 * (LANGUAGES_MAX + 1) + 1] = "";
    for (unsigned i = 0; i <= LANGUAGES_MAX; i++)
        memcpy(many + 3 * i, "aa,", 4);
    EXPECT(!language_lists_equal(span_str(many), span_str(many)));
}

static void
the_preferred_language_is_the_only_best(void)
{
    EXPECT_EQ_STR(language_preferred(SPAN_LIT("fr;q=0.5, de;q=1.0")), "de");
    EXPECT_EQ_STR(language_preferred(SPAN_LIT("de-AT;q=0.123, *;q=0.1")), "de-AT");
    EXPECT(language_preferred(SPAN_LIT("fr, de")).ptr == NULL);
    EXPECT(language_preferred(SPAN_LIT("*, de;q=0.5")).ptr == NULL);
    EXPECT(language_preferred(SPAN_LIT("de;q=0")).ptr == NULL);
    EXPECT(language_preferred(SPAN_LIT(" , ")).ptr == NULL);
}

static const struct test tests[] = {
    { "references_of_the_same_origin_are_resolved", references_of_the_same_origin_are_resolved },
    { "no_host_and_no_path_resolve_nothing", no_host_and_no_path_resolve_nothing },
    { "languages_are_compared_as_a_set_with_weights", languages_are_compared_as_a_set_with_weights },
    { "the_preferred_language_is_the_only_best", the_preferred_language_is_the_only_best },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
