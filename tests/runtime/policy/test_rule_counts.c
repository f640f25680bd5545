/* Counters of rules: threads add up, new code for the same rules goes on counting, and the estimate of time
 * tells cheap rules from expensive ones. The hooks here do what compiled code does. */
#include <pthread.h>
#include <time.h>

#include "base/params.h"
#include "loop/fiber.h"
#include "support/image.h"

static const struct policy_env no_env;

enum { THE_SUB, CHEAP, DEAR, BOTH, N_RULES };

/* Heads in "vcl 4.1;", the text of image_sources. */
static const struct image_rule rules[N_RULES] = {
    { 0, 0, 3, 1, 3, 0 }, { 1, 4, 1, 7, 9, 0 }, { 1, 6, 1, 8, 9, 0 }, { 2, 0, 8, 12, 9, 0 }
};

static struct policy_image
image_with_rules(policy_hook_fn *recv)
{
    struct policy_image im = image_empty();
    im.rules = rules;
    im.n_rules = N_RULES;
    im.hooks[HOOK_RECV] = recv;
    return im;
}

static struct rule_counts *
counts_of(struct policy *p)
{
    return atomic_load(&p->code)->rules;
}

static void
take(struct policy_ctx *ctx, uint32_t rule)
{
    uint64_t *hits = &ctx->rule_hits[rule]; /* compiled code is unknown to ThreadSanitizer */
    __atomic_store_n(hits, *hits + 1, __ATOMIC_RELAXED);
}

static void
work_ns(nsec ns)
{
    struct timespec t;
    nsec began = -1, now;
    do {
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        now = (nsec)t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
        began = began < 0 ? now : began;
    } while (now - began < ns);
}

/* ---- threads ---- */

#define RUNS 2000

static struct policy *shared;
static atomic_int running;

static int32_t
hook_takes_two(struct policy_ctx *ctx)
{
    take(ctx, THE_SUB);
    take(ctx, CHEAP);
    return ACTION_PASS;
}

struct counting {
    struct post post;
    struct loop *loop;
    pthread_t thread;
};

static void
run_many(struct post *post)
{
    struct counting *c = container_of(post, struct counting, post);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, shared, c->loop, NULL);
    for (int i = 0; i < RUNS; i++)
        policy_run(&ctx, HOOK_RECV);
    atomic_fetch_sub(&running, 1);
    loop_stop(c->loop);
}

static void *
counting_thread(void *arg)
{
    struct counting *c = arg;
    loop_run(c->loop);
    mem_thread_release();
    return NULL;
}

static void
loops_and_other_threads_add_up(void)
{
    struct counting c[2] = { 0 };
    struct loop *loops[2];
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ_INT(loop_new((unsigned)i, &loops[i]), 0);
        c[i] = (struct counting){ .loop = loops[i], .post.fn = run_many };
    }
    struct policy_env env = { .n_loops = 2, .loops = loops };
    struct policy_image im = image_with_rules(hook_takes_two);
    shared = image_load(&env, &im);
    running = 2;
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ_INT(pthread_create(&c[i].thread, NULL, counting_thread, &c[i]), 0);
        loop_post(loops[i], &c[i].post);
    }
    uint64_t before = 0;
    while (atomic_load(&running) > 0) { /* read while they count */
        uint64_t now = rule_counts_sum(counts_of(shared), CHEAP).hits;
        EXPECT(now >= before && now <= 2 * RUNS);
        before = now;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(c[i].thread, NULL);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, shared, NULL, NULL);
    policy_run(&ctx, HOOK_RECV);
    policy_uncounted(&ctx);
    policy_run(&ctx, HOOK_RECV);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), CHEAP).hits, 2 * RUNS + 1);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), DEAR).hits, 0);
    EXPECT_EQ_INT(rule_counts_runs(counts_of(shared), HOOK_RECV), 2 * RUNS + 1);
    policy_unload(&shared);
    for (int i = 0; i < 2; i++)
        loop_release(&loops[i]);
}

/* ---- replaced code ---- */

