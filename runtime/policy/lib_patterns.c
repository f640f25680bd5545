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

/* The code of the running hook. That of the policy may already be its successor. */
static inline const struct policy_code *
running_code(const struct policy_ctx *ctx)
{
    size_t offset = offsetof(struct policy_code, imports);
    return (const struct policy_code *)(const void *)((const char *)ctx->imports - offset);
}

static inline const struct policy_image *
running_image(const struct policy_ctx *ctx)
{
    return running_code(ctx)->image;
}

/* The result of the set for this subject, or NULL if the newest scan was of another text. */
static inline const struct pattern_result *
known_result(const struct policy_ctx *ctx, uint32_t set, struct span subject)
{
    const struct pattern_result *r = ctx->pattern_results;
    if (r == NULL)
        return NULL;
    r += set;
    return r->bits != NULL && r->subject.ptr == subject.ptr && r->subject.len == subject.len ? r : NULL;
}

/* false: the arena is full. */
static inline bool
make_results(struct policy_ctx *ctx)
{
    size_t bytes = ctx->policy->n_pattern_sets * sizeof *ctx->pattern_results;
    ctx->pattern_results = arena_try(ctx->arena, bytes);
    if (ctx->pattern_results == NULL)
        return false;
    memset(ctx->pattern_results, 0, bytes);
    return true;
}

/* Scans the subject. A result without bits means that the arena is full, so patterns must be tried one by
 * one. A policy without pattern sets needs no memory for a match, so running out of it must not fail the
 * hook. */
static const struct pattern_result *
scanned(struct policy_ctx *ctx, uint32_t set, struct span subject)
{
    if (ctx->pattern_results == NULL && !make_results(ctx))
        return &no_result;
    struct pattern_result *r = &ctx->pattern_results[set];
    struct pattern_set *patterns = ctx->policy->pattern_sets[set];
    if (r->bits == NULL)
        r->bits = arena_try(ctx->arena, pattern_set_words(patterns) * sizeof *r->bits);
    if (r->bits == NULL)
        return &no_result;
    r->subject = subject;
    r->first = pattern_set_scan(patterns, subject, r->bits);
    return r;
}

static inline const struct pattern_result *
result_of(struct policy_ctx *ctx, uint32_t set, struct span subject)
{
    const struct pattern_result *r = known_result(ctx, set, subject);
    return r != NULL ? r : scanned(ctx, set, subject);
}

/* 1, 0 or ERR_LIMIT, without a set. */
static int
match_alone(struct policy_ctx *ctx, const struct image_pattern *pattern, struct span subject)
{
    if (pattern->regex >= 0)
        return regex_match(vcl_ref_regex(ctx, pattern->regex), subject);
    return subject.ptr != NULL && span_eq(subject, pattern->text);
}

/* Does the subject match the pattern at this place of the set? `bits` are those of the set, or NULL. */
static inline int
match_member(struct policy_ctx *ctx, uint32_t set, uint32_t place, struct span subject, const uint64_t *bits)
{
    if (bits != NULL)
        return pattern_set_test(ctx->policy->pattern_sets[set], subject, bits, place);
    const struct policy_image *im = running_image(ctx);
    return match_alone(ctx, &im->patterns[im->pattern_sets[set].first + place], subject);
}

int32_t
vcl_pattern_test(struct policy_ctx *ctx, int64_t set, int64_t pattern, struct span subject)
{
    const struct policy_image *im = running_image(ctx);
    CHECK((uint64_t)set < im->n_pattern_sets);
    const struct image_pattern_set *of = &im->pattern_sets[set];
    CHECK((uint64_t)pattern - of->first < of->n_patterns);
    const uint64_t *bits = result_of(ctx, (uint32_t)set, subject)->bits;
    int result = match_member(ctx, (uint32_t)set, (uint32_t)pattern - of->first, subject, bits);
    if (result < 0)
        fail_match_limit(ctx);
    return result > 0;
}

/* ---- chains -------------------------------------------------------------------------------------------- */

#define NO_TEST UINT32_MAX
#define NEAR 4u /* bits to step over before the tests are searched */

