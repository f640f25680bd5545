/* Pattern sets of a policy: what the loader refuses, and that chains and single look-ups answer as one test
 * after the other would. */
#include "base/params.h"
#include "support/image.h"

static const struct policy_env no_env;

typedef int32_t test_fn(struct policy_ctx *, int64_t, int64_t, struct span);
typedef int64_t next_fn(struct policy_ctx *, int64_t, int64_t, const struct span *, int64_t);

/* Two subjects. The chain tries: first ~ "^a+$", second is "x", first ~ "b", first is "ab", second ~ "(?=y)".
 */
static const struct span regexes[] = { { "^a+$", 4 }, { "b", 1 }, { "(?=y)", 5 } };
static const struct image_pattern patterns[] = {
    { .regex = 0 }, { .regex = 1 }, { .regex = -1, .text = { "ab", 2 } }, { .regex = -1, .text = { "x", 1 } },
    { .regex = 2 },
};
static const struct image_pattern_set sets[] = { { 0, 3 }, { 3, 2 } };
static const uint32_t tests_of_first[] = { 0, 2, 3 }, tests_of_second[] = { 1, 4 };
static const struct image_chain_subject subjects[] = { { 0, 0, tests_of_first, 3 },
                                                       { 1, 0, tests_of_second, 2 } };
static const struct image_chain_test chain_tests[] = {
    { 10, IMAGE_EXIT },     { 11, IMAGE_EXIT | 1 }, { 12, IMAGE_EXIT | 2 },
    { 13, IMAGE_EXIT | 3 }, { 14, IMAGE_EXIT | 4 }, /* the exit of each test has its number */
};
static const struct image_chain chains[] = { { subjects, chain_tests, "", 2, 5, 5, 0 } };

static uint32_t i_next, i_test;
static int32_t (*body)(struct policy_ctx *ctx);

static int32_t
hook_body(struct policy_ctx *ctx)
{
    return body(ctx);
}

static struct policy_image
image_with_chain(void)
{
    struct policy_image im = image_empty();
    i_next = image_import(&im, "pattern_next", "INT(INT,INT,SPANS,INT)");
    i_test = image_import(&im, "pattern_test", "BOOL(INT,INT,STRING)");
    im.regexes = regexes;
    im.n_regexes = 3;
    im.patterns = patterns;
    im.n_patterns = 5;
    im.pattern_sets = sets;
    im.n_pattern_sets = 2;
    im.chains = chains;
    im.n_chains = 1;
    im.hooks[HOOK_RECV] = hook_body;
    return im;
}

static enum vcl_action
run(const struct policy_image *im, int32_t (*code)(struct policy_ctx *ctx), size_t arena_bytes,
    struct policy_ctx *ctx)
{
    struct policy *p = image_load(&no_env, im);
    struct arena a;
    arena_init(&a, arena_bytes);
    policy_ctx_init(ctx, p, NULL, &a);
    body = code;
    enum vcl_action action = policy_run(ctx, HOOK_RECV);
    arena_release(&a);
    policy_unload(&p);
    return action;
}

static int64_t
next(struct policy_ctx *ctx, int64_t start, struct span first, struct span second)
{
    struct span both[] = { first, second };
    return IMPORTED(ctx, i_next, next_fn)(ctx, 0, start, both, 2);
}

