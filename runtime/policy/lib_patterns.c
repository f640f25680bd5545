/* Tests of texts in pattern sets. A set has all patterns that a hook tries on one subject. The first test
 * scans the subject for all patterns, and the hook keeps the result for this value of the subject, known by
 * address and length: while a hook runs, nothing frees or changes the bytes of a text, and a changed variable
 * or field gets other bytes. */
#include "base/check.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

/* The result of the newest scan of a set. */
struct pattern_result {
    struct span subject;
    uint64_t *bits; /* NULL: not scanned yet */
    unsigned first; /* the first bit, or the number of patterns */
};

static const struct pattern_result no_result;

/* The image of the running hook. policy_image() may already be its successor. */
static const struct policy_image *
running_image(const struct policy_ctx *ctx)
{
    size_t offset = offsetof(struct policy_code, imports);
    return ((const struct policy_code *)(const void *)((const char *)ctx->imports - offset))->image;
}

static bool
is_result_of(const struct pattern_result *r, struct span subject)
{
    return r->bits != NULL && r->subject.ptr == subject.ptr && r->subject.len == subject.len;
}

/* false: the arena is full. */
static bool
make_results(struct policy_ctx *ctx)
{
    size_t bytes = ctx->policy->n_pattern_sets * sizeof *ctx->pattern_results;
    ctx->pattern_results = arena_try(ctx->arena, bytes);
    if (ctx->pattern_results == NULL)
        return false;
    memset(ctx->pattern_results, 0, bytes);
    return true;
}

/* The result of the set for this subject. Without bits: the arena is full, so patterns must be tried one by
 * one. A policy without pattern sets needs no memory for a match, so running out of it must not fail the
 * hook. */
static const struct pattern_result *
scanned(struct policy_ctx *ctx, uint32_t set, struct span subject)
{
    if (ctx->pattern_results == NULL && !make_results(ctx))
        return &no_result;
    struct pattern_result *r = &ctx->pattern_results[set];
    if (is_result_of(r, subject))
        return r;
    struct pattern_set *patterns = ctx->policy->pattern_sets[set];
    if (r->bits == NULL)
        r->bits = arena_try(ctx->arena, pattern_set_words(patterns) * sizeof *r->bits);
    if (r->bits == NULL)
        return &no_result;
    r->subject = subject;
    r->first = pattern_set_scan(patterns, subject, r->bits);
    return r;
}

/* 1, 0 or ERR_LIMIT, without a set. */
static int
match_alone(struct policy_ctx *ctx, const struct image_pattern *pattern, struct span subject)
{
    if (pattern->regex >= 0)
        return regex_match(vcl_ref_regex(ctx, pattern->regex), subject);
    return subject.ptr != NULL && span_eq(subject, pattern->text);
}

/* Does the subject match a pattern of the set? `bits` are those of the set, or NULL. */
static int
match_member(struct policy_ctx *ctx, const struct policy_image *im, uint32_t set, uint32_t pattern,
             struct span subject, const uint64_t *bits)
{
    if (bits == NULL)
        return match_alone(ctx, &im->patterns[pattern], subject);
    unsigned place = pattern - im->pattern_sets[set].first;
    return pattern_set_test(ctx->policy->pattern_sets[set], subject, bits, place);
}

int32_t
vcl_pattern_test(struct policy_ctx *ctx, int64_t set, int64_t pattern, struct span subject)
{
    const struct policy_image *im = running_image(ctx);
    CHECK((uint64_t)set < im->n_pattern_sets);
    const struct image_pattern_set *of = &im->pattern_sets[set];
    CHECK((uint64_t)pattern - of->first < of->n_patterns);
    const uint64_t *bits = scanned(ctx, (uint32_t)set, subject)->bits;
    int result = match_member(ctx, im, (uint32_t)set, (uint32_t)pattern, subject, bits);
    if (result < 0)
        fail_match_limit(ctx);
    return result > 0;
}

/* ---- chains -------------------------------------------------------------------------------------------- */

#define NO_TEST UINT32_MAX
#define NEAR 4u /* bits to step over before the tests are searched */

