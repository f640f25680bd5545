/* Loading: all checks before a policy exists, the rights of vcl_init, replacing code, counting uses. */
#include <dlfcn.h>
#include <pthread.h>
#include <unistd.h>

#include "loop/fiber.h"
#include "support/image.h"

static const struct policy_env no_env;

static void
expect_refused(const struct policy_image *im, const char *why)
{
    struct policy *p = NULL;
    char error[512] = "";
    EXPECT(policy_load_image(&no_env, SPAN_LIT("p"), im, &p, error, sizeof error) < 0);
    EXPECT(p == NULL);
    if (!EXPECT(strstr(error, why) != NULL))
        fprintf(stderr, "  error is: %s\n  wanted: %s\n", error, why);
}

static void
an_empty_policy_loads_and_unloads(void)
{
    struct policy_image im = image_empty();
    struct policy *p = image_load(&no_env, &im);
    EXPECT_EQ_STR(policy_name(p), "p");
    EXPECT(policy_image(p) == &im);
    EXPECT(policy_default_director(p) != NULL);
    /* without a declared backend it is always sick */
    EXPECT(!director_healthy(policy_default_director(p), NULL));
    policy_unload(&p);
    EXPECT(p == NULL);
}

static void
what_is_no_image_is_refused(void)
{
    struct policy_image im = image_empty();
    im.magic++;
    expect_refused(&im, "magic");
    im = image_empty();
    im.abi_version++;
    expect_refused(&im, "version 2 of the policy contract");
    im = image_empty();
    im.abi_digest[31] ^= 1;
    expect_refused(&im, "another build");
    im = image_empty();
    im.hooks[HOOK_HIT] = NULL;
    expect_refused(&im, "a hook is missing");
    im = image_empty();
    im.n_regexes = 1;
    expect_refused(&im, "table");
    im = image_empty();
    im.default_backend = 0;
    expect_refused(&im, "default backend");
}

static void
an_import_the_runtime_lacks_is_named(void)
{
    struct policy_image im = image_empty();
    image_import(&im, "get_req_url", "STRING()");
    image_import(&im, "get_req_shoe_size", "INT()");
    expect_refused(&im, "\"get_req_shoe_size\"");
}

static void
an_import_with_another_signature_is_named(void)
{
    struct policy_image im = image_empty();
    image_import(&im, "get_req_url", "INT()");
    expect_refused(&im, "\"get_req_url\" with another signature than this runtime's STRING()");
}

static void
a_bad_header_name_is_named(void)
{
    struct policy_image im = image_empty();
    static const struct span names[] = { { "host", 4 }, { "a b", 3 } };
    im.names = names;
    im.n_names = 2;
    expect_refused(&im, "\"a b\"");
}

static void
a_bad_regex_is_named_with_its_place(void)
{
    struct policy_image im = image_empty();
    static const struct span regexes[] = { { "ok", 2 }, { "a(b", 3 } };
    im.regexes = regexes;
    im.n_regexes = 2;
    expect_refused(&im, "\"a(b\"");
}

static void
a_host_without_address_is_named_with_its_line(void)
{
    struct policy_image im = image_empty();
    static const struct image_backend backends[] = {
        { .name = { "be", 2 }, .host = { "no-such-host.invalid", 20 }, .probe = -1, .site = 1 },
    };
    im.backends = backends;
    im.n_backends = 1;
    im.default_backend = 0;
    expect_refused(&im, "a.vcl:7: backend \"be\": host \"no-such-host.invalid\"");
}

static void
a_port_above_65535_is_refused(void)
{
    struct policy_image im = image_empty();
    static const struct image_backend backends[] = {
        { .name = { "be", 2 }, .host = { "127.0.0.1", 9 }, .port = { "65616", 5 }, .probe = -1, .site = 1 },
    };
    im.backends = backends;
    im.n_backends = 1;
    expect_refused(&im, "port 65616 is above 65535");
}

static void
a_port_given_with_the_host_counts(void)
{
    struct policy_image im = image_empty();
    static const struct image_backend backends[] = {
        { .name = { "be", 2 }, .host = { "[::1]:65616", 11 }, .port = { "80", 2 }, .probe = -1, .site = 1 },
    };
    im.backends = backends;
    im.n_backends = 1;
    expect_refused(&im, "port 65616 is above 65535");
}

static void
a_port_alone_is_of_this_machine(void)
{
    struct policy_image im = image_empty();
    static const struct image_backend backends[] = {
        { .name = { "here", 4 }, .host = { ":8080", 5 }, .probe = -1, .site = 1 },
        { .name = { "be", 2 }, .host = { "", 0 }, .probe = -1, .site = 1 },
    };
    im.backends = backends;
    im.n_backends = 2;
    expect_refused(&im, "backend \"be\": host or port is missing");
}

