/* Counters that policies declare: loops and other threads add up, values beyond the limit count together, and
 * policies with the same counter share it. */
#include <pthread.h>
#include <stdio.h>

#include "policy/counter/counters.h"
#include "support/image.h"

static const struct span one_label[] = { { "n", 1 } }, other_label[] = { { "m", 1 } };
static const struct image_counter declared[] = { { { "all", 3 }, NULL, 0, 0 },
                                                 { { "seen", 4 }, one_label, 1, 0 } },
                                  renamed[] = { { { "all", 3 }, NULL, 0, 0 },
                                                { { "seen", 4 }, other_label, 1, 0 } };
enum { ALL, SEEN, N_COUNTERS };

_Static_assert(COUNTER_SERIES_MAX == 200, "199 is the last series");

static struct policy_image
image_with(const struct image_counter *counters)
{
    struct policy_image im = image_empty();
    im.counters = counters;
    im.n_counters = N_COUNTERS;
    return im;
}

struct looked_up {
    struct span key;
    uint64_t count;
    unsigned n;
};

static void
look(void *arg, struct span key, uint64_t count)
{
    struct looked_up *l = arg;
    l->n++;
    if (span_eq(l->key, key))
        l->count = count;
}

static struct looked_up
look_up(const struct policy *p, unsigned counter, const char *key)
{
    struct looked_up l = { .key = span_str(key) };
    policy_counter_each(p->counters[counter], look, &l);
    return l;
}

static void
count_number(struct policy *p, unsigned slot, unsigned n)
{
    char key[32];
    int len = snprintf(key, sizeof key, "{n=\"%u\"}", n);
    policy_counter_add(p->counters[SEEN], slot, span_of(key, (size_t)len));
}

/* ---- threads ---- */

#define N_LOOPS 2
#define RUNS 20000u
#define NUMBERS (COUNTER_SERIES_MAX + 50) /* some have a series, and which ones is chance */

struct counting {
    struct policy *policy;
    unsigned slot;
    pthread_t thread;
};

static void *
count_many(void *arg)
{
    struct counting *c = arg;
    for (unsigned i = 0; i < RUNS; i++) {
        policy_counter_add(c->policy->counters[ALL], c->slot, SPAN_LIT(""));
        count_number(c->policy, c->slot, (i * (c->slot + 1)) % NUMBERS);
    }
    mem_thread_release();
    return NULL;
}

static void
add_up(void *arg, struct span key, uint64_t count)
{
    (void)key;
    *(uint64_t *)arg += count;
}

static void
threads_add_up(void)
{
    struct policy_env env = { .n_loops = N_LOOPS };
    struct policy_image im = image_with(declared);
    struct policy *p = image_load(&env, &im);
    struct counting c[N_LOOPS + 2] = { 0 };
    for (unsigned i = 0; i < N_LOOPS + 2; i++) { /* the last two have no loop, and share a slot */
        c[i] = (struct counting){ .policy = p, .slot = i < N_LOOPS ? i : N_LOOPS };
        EXPECT_EQ_INT(pthread_create(&c[i].thread, NULL, count_many, &c[i]), 0);
    }
    for (uint64_t now = 0; now < RUNS;) { /* read and published while they count */
        uint64_t before = now;
        now = look_up(p, ALL, "").count;
        policy_counters_publish();
        EXPECT(now >= before);
    }
    for (unsigned i = 0; i < N_LOOPS + 2; i++)
        pthread_join(c[i].thread, NULL);
    uint64_t total = 0;
    policy_counter_each(p->counters[SEEN], add_up, &total);
    EXPECT_EQ_INT(look_up(p, ALL, "").count, (N_LOOPS + 2) * RUNS);
    EXPECT_EQ_INT(total, (N_LOOPS + 2) * RUNS);
    EXPECT_EQ_INT(look_up(p, SEEN, "").n, COUNTER_SERIES_MAX + 1);
    EXPECT(look_up(p, SEEN, "{n=\"_other\"}").count > 0);
    policy_unload(&p);
}

/* ---- limit ---- */

static void
values_beyond_the_limit_count_together(void)
{
    struct policy_env env = { .n_loops = N_LOOPS };
    struct policy_image im = image_with(declared);
    struct policy *p = image_load(&env, &im);
    for (unsigned i = 0; i < COUNTER_SERIES_MAX; i++)
        count_number(p, 0, i);
    EXPECT_EQ_INT(look_up(p, SEEN, "{n=\"_other\"}").n, COUNTER_SERIES_MAX);
    count_number(p, 1, COUNTER_SERIES_MAX);     /* full, and this loop has met no key yet */
    count_number(p, 1, COUNTER_SERIES_MAX - 1); /* of the other loop */
    count_number(p, 1, COUNTER_SERIES_MAX + 1);
    count_number(p, 0, COUNTER_SERIES_MAX + 1);
    count_number(p, N_LOOPS + 1, 0); /* a run that is not counted */
    EXPECT_EQ_INT(look_up(p, SEEN, "{n=\"_other\"}").count, 3);
    EXPECT_EQ_INT(look_up(p, SEEN, "{n=\"199\"}").count, 2);
    EXPECT_EQ_INT(look_up(p, SEEN, "{n=\"0\"}").count, 1);
    policy_unload(&p);
}

/* ---- policies ---- */

static void
policies_share_a_counter_with_the_same_labels(void)
{
    struct policy_env env = { .n_loops = 0 };
    struct policy_image im = image_with(declared), changed = image_with(renamed);
    struct policy *old = image_load(&env, &im);
    EXPECT_EQ_INT(look_up(old, ALL, "").n, 1); /* seen before its first count */
    count_number(old, 0, 7);
    struct policy *new = image_load(&env, &im), *other = image_load(&env, &changed);
    count_number(new, 0, 7);
    policy_unload(&old);
    EXPECT_EQ_INT(look_up(new, SEEN, "{n=\"7\"}").count, 2);
    EXPECT_EQ_INT(look_up(other, SEEN, "").n, 0); /* another label: another counter */
    policy_unload(&new);
    new = image_load(&env, &im);
    EXPECT_EQ_INT(look_up(new, SEEN, "").n, 0); /* the last policy that had the counter has gone */
    policy_unload(&new);
    policy_unload(&other);
}

static void
damaged_counters_are_refused(void)
{
    const struct image_counter wrong[] = { { { "a", 1 }, one_label, COUNTER_LABELS_MAX + 1, 0 },
                                           { { "a", 1 }, NULL, 1, 0 } };
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct policy_env env = { .n_loops = 0 };
        struct policy_image im = image_with(&wrong[i]);
        struct policy *p = NULL;
        char error[256] = "";
        im.n_counters = 1;
        EXPECT_EQ_INT(policy_load_image(&env, SPAN_LIT("p"), &im, &p, error, sizeof error), ERR_SYNTAX);
        EXPECT(strstr(error, "a counter of the policy") != NULL);
    }
}

static const struct test tests[] = {
    { "threads_add_up", threads_add_up },
    { "values_beyond_the_limit_count_together", values_beyond_the_limit_count_together },
    { "policies_share_a_counter_with_the_same_labels", policies_share_a_counter_with_the_same_labels },
    { "damaged_counters_are_refused", damaged_counters_are_refused },
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
