/* Tests of texts in pattern sets. A set has all patterns that a hook tries on one subject. The first test
 * scans the subject for all patterns, and the hook keeps the result for this value of the subject, known by
 * address and length: while a hook runs, nothing frees or changes the bytes of a text, and a changed variable
 * or field gets other bytes. */
#include "base/check.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

#define WORD_BITS 64u

/* The result of the newest scan of a set. */
struct pattern_result {
    struct span subject;
    uint64_t *bits; /* NULL: not scanned yet */
};

/* The image of the running hook. policy_image() may already be its successor. */
static const struct policy_image *
running_image(const struct policy_ctx *ctx)
{
    size_t offset = offsetof(struct policy_code, imports);
    return ((const struct policy_code *)(const void *)((const char *)ctx->imports - offset))->image;
}

/* NULL: the arena is full. */
static struct pattern_result *
result_of(struct policy_ctx *ctx, uint32_t set)
{
    if (ctx->pattern_results == NULL) {
        size_t bytes = ctx->policy->n_pattern_sets * sizeof *ctx->pattern_results;
        ctx->pattern_results = arena_try(ctx->arena, bytes);
        if (ctx->pattern_results == NULL)
            return NULL;
        memset(ctx->pattern_results, 0, bytes);
    }
    return &ctx->pattern_results[set];
}

/* The bits of the set for this subject. NULL: the arena is full, so patterns must be tried one by one. A
 * policy without pattern sets needs no memory for a match, so running out of it must not fail the hook. */
static const uint64_t *
bits_of(struct policy_ctx *ctx, uint32_t set, struct span subject)
{
    struct pattern_result *r = result_of(ctx, set);
    if (r == NULL)
        return NULL;
    if (r->bits != NULL && r->subject.ptr == subject.ptr && r->subject.len == subject.len)
        return r->bits;
    struct pattern_set *patterns = ctx->policy->pattern_sets[set];
    if (r->bits == NULL)
        r->bits = arena_try(ctx->arena, pattern_set_words(patterns) * sizeof *r->bits);
    if (r->bits == NULL)
        return NULL;
    r->subject = subject;
    pattern_set_scan(patterns, subject, r->bits);
    return r->bits;
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
    const uint64_t *bits = bits_of(ctx, (uint32_t)set, subject);
    int result = match_member(ctx, im, (uint32_t)set, (uint32_t)pattern, subject, bits);
    if (result < 0)
        fail_match_limit(ctx);
    return result > 0;
}

/* ---- chains -------------------------------------------------------------------------------------------- */

/* The next test of one subject that may match. */
struct cursor {
    const struct image_chain_subject *of;
    struct span subject;
    uint32_t i; /* index of of->tests; of->n_tests: no test is left */
    bool scanned;
    const uint64_t *bits;
};

/* Moves the cursor to the next test whose bit is set, if its own is not. */
static void
cursor_settle(struct cursor *c, const struct policy_image *im)
{
    if (c->bits == NULL)
        return;
    uint32_t first = c->of->first - im->pattern_sets[c->of->set].first, end = first + c->of->n_tests;
    for (uint32_t at = first + c->i; at < end; at = (at / WORD_BITS + 1) * WORD_BITS) {
        uint64_t left = c->bits[at / WORD_BITS] >> at % WORD_BITS;
        if (left != 0) {
            at += (uint32_t)__builtin_ctzll(left);
            c->i = (at < end ? at : end) - first;
            return;
        }
    }
    c->i = c->of->n_tests;
}

/* The first test of the subject that is not before `start`. */
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

/* The cursor whose test comes first in the chain; NULL if no test is left. */
static struct cursor *
first_cursor(struct cursor *cursors, uint32_t n)
{
    struct cursor *first = NULL;
    for (struct cursor *c = cursors; c < cursors + n; c++)
        if (c->i < c->of->n_tests && (first == NULL || c->of->tests[c->i] < first->of->tests[first->i]))
            first = c;
    return first;
}

/* Tries the cursor's test. 1: it matches. A subject is scanned when a test of it is the next one. */
static int
cursor_try(struct policy_ctx *ctx, const struct policy_image *im, struct cursor *c)
{
    int result = 0;
    if (!c->scanned) {
        c->bits = bits_of(ctx, c->of->set, c->subject);
        c->scanned = true;
    } else {
        result = match_member(ctx, im, c->of->set, c->of->first + c->i, c->subject, c->bits);
        c->i += result == 0;
    }
    if (result == 0)
        cursor_settle(c, im);
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
        const struct image_chain_subject *s = &of->subjects[i];
        cursors[i] = (struct cursor){ .of = s, .subject = subjects[i], .i = first_test(s, (uint32_t)start) };
    }
    struct cursor *c;
    while ((c = first_cursor(cursors, of->n_subjects)) != NULL) {
        uint32_t test = c->of->tests[c->i];
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
