/* Directors: choice, health, nesting, weights. The tests never connect to the backends. */
#include "origin/director.h"
#include "support/image.h"
#include "vmod/register.h"

#define BACKENDS 3

static struct image_backend backends[BACKENDS];
static struct policy_image image;
static struct policy *policy;
static struct arena arena;
static struct policy_ctx ctx;

typedef void *new_fn(struct policy_ctx *);
typedef void *new_sticky_fn(struct policy_ctx *, int32_t sticky);
typedef void add_fn(struct policy_ctx *, void *, struct director *);
typedef void add_weighted_fn(struct policy_ctx *, void *, struct director *, double);
typedef struct director *backend_fn(struct policy_ctx *, void *);
typedef struct director *hash_fn(struct policy_ctx *, void *, struct span);
typedef void fini_fn(struct policy_ctx *, void *);

#define FUNCTION(shape, name) ((shape *)export_find(SPAN_LIT(name))->fn)

static void
begin(void)
{
    static const char *const names[BACKENDS] = { "a", "b", "c" };
    for (int i = 0; i < BACKENDS; i++)
        backends[i] = (struct image_backend){
            .name = span_str(names[i]),
            .host = SPAN_LIT("127.0.0.1"),
            .port = SPAN_LIT("1"),
            .probe = -1,
        };
    image = image_empty();
    image.backends = backends;
    image.n_backends = BACKENDS;
    image.default_backend = 0;
    static const struct policy_env env;
    policy = image_load(&env, &image);
    policy_ctx_init(&ctx, policy, NULL, &arena);
}

/* The director is freed as its destructor import would do at unload. */
static void
end(void *director)
{
    if (director != NULL)
        FUNCTION(fini_fn, "directors_choice_fini")(&ctx, director);
    policy_unload(&policy);
    arena_release(&arena);
}

static struct director *
backend(int i)
{
    return backend_director(policy->backends[i]);
}

static void
set_health(int i, bool healthy)
{
    backend_set_admin(policy->backends[i], healthy ? BACKEND_AUTO : BACKEND_SICK);
}

/* The names of the next n choices, concatenated. */
static struct span
choices(struct director *d, int n)
{
    char *text = arena_alloc(&arena, (size_t)n);
    for (int i = 0; i < n; i++) {
        struct backend *b = director_resolve(d, &ctx);
        text[i] = b == NULL ? '-' : backend_name(b).ptr[0];
    }
    return span_of(text, (size_t)n);
}

static struct director *
round_robin_of_three(void)
{
    void *rr = FUNCTION(new_fn, "directors_round_robin_new")(&ctx);
    for (int i = 0; i < BACKENDS; i++)
        FUNCTION(add_fn, "directors_choice_add")(&ctx, rr, backend(i));
    EXPECT(!ctx.failed);
    return FUNCTION(backend_fn, "directors_choice_backend")(&ctx, rr);
}

static void
round_robin_takes_turns_and_passes_over_the_sick(void)
{
    begin();
    struct director *rr = round_robin_of_three();
    EXPECT_EQ_STR(choices(rr, 6), "abcabc");
    set_health(1, false);
    EXPECT_EQ_STR(choices(rr, 6), "acacac"); /* the others share its part */
    set_health(0, false);
    set_health(2, false);
    EXPECT_EQ_STR(choices(rr, 2), "--");
    EXPECT(!director_healthy(rr, NULL));
    set_health(1, true);
    EXPECT_EQ_STR(choices(rr, 2), "bb");
    EXPECT(director_healthy(rr, NULL));
    end(rr);
}

static void
a_removed_member_is_not_chosen(void)
{
    begin();
    struct director *rr = round_robin_of_three();
    FUNCTION(add_fn, "directors_choice_remove")(&ctx, rr, backend(0));
    EXPECT_EQ_STR(choices(rr, 4), "bcbc");
    end(rr);
}

static void *
fallback_of_three(int sticky)
{
    void *fb = FUNCTION(new_sticky_fn, "directors_fallback_new")(&ctx, sticky);
    for (int i = 0; i < BACKENDS; i++)
        FUNCTION(add_fn, "directors_choice_add")(&ctx, fb, backend(i));
    return fb;
}

static void
fallback_takes_the_first_healthy_one(void)
{
    begin();
    struct director *fb = fallback_of_three(0);
    EXPECT_EQ_STR(choices(fb, 2), "aa");
    set_health(0, false);
    EXPECT_EQ_STR(choices(fb, 2), "bb");
    set_health(0, true);
    EXPECT_EQ_STR(choices(fb, 2), "aa");
    end(fb);
}