static void
new_code_for_the_same_rules_goes_on_counting(void)
{
    static const struct image_rule others[N_RULES] = {
        { 0, 0, 3, 1, 3, 0 }, { 1, 4, 2, 7, 9, 0 }, { 1, 6, 1, 8, 9, 0 }, { 2, 0, 8, 12, 9, 0 }
    };
    struct policy_image one = image_with_rules(hook_takes_two), same = one, other = one;
    other.rules = others;
    struct policy *p = image_load(&no_env, &one);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, p, NULL, NULL);
    policy_run(&ctx, HOOK_RECV);
    char error[256];
    EXPECT_EQ_INT(policy_replace_with(p, &same, error, sizeof error), 0);
    policy_run(&ctx, HOOK_RECV);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(p), CHEAP).hits, 2);
    EXPECT_EQ_INT(policy_replace_with(p, &other, error, sizeof error), 0);
    policy_run(&ctx, HOOK_RECV);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(p), CHEAP).hits, 1);
    policy_unload(&p);
}

/* ---- time ---- */

#define DEAR_NS 40000
#define SUB_NS 10000

static unsigned turn;

/* Of six runs: two take nothing, two CHEAP, one DEAR, one both. */
static int32_t
hook_works(struct policy_ctx *ctx)
{
    unsigned kind = turn++ % 6;
    take(ctx, THE_SUB);
    work_ns(SUB_NS);
    if (kind == 1 || kind == 3 || kind == 5)
        take(ctx, CHEAP);
    if (kind >= 4) {
        take(ctx, DEAR);
        work_ns(DEAR_NS);
    }
    return ACTION_PASS;
}

static void
the_estimate_divides_the_time_of_a_hook_among_its_rules(void)
{
    struct policy_image im = image_with_rules(hook_works);
    params.rule_timing = 1;
    struct policy *p = image_load(&no_env, &im);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, p, NULL, NULL);
    for (int i = 0; i < 600; i++)
        policy_run(&ctx, HOOK_RECV);
    struct rule_sum sub = rule_counts_sum(counts_of(p), THE_SUB),
                    cheap = rule_counts_sum(counts_of(p), CHEAP), dear = rule_counts_sum(counts_of(p), DEAR),
                    never = rule_counts_sum(counts_of(p), BOTH);
    EXPECT_EQ_INT(sub.timed, 600);
    EXPECT_EQ_INT(cheap.timed, 300);
    EXPECT_EQ_INT(dear.timed, 200);
    EXPECT_EQ_INT(never.timed, 0);
    EXPECT(sub.ns > 0.7 * SUB_NS && sub.ns < 2.5 * SUB_NS);
    EXPECT(dear.ns > 0.7 * DEAR_NS && dear.ns < 1.5 * DEAR_NS);
    EXPECT(cheap.ns < 0.2 * DEAR_NS);
    policy_unload(&p);
    params.rule_timing = 1024;
}

static int32_t
hook_works_later(struct policy_ctx *ctx)
{
    take(ctx, THE_SUB);
    if (turn++ >= 40)
        work_ns(DEAR_NS);
    return ACTION_PASS;
}

/* The first runs seem to take no time at all, so that nothing is known about the errors. */
static void
a_hook_that_was_too_fast_to_be_timed_is_timed_later(void)
{
    struct policy_image im = image_with_rules(hook_works_later);
    params.rule_timing = 1;
    turn = 0;
    struct policy *p = image_load(&no_env, &im);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, p, NULL, NULL);
    for (int i = 0; i < 40; i++) {
        policy_run(&ctx, HOOK_RECV);
        counts_of(p)->slots[0].spread[HOOK_RECV] = 0; /* as if no run had an error */
    }
    for (int i = 0; i < 600; i++)
        policy_run(&ctx, HOOK_RECV);
    double ns = rule_counts_sum(counts_of(p), THE_SUB).ns;
    EXPECT(ns > 0.7 * DEAR_NS && ns < 2.5 * DEAR_NS);
    policy_unload(&p);
    params.rule_timing = 1024;
}

static void
without_timing_only_hits_are_counted(void)
{
    struct policy_image im = image_with_rules(hook_takes_two);
    struct policy_ctx ctx;
    params.rule_timing = 0;
    struct policy *p = image_load(&no_env, &im);
    policy_ctx_init(&ctx, p, NULL, NULL);
    for (int i = 0; i < 2100; i++) /* more than the distance at which the parameter is looked at */
        policy_run(&ctx, HOOK_RECV);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(p), CHEAP).hits, 2100);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(p), CHEAP).timed, 0);
    policy_unload(&p);
    params.rule_timing = 1024;
}

static struct fiber *sleeper;
static enum vcl_action slept;

static int32_t
hook_sleeps(struct policy_ctx *ctx)
{
    take(ctx, THE_SUB);
    sleeper = fiber_current();
    fiber_park();
    return ACTION_HASH;
}