static int32_t
hook_walks(struct policy_ctx *ctx)
{
    static const struct {
        const char *first, *second; /* NULL: unset */
        int64_t start, found;
    } rows[] = {
        { "aa", "x", 0, 0 },   { "aa", "x", 1, 1 },    { "aa", "x", 2, 5 },   { "ab", "xy", 0, 2 },
        { "ab", "xy", 3, 3 },  { "ab", "xy", 4, 4 },   { "ab", "xy", 5, 5 },  { "", "", 0, 5 },
        { NULL, NULL, 0, 5 },  { "aa\n", NULL, 0, 0 }, { "ab\n", "x", 3, 5 }, { "zb", "x\n", 0, 2 },
        { "zb", "zzy", 3, 4 }, { "c", "x", 0, 1 },     { "c", "yx", 0, 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct span first = rows[i].first == NULL ? SPAN_NULL : span_str(rows[i].first);
        struct span second = rows[i].second == NULL ? SPAN_NULL : span_str(rows[i].second);
        int64_t found = next(ctx, rows[i].start, first, second);
        if (!EXPECT_EQ_INT(found, rows[i].found))
            fprintf(stderr, "  row %zu\n", i);
        EXPECT_EQ_INT(ctx->site, chain_tests[found == 5 ? 4 : found].site);
        EXPECT(!ctx->failed);
    }
    test_fn *test = IMPORTED(ctx, i_test, test_fn);
    EXPECT_EQ_INT(test(ctx, 0, 0, SPAN_LIT("aaa")), 1);
    EXPECT_EQ_INT(test(ctx, 0, 1, SPAN_LIT("aaa")), 0);
    EXPECT_EQ_INT(test(ctx, 1, 3, SPAN_LIT("x")), 1);
    EXPECT_EQ_INT(test(ctx, 1, 4, SPAN_LIT("x")), 0);
    EXPECT_EQ_INT(test(ctx, 1, 3, SPAN_NULL), 0);
    return ACTION_OK;
}

static void
a_chain_finds_the_next_test_that_matches(void)
{
    struct policy_image im = image_with_chain();
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_walks, 0, &ctx), ACTION_OK);
}

static void
a_full_workspace_changes_no_answer(void)
{
    struct policy_image im = image_with_chain();
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_walks, 1, &ctx), ACTION_OK);
}

/* Chain 0 has the last two patterns of the first set, chain 1 the first one. */
static int32_t
hook_walks_parts_of_a_set(struct policy_ctx *ctx)
{
    static const struct {
        const char *text;
        int64_t last, first; /* the test that each chain finds */
    } rows[] = { { "aa", 2, 0 }, { "zb", 0, 1 }, { "ab", 0, 1 }, { "c", 2, 1 }, { NULL, 2, 1 } };
    next_fn *next_of = IMPORTED(ctx, i_next, next_fn);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct span text = rows[i].text == NULL ? SPAN_NULL : span_str(rows[i].text);
        EXPECT_EQ_INT(next_of(ctx, 0, 0, &text, 1), rows[i].last);
        EXPECT_EQ_INT(next_of(ctx, 1, 0, &text, 1), rows[i].first);
        EXPECT_EQ_INT(ctx->site, 10);
    }
    struct span both = SPAN_LIT("ab"); /* matches both tests of chain 0 */
    EXPECT_EQ_INT(next_of(ctx, 0, 1, &both, 1), 1);
    EXPECT_EQ_INT(ctx->site, 11);
    return ACTION_OK;
}

static void
chains_have_parts_of_a_set(void)
{
    static const uint32_t two[] = { 0, 1 }, one[] = { 0 };
    static const struct image_chain_subject last = { 0, 1, two, 2 }, first = { 0, 0, one, 1 };
    static const struct image_chain parts[] = { { &last, chain_tests, "", 1, 2, 2, 0 },
                                                { &first, chain_tests, "", 1, 1, 1, 0 } };
    struct policy_image im = image_with_chain();
    im.chains = parts;
    im.n_chains = 2;
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_walks_parts_of_a_set, 0, &ctx), ACTION_OK);
    EXPECT_EQ_INT(run(&im, hook_walks_parts_of_a_set, 1, &ctx), ACTION_OK); /* a full workspace */
}

static uint64_t
scans_of(const struct policy_ctx *ctx, unsigned set)
{
    struct pattern_set_counts counts;
    pattern_set_count(ctx->policy->pattern_sets[set], &counts);
    return counts.scans;
}

