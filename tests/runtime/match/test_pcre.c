/* Regular expressions: matches, substitutions, limits, many threads. Also run under TSan. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <pthread.h>

#include "base/check.h"
#include "base/params.h"
#include "match/pcre.h"
#include "test.h"

static struct regex *
compiled(const char *pattern)
{
    struct regex *re = NULL;
    struct regex_error error;
    EXPECT_EQ_INT(regex_new(span_str(pattern), &re, &error), 0);
    return re;
}

static struct regex *
late(const char *pattern)
{
    struct regex *re = NULL;
    struct regex_error error;
    EXPECT_EQ_INT(regex_new_with(span_str(pattern), REGEX_JIT_LATE, &re, &error), 0);
    return re;
}

static int
matches(const char *pattern, struct span subject)
{
    struct regex *re = compiled(pattern);
    int result = regex_match(re, subject);
    regex_release(&re);
    EXPECT(re == NULL);
    return result;
}

static void
subjects_are_bytes(void)
{
    EXPECT_EQ_INT(matches("^/a", SPAN_LIT("/abc")), 1);
    EXPECT_EQ_INT(matches("^/a", SPAN_LIT("x/abc")), 0);
    EXPECT_EQ_INT(matches("(?i)ABC$", SPAN_LIT("xabc")), 1);
    EXPECT_EQ_INT(matches("^.$", SPAN_LIT("\xff")), 1); /* not UTF-8: one byte, one match */
    EXPECT_EQ_INT(matches("^..$", SPAN_LIT("\xc3\xa4")), 1);
    EXPECT_EQ_INT(matches("a\\x00b", span_of("a\0b", 3)), 1);
    EXPECT_EQ_INT(matches("^$", SPAN_NULL), 1);           /* an unset text matches like an empty one */
    EXPECT_EQ_INT(matches("abc", span_of("abcd", 2)), 0); /* never behind the end */
}

/* Subjects of all lengths up to 5, with patterns whose shortest match looks longer than it is, or is. */
static void
short_subjects_match_as_in_pcre2(void)
{
    static const char *const patterns[] = {
        "",         "a",        "ab",   "aba",           "a?b?",           "(?=ab)a",   "(?<=a)b",
        "a\\Kb",    "^",        "$",    "^a?$",          "(a|ab)(?!b)",    "(?:ab){2}", "a*",
        "a+b+",     "(?<=aab)", "\\Ba", "a(*ACCEPT)bbb", "(a)?(?(1)b|ab)", "a{3}|b",    "(?!a)",
        "[ab]{2}$",
    };
    for (size_t p = 0; p < sizeof patterns / sizeof *patterns; p++) {
        struct regex *re = compiled(patterns[p]);
        int code;
        PCRE2_SIZE at;
        pcre2_code *own = pcre2_compile((PCRE2_SPTR)patterns[p], PCRE2_ZERO_TERMINATED, 0, &code, &at, NULL);
        pcre2_match_data *data = pcre2_match_data_create(8, NULL);
        for (unsigned n = 0; n <= 5; n++) {
            for (unsigned bits = 0; bits < 1u << n; bits++) {
                char text[5];
                for (unsigned i = 0; i < n; i++)
                    text[i] = bits >> i & 1 ? 'a' : 'b';
                int found = pcre2_match(own, (PCRE2_SPTR)text, n, 0, 0, data, NULL);
                struct span subject = span_of(text, n), groups[2];
                EXPECT_EQ_INT(regex_match(re, subject), found > 0);
                EXPECT_EQ_INT(regex_match_groups(re, subject, groups, 2), found > 0);
            }
        }
        pcre2_match_data_free(data);
        pcre2_code_free(own);
        regex_release(&re);
    }
}

