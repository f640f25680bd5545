/* Bodies of tests that are rows of an image: the changes they make, how their chain goes on, and what the
 * loader refuses. */
#include "support/image.h"

typedef int64_t next_fn(struct policy_ctx *, int64_t, int64_t, const struct span *, int64_t);

/* The chain: "a", "b" (code), "a", "c". Rows count rules and change fields of the request. */
static const struct span names[] = { { "x-set", 5 }, { "x-gone", 6 } };
static const struct image_pattern patterns[] = {
    { .regex = -1, .text = { "a", 1 } },
    { .regex = -1, .text = { "b", 1 } },
    { .regex = -1, .text = { "a", 1 } },
    { .regex = -1, .text = { "c", 1 } },
};
static const struct image_pattern_set set = { 0, 4 };
static const uint32_t in_order[] = { 0, 1, 2, 3 };
static const struct image_chain_subject subject = { 0, 0, in_order, 4 };
static const struct image_site sites[20];
static const struct image_rule image_rules[3];

struct rows {
    struct image_row first; /* of test 0: sets x-set to "one", removes x-gone, goes on at test 1 */
    struct image_change set;
    char text[4];
    struct image_change remove;
    struct image_row second; /* of test 2: sets x-set to an unset text, leaves by exit 1 */
    struct image_change set_unset;
    struct image_row third; /* of test 3: counts no rule, ends the chain */
};

static const struct rows good_rows = {
    .first = { .rule = 1, .next = 1, .site = 12, .n_changes = 2 },
    .set = { .site = 11, .name = 0, .len = 3, .msg = MSG_REQ, .kind = IMAGE_CHANGE_SET },
    .text = "one",
    .remove = { .site = 12, .name = 1, .msg = MSG_REQ, .kind = IMAGE_CHANGE_REMOVE },
    .second = { .rule = 2, .next = IMAGE_EXIT | 1, .site = 13, .n_changes = 1 },
    .set_unset = { .site = 13, .name = 0, .msg = MSG_REQ, .kind = IMAGE_CHANGE_SET_UNSET },
    .third = { .rule = IMAGE_NO_RULE, .next = IMAGE_EXIT | 2, .site = 14 },
};
static struct rows rows;
static const struct image_chain_test chain_tests[] = {
    { 1, 0 },
    { 2, IMAGE_EXIT },
    { 3, offsetof(struct rows, second) },
    { 4, offsetof(struct rows, third) },
};
static struct image_chain chain;
static uint32_t i_next;
static int32_t (*body)(struct policy_ctx *ctx);

static int32_t
hook_body(struct policy_ctx *ctx)
{
    return body(ctx);
}

static struct policy_image
image_with_rows(void)
{
    struct policy_image im = image_empty();
    rows = good_rows;
    chain = (struct image_chain){ &subject, chain_tests, (const char *)&rows, 1, 4, 2, sizeof rows };
    i_next = image_import(&im, "pattern_next", "INT(INT,INT,SPANS,INT)");
    im.names = names;
    im.n_names = 2;
    im.patterns = patterns;
    im.n_patterns = 4;
    im.pattern_sets = &set;
    im.n_pattern_sets = 1;
    im.sites = sites;
    im.n_sites = 20;
    im.rules = image_rules;
    im.n_rules = 3;
    im.chains = &chain;
    im.n_chains = 1;
    im.hooks[HOOK_RECV] = hook_body;
    return im;
}

static enum vcl_action
run(int32_t (*code)(struct policy_ctx *ctx), struct policy_ctx *ctx)
{
    static const struct policy_env no_env;
    struct policy_image im = image_with_rows();
    struct policy *p = image_load(&no_env, &im);
    struct arena a;
    arena_init(&a, 0);
    policy_ctx_init(ctx, p, NULL, &a);
    body = code;
    enum vcl_action action = policy_run(ctx, HOOK_RECV);
    arena_release(&a);
    policy_unload(&p);
    return action;
}

static int64_t
next(struct policy_ctx *ctx, int64_t start, const char *text)
{
    struct span one = span_str(text);
    return IMPORTED(ctx, i_next, next_fn)(ctx, 0, start, &one, 1);
}

static void
make_request(struct policy_ctx *ctx, struct http_message *m, unsigned room)
{
    EXPECT_EQ_INT(message_init(m, ctx->arena, room), 0);
    EXPECT_EQ_INT(message_add(m, ctx->names[1], names[1], SPAN_LIT("old")), 0);
    ctx->msg[MSG_REQ] = m;
}