static void
run_sleeper(void *loop)
{
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, shared, loop, NULL);
    slept = policy_run(&ctx, HOOK_RECV);
}

static void
spawn_sleeper(void *loop)
{
    EXPECT_EQ_INT(fiber_spawn(loop, run_sleeper, loop), 0);
}

static void
wake_sleeper(void *loop)
{
    work_ns(DEAR_NS); /* another request's work */
    fiber_wake(sleeper);
}

static void
a_run_that_was_suspended_is_not_timed(void)
{
    struct loop *loop = NULL;
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    struct policy_env env = { .n_loops = 1, .loops = &loop };
    struct policy_image im = image_with_rules(hook_sleeps);
    params.rule_timing = 1;
    shared = image_load(&env, &im);
    on_loop(loop, spawn_sleeper, loop);
    on_loop(loop, wake_sleeper, loop);
    while (slept == ACTION_NONE)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), THE_SUB).hits, 1);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), THE_SUB).timed, 0);
    policy_unload(&shared);
    loop_release(&loop);
    params.rule_timing = 1024;
}

static void
run_other(void *loop)
{
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, shared, loop, NULL);
    policy_run(&ctx, HOOK_HASH);
}

static void
runs_beside_a_suspended_one_keep_their_own_counts(void)
{
    struct loop *loop = NULL;
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    struct policy_env env = { .n_loops = 1, .loops = &loop };
    struct policy_image im = image_with_rules(hook_sleeps);
    im.hooks[HOOK_HASH] = hook_takes_two;
    params.rule_timing = 1;
    slept = ACTION_NONE;
    shared = image_load(&env, &im);
    on_loop(loop, spawn_sleeper, loop);
    on_loop(loop, run_other, loop);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), CHEAP).hits, 1);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), CHEAP).timed, 0); /* one run is timed at a time */
    on_loop(loop, wake_sleeper, loop);
    while (slept == ACTION_NONE)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), THE_SUB).hits, 2);
    on_loop(loop, run_other, loop);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), CHEAP).hits, 2);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), CHEAP).timed, 1);
    EXPECT_EQ_INT(rule_counts_sum(counts_of(shared), THE_SUB).hits, 3);
    policy_unload(&shared);
    loop_release(&loop);
    params.rule_timing = 1024;
}

/* ---- damaged images ---- */

static void
rules_outside_of_the_text_are_refused(void)
{
    static const struct image_rule damaged[] = {
        { 9, 0, 1, 1, 1, 0 }, { 0, 9, 0, 1, 1, 0 }, { 0, 1, 8, 1, 1, 0 }, { 0, 0, 1, 1, 1, 1 }
    };
    for (unsigned i = 0; i < sizeof damaged / sizeof *damaged; i++) {
        struct policy_image im = image_empty();
        struct policy *p = NULL;
        char error[256] = "";
        im.rules = &damaged[i];
        im.n_rules = 1;
        EXPECT_EQ_INT(policy_load_image(&no_env, SPAN_LIT("p"), &im, &p, error, sizeof error), ERR_SYNTAX);
        EXPECT(strstr(error, "a rule") != NULL);
        im.n_rules = IMAGE_RULES_MAX + 1;
        EXPECT_EQ_INT(policy_load_image(&no_env, SPAN_LIT("p"), &im, &p, error, sizeof error), ERR_SYNTAX);
    }
}

static const struct test tests[] = {
    { "loops_and_other_threads_add_up", loops_and_other_threads_add_up },
    { "new_code_for_the_same_rules_goes_on_counting", new_code_for_the_same_rules_goes_on_counting },
    { "the_estimate_divides_the_time_of_a_hook_among_its_rules",
      the_estimate_divides_the_time_of_a_hook_among_its_rules },
    { "a_hook_that_was_too_fast_to_be_timed_is_timed_later",
      a_hook_that_was_too_fast_to_be_timed_is_timed_later },
    { "without_timing_only_hits_are_counted", without_timing_only_hits_are_counted },
    { "a_run_that_was_suspended_is_not_timed", a_run_that_was_suspended_is_not_timed },
    { "runs_beside_a_suspended_one_keep_their_own_counts",
      runs_beside_a_suspended_one_keep_their_own_counts },
    { "rules_outside_of_the_text_are_refused", rules_outside_of_the_text_are_refused },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
