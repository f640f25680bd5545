/* Pattern sets: results of a scan, and the first matching pattern from a number on. */
#include "base/check.h"
#include "match/pattern_set.h"
#include "test.h"

#define PATTERNS_MAX 200u
#define WORDS_MAX 4u

struct made {
    struct regex *regexes[PATTERNS_MAX];
    unsigned n;
    struct pattern_set *set;
    uint64_t bits[WORDS_MAX];
};

/* A text that begins with '=' is a pattern of kind EQUALS. */
static void
make_set(struct made *m, const char *const *texts, unsigned n)
{
    struct pattern patterns[PATTERNS_MAX];
    *m = (struct made){ .n = n };
    for (unsigned i = 0; i < n; i++) {
        struct regex_error error;
        bool equals = texts[i][0] == '=';
        patterns[i] = (struct pattern){ .text = span_str(texts[i] + equals),
                                        .kind = equals ? PATTERN_EQUALS : PATTERN_REGEX };
        if (!equals)
            EXPECT_EQ_INT(regex_new(patterns[i].text, &m->regexes[i], &error), 0);
        patterns[i].regex = m->regexes[i];
    }
    EXPECT_EQ_INT(pattern_set_new(patterns, n, &m->set), 0);
    EXPECT(pattern_set_words(m->set) <= WORDS_MAX);
}

static void
drop_set(struct made *m)
{
    pattern_set_release(&m->set);
    EXPECT(m->set == NULL);
    for (unsigned i = 0; i < m->n; i++)
        regex_release(&m->regexes[i]);
}

/* The numbers of the patterns that match, as text. */
static const char *
matching(struct made *m, struct span subject)
{
    static char text[8 * PATTERNS_MAX];
    size_t at = 0;
    text[0] = '\0';
    pattern_set_scan(m->set, subject, m->bits);
    for (unsigned i = 0, found; pattern_set_next(m->set, subject, m->bits, i, &found) == 1; i = found + 1)
        at += (size_t)snprintf(text + at, sizeof text - at, at == 0 ? "%u" : " %u", found);
    for (unsigned i = 0, found; i < m->n; i++) { /* _test agrees with _next */
        int next = pattern_set_next(m->set, subject, m->bits, i, &found);
        EXPECT_EQ_INT(pattern_set_test(m->set, subject, m->bits, i), next == 1 && found == i);
    }
    return text;
}

static void
every_matching_pattern_is_found_in_order(void)
{
    static const char *const texts[] = { "^/a", "b$", "=/ab", "^/x", "(a)b\\1", "." };
    struct made m;
    make_set(&m, texts, 6);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("/ab"))), "0 1 2 5");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("/aba"))), "0 4 5");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("\n"))), "");
    drop_set(&m);
}

static void
unset_matches_as_empty_and_equals_nothing(void)
{
    static const char *const texts[] = { "^$", "=", "a" };
    struct made m;
    make_set(&m, texts, 3);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_NULL)), "0");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT(""))), "0 1");
    drop_set(&m);
}

static void
patterns_beyond_the_first_word(void)
{
    static char names[130][8];
    const char *texts[130];
    for (unsigned i = 0; i < 130; i++) {
        snprintf(names[i], sizeof names[i], "^%u$", i);
        texts[i] = names[i];
    }
    texts[64] = "=64";
    struct made m;
    make_set(&m, texts, 130);
    EXPECT_EQ_INT(pattern_set_words(m.set), 3);
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("129"))), "129");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("64"))), "64");
    EXPECT_EQ_STR(span_str(matching(&m, SPAN_LIT("130"))), "");
    drop_set(&m);
}

static void
a_limit_of_pcre2_is_reported_with_its_pattern(void)
{
    static const char *const texts[] = { "^b", "^(a+)+\\1c$", "a" };
    struct made m;
    make_set(&m, texts, 3);
    struct span subject = SPAN_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaacb");
    unsigned found = 0;
    pattern_set_scan(m.set, subject, m.bits);
    EXPECT_EQ_INT(pattern_set_next(m.set, subject, m.bits, 0, &found), ERR_LIMIT);
    EXPECT_EQ_INT(found, 1);
    EXPECT_EQ_INT(pattern_set_test(m.set, subject, m.bits, 1), ERR_LIMIT);
    EXPECT_EQ_INT(pattern_set_next(m.set, subject, m.bits, 2, &found), 1);
    EXPECT_EQ_INT(found, 2);
    drop_set(&m);
}

static void
sets_have_a_limit(void)
{
    struct pattern_set *set = NULL;
    EXPECT_EQ_INT(pattern_set_new(NULL, PATTERN_SET_MAX + 1, &set), ERR_LIMIT);
    EXPECT(set == NULL);
    EXPECT_EQ_INT(pattern_set_new(NULL, 0, &set), 0);
    EXPECT_EQ_INT(pattern_set_words(set), 0);
    pattern_set_release(&set);
    pattern_set_release(&set); /* harmless */
}

static const struct test tests[] = {
    { "every_matching_pattern_is_found_in_order", every_matching_pattern_is_found_in_order },
    { "unset_matches_as_empty_and_equals_nothing", unset_matches_as_empty_and_equals_nothing },
    { "patterns_beyond_the_first_word", patterns_beyond_the_first_word },
    { "a_limit_of_pcre2_is_reported_with_its_pattern", a_limit_of_pcre2_is_reported_with_its_pattern },
    { "sets_have_a_limit", sets_have_a_limit },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
