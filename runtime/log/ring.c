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
 * round are done. It waits for them without the lock and not for long: then its records are dropped. Nor does
 * the next writer wait again for those. */
#include "log/ring.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/mem.h"

#define MARK_END 0xfe454545u   /* nothing written yet */
#define PATIENCE NSEC_PER_MSEC /* for a writer of the last round */
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
    _Alignas(CACHE_LINE_BYTES) pthread_mutex_t lock;
    size_t at;           /* lock; the next record begins here */
    atomic_bool stalled; /* changes under the lock: a writer of the last round took longer than PATIENCE */
    _Alignas(CACHE_LINE_BYTES) atomic_uint copying[RING_SEGMENTS];
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

static void
start_over(struct ring_head *h, uint32_t counter)
{
    atomic_store_explicit(&h->first[0], 0, memory_order_relaxed);
    atomic_store_explicit(&h->words[0], MARK_END, memory_order_release);
    atomic_store_explicit(&h->counter, counter, memory_order_release);
    /* Written after the counter: a reader that wraps first would find itself ahead of the writer and give up.
     */
    if (ring.at != 0)
        atomic_store_explicit(&h->words[ring.at], RING_MARK_WRAP, memory_order_release);
    ring.at = 0;
}

/* Are the copies of the last round into the segment done? A writer that still copies has been waiting for a
 * processor. */
static bool
may_enter(uint32_t counter)
{
    return atomic_load_explicit(&ring.copying[counter % RING_SEGMENTS], memory_order_acquire) == 0;
}

struct place {
    size_t at;        /* of the first word */
    unsigned segment; /* where they begin */
    bool cycled;
};

/* Reserves n words. The caller holds the lock. False: a writer of the last round is still there. */
static bool
reserve(struct ring_head *h, size_t n, struct place *out)
{
    uint32_t counter = atomic_load_explicit(&h->counter, memory_order_relaxed), entered = counter;
    bool cycles = ring.at + n >= ring.end;
    if (cycles)
        entered += RING_SEGMENTS - counter % RING_SEGMENTS;
    else if ((ring.at + n) / ring.segment > counter % RING_SEGMENTS)
        entered++; /* by one: n is less than a segment */
    if (entered != counter) {
        if (!may_enter(entered))
            return false;
        atomic_store_explicit(&ring.stalled, false, memory_order_relaxed);
    }
    if (cycles)
        start_over(h, entered);
    size_t next = ring.at + n;
    *out = (struct place){ ring.at, (cycles ? entered : counter) % RING_SEGMENTS, cycles };
    if (!cycles && entered != counter)
        atomic_store_explicit(&h->first[entered % RING_SEGMENTS], (int64_t)next, memory_order_relaxed);
    atomic_store_explicit(&h->words[next], MARK_END, memory_order_release);
    if (!cycles && entered != counter)
        atomic_store_explicit(&h->counter, entered, memory_order_release);
    atomic_fetch_add_explicit(&ring.copying[out->segment], 1, memory_order_relaxed);
    ring.at = next;
    return true;
}

static void
lock_ring(bool *contended)
{
    if (pthread_mutex_trylock(&ring.lock) == 0)
        return;
    *contended = true;
    CHECK(pthread_mutex_lock(&ring.lock) == 0);
}

/* False: the writer of the last round takes too long. */
static bool
reserve_soon(struct ring_head *h, size_t n, struct place *out, bool *contended)
{
    nsec until = 0;
    for (;;) {
        lock_ring(contended);
        bool reserved = reserve(h, n, out), stalled = ring.stalled;
        if (!reserved && until != 0 && clock_mono_ns() >= until)
            ring.stalled = stalled = true;
        CHECK(pthread_mutex_unlock(&ring.lock) == 0);
        if (reserved || stalled)
            return reserved;
        if (until == 0)
            until = nsec_add(clock_mono_ns(), PATIENCE);
        sched_yield();
    }
}

static void
copy_words(_Atomic uint32_t *to, const uint32_t *from, size_t n)
{
    memcpy((uint32_t *)to, from, n * sizeof *from);
}

struct ring_append
ring_append_pieces(const struct ring_piece *pieces, unsigned n_pieces)
{
    struct ring_append did = { false, false, false };
    struct ring_head *h = ring.head;
    struct place place;
    size_t n = 0;
    for (unsigned i = 0; i < n_pieces; i++)
        n += pieces[i].n;
    if (h == NULL || n == 0)
        return did;
    CHECK(n < ring.segment && pieces[0].n > 0);
    did.dropped = !reserve_soon(h, n, &place, &did.contended);
    if (did.dropped)
        return did;
    did.cycled = place.cycled;
    size_t at = place.at;
    copy_words(&h->words[at + 1], pieces[0].words + 1, pieces[0].n - 1);
    size_t to = at + pieces[0].n;
    for (unsigned i = 1; i < n_pieces; i++) {
        copy_words(&h->words[to], pieces[i].words, pieces[i].n);
        to += pieces[i].n;
    }
    atomic_store_explicit(&h->words[at], pieces[0].words[0], memory_order_release);
    atomic_fetch_sub_explicit(&ring.copying[place.segment], 1, memory_order_release);
    return did;
}

struct ring_append
ring_append(const uint32_t *words, size_t n)
{
    return ring_append_pieces(&(struct ring_piece){ words, n }, 1);
}
