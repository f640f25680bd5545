/* Counts of many threads add up, also those of ended threads, and no thread sees those of a closed tally.
 * Also run under TSan. */
#include "log/tally.h"

#include <pthread.h>

#include "base/check.h"
#include "test.h"

enum { THREADS = 4, COUNTS = 10000, TALLIES = 40 };

static struct tally tallies[TALLIES];
static uint64_t shown[2];

static void
show(struct tally *t, const uint64_t *words)
{
    (void)t;
    shown[0] = words[0];
    shown[1] = words[1];
}

/* Adds to the first word, and takes away from the second, so that one block of it is below zero. */
static void *
count(void *arg)
{
    for (int i = 0; i < COUNTS; i++) {
        tally_words(arg)[0]++;
        tally_words(arg)[1]--;
    }
    return NULL;
}

static void
run_threads(struct tally *t)
{
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&threads[i], NULL, count, t) == 0);
    for (size_t i = 0; i < THREADS; i++) {
        EXPECT(tally_sum(t, 1) <= 2 * THREADS * COUNTS + 7);
        tallies_show();
        pthread_join(threads[i], NULL);
    }
}

static void
threads_that_ended_stay_in_the_sum(void)
{
    struct tally *t = &tallies[0];
    tally_open(t, 2, show);
    tally_words(t)[1] += 2 * THREADS * COUNTS + 7;
    run_threads(t);
    EXPECT_EQ_INT(tally_sum(t, 0), THREADS * COUNTS);
    EXPECT_EQ_INT(tally_sum(t, 1), THREADS * COUNTS + 7);
    run_threads(t); /* in the blocks of those that ended */
    tallies_show();
    EXPECT_EQ_INT(shown[0], 2 * THREADS * COUNTS);
    EXPECT_EQ_INT(shown[1], 7);
    tally_close(t);
    tally_close(t); /* harmless */
}

static void
the_next_tally_of_a_number_begins_with_zero(void)
{
    for (size_t i = 0; i < TALLIES; i++) {
        tally_open(&tallies[i], 2, NULL);
        tally_words(&tallies[i])[0] += i;
    }
    unsigned number = tallies[7].number;
    tally_close(&tallies[7]);
    tally_open(&tallies[7], 1, show);
    EXPECT_EQ_INT(tallies[7].number, number);
    EXPECT_EQ_INT(tally_words(&tallies[7])[0], 0);
    for (size_t i = 0; i < TALLIES; i++) {
        EXPECT_EQ_INT(tally_sum(&tallies[i], 0), i == 7 ? 0 : i);
        tally_close(&tallies[i]);
    }
}

static void
a_thread_that_counts_is_seen(void)
{
    tally_open(&tallies[0], 1, NULL);
    uint64_t looks = tally_thread.looks;
    tally_words(&tallies[0])[0]++;
    EXPECT(tally_thread.looks != looks); /* counters_settle wakes the publisher */
    tally_close(&tallies[0]);
}

static const struct test tests[] = {
    { "threads_that_ended_stay_in_the_sum", threads_that_ended_stay_in_the_sum },
    { "the_next_tally_of_a_number_begins_with_zero", the_next_tally_of_a_number_begins_with_zero },
    { "a_thread_that_counts_is_seen", a_thread_that_counts_is_seen },
};

int
main(int argc, char **argv)
{
    return test_run(argc, argv, tests, sizeof tests / sizeof *tests);
}