/* A pattern that is one class is matched without PCRE2. The others only look like one. */
static void
classes_match_as_in_pcre2(void)
{
    static const char *const patterns[] = {
        "[[:upper:]]",   "[^[:upper:]]", "[a-f0-9]", "[^\\n]",
        "[]a]",          "[^]a]",        "[\\d\\]]", "[\\x00-\\x1f\\x7f-\\xff]",
        "[a]|[b]",       "[a][b]",       "[a]?[b]",  "[a]+[b]",
        "[a](?=[b])[b]", "[a]\\]",       "[a]b]",    "[a]^[b]",
    };
    static const unsigned options[][2] = { { 0, 0 },
                                           { REGEX_JIT_LATE, 0 },
                                           { REGEX_CASELESS, PCRE2_CASELESS } };
    static const char tails[] = "\nAb]^";
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns * 3; i++) {
        const char *pattern = patterns[i / 3];
        struct regex *re = NULL;
        struct regex_error error;
        EXPECT_EQ_INT(regex_new_with(span_str(pattern), options[i % 3][0], &re, &error), 0);
        int code;
        PCRE2_SIZE at;
        pcre2_code *own = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED, options[i % 3][1], &code,
                                        &at, NULL);
        pcre2_match_data *data = pcre2_match_data_create(8, NULL);
        for (unsigned byte = 0; byte < 256; byte++)
            for (size_t n = 0; n < sizeof tails; n++) {
                char text[2] = { (char)byte, tails[n] };
                for (size_t length = 0; length <= sizeof text; length++) {
                    int found = pcre2_match(own, (PCRE2_SPTR)text, length, 0, 0, data, NULL);
                    EXPECT_EQ_INT(regex_match(re, span_of(text, length)), found > 0);
                }
            }
        EXPECT_EQ_INT(regex_match(re, SPAN_NULL), 0);
        pcre2_match_data_free(data);
        pcre2_code_free(own);
        regex_release(&re);
    }
}

static void
errors_say_what_and_where(void)
{
    struct regex *re = NULL;
    struct regex_error error;
    EXPECT_EQ_INT(regex_new(SPAN_LIT("ab(c"), &re, &error), ERR_SYNTAX);
    EXPECT(re == NULL);
    EXPECT_EQ_INT(error.offset, 4);
    EXPECT(strstr(error.text, "parenthesis") != NULL);
    EXPECT_EQ_INT(regex_new(SPAN_LIT("(*UTF)a"), &re, &error), ERR_SYNTAX);
    regex_release(&re); /* harmless */
}