static int32_t
hook_asks_again(struct policy_ctx *ctx)
{
    struct span text = arena_copy(ctx->arena, SPAN_LIT("ab"));
    for (int round = 0; round < 3; round++) {
        EXPECT_EQ_INT(next(ctx, 0, text, SPAN_NULL), 2);
        EXPECT_EQ_INT(next(ctx, 3, text, SPAN_LIT("x")), 3);
        EXPECT_EQ_INT(IMPORTED(ctx, i_test, test_fn)(ctx, 0, 2, text), 1);
    }
    EXPECT_EQ_INT(scans_of(ctx, 0), 1);
    return ACTION_OK;
}

static void
a_value_is_scanned_once(void)
{
    struct policy_image im = image_with_chain();
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_asks_again, 0, &ctx), ACTION_OK);
}

static int32_t
hook_stops_early(struct policy_ctx *ctx)
{
    EXPECT_EQ_INT(next(ctx, 0, SPAN_LIT("aa"), SPAN_LIT("x")), 0);
    EXPECT_EQ_INT(scans_of(ctx, 1), 0);
    EXPECT_EQ_INT(next(ctx, 1, SPAN_LIT("aa"), SPAN_LIT("x")), 1);
    EXPECT_EQ_INT(scans_of(ctx, 1), 1);
    EXPECT_EQ_INT(next(ctx, 4, SPAN_LIT("ab"), SPAN_LIT("x")), 5); /* the first subject has no test left */
    EXPECT_EQ_INT(scans_of(ctx, 0), 1);
    return ACTION_OK;
}

static void
a_subject_without_a_possible_test_is_not_scanned(void)
{
    static const struct span plain[] = { { "^a+$", 4 }, { "b", 1 }, { "y", 1 } };
    struct policy_image im = image_with_chain();
    im.regexes = plain;
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_stops_early, 0, &ctx), ACTION_OK);
}

/* Texts of the same length at other addresses, and an unset and an empty one. */
static int32_t
hook_changes_its_subject(struct policy_ctx *ctx)
{
    static const char *const texts[] = { "aa", "bb", "cc", "aa", "ab" };
    static const int64_t found[] = { 0, 2, 5, 0, 2 };
    for (int round = 0; round < 3; round++)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
            EXPECT_EQ_INT(next(ctx, 0, arena_copy(ctx->arena, span_str(texts[i])), SPAN_NULL), found[i]);
    EXPECT_EQ_INT(scans_of(ctx, 0), 15);
    EXPECT_EQ_INT(next(ctx, 0, SPAN_NULL, SPAN_NULL), 5);
    EXPECT_EQ_INT(next(ctx, 0, SPAN_LIT(""), SPAN_NULL), 5);
    EXPECT_EQ_INT(scans_of(ctx, 0), 17);
    return ACTION_OK;
}

static void
a_changed_subject_is_scanned_again(void)
{
    struct policy_image im = image_with_chain();
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_changes_its_subject, 0, &ctx), ACTION_OK);
}

static int32_t
hook_reaches_a_limit(struct policy_ctx *ctx)
{
    EXPECT_EQ_INT(next(ctx, 0, SPAN_LIT("c"), SPAN_LIT("x")), 1); /* its pattern is not tried */
    EXPECT(!ctx->failed);
    next(ctx, 2, SPAN_LIT("c"), SPAN_LIT("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaz"));
    EXPECT(ctx->failed);
    return ACTION_OK;
}

static void
a_match_limit_fails_the_hook_at_its_test(void)
{
    static const struct span slow[] = { { "^a+$", 4 }, { "b", 1 }, { "^(?=(a+)+$)(a+)+\\1$", 19 } };
    struct policy_image im = image_with_chain();
    im.regexes = slow;
    unsigned limit = params.pcre2_match_limit;
    params.pcre2_match_limit = 100;
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(&im, hook_reaches_a_limit, 0, &ctx), ACTION_FAIL);
    params.pcre2_match_limit = limit;
    EXPECT_EQ_INT(ctx.site, 14);
    EXPECT(ctx.failed_why != NULL && strstr(ctx.failed_why, "match limit") != NULL);
}

