/* The shared ring of log records: see ring.h.
 *
 * Readers walk from record to record by the records' lengths and stop at an end marker. So the word where the
 * next record will begin always holds that marker: the previous reservation writes it, it stays while the
 * writer copies all but the first word of the next record, and that first word replaces it last. The segment
 * counter tells readers how far the writer is. A reader that finds the writer nearly a round ahead skips the
 * records in between.
 *
 * A writer that is preempted while it copies must not overwrite records that others wrote a round later. Each
 * segment counts the writers that copy into it, and no writer enters a segment before the copies of the last
 * round are done. */
#include "log/ring.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/check.h"

#define MARK_END 0xfe454545u /* nothing written yet */
#define COUNTER_FIRST \
    (0u - RING_SEGMENTS) /* wraps soon, so that a reader that cannot handle a wrap fails early */

struct ring_head {
    char magic[RING_MAGIC_BYTES];
    int64_t segment_words;
    _Atomic uint32_t counter; /* segments begun */
    uint32_t pad;
    _Atomic int64_t first[RING_SEGMENTS]; /* word of the first record of each segment; -1: none yet */
    _Atomic uint32_t words[];
};

_Static_assert(sizeof(struct ring_head) == RING_HEAD_BYTES, "layout of Varnish");
_Static_assert(sizeof(_Atomic uint32_t) == sizeof(uint32_t), "words are copied as plain memory");

static struct {
    struct ring_head *head; /* fixed after ring_open */
    bool later;             /* fixed after ring_open */
    size_t segment, end;    /* words; fixed after ring_open */
    size_t at;              /* lock; the next record begins here */
    pthread_mutex_t lock;
    atomic_uint copying[RING_SEGMENTS];
} ring = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void
open_form(void *mem, size_t bytes, bool later)
{
    struct ring_head *h = mem;
    ring.head = NULL;
    ring.later = later;
    ring.at = 0;
    if (h == NULL)
        return;
    CHECK(bytes > RING_HEAD_BYTES);
    ring.segment = (bytes - RING_HEAD_BYTES) / sizeof(uint32_t) / RING_SEGMENTS;
    ring.end = ring.segment * RING_SEGMENTS;
    CHECK(ring.segment > 1);
    h->segment_words = (int64_t)ring.segment;
    for (unsigned i = 0; i < RING_SEGMENTS; i++)
        atomic_store_explicit(&h->first[i], i == 0 ? 0 : -1, memory_order_relaxed);
    atomic_store_explicit(&h->words[0], MARK_END, memory_order_relaxed);
    atomic_store_explicit(&h->counter, COUNTER_FIRST, memory_order_relaxed);
    atomic_thread_fence(memory_order_release);
    memcpy(h->magic, later ? RING_MAGIC_LATER : RING_MAGIC, RING_MAGIC_BYTES);
    ring.head = h;
}

void
ring_open(void *mem, size_t bytes)
{
    open_form(mem, bytes, false);
}

void
ring_open_later(void *mem, size_t bytes)
{
    open_form(mem, bytes, true);
}

bool
ring_is_later(void)
{
    return ring.later;
}

/* A writer that is still copying here after a whole round has been waiting for a processor. */
static void
enter_segment(uint32_t counter)
{
    while (atomic_load_explicit(&ring.copying[counter % RING_SEGMENTS], memory_order_acquire) != 0)
        sched_yield();
}

static void
start_over(struct ring_head *h)
{
    uint32_t counter = atomic_load_explicit(&h->counter, memory_order_relaxed);
    counter += RING_SEGMENTS - counter % RING_SEGMENTS;
    enter_segment(counter);
    atomic_store_explicit(&h->first[0], 0, memory_order_relaxed);
    atomic_store_explicit(&h->words[0], MARK_END, memory_order_release);
    atomic_store_explicit(&h->counter, counter, memory_order_release);
    /* Written after the counter: a reader that wraps first would find itself ahead of the writer and give up.
     */
    if (ring.at != 0)
        atomic_store_explicit(&h->words[ring.at], RING_MARK_WRAP, memory_order_release);
    ring.at = 0;
}

/* Reserves n words. The caller holds the lock. `segment` is the segment where they begin. */
static size_t
reserve(struct ring_head *h, size_t n, unsigned *segment, bool *cycled)
{
    *cycled = ring.at + n >= ring.end;
    if (*cycled)
        start_over(h);
    size_t at = ring.at, next = at + n;
    uint32_t counter = atomic_load_explicit(&h->counter, memory_order_relaxed);
    *segment = counter % RING_SEGMENTS;
    if (next / ring.segment > *segment) {
        counter++; /* by one: n is less than a segment */
        enter_segment(counter);
        atomic_store_explicit(&h->first[counter % RING_SEGMENTS], (int64_t)next, memory_order_relaxed);
        atomic_store_explicit(&h->words[next], MARK_END, memory_order_release);
        atomic_store_explicit(&h->counter, counter, memory_order_release);
    } else
        atomic_store_explicit(&h->words[next], MARK_END, memory_order_release);
    atomic_fetch_add_explicit(&ring.copying[*segment], 1, memory_order_relaxed);
    ring.at = next;
    return at;
}

static void
copy_words(_Atomic uint32_t *to, const uint32_t *from, size_t n)
{
    memcpy((uint32_t *)to, from, n * sizeof *from);
}

struct ring_append
ring_append_pieces(const struct ring_piece *pieces, unsigned n_pieces)
{
    struct ring_append did = { false, false };
    struct ring_head *h = ring.head;
    unsigned segment;
    size_t n = 0;
    for (unsigned i = 0; i < n_pieces; i++)
        n += pieces[i].n;
    if (h == NULL || n == 0)
        return did;
    CHECK(n < ring.segment && pieces[0].n > 0);
    did.contended = pthread_mutex_trylock(&ring.lock) != 0;
    if (did.contended)
        CHECK(pthread_mutex_lock(&ring.lock) == 0);
    size_t at = reserve(h, n, &segment, &did.cycled);
    CHECK(pthread_mutex_unlock(&ring.lock) == 0);
    copy_words(&h->words[at + 1], pieces[0].words + 1, pieces[0].n - 1);
    size_t to = at + pieces[0].n;
    for (unsigned i = 1; i < n_pieces; i++) {
        copy_words(&h->words[to], pieces[i].words, pieces[i].n);
        to += pieces[i].n;
    }
    atomic_store_explicit(&h->words[at], pieces[0].words[0], memory_order_release);
    atomic_fetch_sub_explicit(&ring.copying[segment], 1, memory_order_release);
    return did;
}

struct ring_append
ring_append(const uint32_t *words, size_t n)
{
    return ring_append_pieces(&(struct ring_piece){ words, n }, 1);
}