static void
options_change_what_a_pattern_means(void)
{
    static const struct {
        const char *pattern;
        unsigned options;
        const char *subject;
        int matches;
    } rows[] = {
        { "a", REGEX_CASELESS, "A", 1 },
        { "a.b", 0, "a\nb", 0 },
        { "a.b", REGEX_DOT_ALL, "a\nb", 1 },
        { "^b", REGEX_MULTILINE, "a\nb", 1 },
        { "a$", 0, "a\n", 1 },
        { "a$", REGEX_END_ONLY, "a\n", 0 },
        { "a.", REGEX_LITERAL, "ab", 0 },
        { "A.", REGEX_LITERAL | REGEX_CASELESS | REGEX_MULTILINE, "a.", 1 },
        { "^.$", REGEX_UTF, "\xc3\xa4", 1 },
        { "^.$", REGEX_UTF, "\xc3", 0 },
        { "b", REGEX_AT_START, "ab", 0 },
        { "a|ab", REGEX_AT_START | REGEX_AT_END, "ab", 1 },
        { "a", REGEX_ONCE, "xa", 1 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct regex *re;
        struct regex_error error;
        EXPECT_EQ_INT(regex_new_with(span_str(rows[i].pattern), rows[i].options, &re, &error), 0);
        if (!EXPECT_EQ_INT(regex_match(re, span_str(rows[i].subject)), rows[i].matches))
            fprintf(stderr, "    row %zu\n", i);
        regex_release(&re);
    }
}

static void
groups_are_told_by_number_and_by_name(void)
{
    struct regex *re = compiled("(a)(b)?(?P<last>c)");
    struct span groups[5], name;
    EXPECT_EQ_INT(regex_groups(re), 3);
    EXPECT_EQ_INT(regex_group_name(re, 0, &name), 3);
    EXPECT_EQ_STR(name, "last");
    EXPECT_EQ_INT(regex_group_name(re, 1, &name), 0);
    EXPECT(regex_bytes(re) > 0);
    EXPECT_EQ_INT(regex_match_groups(re, SPAN_LIT("xacx"), groups, 5), 1);
    EXPECT_EQ_STR(groups[0], "ac");
    EXPECT_EQ_STR(groups[1], "a");
    EXPECT_EQ_SPAN(groups[2], SPAN_NULL);
    EXPECT_EQ_STR(groups[3], "c");
    EXPECT_EQ_SPAN(groups[4], SPAN_NULL); /* the pattern has fewer groups */
    EXPECT_EQ_INT(regex_match_groups(re, SPAN_LIT("x"), groups, 5), 0);
    EXPECT_EQ_SPAN(groups[0], SPAN_NULL);
    regex_release(&re);
}

static void
what_is_extracted_is_without_the_rest(void)
{
    struct arena a;
    struct span out;
    struct regex *re = compiled("(b)(c)");
    arena_init(&a, 0);
    EXPECT_EQ_INT(regex_replace(re, &a, SPAN_LIT("abcd"), SPAN_LIT("<\\2\\1>"), REGEX_EXTRACT, &out), 1);
    EXPECT_EQ_STR(out, "<cb>");
    EXPECT_EQ_INT(regex_replace(re, &a, SPAN_LIT("x"), SPAN_LIT("y"), REGEX_EXTRACT, &out), 0);
    EXPECT_EQ_INT(regex_replace(re, &a, SPAN_LIT("bcbc"), SPAN_LIT("\\2"), REGEX_ALL, &out), 1);
    EXPECT_EQ_STR(out, "cc");
    arena_release(&a);
    regex_release(&re);
}

static struct span
substituted(const char *pattern, const char *subject, const char *replacement, bool all, struct arena *a)
{
    struct regex *re = compiled(pattern);
    struct span s = regex_substitute(re, a, span_str(subject), span_str(replacement), all);
    regex_release(&re);
    return s;
}

static void
substitutions(void)
{
    static const struct {
        const char *pattern, *subject, *replacement;
        bool all;
        const char *result;
    } rows[] = {
        { "b", "abcb", "X", false, "aXcb" },
        { "b", "abcb", "X", true, "aXcX" },
        { "z", "abc", "X", true, "abc" },
        { "(a)(b)?", "acab", "<\\1\\2\\0>", true, "<aa>c<abab>" },
        { "b", "abc", "\\\\", false, "a\\c" },
        { "b", "abc", "\\x\\", false, "ax\\c" },
        { "b", "abc", "\\7\\\\x\\y\\", false, "a\\xy\\c" },
        { "(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)", "abcdefghijk", "\\1\\9", false, "ai" },
        { "(x)|b", "abc", "<\\1\\2>", false, "a<>c" }, /* groups of the previous match are unset */
        { "b", "abc", "\\7", false, "ac" },
        { "^a", "aaa", "b", true, "baa" },
        { "$", "abc", "X", false, "abcX" },
        { "x*", "abc", "-", true, "-abc" }, /* empty matches after the first are not replaced */
        { "", "", "X", true, "X" },
        { "(?<=a)b", "abab", "X", true, "aXaX" },
        { ".", "abc", "", true, "" },
    };
    struct arena a;
    arena_init(&a, 0);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (!EXPECT_EQ_STR(substituted(rows[i].pattern, rows[i].subject, rows[i].replacement, rows[i].all,
                                       &a),
                           rows[i].result))
            fprintf(stderr, "  row %zu\n", i);
    arena_release(&a);
}

static void
a_substitution_that_does_not_fit_is_unset(void)
{
    struct arena a;
    arena_init(&a, ARENA_CHUNK_BYTES);
    char subject[2001], replacement[101];
    memset(subject, 'a', 2000);
    memset(replacement, 'b', 100);
    subject[2000] = replacement[100] = '\0';
    EXPECT_EQ_SPAN(substituted("a", subject, replacement, true, &a), SPAN_NULL);
    arena_release(&a);
    arena_init(&a, 0);
    double limit = params.pcre2_cpu_limit_s;
    params.pcre2_cpu_limit_s = 1; /* sanitizers are slow */
    EXPECT_EQ_INT(substituted("a", subject, replacement, true, &a).len, 200000);
    params.pcre2_cpu_limit_s = limit;
    arena_release(&a);
}

static void
runaway_matches_hit_the_limit(void)
{
    const struct span subject = SPAN_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!");
    EXPECT_EQ_INT(matches("^(a+)+$", subject), ERR_LIMIT);
    params.pcre2_jit_compilation = false;
    EXPECT_EQ_INT(matches("^(a+)+$", subject), ERR_LIMIT);
    EXPECT_EQ_INT(matches("^a+!$", subject), 1);
    params.pcre2_jit_compilation = true;
}

static void
parameters_say_how_long_and_how_deep_a_match_may_be(void)
{
    const struct span subject = SPAN_LIT("ababababababababababababababab!");
    uint32_t steps = params.pcre2_match_limit, depth = params.pcre2_depth_limit;
    EXPECT_EQ_INT(matches("^(a+)+$", SPAN_LIT("aaaaaaaa!")), 0);
    params.pcre2_match_limit = 10;
    EXPECT_EQ_INT(matches("^(a+)+$", SPAN_LIT("aaaaaaaa!")), ERR_LIMIT);
    params.pcre2_match_limit = steps;
    params.pcre2_jit_compilation = false;
    params.pcre2_depth_limit = 5;
    EXPECT_EQ_INT(matches("^(?:ab|c)*!$", subject), ERR_LIMIT);
    params.pcre2_depth_limit = 1000;
    EXPECT_EQ_INT(matches("^(?:ab|c)*!$", subject), 1);
    params.pcre2_depth_limit = depth;
    params.pcre2_jit_compilation = true;
}

static void *
match_often(void *arg)
{
    for (int i = 0; i < 2000; i++) {
        char text[32];
        struct span s = span_of(text, (size_t)snprintf(text, sizeof text, "/path/%d", i));
        EXPECT_EQ_INT(regex_match(arg, s), i % 10 == 7);
    }
    return NULL;
}

static void
one_expression_serves_many_threads(void)
{
    pthread_t threads[4];
    struct regex *re = compiled("^/path/(\\d*)7$");
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&threads[i], NULL, match_often, re) == 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    regex_release(&re);
}