/* The next test of one subject that may match. */
struct cursor {
    const struct image_chain_subject *of;
    const struct pattern_set *set;
    struct span subject;
    const struct pattern_result
        *result;    /* NULL: not scanned yet; without bits: there is no memory for them */
    uint32_t place; /* in the set, of the test with index 0 */
    uint32_t i;     /* index of of->tests */
    uint32_t test;  /* of->tests[i], or NO_TEST behind the last */
};

/* Moves the cursor to the first test from index i on that may match. */
static inline void
cursor_settle(struct cursor *c, uint32_t i)
{
    const struct pattern_result *r = c->result;
    if (r != NULL && r->bits != NULL) {
        uint32_t at = c->place + i;
        i = (r->first >= at ? r->first : pattern_set_next_bit(c->set, r->bits, at)) - c->place;
    }
    c->i = i;
    c->test = i < c->of->n_tests ? c->of->tests[i] : NO_TEST;
}

/* The index of the first test of the subject that is not before `start`. */
static uint32_t
first_test(const struct image_chain_subject *of, uint32_t start)
{
    uint32_t low = 0, high = of->n_tests;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (of->tests[middle] < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* A cursor at the first test that is not before `start`. A subject that was scanned before has few bits, so
 * some of these are stepped over before the tests are searched. */
static inline void
cursor_begin(struct cursor *c, const struct policy_ctx *ctx, const struct policy_image *im, uint32_t start)
{
    const struct image_chain_subject *of = c->of;
    const struct pattern_result *r = ctx->pattern_results == NULL ? &no_result
                                                                  : &ctx->pattern_results[of->set];
    c->set = ctx->policy->pattern_sets[of->set];
    c->place = of->first - im->pattern_sets[of->set].first;
    c->result = is_result_of(r, c->subject) ? r : NULL;
    cursor_settle(c, 0);
    for (unsigned steps = 0; c->test < start && c->result != NULL && steps < NEAR; steps++)
        cursor_settle(c, c->i + 1);
    if (c->test < start)
        cursor_settle(c, first_test(of, start));
}

/* The cursor whose test comes first in the chain. */
static struct cursor *
first_cursor(struct cursor *cursors, uint32_t n)
{
    struct cursor *first = cursors;
    for (struct cursor *c = cursors + 1; c < cursors + n; c++)
        if (c->test < first->test)
            first = c;
    return first;
}

/* Tries the cursor's test. 1: it matches. A subject is scanned when a test of it is the next one. */
static int
cursor_try(struct policy_ctx *ctx, const struct policy_image *im, struct cursor *c)
{
    int result = 0;
    if (c->result == NULL) {
        c->result = scanned(ctx, c->of->set, c->subject);
        cursor_settle(c, c->i);
        return 0;
    }
    result = match_member(ctx, im, c->of->set, c->of->first + c->i, c->subject, c->result->bits);
    if (result == 0)
        cursor_settle(c, c->i + 1);
    return result;
}

int64_t
vcl_pattern_next(struct policy_ctx *ctx, int64_t chain, int64_t start, const struct span *subjects, int64_t n)
{
    const struct policy_image *im = running_image(ctx);
    CHECK((uint64_t)chain < im->n_chains);
    const struct image_chain *of = &im->chains[chain];
    CHECK(n == of->n_subjects && (uint64_t)start <= of->n_tests);
    struct cursor cursors[CHAIN_SUBJECTS_MAX];
    for (uint32_t i = 0; i < of->n_subjects; i++) {
        cursors[i].of = &of->subjects[i];
        cursors[i].subject = subjects[i];
        cursor_begin(&cursors[i], ctx, im, (uint32_t)start);
    }
    struct cursor *c;
    while ((c = first_cursor(cursors, of->n_subjects))->test != NO_TEST) {
        uint32_t test = c->test;
        int result = cursor_try(ctx, im, c);
        if (result == 0)
            continue;
        ctx->site = of->sites[test];
        if (result < 0)
            fail_match_limit(ctx);
        return test;
    }
    ctx->site = of->sites[of->n_tests - 1];
    return of->n_tests;
}
