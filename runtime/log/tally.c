/* Blocks of counts by threads: see tally.h. The lock guards the lists of threads and tallies, and the tables
 * of threads except for their owners' reads. */
#include "log/tally.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"

/* Aligned, so that threads do not write to each other's cache lines. */
struct tally_block {
    _Alignas(CACHE_LINE_BYTES) struct tally_block *next; /* fixed */
    atomic_bool has_owner;
    uint64_t words[];
};

struct thread {
    struct tally_thread *blocks;
    struct list link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list threads = { &threads, &threads }; /* lock */
static struct tally **tallies;                       /* lock; by number, NULL: free */
static unsigned n_tallies, free_from;                /* lock; all below free_from are taken */
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
_Thread_local struct tally_thread tally_thread;

/* ---- threads ---- */

static struct tally_block *
block_of(uint64_t *words)
{
    return container_of(words, struct tally_block, words);
}

static void
thread_end(void *arg)
{
    struct thread *t = arg;
    CHECK(pthread_mutex_lock(&lock) == 0);
    list_remove(&t->link);
    for (unsigned i = 0; i < t->blocks->n; i++)
        if (t->blocks->words[i] != NULL)
            atomic_store_explicit(&block_of(t->blocks->words[i])->has_owner, false, memory_order_release);
    free(t->blocks->words);
    *t->blocks = (struct tally_thread){ .n = 0 };
    CHECK(pthread_mutex_unlock(&lock) == 0);
    free(t);
}

static void
thread_key_make(void)
{
    CHECK(pthread_key_create(&thread_key, thread_end) == 0);
}

/* Lock held. */
static void
thread_widen(unsigned n)
{
    if (pthread_getspecific(thread_key) == NULL) {
        struct thread *t = mem_zalloc(sizeof *t);
        t->blocks = &tally_thread;
        list_push_back(&threads, &t->link);
        CHECK(pthread_setspecific(thread_key, t) == 0);
    }
    if (n <= tally_thread.n)
        return;
    uint64_t **wider = realloc(tally_thread.words, n * sizeof *wider);
    CHECK(wider != NULL);
    memset(wider + tally_thread.n, 0, (n - tally_thread.n) * sizeof *wider);
    tally_thread.words = wider;
    tally_thread.n = n;
}

/* ---- blocks ---- */

static struct tally_block *
block_adopt(struct tally *t)
{
    struct tally_block *b = atomic_load_explicit(&t->blocks, memory_order_acquire);
    while (b != NULL && atomic_exchange_explicit(&b->has_owner, true, memory_order_acquire))
        b = b->next;
    return b;
}

static struct tally_block *
block_new(struct tally *t)
{
    size_t bytes = sizeof(struct tally_block) + t->n_words * sizeof(uint64_t);
    bytes = (bytes + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES;
    struct tally_block *b = aligned_alloc(CACHE_LINE_BYTES, bytes);
    CHECK(b != NULL);
    memset(b, 0, bytes);
    atomic_init(&b->has_owner, true);
    b->next = atomic_load_explicit(&t->blocks, memory_order_relaxed);
    atomic_store_explicit(&t->blocks, b, memory_order_release);
    return b;
}

__attribute__((noinline)) uint64_t *
tally_words_new(struct tally *t)
{
    CHECK(pthread_once(&thread_once, thread_key_make) == 0);
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(t->number < n_tallies && tallies[t->number] == t);
    thread_widen(n_tallies);
    struct tally_block *b = block_adopt(t);
    if (b == NULL)
        b = block_new(t);
    tally_thread.words[t->number] = b->words;
    CHECK(pthread_mutex_unlock(&lock) == 0);
    return b->words;
}

/* ---- tallies ---- */

void
tally_open(struct tally *t, unsigned n_words, void (*show)(struct tally *t, const uint64_t *words))
{
    CHECK(n_words > 0 && n_words <= TALLY_WORDS_MAX && pthread_mutex_lock(&lock) == 0);
    while (free_from < n_tallies && tallies[free_from] != NULL)
        free_from++;
    if (free_from == n_tallies) {
        unsigned n = n_tallies == 0 ? 16 : 2 * n_tallies;
        tallies = realloc(tallies, n * sizeof *tallies);
        CHECK(tallies != NULL);
        memset(tallies + n_tallies, 0, (n - n_tallies) * sizeof *tallies);
        n_tallies = n;
    }
    *t = (struct tally){ .number = free_from, .n_words = n_words, .show = show };
    tallies[free_from++] = t;
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

void
tally_close(struct tally *t)
{
    if (t->n_words == 0)
        return;
    CHECK(pthread_mutex_lock(&lock) == 0);
    CHECK(tallies[t->number] == t);
    tallies[t->number] = NULL;
    free_from = t->number < free_from ? t->number : free_from;
    list_each(link, &threads)
    {
        const struct tally_thread *blocks = container_of(link, struct thread, link)->blocks;
        if (t->number < blocks->n)
            blocks->words[t->number] = NULL;
    }
    CHECK(pthread_mutex_unlock(&lock) == 0);
    struct tally_block *b = atomic_load_explicit(&t->blocks, memory_order_relaxed);
    while (b != NULL) {
        struct tally_block *next = b->next;
        free(b);
        b = next;
    }
    *t = (struct tally){ .n_words = 0 };
}

/* ---- sums ---- */

/* The owner stores without atomics. An aligned 64-bit load is whole on every machine we support, and readers
 * accept a sum that is a moment old, so TSan skips this function. */
__attribute__((no_sanitize_thread, noinline)) static void
sum(const struct tally *t, unsigned first, unsigned n, uint64_t *sums)
{
    memset(sums, 0, n * sizeof *sums);
    for (const struct tally_block *b = atomic_load_explicit(&t->blocks, memory_order_acquire); b != NULL;
         b = b->next)
        for (unsigned i = 0; i < n; i++)
            sums[i] += *(const volatile uint64_t *)&b->words[first + i];
}

uint64_t
tally_sum(const struct tally *t, unsigned word)
{
    uint64_t one;
    sum(t, word, 1, &one);
    return one;
}

void
tally_show(struct tally *t)
{
    uint64_t sums[TALLY_WORDS_MAX];
    if (t->show == NULL)
        return;
    sum(t, 0, t->n_words, sums);
    t->show(t, sums);
}

void
tallies_show(void)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    for (unsigned i = 0; i < n_tallies; i++)
        if (tallies[i] != NULL)
            tally_show(tallies[i]);
    CHECK(pthread_mutex_unlock(&lock) == 0);
}