#define LONG_BYTES 20000

/* A long text is searched piece by piece, which must not change results. */
static void
a_match_is_found_at_each_place_of_a_long_text(void)
{
    static char text[LONG_BYTES];
    struct regex *behind = compiled("(?<=a)b(?=(a|$))"), *first = compiled("^b|\\bb"),
                 *with_verb = compiled("a(*COMMIT)z|b");
    for (size_t at = 0; at < LONG_BYTES; at += at < 400 || at > LONG_BYTES - 200 ? 1 : 97) {
        struct span groups[2];
        memset(text, 'a', sizeof text);
        text[at] = 'b';
        EXPECT_EQ_INT(regex_match_groups(behind, span_of(text, sizeof text), groups, 2), at > 0);
        if (at > 0 && groups[0].ptr != text + at)
            EXPECT(groups[0].ptr == text + at);
        EXPECT_EQ_INT(regex_match(first, span_of(text, sizeof text)), at == 0);
        EXPECT_EQ_INT(regex_match(with_verb, span_of(text, sizeof text)), at == 0);
    }
    regex_release(&behind);
    regex_release(&first);
    regex_release(&with_verb);
}

#define LATE_THREADS 6u

struct late_job {
    const struct regex *re;
    pthread_barrier_t *barrier;
};

static void *
match_first(void *arg)
{
    const struct late_job *job = arg;
    pthread_barrier_wait(job->barrier);
    EXPECT_EQ_INT(regex_match(job->re, SPAN_LIT("/img/x.png")), 1);
    EXPECT_EQ_INT(regex_match(job->re, SPAN_LIT("/img/x.txt")), 0);
    EXPECT(regex_has_machine_code(job->re));
    return NULL;
}