/* The tests of one subject of a chain, for one value of the subject. */
struct candidates {
    const struct image_chain_subject *of;
    const struct pattern_set *set;
    const struct pattern_result *result; /* without bits: there is no memory for them */
    uint32_t i;                          /* index of of->tests */
    uint32_t until;                      /* the first test of another subject that may match */
};

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

static inline uint32_t
test_at(const struct image_chain_subject *of, uint32_t i)
{
    return i < of->n_tests ? of->tests[i] : NO_TEST;
}

/* The place in the set of the first pattern from `at` on that may match. */
static inline uint32_t
next_place(const struct pattern_set *set, const struct pattern_result *r, uint32_t at)
{
    if (r->bits == NULL || r->first < at)
        return r->bits == NULL ? at : pattern_set_next_bit(set, r->bits, at);
    return r->first;
}

/* The index of the first test from index i on that may match. */
static inline uint32_t
next_index(const struct candidates *c, uint32_t i)
{
    return next_place(c->set, c->result, c->of->place + i) - c->of->place;
}

/* The first test of the subject that is not before `start` and may match. A scanned subject has few bits, so
 * some of these are stepped over before the tests are searched. */
static inline uint32_t
first_candidate(struct candidates *c, uint32_t start)
{
    c->i = next_index(c, 0);
    for (unsigned steps = 0; test_at(c->of, c->i) < start; steps++)
        c->i = next_index(c, steps < NEAR && c->result->bits != NULL ? c->i + 1 : first_test(c->of, start));
    return test_at(c->of, c->i);
}

/* The first test of the chain from `start` on that may match, or NO_TEST. A subject is not scanned if its
 * tests all come later than a test that was found. */
static uint32_t
find_candidate(struct policy_ctx *ctx, const struct image_chain *chain, uint32_t start,
               const struct span *subjects, struct candidates *found)
{
    uint32_t least = NO_TEST, next = NO_TEST;
    for (uint32_t s = 0; s < chain->n_subjects; s++) {
        struct candidates c = { .of = &chain->subjects[s] };
        uint32_t test;
        c.result = known_result(ctx, c.of->set, subjects[s]);
        if (c.result == NULL) {
            test = test_at(c.of, start == 0 ? 0 : first_test(c.of, start));
            if (test >= least) {
                next = test < next ? test : next;
                continue;
            }
            c.result = scanned(ctx, c.of->set, subjects[s]);
        }
        c.set = ctx->policy->pattern_sets[c.of->set];
        test = first_candidate(&c, start);
        if (test < least) {
            next = least;
            least = test;
            *found = c;
        } else if (test < next) {
            next = test;
        }
    }
    found->until = next;
    return least;
}

/* May a test of the chain match? Scans subjects until one may. Most requests of a policy with many rules
 * match none, so this answer takes no search. */
static inline bool
may_match(struct policy_ctx *ctx, const struct image_chain *chain, const struct span *subjects)
{
    for (uint32_t s = 0; s < chain->n_subjects; s++) {
        const struct image_chain_subject *of = &chain->subjects[s];
        if (result_of(ctx, of->set, subjects[s])->first < of->place + of->n_tests)
            return true;
    }
    return false;
}

/* The first test of the chain from `start` on that matches, or the number of tests. */
static __attribute__((noinline)) uint32_t
next_match(struct policy_ctx *ctx, const struct image_chain *chain, uint32_t start,
           const struct span *subjects)
{
    struct candidates c;
    uint32_t test = start;
    while ((test = find_candidate(ctx, chain, test, subjects, &c)) != NO_TEST) {
        struct span subject = subjects[c.of - chain->subjects];
        for (; test < c.until; test = test_at(c.of, c.i = next_index(&c, c.i + 1))) {
            int result = match_member(ctx, c.of->set, c.of->place + c.i, subject, c.result->bits);
            if (result == 0)
                continue;
            if (result < 0) {
                ctx->site = chain->tests[test].site;
                fail_match_limit(ctx);
            }
            return test;
        }
        test = c.until;
        if (test == NO_TEST)
            break;
    }
    return chain->n_tests;
}