static void
a_window_over_64_is_refused(void)
{
    struct policy_image im = image_empty();
    static const struct image_probe probes[] = { { .name = { "pr", 2 }, .window = 65, .threshold = 3 } };
    im.probes = probes;
    im.n_probes = 1;
    expect_refused(&im, "probe \"pr\"");
}

static void
files_that_are_no_policies_are_refused(void)
{
    struct policy *p = NULL;
    char error[512];
    EXPECT_EQ_INT(policy_load(&no_env, SPAN_LIT("p"), "/nonexistent/x.so", &p, error, sizeof error), ERR_SYS);
    EXPECT(strstr(error, "/nonexistent/x.so") != NULL);
    EXPECT_EQ_INT(policy_load(&no_env, SPAN_LIT("p"), "libm.so.6", &p, error, sizeof error),
                  ERR_SYS); /* not in the library path */
    EXPECT(p == NULL);
}

/* ---- init and fini ---- */

static unsigned fini_runs;

static int32_t
hook_init_fails(struct policy_ctx *ctx)
{
    ctx->site = 2;
    vcl_fail(ctx, "not today");
    return ACTION_OK;
}

static int32_t
hook_init_returns_fail(struct policy_ctx *ctx)
{
    ctx->ret.text = SPAN_LIT("because");
    return ACTION_FAIL;
}

static int32_t
hook_fini_counts(struct policy_ctx *ctx)
{
    EXPECT_EQ_INT(ctx->hook, HOOK_FINI);
    fini_runs++;
    return ACTION_OK;
}

static void
a_failed_init_says_where_and_runs_no_fini(void)
{
    struct policy_image im = image_empty();
    fini_runs = 0;
    im.hooks[HOOK_INIT] = hook_init_fails;
    im.hooks[HOOK_FINI] = hook_fini_counts;
    expect_refused(&im, "Message:\n\tnot today\nvcl_init failed at a.vcl:12:5");
    im.hooks[HOOK_INIT] = hook_init_returns_fail;
    expect_refused(&im, "because");
    EXPECT_EQ_INT(fini_runs, 0);
    im.hooks[HOOK_INIT] = hook_ok;
    struct policy *p = image_load(&no_env, &im);
    policy_unload(&p);
    EXPECT_EQ_INT(fini_runs, 1);
}

/* A module of the test, whose objects are directors without members. */
static void *
our_new(struct policy_ctx *ctx)
{
    static const struct director_ops ops = { .type = "ours" };
    struct director *d = mem_zalloc(sizeof *d);
    d->ops = &ops;
    policy_add_director(ctx->policy, d);
    return d;
}

static void
our_fini(struct policy_ctx *ctx, void *instance)
{
    free(instance);
}

static const struct policy_export our_rows[] = {
    { "ours_object_new", "INSTANCE()", (export_fn *)our_new },
    { "ours_object_fini", "VOID(INSTANCE)", (export_fn *)our_fini },
};
static const struct export_table our_table = EXPORT_TABLE(our_rows);

static uint32_t i_new, i_set, i_fini;

typedef void *new_fn(struct policy_ctx *);
typedef void set_fn(struct policy_ctx *, int64_t, void *);
typedef void *ref_fn(struct policy_ctx *, int64_t);

static void
note_name(struct director *d, void *arg)
{
    snprintf(arg, 16, "%.*s", (int)d->name.len, d->name.ptr);
}

static struct policy_image
image_with_director(void)
{
    static const struct image_instance instances[] = { { .name = { "www", 3 },
                                                         .kind = { "ours.object", 11 } } };
    static struct image_instance with_fini[1];
    struct policy_image im = image_empty();
    i_new = image_import(&im, "ours_object_new", "INSTANCE()");
    i_set = image_import(&im, "set_instance", "VOID(INT,INSTANCE)");
    i_fini = image_import(&im, "ours_object_fini", "VOID(INSTANCE)");
    with_fini[0] = instances[0];
    with_fini[0].fini_import = (int32_t)i_fini;
    im.instances = with_fini;
    im.n_instances = 1;
    return im;
}

static int32_t
hook_init_makes_named(struct policy_ctx *ctx)
{
    IMPORTED(ctx, i_set, set_fn)(ctx, 0, IMPORTED(ctx, i_new, new_fn)(ctx));
    return ACTION_OK;
}

