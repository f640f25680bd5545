/* Surrogate keys: objects that a purge by tag removes and keeps, and no leftovers of removed objects. */
#include "fixture.h"

#include <pthread.h>
#include <time.h>

static struct fixture f;
static const struct life HOUR = { 3600 * SEC, 600 * SEC, 0 };

#define REQUEST() request(&f.arena, NULL)
#define KEYED(...) response(&f.arena, 200, ##__VA_ARGS__, NULL)

static bool
is_stored(const char *name, nsec now)
{
    struct lookup l = lookup_of(key(&f.arena, name), REQUEST(), now);
    l.ignore_busy = true;
    bool hit = store_lookup(f.store, &l) == LOOKUP_HIT;
    if (l.busy != NULL)
        store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    return hit;
}

static void
store_it(const char *name, struct http_message *response)
{
    CHECK(store_text(&f, name, REQUEST(), response, HOUR, "body") == 0);
}

static unsigned
purge(const char *words)
{
    return purge_tags(f.store, span_str(words), false, T0, 0);
}

static void
a_purge_takes_all_with_the_word(void)
{
    fixture_init(&f, 1 << 20);
    store_it("/a", KEYED("xkey", "one two"));
    store_it("/b", KEYED("XKey", "two,three"));
    store_it("/c", KEYED("X-HashTwo", "three"));
    store_it("/d", KEYED("X-Other", "two"));
    EXPECT_EQ_INT(purge("two"), 2);
    EXPECT(!is_stored("/a", T0) && !is_stored("/b", T0));
    EXPECT(is_stored("/c", T0) && is_stored("/d", T0));
    EXPECT_EQ_INT(purge("two"), 0);
    EXPECT_EQ_INT(purge("nothing, three"), 1);
    EXPECT_EQ_INT(purge(""), 0);
    EXPECT(is_stored("/d", T0));
    fixture_release(&f);
}

static void
all_fields_of_the_name_count(void)
{
    fixture_init(&f, 1 << 20);
    store_it("/a", KEYED("xkey", "one", "xkey", " ,, two one"));
    EXPECT_EQ_INT(purge("two one"), 1); /* one object, though it has both tags */
    fixture_release(&f);
}

static void
more_than_are_taken_at_once(void)
{
    fixture_init(&f, 8 << 20);
    char name[16];
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "/%u", i);
        store_it(name, i % 2 == 0 ? KEYED("xkey", "even all") : KEYED("xkey", "all"));
    }
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("even"), true, T0, 0), 500);
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("even"), true, T0, 0), 0);
    EXPECT_EQ_INT(purge("even"), 500);
    EXPECT_EQ_INT(purge("all"), 500);
    struct store_stats now;
    store_stats(f.store, &now);
    EXPECT_EQ_INT(now.objects, 0);
    fixture_release(&f);
}

static void
a_soft_purge_keeps_grace(void)
{
    fixture_init(&f, 1 << 20);
    store_it("/a", KEYED("xkey", "one"));
    EXPECT_EQ_INT(purge_tags(f.store, SPAN_LIT("one"), true, T0, 0), 1);
    struct lookup l = lookup_of(key(&f.arena, "/a"), REQUEST(), T0);
    EXPECT_EQ_INT(store_lookup(f.store, &l), LOOKUP_HIT_GRACE_FETCH);
    store_withdraw(f.store, l.busy);
    object_release(&l.busy);
    object_release(&l.object);
    fixture_release(&f);
}

static void
what_left_otherwise_is_found_no_more(void)
{
    fixture_init(&f, 1 << 20);
    store_it("/a", KEYED("xkey", "one"));
    store_it("/b", KEYED("xkey", "one"));
    struct cache_key a = *key(&f.arena, "/a");
    EXPECT_EQ_INT(purge_key(f.store, &a), 1);
    EXPECT_EQ_INT(store_expire(f.store, T0 + 5000 * SEC, 100), 1);
    EXPECT_EQ_INT(purge("one"), 0);
    fixture_release(&f);
}

static void
a_word_said_twice_is_one(void)
{
    fixture_init(&f, 1 << 20);
    store_it("/a", KEYED("xkey", "one one", "X-HashTwo", "one"));
    EXPECT_EQ_INT(purge("one"), 1);
    fixture_release(&f); /* checks that no tag is left */
}

enum { MANY = 20000 };

/* Seconds of CPU that this thread needs to expire many responses, the oldest first. */
static double
seconds_to_expire(const char *words)
{
    struct timespec from, to;
    fixture_init(&f, 256 << 20);
    for (unsigned i = 0; i < MANY; i++) {
        char name[16], word[16];
        snprintf(name, sizeof name, "/%u", i);
        snprintf(word, sizeof word, words, i);
        struct lookup l = lookup_of(key(&f.arena, name), REQUEST(), T0);
        CHECK(store_lookup(f.store, &l) == LOOKUP_MISS);
        CHECK(fetch_all(f.store, l.busy, KEYED("xkey", word), REQUEST(), T0,
                        (struct life){ (i + 1) * SEC, 0, 0 }, NULL, "", 0) == 0);
    }
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &from);
    EXPECT_EQ_INT(store_expire(f.store, T0 + (MANY + 1) * SEC, MANY), MANY);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &to);
    fixture_release(&f);
    return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
}

static void
a_word_of_all_responses_costs_no_more_than_one_of_their_own(void)
{
    double own = seconds_to_expire("w%u"), common = seconds_to_expire("all");
    EXPECT(common < 5 * own);
}

/* ---- threads ---- */

enum { ROUNDS = 300, WORDS = 4 };

static void *
purge_much(void *arg)
{
    char word[8];
    for (unsigned i = 0; i < ROUNDS; i++) {
        snprintf(word, sizeof word, "w%u", i % WORDS);
        purge_tags(f.store, span_str(word), i % 3 == 0, T0, 0);
    }
    return NULL;
}

static void
purges_while_others_store(void)
{
    fixture_init(&f, 1 << 20);
    pthread_t threads[2];
    for (unsigned i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, purge_much, NULL) == 0);
    for (unsigned i = 0; i < ROUNDS; i++) {
        char name[16], words[16];
        snprintf(name, sizeof name, "/%u", i % 10);
        snprintf(words, sizeof words, "w%u w%u", i % WORDS, (i + 1) % WORDS);
        if (!is_stored(name, T0))
            store_it(name, KEYED("xkey", words));
    }
    for (unsigned i = 0; i < 2; i++)
        CHECK(pthread_join(threads[i], NULL) == 0);
    purge("w0 w1 w2 w3");
    struct store_stats now;
    store_stats(f.store, &now);
    EXPECT_EQ_INT(now.objects, 0);
    fixture_release(&f); /* checks that no tag is left */
}


static const struct test tests[] = {
    TEST(a_purge_takes_all_with_the_word),
    TEST(all_fields_of_the_name_count),
    TEST(more_than_are_taken_at_once),
    TEST(a_soft_purge_keeps_grace),
    TEST(what_left_otherwise_is_found_no_more),
    TEST(a_word_said_twice_is_one),
    TEST(a_word_of_all_responses_costs_no_more_than_one_of_their_own),
    TEST(purges_while_others_store),
};

int
main(int argc, char **argv)
{
    int status = test_run(argc, argv, tests, sizeof tests / sizeof *tests);
    mem_thread_release();
    return status;
}
