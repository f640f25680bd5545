/* Counts of one thing, such as a storage or a backend, by all threads. Each thread has a block of words for
 * each tally that it counts in, made on first use, and alone writes to it, with plain stores. Only the sums
 * over the blocks have a meaning: what one thread has added, another may take away, so a block may be below
 * zero. When a thread ends, its blocks wait for another thread, which goes on counting in them. A publisher
 * (worker/stats.c) shows the sums. */
#ifndef VERNIS_LOG_TALLY_H
#define VERNIS_LOG_TALLY_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#define TALLY_WORDS_MAX 32u

struct tally_block;

struct tally {
    _Atomic(struct tally_block *) blocks; /* grows at its front */
    unsigned number, n_words;
    /* NULL: nobody shows them. The words are sums, perhaps a moment old; see tally_gauge. */
    void (*show)(struct tally *t, const uint64_t *words);
};

/* The blocks of this thread, by numbers of tallies. */
struct tally_thread {
    uint64_t **words;
    unsigned n;
    uint64_t looks; /* at its blocks: how counters_settle knows that it has counted */
};
extern _Thread_local struct tally_thread tally_thread;

void tally_open(struct tally *t, unsigned n_words, void (*show)(struct tally *t, const uint64_t *words));
void tally_close(struct tally *t); /* when no thread counts any more; harmless if not open */

uint64_t *tally_words_new(struct tally *t);

/* The words of this thread, for `words[i] += n`. */
static inline uint64_t *
tally_words(struct tally *t)
{
    tally_thread.looks++;
    uint64_t *words = t->number < tally_thread.n ? tally_thread.words[t->number] : NULL;
    return words != NULL ? words : tally_words_new(t);
}

uint64_t tally_sum(const struct tally *t, unsigned word); /* any thread; takes no lock */

/* A sum may lack what was added, and have what was taken away since: then it is below zero. */
static inline uint64_t
tally_gauge(uint64_t sum)
{
    return (int64_t)sum < 0 ? 0 : sum;
}

void tally_show(struct tally *t);
void tallies_show(void);

#endif