static void
machine_code_is_made_by_the_first_match(void)
{
    pthread_barrier_t barrier;
    pthread_t threads[LATE_THREADS];
    for (unsigned round = 0; round < 20; round++) {
        struct regex *re = late("^/(a|img)/.*\\.(png|jpg)$");
        struct late_job job = { re, &barrier };
        EXPECT(!regex_has_machine_code(re));
        pthread_barrier_init(&barrier, NULL, LATE_THREADS);
        for (unsigned i = 0; i < LATE_THREADS; i++)
            EXPECT_EQ_INT(pthread_create(&threads[i], NULL, match_first, &job), 0);
        for (unsigned i = 0; i < LATE_THREADS; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&barrier);
        regex_release(&re);
    }
}

/* The stack of a fiber is small: what needs much of it is compiled at once. */
static void
machine_code_that_needs_much_stack_is_made_at_once(void)
{
    static const char *const patterns[] = {
        "(a(b(c(d(e(f(g(h(i)))))))))",
        "(a|b){0,200}",
        "(?x)(?:a?b?c?) {1000}",
        "(?:a?b?c?)\\E{1000}",
        "a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?a?[bc]*b?b?b?b?b?b?b?b?b?b?b?b?b?b?b?b?",
    };
    for (unsigned i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct regex *re = late(patterns[i]);
        EXPECT(regex_has_machine_code(re));
        regex_release(&re);
    }
    params.pcre2_jit_compilation = false;
    struct regex *re = late("a");
    params.pcre2_jit_compilation = true;
    EXPECT_EQ_INT(regex_match(re, SPAN_LIT("a")), 1);
    EXPECT(!regex_has_machine_code(re)); /* the parameter of the load counts */
    regex_release(&re);
    struct regex_error error;
    EXPECT_EQ_INT(regex_new_with(SPAN_LIT("a("), REGEX_JIT_LATE, &re, &error), ERR_SYNTAX);
}

static void
a_search_has_a_limit_of_processor_time(void)
{
    static char text[64 << 10];
    memset(text, 'a', sizeof text);
    struct regex *quadratic = compiled("(?<=a)a*?[bc]");
    EXPECT_EQ_INT(regex_match(quadratic, span_of(text, 1000)), 0);
    EXPECT_EQ_INT(regex_match(quadratic, span_of(text, sizeof text)), ERR_LIMIT);
    EXPECT_EQ_INT(regex_match(quadratic, span_of(text, 1000)), 0); /* each search has its own time limit */
    double limit = params.pcre2_cpu_limit_s;
    EXPECT_EQ_INT(regex_match(quadratic, span_of(text, sizeof text / 3)), ERR_LIMIT);
    params.pcre2_cpu_limit_s = 10;
    EXPECT_EQ_INT(regex_match(quadratic, span_of(text, sizeof text / 3)), 0);
    params.pcre2_cpu_limit_s = limit;
    regex_release(&quadratic);
}

static const struct test tests[] = {
    { "a_match_is_found_at_each_place_of_a_long_text", a_match_is_found_at_each_place_of_a_long_text },
    { "a_search_has_a_limit_of_processor_time", a_search_has_a_limit_of_processor_time },
    { "subjects_are_bytes", subjects_are_bytes },
    { "short_subjects_match_as_in_pcre2", short_subjects_match_as_in_pcre2 },
    { "classes_match_as_in_pcre2", classes_match_as_in_pcre2 },
    { "errors_say_what_and_where", errors_say_what_and_where },
    { "options_change_what_a_pattern_means", options_change_what_a_pattern_means },
    { "groups_are_told_by_number_and_by_name", groups_are_told_by_number_and_by_name },
    { "what_is_extracted_is_without_the_rest", what_is_extracted_is_without_the_rest },
    { "substitutions", substitutions },
    { "a_substitution_that_does_not_fit_is_unset", a_substitution_that_does_not_fit_is_unset },
    { "runaway_matches_hit_the_limit", runaway_matches_hit_the_limit },
    { "parameters_say_how_long_and_how_deep_a_match_may_be",
      parameters_say_how_long_and_how_deep_a_match_may_be },
    { "one_expression_serves_many_threads", one_expression_serves_many_threads },
    { "machine_code_is_made_by_the_first_match", machine_code_is_made_by_the_first_match },
    { "machine_code_that_needs_much_stack_is_made_at_once",
      machine_code_that_needs_much_stack_is_made_at_once },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