/* The same for a chain of one subject. Its tests are in the order of the chain, so their numbers, which are
 * seldom in a cache, are not read. */
static __attribute__((noinline)) uint32_t
next_match_of_one(struct policy_ctx *ctx, const struct image_chain *chain, uint32_t start,
                  struct span subject)
{
    const struct image_chain_subject *of = chain->subjects;
    const struct pattern_result *r = result_of(ctx, of->set, subject);
    const struct pattern_set *set = ctx->policy->pattern_sets[of->set];
    uint32_t end = of->place + of->n_tests;
    for (uint32_t at = next_place(set, r, of->place + start); at < end; at = next_place(set, r, at + 1)) {
        int result = match_member(ctx, of->set, at, subject, r->bits);
        if (result < 0) {
            ctx->site = chain->tests[at - of->place].site;
            fail_match_limit(ctx);
        }
        if (result != 0)
            return at - of->place;
    }
    return chain->n_tests;
}

static inline bool
has_one_subject(const struct image_chain *chain)
{
    return chain->n_subjects == 1 && chain->subjects->n_tests == chain->n_tests;
}

static inline uint32_t
next_test(struct policy_ctx *ctx, const struct image_chain *chain, uint32_t start,
          const struct span *subjects)
{
    if (start == 0 && !may_match(ctx, chain, subjects))
        return chain->n_tests;
    return has_one_subject(chain) ? next_match_of_one(ctx, chain, start, subjects[0])
                                  : next_match(ctx, chain, start, subjects);
}

static void
make_change(struct policy_ctx *ctx, const struct image_change *change)
{
    const struct http_message *m = ctx->msg[change->msg];
    ctx->site = change->site;
    if (change->kind == IMAGE_CHANGE_SET)
        vcl_header_set(ctx, change->msg, change->name, span_of((const char *)(change + 1), change->len));
    else if (change->kind == IMAGE_CHANGE_SET_UNSET)
        vcl_header_set(ctx, change->msg, change->name, SPAN_NULL);
    else if (m == NULL || !message_lacks(m, ctx->names[change->name]))
        vcl_header_unset(ctx, change->msg, change->name);
}

/* Only this thread writes the counter, and any may read it. */
static inline void
count_rule(struct policy_ctx *ctx, uint32_t rule)
{
    uint64_t *hits = &ctx->rule_hits[rule];
    __atomic_store_n(hits, *hits + 1, __ATOMIC_RELAXED);
}

/* Executes a body that is data. Returns the place where the chain goes on; any, if the hook has failed. */
static uint32_t
run_row(struct policy_ctx *ctx, const struct image_row *row)
{
    const char *at = (const char *)(row + 1);
    if (row->rule != IMAGE_NO_RULE)
        count_rule(ctx, row->rule);
    for (unsigned n = row->n_changes; n > 0; n--) {
        const struct image_change *change = (const struct image_change *)(const void *)at;
        make_change(ctx, change);
        if (ctx->failed)
            return IMAGE_EXIT;
        at += image_change_bytes(change);
    }
    ctx->site = row->site;
    return row->next;
}

/* The exit with which the chain ends, after it was tried from test `start` on. */
int64_t
vcl_pattern_next(struct policy_ctx *ctx, int64_t chain, int64_t start, const struct span *subjects, int64_t n)
{
    const struct policy_code *code = running_code(ctx);
    CHECK((uint64_t)chain < code->n_chains);
    const struct image_chain *of = &code->chains[chain];
    CHECK(n == of->n_subjects && (uint64_t)start <= of->n_tests);
    uint32_t at = (uint32_t)start;
    while ((at & IMAGE_EXIT) == 0) {
        uint32_t found = next_test(ctx, of, at, subjects);
        const struct image_chain_test *test = &of->tests[found < of->n_tests ? found : found - 1];
        ctx->site = test->site;
        if (found == of->n_tests || ctx->failed)
            return of->n_exits;
        at = test->body;
        if ((at & IMAGE_EXIT) == 0)
            at = run_row(ctx, (const struct image_row *)(const void *)(of->rows + at));
    }
    return at & ~IMAGE_EXIT;
}
