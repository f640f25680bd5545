/* Counters of many threads add up, also those of ended threads. Also run under TSan. */
#include <pthread.h>

#include "base/check.h"
#include "log/counters.h"
#include "test.h"

enum { THREADS = 4, HITS = 10000 };

static void *
count(void *arg)
{
    (void)arg;
    for (int i = 0; i < HITS; i++)
        counters_here()->cache_hit++;
    return NULL;
}

static void
threads_that_ended_stay_in_the_sum(void)
{
    pthread_t threads[THREADS];
    struct counters before, after;
    counters_sum(&before);
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, count, NULL) == 0);
    for (size_t i = 0; i < THREADS; i++) {
        counters_sum(&after); /* the threads still count, so the sums are at most the final ones */
        EXPECT(after.cache_hit - before.cache_hit <= THREADS * HITS);
        pthread_join(threads[i], NULL);
    }
    counters_here()->cache_hit++;
    counters_sum(&after);
    EXPECT_EQ_INT(after.cache_hit - before.cache_hit, THREADS * HITS + 1);
    EXPECT_EQ_INT(after.cache_miss, before.cache_miss);
}

static void
rows_name_their_counter(void)
{
    struct counters c = { .cache_miss = 7 };
    unsigned n = 0;
    for (unsigned i = 0; i < n_counter_rows; i++) {
        EXPECT(counter_rows[i].doc[0] != '\0');
        if (strcmp(counter_rows[i].name, "cache_miss") == 0) {
            EXPECT_EQ_INT(counters_value(&c, &counter_rows[i]), 7);
            n++;
        }
    }
    EXPECT_EQ_INT(n, 1);
}

static const struct test tests[] = {
    { "threads_that_ended_stay_in_the_sum", threads_that_ended_stay_in_the_sum },
    { "rows_name_their_counter", rows_name_their_counter },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
