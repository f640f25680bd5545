/* Openings of pattern sets: which places a scan skips, and that it skips no match. */
#include <stdio.h>
#include <string.h>

#include "test.h"

#include "match/pattern_made.h"

static void
scan_all(struct made *m, const char *const *texts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        expect_same_as_pcre2(m, span_str(texts[i]));
}

/* The words begin as those of the patterns do, but go on in another way. */
static void
places_without_an_opening_make_no_transitions(void)
{
    static const char *const texts[] = {
        "^/alpha/",      "^/alpine(/|$)", "[?&]amber=[^&]+", "(?i)/Basalt-(a|b)",
        "/bark-[0-9]-x", "/bee/[0-9]*p$", "^/[ab]rook-x",
    };
    static const char *const first[] = { "/zzzzzzzz" };
    static const char *const others[] = { "/alpaca/zzzzzzzz", "/zz/basalic/bees/bart",
                                          "/alphabet?ambers=1&am", "/crook/barking/bast",
                                          "/zzzzzzzz/bark/-1zzzz/be" };
    struct made m;
    struct pattern_set_counts before, after;
    make_set(&m, texts, 7);
    scan_all(&m, first, 1); /* makes the state that no pattern has begun */
    pattern_set_count(m.set, &before);
    scan_all(&m, others, 1);
    pattern_set_count(m.set, &after);
    EXPECT_EQ_INT(after.transitions - before.transitions, 0);
    scan_all(&m, others, sizeof others / sizeof others[0]);
    pattern_set_count(m.set, &after);
    /* Only of the texts near the end: `/bart`, `&am`, `st` behind `/ba`, `e` behind `/b`. */
    EXPECT_EQ_INT(after.transitions - before.transitions, 5 + 3 + 2 + 1);
    drop_set(&m);
}

/* Without other patterns nothing is scanned. */
static void
a_subject_without_an_opening_of_anchored_patterns_makes_no_transitions(void)
{
    static const char *const texts[] = { "^/alpha/", "^/alpine(/|$)", "^(?i)/brk$", "^/[0-9]-[0-9]-",
                                         "\\A/bee$" };
    static const char *const subjects[] = { "/zzzzzzzz", "/beefsteak", "/1-a-zzzz", "/BRKside" };
    struct made m;
    struct pattern_set_counts counts;
    make_set(&m, texts, 5);
    scan_all(&m, subjects, 4);
    pattern_set_count(m.set, &counts);
    EXPECT_EQ_INT(counts.transitions, 0);
    EXPECT_EQ_INT(counts.undecided, 0);
    drop_set(&m);
}

/* A pattern that matches a short text leaves openings of its length, and one with too many of them none. */
static void
openings_are_as_short_as_their_patterns(void)
{
    static const char *const texts[] = { "/alpha-beta", "/al", ":(.|x)y", "\\?a.b", "![a-z]{3}x" };
    static const char *const subjects[] = { "zz/alzzzzzzzzz", "zz/azzzzzzzzzz", "zz:zyzzzzzzzzzz",
                                            "zz?abbzzzzzzzz", "zz?azbzzzzzzzz", "zz!abcxzzzzzzz",
                                            "zz!abcdzzzzzz",  "zz/alpha-betaz" };
    struct made m;
    make_set(&m, texts, 5);
    for (unsigned round = 0; round < 2; round++)
        scan_all(&m, subjects, sizeof subjects / sizeof subjects[0]);
    drop_set(&m);
}

/* Texts that match lie at each place of the blocks that are compared at once, whole and cut short, at the end
 * and before other bytes. */
static void
openings_are_found_at_each_place(void)
{
    static const char *const texts[] = { "^/word/",      "/word-[a-c]", "(?i)/Word_x",      "[?&]word=[^&]+",
                                         "/wo(rd|od)$",  "/word\\n",    "/w\xe4\xf6rd\xff", "\\.(gz|zip)$",
                                         "^(z*/)?wordy", "/wor.z" };
    static const char *const parts[] = { "/word/",   "/word-b", "/WORD_X",          "?word=1",
                                         "&word=\n", "/word",   "/w\xe4\xf6rd\xff", ".gz",
                                         ".zip\n",   "z/wordy", "/worzz",           "/wood\n" };
    struct made m;
    make_set(&m, texts, 10);
    for (unsigned round = 0; round < 2; round++) /* the second round knows the idle state */
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
            for (int len = 0; len <= (int)strlen(parts[i]); len++)
                for (int place = 0; place < 20; place++)
                    for (int behind = 0; behind < 12; behind += 1 + behind % 3) {
                        char text[80];
                        int n = snprintf(text, sizeof text, "%.*s%.*s%.*s", place, "zz/woz&wzz/wordzz.zzzz",
                                         len, parts[i], behind, "zz/wordz\nzzzzz");
                        expect_same_as_pcre2(&m, span_of(text, (size_t)n));
                    }
    drop_set(&m);
}

static const struct test tests[] = {
    { "places_without_an_opening_make_no_transitions", places_without_an_opening_make_no_transitions },
    { "a_subject_without_an_opening_of_anchored_patterns_makes_no_transitions",
      a_subject_without_an_opening_of_anchored_patterns_makes_no_transitions },
    { "openings_are_as_short_as_their_patterns", openings_are_as_short_as_their_patterns },
    { "openings_are_found_at_each_place", openings_are_found_at_each_place },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