static void
a_sticky_fallback_stays_where_it_went(void)
{
    begin();
    struct director *fb = fallback_of_three(1);
    set_health(0, false);
    EXPECT_EQ_STR(choices(fb, 1), "b");
    set_health(0, true);
    EXPECT_EQ_STR(choices(fb, 1), "b");
    set_health(1, false);
    EXPECT_EQ_STR(choices(fb, 1), "c");
    set_health(2, false);
    EXPECT_EQ_STR(choices(fb, 1), "a");
    end(fb);
}

/* As FreeBSD's random(3) begins with seed 1. A fraction uses two numbers. */
static void
known_chance_is_of_one_number_a_choice(void)
{
    random_seed(1);
    EXPECT_EQ_INT(random_choice() * 0x1p31, 1408992891);
    EXPECT_EQ_INT(random_choice() * 0x1p31, 1638182910);
    random_seed(1);
    EXPECT_EQ_INT(random_unit() * 0x1p31, 1408992891);
    EXPECT_EQ_INT(random_choice() * 0x1p31, 83848093);
}

static void
random_follows_weights(void)
{
    begin();
    void *r = FUNCTION(new_fn, "directors_random_new")(&ctx);
    FUNCTION(add_weighted_fn, "directors_choice_add_weighted")(&ctx, r, backend(0), 3);
    FUNCTION(add_weighted_fn, "directors_choice_add_weighted")(&ctx, r, backend(1), 1);
    FUNCTION(add_weighted_fn, "directors_choice_add_weighted")(&ctx, r, backend(2), 0);
    struct director *d = FUNCTION(backend_fn, "directors_choice_backend")(&ctx, r);
    unsigned n[3] = { 0 };
    for (int i = 0; i < 4000; i++)
        n[backend_name(director_resolve(d, &ctx)).ptr[0] - 'a']++;
    EXPECT(n[0] > 2700 && n[0] < 3300); /* 3000, give or take eleven standard deviations */
    EXPECT_EQ_INT(n[0] + n[1], 4000);
    set_health(0, false);
    EXPECT_EQ_STR(choices(d, 3), "bbb");
    EXPECT(!ctx.failed);
    FUNCTION(add_weighted_fn, "directors_choice_add_weighted")(&ctx, r, backend(2), -1);
    EXPECT(ctx.failed);
    end(r);
}

static void
members_are_picked_by_their_share_of_the_line(void)
{
    begin();
    struct members m;
    members_init(&m);
    for (int i = 0; i < BACKENDS; i++)
        EXPECT_EQ_INT(members_add(&m, NULL, backend(i), i + 1), 0); /* shares 1/6, 2/6, 3/6 */
    EXPECT(members_pick(&m, NULL, 0) == backend(0));
    EXPECT(members_pick(&m, NULL, 0.16) == backend(0));
    EXPECT(members_pick(&m, NULL, 0.17) == backend(1));
    EXPECT(members_pick(&m, NULL, 0.49) == backend(1));
    EXPECT(members_pick(&m, NULL, 0.51) == backend(2));
    EXPECT(members_pick(&m, NULL, 0.999999) == backend(2));
    set_health(1, false);
    EXPECT(members_pick(&m, NULL, 0.24) == backend(0)); /* 1/4, 3/4 are left */
    EXPECT(members_pick(&m, NULL, 0.26) == backend(2));
    members_release(&m);
    end(NULL);
}

static void
hash_gives_equal_texts_the_same_backend(void)
{
    begin();
    void *h = FUNCTION(new_fn, "directors_hash_new")(&ctx);
    for (int i = 0; i < BACKENDS; i++)
        FUNCTION(add_weighted_fn, "directors_choice_add_weighted")(&ctx, h, backend(i), 1);
    hash_fn *pick = FUNCTION(hash_fn, "directors_hash_backend");
    struct director *first = pick(&ctx, h, SPAN_LIT("user-1"));
    EXPECT(first != NULL && pick(&ctx, h, SPAN_LIT("user-1")) == first);
    unsigned seen = 0;
    for (int i = 0; i < 50; i++) {
        struct director *d = pick(&ctx, h, arena_printf(&arena, "user-%d", i));
        seen |= 1u << (d->name.ptr[0] - 'a');
    }
    EXPECT_EQ_INT(seen, 7);
    /* SHA-256 of nothing ends in 7852b855, read backwards: 0.335 of the range */
    EXPECT(pick(&ctx, h, SPAN_NULL) == backend(1));
    end(h);
}

static void
directors_nest(void)
{
    begin();
    struct director *rr = round_robin_of_three();
    void *fb = FUNCTION(new_sticky_fn, "directors_fallback_new")(&ctx, 0);
    FUNCTION(add_fn, "directors_choice_add")(&ctx, fb, rr);
    EXPECT_EQ_STR(choices(fb, 3), "abc");
    for (int i = 0; i < BACKENDS; i++)
        set_health(i, false);
    EXPECT(!director_healthy(fb, NULL));
    EXPECT_EQ_STR(choices(fb, 1), "-");
    EXPECT(!ctx.failed);
    FUNCTION(add_fn, "directors_choice_add")(&ctx, rr, fb); /* a ring */
    EXPECT(ctx.failed);
    FUNCTION(fini_fn, "directors_choice_fini")(&ctx, fb);
    end(rr);
}