static int32_t
hook_init_makes_it_twice(struct policy_ctx *ctx)
{
    IMPORTED(ctx, i_set, set_fn)(ctx, 0, IMPORTED(ctx, i_new, new_fn)(ctx));
    IMPORTED(ctx, i_set, set_fn)(ctx, 0, IMPORTED(ctx, i_new, new_fn)(ctx));
    return ACTION_OK;
}

static void
an_object_made_twice_fails_the_load_and_leaks_nothing(void)
{
    struct policy_image im = image_with_director();
    im.hooks[HOOK_INIT] = hook_init_makes_it_twice;
    expect_refused(&im, "created twice");
}

static void
a_director_has_the_name_of_its_object(void)
{
    struct policy_image im = image_with_director();
    im.hooks[HOOK_INIT] = hook_init_makes_named;
    struct policy *p = image_load(&no_env, &im);
    char name[16] = "";
    policy_each_director(p, note_name, name);
    EXPECT_EQ_STR(span_str(name), "www");
    EXPECT(policy_find_director(p, SPAN_LIT("www")) != NULL);
    EXPECT(policy_find_director(p, SPAN_LIT("xxx")) == NULL);
    policy_unload(&p);
}

static int32_t
hook_init_uses_it(struct policy_ctx *ctx)
{
    ref_fn *ref = (ref_fn *)export_find(SPAN_LIT("ref_instance"))->fn;
    EXPECT(ref(ctx, 0) == NULL);
    return ACTION_OK;
}

static void
an_object_used_before_it_was_made_fails(void)
{
    struct policy_image im = image_with_director();
    im.hooks[HOOK_INIT] = hook_init_uses_it;
    expect_refused(&im, "Message:\n\tan object is used before it was made\n");
}

static void
an_object_that_no_branch_made_fails_the_load(void)
{
    struct policy_image im = image_with_director();
    im.hooks[HOOK_INIT] = hook_ok;
    expect_refused(&im, "Message:\n\tObject www not initialized\n");
}

/* ---- hooks ---- */

static int32_t
hook_fails_late(struct policy_ctx *ctx)
{
    ctx->site = 3;
    vcl_fail(ctx, "first");
    ctx->site = 4;
    vcl_fail(ctx, "second");
    return ACTION_DELIVER;
}

static int32_t
hook_returns_nonsense(struct policy_ctx *ctx)
{
    return 99;
}

static void
a_failed_hook_gives_fail_whatever_it_returns(void)
{
    struct policy_image im = image_empty();
    im.hooks[HOOK_RECV] = hook_fails_late;
    im.hooks[HOOK_HIT] = hook_returns_nonsense;
    struct policy *p = image_load(&no_env, &im);
    struct arena a = { 0 };
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, p, NULL, &a);
    ctx.ret.status = 404;
    EXPECT_EQ_INT(policy_run(&ctx, HOOK_RECV), ACTION_FAIL);
    EXPECT_EQ_STR(span_str(ctx.failed_why), "first");
    EXPECT_EQ_INT(ctx.site, 3);
    EXPECT_EQ_INT(ctx.ret.status, 0);
    EXPECT_EQ_INT(policy_run(&ctx, HOOK_HIT), ACTION_FAIL);
    EXPECT(ctx.failed_why == NULL);
    EXPECT_EQ_INT(policy_run(&ctx, HOOK_DELIVER), ACTION_DELIVER);
    EXPECT(ctx.ret.seconds < 0);
    policy_unload(&p);
}

/* ---- replacing ---- */

static int32_t
hook_pass(struct policy_ctx *ctx)
{
    return ACTION_PASS;
}

static void
code_is_replaced_under_the_same_state(void)
{
    struct policy_image one = image_with_director(), two;
    one.hooks[HOOK_INIT] = hook_init_makes_named;
    one.hooks[HOOK_FINI] = hook_fini_counts;
    two = one;
    two.hooks[HOOK_RECV] = hook_pass;
    two.hooks[HOOK_INIT] = hook_init_fails; /* does not run again */
    fini_runs = 0;
    struct policy *p = image_load(&no_env, &one);
    struct director *www = policy_find_director(p, SPAN_LIT("www"));
    char error[256];
    EXPECT_EQ_INT(policy_replace_with(p, &two, error, sizeof error), 0);
    EXPECT(policy_image(p) == &two);
    EXPECT(policy_find_director(p, SPAN_LIT("www")) == www);
    EXPECT_EQ_INT(fini_runs, 0);
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, p, NULL, NULL);
    EXPECT_EQ_INT(policy_run(&ctx, HOOK_RECV), ACTION_PASS);
    struct policy_image other = two;
    other.interface_digest[0] ^= 1;
    EXPECT_EQ_INT(policy_replace_with(p, &other, error, sizeof error), ERR_SYNTAX);
    EXPECT(strstr(error, "declarations differ") != NULL);
    policy_unload(&p);
    EXPECT_EQ_INT(fini_runs, 1);
}

