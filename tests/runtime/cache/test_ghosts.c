/* The table of ghosts: it grows a little at a time, and forgets nothing by it. */
#include "cache/evict/ghosts.h"
#include "test.h"

#define OBJECTS 4000000u
#define KEPT_EVERY 1000u
#define TEST(name) { #name, name }

/* As the part of a digest that ghosts keep. */
static uint32_t
hash_of(uint32_t n)
{
    uint64_t h = (n + 1) * 0x9e3779b97f4a7c15u;
    return (uint32_t)(h >> 32) ^ (uint32_t)h;
}

static void
no_call_visits_more_than_a_few_thousand_slots(void)
{
    struct ghosts g = { 0 };
    uint64_t bytes = 0;
    uint32_t most = 0;
    for (uint32_t n = 1; n <= OBJECTS; n++) {
        uint32_t before = g.n_sets;
        bytes += ghosts_fit(&g, n);
        if (n > 1 && g.n_sets - before > most)
            most = g.n_sets - before;
        if (n % KEPT_EVERY == 0)
            ghosts_add(&g, hash_of(n));
    }
    EXPECT(most > 0 && most * 2 * GHOST_WAYS <= GHOSTS_STEP);
    EXPECT(g.n_sets * GHOST_WAYS >= OBJECTS);
    EXPECT(bytes >= (OBJECTS - GHOSTS_STEP) * sizeof(struct ghost) &&
           bytes < OBJECTS * 2 * sizeof(struct ghost));
    for (uint32_t n = KEPT_EVERY; n <= OBJECTS; n += KEPT_EVERY)
        EXPECT(ghosts_take(&g, hash_of(n), OBJECTS) && !ghosts_take(&g, hash_of(n), OBJECTS));
    ghosts_release(&g);
}

/* As after a time without memory for the table. */
static void
a_leap_is_made_good_in_steps(void)
{
    struct ghosts g = { 0 };
    (void)ghosts_fit(&g, 1);
    uint32_t before = g.n_sets, steps = 0;
    do {
        before = g.n_sets;
        (void)ghosts_fit(&g, OBJECTS);
        EXPECT((g.n_sets - before) * 2 * GHOST_WAYS <= GHOSTS_STEP);
        steps++;
    } while (g.n_sets > before);
    EXPECT(steps > 1000);
    EXPECT(g.n_sets * GHOST_WAYS >= OBJECTS);
    ghosts_release(&g);
}

static void
a_ghost_fades_after_as_many_evictions_as_the_main_queue_has_objects(void)
{
    struct ghosts g = { 0 };
    EXPECT(!ghosts_take(&g, 1, 0)); /* no table yet */
    ghosts_add(&g, 1);
    (void)ghosts_fit(&g, 100000);
    for (int i = 0; i < 1000; i++)
        (void)ghosts_fit(&g, 100000);
    for (uint32_t n = 0; n < 5000; n++)
        ghosts_add(&g, hash_of(n));
    EXPECT(!ghosts_take(&g, hash_of(999), 4000));
    EXPECT(ghosts_take(&g, hash_of(1001), 4000));
    ghosts_release(&g);
}

static const struct test tests[] = {
    TEST(no_call_visits_more_than_a_few_thousand_slots),
    TEST(a_leap_is_made_good_in_steps),
    TEST(a_ghost_fades_after_as_many_evictions_as_the_main_queue_has_objects),
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