static void
nothing_to_add_fails(void)
{
    begin();
    void *rr = FUNCTION(new_fn, "directors_round_robin_new")(&ctx);
    FUNCTION(add_fn, "directors_choice_add")(&ctx, rr, NULL);
    EXPECT(ctx.failed);
    end(rr);
}

/* The position is state of the policy, so a replaced image continues there. */
static void
position_survives_a_replacement_of_the_code(void)
{
    begin();
    struct director *rr = round_robin_of_three();
    EXPECT_EQ_STR(choices(rr, 2), "ab");
    struct policy_image other = image;
    char error[256];
    EXPECT_EQ_INT(policy_replace_with(policy, &other, error, sizeof error), 0);
    EXPECT_EQ_STR(choices(rr, 2), "ca");
    end(rr);
}

/* ---- threads ---- */

static struct director *contended;
static atomic_uint chosen[BACKENDS];

static void *
choose_many(void *arg)
{
    struct policy_ctx own = ctx;
    for (int i = 0; i < 3000; i++)
        atomic_fetch_add(&chosen[backend_name(director_resolve(contended, &own)).ptr[0] - 'a'], 1);
    return NULL;
}

static void
round_robin_is_fair_between_threads(void)
{
    begin();
    contended = round_robin_of_three();
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        EXPECT_EQ_INT(pthread_create(&threads[i], NULL, choose_many, NULL), 0);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < BACKENDS; i++)
        EXPECT_EQ_INT(atomic_load(&chosen[i]), 2000);
    end(contended);
}

static uint32_t i_new, i_set, i_add;

static int32_t
hook_init_adds_it_to_itself(struct policy_ctx *c)
{
    typedef void set_fn(struct policy_ctx *, int64_t, void *);
    struct director *rr = IMPORTED(c, i_new, new_fn)(c);
    IMPORTED(c, i_set, set_fn)(c, 0, rr);
    IMPORTED(c, i_add, add_fn)(c, rr, rr);
    return ACTION_OK;
}

static void
a_director_in_itself_fails_the_load_and_leaks_nothing(void)
{
    static const struct policy_env env;
    static struct image_instance instance = { .name = { "www", 3 }, .kind = { "directors.round_robin", 21 } };
    struct policy_image im = image_empty();
    struct policy *p = NULL;
    char error[512] = "";
    i_new = image_import(&im, "directors_round_robin_new", "INSTANCE()");
    i_set = image_import(&im, "set_instance", "VOID(INT,INSTANCE)");
    i_add = image_import(&im, "directors_choice_add", "VOID(INSTANCE,BACKEND)");
    instance.fini_import = (int32_t)image_import(&im, "directors_choice_fini", "VOID(INSTANCE)");
    im.instances = &instance;
    im.n_instances = 1;
    im.hooks[HOOK_INIT] = hook_init_adds_it_to_itself;
    EXPECT(policy_load_image(&env, SPAN_LIT("p"), &im, &p, error, sizeof error) < 0);
    EXPECT(strstr(error, "contains this director") != NULL);
}

static const struct test tests[] = {
    { "round_robin_takes_turns_and_passes_over_the_sick", round_robin_takes_turns_and_passes_over_the_sick },
    { "a_removed_member_is_not_chosen", a_removed_member_is_not_chosen },
    { "fallback_takes_the_first_healthy_one", fallback_takes_the_first_healthy_one },
    { "a_sticky_fallback_stays_where_it_went", a_sticky_fallback_stays_where_it_went },
    { "random_follows_weights", random_follows_weights },
    { "members_are_picked_by_their_share_of_the_line", members_are_picked_by_their_share_of_the_line },
    { "hash_gives_equal_texts_the_same_backend", hash_gives_equal_texts_the_same_backend },
    { "directors_nest", directors_nest },
    { "nothing_to_add_fails", nothing_to_add_fails },
    { "a_director_in_itself_fails_the_load_and_leaks_nothing",
      a_director_in_itself_fails_the_load_and_leaks_nothing },
    { "position_survives_a_replacement_of_the_code", position_survives_a_replacement_of_the_code },
    { "round_robin_is_fair_between_threads", round_robin_is_fair_between_threads },
    { "known_chance_is_of_one_number_a_choice",
      known_chance_is_of_one_number_a_choice }, /* last: it stays known */
};

int
main(int argc, char **argv)
{
    vmod_register();
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