static void
backends_and_their_health_survive_a_replacement(void)
{
    static const struct policy_env env;
    static const struct image_probe probes[] = {
        { .name = { "pr", 2 }, .window = 4, .threshold = 2, .initial = 2 }
    };
    static const struct image_backend backends[] = {
        { .name = { "be", 2 }, .host = { "127.0.0.1", 9 }, .probe = 0 }
    };
    struct policy_image one = image_empty();
    one.probes = probes;
    one.backends = backends;
    one.n_probes = one.n_backends = 1;
    one.default_backend = 0;
    struct policy *p = image_load(&env, &one);
    struct backend *before = director_backend(policy_default_director(p));
    EXPECT(director_healthy(policy_default_director(p), NULL));
    backend_set_admin(before, BACKEND_SICK);
    struct policy_image two = one;
    char error[256];
    EXPECT_EQ_INT(policy_replace_with(p, &two, error, sizeof error), 0);
    EXPECT(director_backend(policy_default_director(p)) == before);
    EXPECT(backend_admin_state(before) == BACKEND_SICK);
    struct probe_view view;
    backend_probe_view(before, &view);
    EXPECT_EQ_INT(view.good, 2);
    policy_unload(&p);
}

/* ---- with loops: old code is unmapped only when no loop can be inside ---- */

static struct fiber *sleeper;
static bool woke;

static int32_t
hook_sleeps(struct policy_ctx *ctx)
{
    sleeper = fiber_current();
    while (!woke)
        fiber_park();
    return ACTION_HASH;
}

static struct policy *shared;
static enum vcl_action slept_action;

static void
run_sleeper(void *loop)
{
    struct policy_ctx ctx;
    policy_ctx_init(&ctx, shared, loop, NULL);
    slept_action = policy_run(&ctx, HOOK_RECV);
}

static void
begin_request(void *loop)
{
    policy_ref(shared, loop);
    EXPECT_EQ_INT(fiber_spawn(loop, run_sleeper, loop), 0);
}

static void
wake_sleeper(void *loop)
{
    woke = true;
    fiber_wake(sleeper);
}

static void
end_request(void *loop)
{
    policy_unref(shared, loop);
}

/* AddressSanitizer sees whether the old code object is freed too early or never. */
static void
old_code_stays_while_a_hook_sleeps_in_it(void)
{
    struct loop *loop = NULL;
    EXPECT_EQ_INT(loop_new(0, &loop), 0);
    struct policy_env env = { .n_loops = 1, .loops = &loop };
    struct policy_image one = image_empty(), two;
    one.hooks[HOOK_RECV] = hook_sleeps;
    two = one;
    two.hooks[HOOK_RECV] = hook_pass;
    woke = false;
    shared = image_load(&env, &one);
    on_loop(loop, begin_request, loop);
    EXPECT_EQ_INT(policy_uses(shared), 1);
    struct policy_code *old = atomic_load(&shared->code);
    EXPECT_EQ_INT(use_sum(old->inside, old->n_slots), 1);
    char error[256];
    EXPECT_EQ_INT(policy_replace_with(shared, &two, error, sizeof error), 0);
    while (old->acks_missing > 0)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(use_sum(old->inside, old->n_slots),
                  1); /* acknowledged but mapped, because the sleeper is inside */
    on_loop(loop, wake_sleeper, loop);
    while (slept_action == ACTION_NONE)
        loop_run_once(loop, NSEC_PER_SEC);
    EXPECT_EQ_INT(slept_action, ACTION_HASH);
    on_loop(loop, end_request, loop);
    EXPECT_EQ_INT(policy_uses(shared), 0);
    policy_unload(&shared);
    loop_release(&loop);
}

/* ---- replacing under load: each loop runs hooks without a pause while the code is swapped ---- */

#define SWAPS 300

static struct busy_loop {
    struct loop *loop;
    pthread_t thread;
    struct post post;
    atomic_ulong hooks, wrong;
} busy[2];
static atomic_bool enough;