static void
expect_refused(const struct policy_image *im, const char *why)
{
    struct policy *p = NULL;
    char error[512] = "";
    EXPECT(policy_load_image(&no_env, SPAN_LIT("p"), im, &p, error, sizeof error) < 0);
    if (!EXPECT(strstr(error, why) != NULL))
        fprintf(stderr, "  error is: %s\n  wanted: %s\n", error, why);
}

static void
damaged_patterns_and_sets_are_refused(void)
{
    struct policy_image im = image_with_chain();
    im.n_regexes = 2;
    expect_refused(&im, "regular expression of a pattern");
    im = image_with_chain();
    im.n_patterns = 4;
    expect_refused(&im, "a pattern set");
    static const struct image_pattern_set bad[][2] = { { { 0, 3 }, { 3, 0 } },
                                                       { { 0, 3 }, { UINT32_MAX, 2 } },
                                                       { { 0, 3 }, { 3, UINT32_MAX } } };
    for (size_t i = 0; i < 3; i++) {
        im.n_patterns = 5;
        im.pattern_sets = bad[i];
        expect_refused(&im, "a pattern set");
    }
    im = image_with_chain();
    im.chains = NULL;
    expect_refused(&im, "table");
}

static void
damaged_chains_are_refused(void)
{
    static const uint32_t falling[] = { 0, 3, 2 }, high[] = { 0, 2, 5 };
    static const struct image_chain_subject bad_subjects[] = {
        { 2, 0, tests_of_first, 3 },          { 0, 1, tests_of_first, 3 }, { 1, 1, tests_of_second, 2 },
        { 0, UINT32_MAX, tests_of_first, 3 }, { 0, 0, NULL, 3 },           { 0, 0, tests_of_first, 6 },
        { 0, 0, tests_of_first, 0 },          { 0, 0, falling, 3 },        { 0, 0, high, 3 },
    };
    for (size_t i = 0; i < sizeof bad_subjects / sizeof bad_subjects[0]; i++) {
        struct image_chain chain = { &bad_subjects[i], chain_tests, "", 1, 5, 5, 0 };
        struct policy_image im = image_with_chain();
        im.chains = &chain;
        expect_refused(&im, "a chain of tests");
    }
    const struct image_chain bad_chains[] = {
        { subjects, chain_tests, "", 0, 5, 5, 0 },
        { subjects, chain_tests, "", CHAIN_SUBJECTS_MAX + 1, 5, 5, 0 },
        { NULL, chain_tests, "", 2, 5, 5, 0 },
        { subjects, NULL, "", 2, 5, 5, 0 },
        { subjects, chain_tests, "", 2, 0, 5, 0 },
        { subjects, chain_tests, "", 2, UINT32_MAX, 5, 0 },
        { subjects, chain_tests, NULL, 2, 5, 5, 0 },
        { subjects, chain_tests, "", 2, 5, 4, 0 },
    };
    for (size_t i = 0; i < sizeof bad_chains / sizeof bad_chains[0]; i++) {
        struct policy_image im = image_with_chain();
        im.chains = &bad_chains[i];
        expect_refused(&im, "a chain of tests");
    }
}

static const struct test tests[] = {
    { "a_chain_finds_the_next_test_that_matches", a_chain_finds_the_next_test_that_matches },
    { "a_full_workspace_changes_no_answer", a_full_workspace_changes_no_answer },
    { "chains_have_parts_of_a_set", chains_have_parts_of_a_set },
    { "a_value_is_scanned_once", a_value_is_scanned_once },
    { "a_subject_without_a_possible_test_is_not_scanned", a_subject_without_a_possible_test_is_not_scanned },
    { "a_changed_subject_is_scanned_again", a_changed_subject_is_scanned_again },
    { "a_match_limit_fails_the_hook_at_its_test", a_match_limit_fails_the_hook_at_its_test },
    { "damaged_patterns_and_sets_are_refused", damaged_patterns_and_sets_are_refused },
    { "damaged_chains_are_refused", damaged_chains_are_refused },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
