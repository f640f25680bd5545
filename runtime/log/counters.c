/* Blocks of counters, one per thread, in a list. The list is locked only when a thread starts or ends, or a
 * reader sums. A reader sees each 64-bit value whole, perhaps a moment old. */
#include "log/counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"
#include "log/tally.h"

const struct vsc_row counter_rows[] = {
#define COUNTER(name, kind, level, format, doc) { #name, kind, level, format, doc },
#define H2_COUNTER(name, kind, level, format, doc) { &#name[sizeof "h2_" - 1], kind, level, format, doc },
#define TLS_COUNTER(name, kind, level, format, doc) { &#name[sizeof "tls_" - 1], kind, level, format, doc },
#include "log/counter_rows.h"
#undef COUNTER
};
enum {
    ALL_ROWS = sizeof counter_rows / sizeof *counter_rows,
#define COUNTER(name, kind, level, format, doc) +1
#define OWN_COUNTER(name, kind, level, format, doc)
#define H2_COUNTER(name, kind, level, format, doc)
#define TLS_COUNTER(name, kind, level, format, doc)
    MAIN_ROWS = 0
#include "log/counter_rows.h"
    ,
#define OWN_COUNTER(name, kind, level, format, doc) +1
#define H2_COUNTER(name, kind, level, format, doc)
#define TLS_COUNTER(name, kind, level, format, doc)
#undef COUNTER
#define COUNTER(name, kind, level, format, doc)
    OWN_ROWS = 0
#include "log/counter_rows.h"
    ,
#define H2_COUNTER(name, kind, level, format, doc) +1
#define OWN_COUNTER(name, kind, level, format, doc)
#define TLS_COUNTER(name, kind, level, format, doc)
    H2_ROWS = 0
#include "log/counter_rows.h"
#undef COUNTER
    ,
    H2_FIRST = MAIN_ROWS + OWN_ROWS,
    TLS_FIRST = H2_FIRST + H2_ROWS
};
_Static_assert(MAIN_ROWS == 144,
               "MAIN has the counters of Varnish, no other: write OWN_COUNTER for a new one");
_Static_assert(offsetof(struct counters, resp_2xx) == MAIN_ROWS * sizeof(uint64_t) &&
                   offsetof(struct counters, h2_sessions) == H2_FIRST * sizeof(uint64_t) &&
                   offsetof(struct counters, tls_sessions) == TLS_FIRST * sizeof(uint64_t),
               "write the rows of COUNTER, OWN_COUNTER, H2_COUNTER and TLS_COUNTER in this order");
const unsigned n_counter_rows = ALL_ROWS;
const struct counter_group counter_groups[COUNTER_GROUPS] = {
    { "MAIN", { "main", "The worker", counter_rows, MAIN_ROWS } },
    { "VERNIS", { "vernis", "The worker, beyond what Varnish counts", counter_rows + MAIN_ROWS, OWN_ROWS } },
    { "H2", { "h2", "HTTP/2 with clients", counter_rows + H2_FIRST, H2_ROWS } },
    { "TLS", { "tls", "TLS with clients", counter_rows + TLS_FIRST, ALL_ROWS - TLS_FIRST } },
};

/* Aligned, so that threads do not write to each other's cache lines. */
struct block {
    _Alignas(64) struct counters counters;
    uint64_t settled; /* digest of the counters at the last counters_settle */
    struct list link;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list blocks = { &blocks, &blocks }; /* lock */
static struct counters ended;                     /* lock; sums of threads that ended */
static pthread_key_t block_key;
static pthread_once_t block_once = PTHREAD_ONCE_INIT;
static _Thread_local struct block *here;
static atomic_bool dozing; /* the publisher wants to be woken through wake_fd */
static int wake_fd = -1;   /* fixed before counters_doze */

uint64_t
counters_value(const struct counters *c, const struct vsc_row *row)
{
    return ((const uint64_t *)c)[row - counter_rows];
}

const char *
counters_ident(const struct vsc_row *row)
{
    unsigned group = COUNTER_GROUPS - 1;
    while (row < counter_groups[group].type.rows)
        group--;
    return counter_groups[group].ident;
}

/* The owner stores without atomics. An aligned 64-bit load is whole on every machine we support, and readers
 * accept a sum that is a moment old, so TSan skips this function. */
__attribute__((no_sanitize_thread, noinline)) static void
counters_add(struct counters *to, const struct counters *from)
{
    uint64_t *sum = (uint64_t *)to;
    const volatile uint64_t *value = (const volatile uint64_t *)from;
    uint64_t longest = to->loop_longest_round_us; /* a maximum, not a sum */
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++)
        sum[i] += value[i];
    uint64_t other = to->loop_longest_round_us - longest;
    to->loop_longest_round_us = longest > other ? longest : other;
}

static void
block_end(void *arg)
{
    struct block *b = arg;
    CHECK(pthread_mutex_lock(&lock) == 0);
    list_remove(&b->link);
    counters_add(&ended, &b->counters);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    here = NULL;
    free(b);
}

static void
block_key_make(void)
{
    CHECK(pthread_key_create(&block_key, block_end) == 0);
}

__attribute__((noinline)) static struct counters *
block_new(void)
{
    CHECK(pthread_once(&block_once, block_key_make) == 0);
    struct block *b = aligned_alloc(64, sizeof *b);
    CHECK(b != NULL);
    *b = (struct block){ .link = { NULL, NULL } };
    CHECK(pthread_mutex_lock(&lock) == 0);
    list_push_back(&blocks, &b->link);
    CHECK(pthread_mutex_unlock(&lock) == 0);
    CHECK(pthread_setspecific(block_key, b) == 0);
    here = b;
    return &b->counters;
}

struct counters *
counters_here(void)
{
    return here != NULL ? &here->counters : block_new();
}

struct counters *
counters_of(struct loop *loop)
{
    (void)loop; /* one loop a thread, and each counts on its own thread only */
    return counters_here();
}

void
counters_sum(struct counters *out)
{
    CHECK(pthread_mutex_lock(&lock) == 0);
    *out = ended;
    list_each(link, &blocks) counters_add(out, &container_of(link, struct block, link)->counters);
    CHECK(pthread_mutex_unlock(&lock) == 0);
}

/* ---- waking the publisher ---- */

void
counters_wake_by(int eventfd)
{
    wake_fd = eventfd;
}

void
counters_doze(bool on)
{
    atomic_store(&dozing, on && wake_fd >= 0);
}

static uint64_t
digest(const struct counters *c)
{
    const uint64_t *value = (const uint64_t *)c;
    uint64_t sum = 0;
    for (size_t i = 0; i < sizeof *c / sizeof *value; i++)
        sum = sum * 31 + value[i]; /* a plain sum would miss one counter going up while another goes down */
    return sum;
}

void
counters_settle(void)
{
    if (!atomic_load_explicit(&dozing, memory_order_relaxed) || here == NULL)
        return;
    uint64_t now = digest(&here->counters) + tally_thread.looks;
    if (now == here->settled)
        return;
    here->settled = now;
    if (atomic_exchange(&dozing, false))
        CHECK(eventfd_write(wake_fd, 1) == 0);
}