static int32_t
hook_runs_rows(struct policy_ctx *ctx)
{
    struct http_message m;
    make_request(ctx, &m, 8);
    uint64_t *hits = ctx->rule_hits;
    EXPECT_EQ_INT(next(ctx, 1, "a"), 1); /* test 2 leaves by its exit */
    EXPECT_EQ_INT(ctx->site, 13);
    EXPECT_EQ_SPAN(message_get(&m, ctx->names[0]), SPAN_LIT(""));
    EXPECT_EQ_SPAN(message_get(&m, ctx->names[1]), SPAN_LIT("old"));
    EXPECT(hits[1] == 0 && hits[2] == 1);
    EXPECT_EQ_INT(next(ctx, 0, "a"), 1); /* test 0, then test 2 */
    EXPECT(hits[1] == 1 && hits[2] == 2);
    EXPECT(message_get(&m, ctx->names[1]).ptr == NULL);
    EXPECT_EQ_INT(next(ctx, 0, "b"), 0); /* the exit to the code of test 1 */
    EXPECT_EQ_INT(ctx->site, 2);
    EXPECT_EQ_INT(next(ctx, 0, "c"), 2); /* the end, by a row: its last statement */
    EXPECT_EQ_INT(ctx->site, 14);
    EXPECT_EQ_INT(next(ctx, 0, "d"), 2); /* the end without a match: the last test */
    EXPECT_EQ_INT(ctx->site, 4);
    EXPECT(hits[1] == 1 && hits[2] == 2 && !ctx->failed);
    ctx->msg[MSG_REQ] = NULL;
    return ACTION_OK;
}

static void
rows_count_change_and_go_on(void)
{
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(hook_runs_rows, &ctx), ACTION_OK);
}

static int32_t
hook_fails_in_a_row(struct policy_ctx *ctx)
{
    struct http_message m;
    make_request(ctx, &m, 1);
    next(ctx, 0, "a");
    EXPECT(ctx->failed);
    EXPECT_EQ_SPAN(message_get(&m, ctx->names[1]), SPAN_LIT("old")); /* the next change is not made */
    EXPECT_EQ_INT(ctx->rule_hits[2], 0);                             /* nor does the chain go on */
    ctx->msg[MSG_REQ] = NULL;
    return ACTION_OK;
}

static void
a_change_that_fails_ends_the_row_at_its_statement(void)
{
    struct policy_ctx ctx;
    EXPECT_EQ_INT(run(hook_fails_in_a_row, &ctx), ACTION_FAIL);
    EXPECT_EQ_INT(ctx.site, 11);
}

static void
expect_refused(const struct policy_image *im, unsigned row)
{
    static const struct policy_env no_env;
    struct policy *p = NULL;
    char error[256] = "";
    if (!EXPECT(policy_load_image(&no_env, SPAN_LIT("p"), im, &p, error, sizeof error) != 0))
        policy_unload(&p);
    if (!EXPECT(strstr(error, "a chain of tests") != NULL))
        fprintf(stderr, "  row %u: error is: %s\n", row, error);
}

static void
damaged_rows_are_refused(void)
{
    for (unsigned i = 0; i < 12; i++) {
        struct policy_image im = image_with_rows();
        struct image_chain_test bad[4];
        memcpy(bad, chain_tests, sizeof bad);
        chain.tests = bad;
        switch (i) {
        case 0: rows.first.rule = 3; break;
        case 1: rows.first.next = 0; break; /* back */
        case 2: rows.first.next = 4; break;
        case 3: rows.second.next = IMAGE_EXIT | 3; break;
        case 4: rows.set.name = 2; break;
        case 5: rows.set.msg = MSG_COUNT; break;
        case 6: rows.set.kind = IMAGE_CHANGE_COUNT; break;
        case 7: rows.set.len = UINT16_MAX; break;
        case 8: rows.third.n_changes = 1; break;
        case 9: bad[0].body = 2; break;
        case 10: bad[0].body = sizeof rows; break;
        default: chain.rows_bytes -= 4; break;
        }
        expect_refused(&im, i);
    }
}

static const struct test tests[] = {
    { "rows_count_change_and_go_on", rows_count_change_and_go_on },
    { "a_change_that_fails_ends_the_row_at_its_statement",
      a_change_that_fails_ends_the_row_at_its_statement },
    { "damaged_rows_are_refused", damaged_rows_are_refused },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