static void
busy_run(struct post *post)
{
    struct busy_loop *b = container_of(post, struct busy_loop, post);
    struct policy_ctx ctx;
    policy_ref(shared, b->loop);
    policy_ctx_init(&ctx, shared, b->loop, NULL);
    for (int i = 0; i < 50; i++) {
        enum vcl_action action = policy_run(&ctx, HOOK_RECV);
        atomic_fetch_add(&b->hooks, 1);
        if (action != ACTION_PASS && action != ACTION_DELIVER)
            atomic_fetch_add(&b->wrong, 1);
    }
    policy_unref(shared, b->loop);
    if (atomic_load(&enough))
        loop_stop(b->loop);
    else
        loop_post(b->loop, &b->post);
}

static void *
busy_thread(void *arg)
{
    struct busy_loop *b = arg;
    loop_run(b->loop);
    mem_thread_release();
    return NULL;
}

static void
code_is_replaced_under_running_hooks(void)
{
    struct loop *loops[2];
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ_INT(loop_new((unsigned)i, &loops[i]), 0);
        busy[i].loop = loops[i];
        busy[i].post.fn = busy_run;
    }
    struct policy_env env = { .n_loops = 2, .loops = loops };
    struct policy_image one = image_empty(), two = one;
    two.hooks[HOOK_RECV] = hook_pass;
    shared = image_load(&env, &one);
    for (int i = 0; i < 2; i++) {
        EXPECT_EQ_INT(pthread_create(&busy[i].thread, NULL, busy_thread, &busy[i]), 0);
        loop_post(loops[i], &busy[i].post);
    }
    for (int i = 0; i < SWAPS; i++) {
        char error[256];
        unsigned long before = atomic_load(&busy[i % 2].hooks);
        EXPECT_EQ_INT(policy_replace_with(shared, i % 2 == 0 ? &two : &one, error, sizeof error), 0);
        while (atomic_load(&busy[i % 2].hooks) == before) /* each loop makes progress */
            sched_yield();
    }
    atomic_store(&enough, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(busy[i].thread, NULL);
        EXPECT(atomic_load(&busy[i].hooks) > 0);
        EXPECT_EQ_INT(atomic_load(&busy[i].wrong), 0);
    }
    EXPECT_EQ_INT(policy_uses(shared), 0);
    for (int i = 0; i < 2; i++)
        loop_run_once(loops[i], 0); /* handles items posted after the loop had stopped */
    policy_unload(&shared);
    for (int i = 0; i < 2; i++)
        loop_release(&loops[i]);
}

static const struct test tests[] = {
    { "an_empty_policy_loads_and_unloads", an_empty_policy_loads_and_unloads },
    { "what_is_no_image_is_refused", what_is_no_image_is_refused },
    { "an_import_the_runtime_lacks_is_named", an_import_the_runtime_lacks_is_named },
    { "an_import_with_another_signature_is_named", an_import_with_another_signature_is_named },
    { "a_bad_header_name_is_named", a_bad_header_name_is_named },
    { "a_bad_regex_is_named_with_its_place", a_bad_regex_is_named_with_its_place },
    { "a_host_without_address_is_named_with_its_line", a_host_without_address_is_named_with_its_line },
    { "a_port_above_65535_is_refused", a_port_above_65535_is_refused },
    { "a_port_given_with_the_host_counts", a_port_given_with_the_host_counts },
    { "a_port_alone_is_of_this_machine", a_port_alone_is_of_this_machine },
    { "a_window_over_64_is_refused", a_window_over_64_is_refused },
    { "files_that_are_no_policies_are_refused", files_that_are_no_policies_are_refused },
    { "a_failed_init_says_where_and_runs_no_fini", a_failed_init_says_where_and_runs_no_fini },
    { "an_object_made_twice_fails_the_load_and_leaks_nothing",
      an_object_made_twice_fails_the_load_and_leaks_nothing },
    { "a_director_has_the_name_of_its_object", a_director_has_the_name_of_its_object },
    { "an_object_used_before_it_was_made_fails", an_object_used_before_it_was_made_fails },
    { "an_object_that_no_branch_made_fails_the_load", an_object_that_no_branch_made_fails_the_load },
    { "a_failed_hook_gives_fail_whatever_it_returns", a_failed_hook_gives_fail_whatever_it_returns },
    { "code_is_replaced_under_the_same_state", code_is_replaced_under_the_same_state },
    { "backends_and_their_health_survive_a_replacement", backends_and_their_health_survive_a_replacement },
    { "old_code_stays_while_a_hook_sleeps_in_it", old_code_stays_while_a_hook_sleeps_in_it },
    { "code_is_replaced_under_running_hooks", code_is_replaced_under_running_hooks },
};

int
main(int argc, char **argv)
{
    exports_add(&our_table);
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
