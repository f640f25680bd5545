/* Storages and their budgets. Bodies and heads are charged before they are allocated, and the thread that
 * needs space evicts for it. Memory that is allocated under a lock, such as the entries of the index, is
 * held: charged at once, above the limit if necessary. The next charge evicts for it. */
#include "storage/storage.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/counters.h"
#include "log/vsc.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "storage/memfd.h"

#define IDENT_BYTES 256u
#define SETTLE_MAX 2048u /* most objects evicted for one allocation, in addition to nuke_limit */
#define SETTLE_FOR_OTHERS 512u
#define SETTLE_PER_CLOCK 8u
#define SETTLE_PATIENCE NSEC_PER_MSEC
#define GROWING_SHORT (1u << 20) /* a growing body up to this length does not end for the sake of others */
/* Limit for the rounding and index bytes that do not count. */
#define FREE_BYTES_MAX (64u * 1024)
#define FREE_PART 16u /* they are also limited to this part of the storage */
/* Filter bytes of Transient that do not count; docs/memory.md counts them in the base. */
#define FILTERS_FREE (1 << 20)

static const struct vsc_row rows[SMA_COUNT] = {
    [SMA_C_REQ] = { "c_req", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Allocations" },
    [SMA_C_FAIL] = { "c_fail", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                     "Allocations that failed for lack of room" },
    [SMA_C_BYTES] = { "c_bytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes allocated since the start" },
    [SMA_C_FREED] = { "c_freed", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes freed since the start" },
    [SMA_G_ALLOC] = { "g_alloc", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Allocations held" },
    [SMA_G_BYTES] = { "g_bytes", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes allocated or reserved" },
    [SMA_G_SPACE] = { "g_space", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes left; 0 without a limit" },
};
static const struct vsc_type type = { "sma", "A storage", rows, SMA_COUNT };

static const struct vsc_row use_rows[USE_COUNT] = {
    [USE_BODIES] = { "g_bodies", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                     "Bodies, with space reserved for unfinished ones" },
    [USE_HEADS] = { "g_heads", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                    "Heads of responses, with their share of bookkeeping" },
    [USE_INDEX] = { "g_index", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Keys and tables of the index" },
    [USE_KEYS] = { "g_keys", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Surrogate keys (xkey)" },
    [USE_BANS] = { "g_bans", VSC_GAUGE, VSC_INFO, VSC_BYTES, "The list of bans" },
    [USE_PURGES] = { "g_purges", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Remembered purges" },
    [USE_THROTTLE] = { "g_throttle", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Buckets of vsthrottle" },
    [USE_ADDRESSES] = { "g_addresses", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Addresses of clients, for connections_per_address" },
    [USE_REQUESTS] = { "g_requests", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bodies of current requests" },
    [USE_FILTERS] = { "g_filters", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Active body filters and their buffers" },
    [USE_TRANSIENT] = { "g_transient", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Memory of Transient without its own size, except the first 1 MB of filters" },
    [USE_ROUNDING] = { "g_rounding", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                       "The allocator's overhead for heads and bodies" },
    [USE_FRAGMENTS] = { "g_fragments", VSC_GAUGE, VSC_INFO, VSC_BYTES,
                        "Memory the allocator keeps and cannot use" },
};
static const struct vsc_type use_type = { "memory", "Use of a storage's memory", use_rows, USE_COUNT };

/* Publishes the budget in the counters. A thread that sees another change after its own publishes that too,
 * so the last change is always shown. */
static void
show(struct storage *st)
{
    unsigned long long used = atomic_load(&st->used_bytes), shown;
    do {
        shown = used;
        vsc_set(&st->counters[SMA_G_SPACE], st->limit_bytes > used ? st->limit_bytes - used : 0);
        __atomic_store_n(&st->counters[SMA_G_BYTES], used, __ATOMIC_SEQ_CST);
        used = atomic_load(&st->used_bytes);
    } while (used != shown);
}

static void
counters_make(struct storage *st)
{
    char ident[IDENT_BYTES];
    snprintf(ident, sizeof ident, "SMA.%.*s", (int)st->name.len, st->name.ptr);
    st->counters = vsc_new(&type, ident);
    snprintf(ident, sizeof ident, "MEMORY.%.*s", (int)st->name.len, st->name.ptr);
    st->uses = vsc_new(&use_type, ident);
    show(st);
}

static struct {
    pthread_mutex_t lock;
    struct storage *all[STORAGES_NUMBERED];
} numbered = { .lock = PTHREAD_MUTEX_INITIALIZER };

static int
number_take(struct storage *st)
{
    unsigned i = 0;
    pthread_mutex_lock(&numbered.lock);
    while (i < STORAGES_NUMBERED && numbered.all[i] != NULL)
        i++;
    if (i < STORAGES_NUMBERED)
        numbered.all[i] = st;
    pthread_mutex_unlock(&numbered.lock);
    st->number = (uint8_t)i;
    return i < STORAGES_NUMBERED ? 0 : ERR_LIMIT;
}

struct storage *
storage_numbered(unsigned number)
{
    return numbered.all[number];
}

int
storage_new(struct span name, uint64_t limit_bytes, struct storage **out)
{
    struct storage *st = mem_zalloc(sizeof *st);
    int err = number_take(st);
    if (err != 0) {
        free(st);
        return err;
    }
    st->name = span_of(mem_text(name), name.len);
    st->limit_bytes = limit_bytes;
    pthread_mutex_init(&st->filters_lock, NULL);
    counters_make(st);
    *out = st;
    return 0;
}

void
storage_release(struct storage **stp)
{
    struct storage *st = *stp;
    *stp = NULL;
    if (st == NULL)
        return;
    numbered.all[st->number] = NULL;
    vsc_free(&st->counters);
    vsc_free(&st->uses);
    pthread_mutex_destroy(&st->filters_lock);
    free((char *)st->name.ptr);
    free(st);
}

/* ---- budget ---- */

/* Overhead bytes that count against the limit. A policy may rely on a response that just fits its storage by
 * its bytes alone, because Varnish counts nothing else: so a little rounding and index is free. From twice
 * that amount on, all overhead counts, and the total stays within the limit. */
static uint64_t
charged_overhead(const struct storage *st, uint64_t overhead)
{
    uint64_t part = st->limit_bytes / FREE_PART, free_bytes = part < FREE_BYTES_MAX ? part : FREE_BYTES_MAX;
    if (overhead <= free_bytes)
        return 0;
    return overhead < 2 * free_bytes ? 2 * (overhead - free_bytes) : overhead;
}

static uint64_t
free_of(uint64_t filter_bytes)
{
    return filter_bytes < FILTERS_FREE ? filter_bytes : FILTERS_FREE;
}

static uint64_t
room(const struct storage *st)
{
    uint64_t overhead = storage_used_for(st, USE_ROUNDING) + storage_used_for(st, USE_INDEX);
    return st->limit_bytes + overhead - charged_overhead(st, overhead) +
           free_of(storage_used_for(st, USE_FILTERS));
}

static bool
is_over(const struct storage *st)
{
    return st->limit_bytes > 0 && atomic_load_explicit(&st->used_bytes, memory_order_relaxed) > room(st);
}

bool
storage_could_hold(const struct storage *st, uint64_t bytes, uint64_t cost)
{
    DEBUG_CHECK(cost >= bytes);
    return st->limit_bytes == 0 || bytes + charged_overhead(st, cost - bytes) <= st->limit_bytes;
}

static int64_t
beyond_free(uint64_t filter_bytes)
{
    return (int64_t)(filter_bytes - free_of(filter_bytes));
}

/* Filters live only during a fetch or delivery, so a few of them evict no stored response: only the bytes
 * beyond FILTERS_FREE are held on the backing storage. The lock keeps that account from going below zero:
 * without it, a thread could give back bytes that another one has not yet taken there. */
static void
count_filters(struct storage *st, int64_t bytes)
{
    DEBUG_CHECK(st->backing != NULL);
    pthread_mutex_lock(&st->filters_lock);
    uint64_t before = storage_used_for(st, USE_FILTERS), now = before + (uint64_t)bytes;
    vsc_add(&st->uses[USE_FILTERS], (uint64_t)bytes);
    storage_hold(st->backing, USE_TRANSIENT, beyond_free(now) - beyond_free(before));
    pthread_mutex_unlock(&st->filters_lock);
}

/* Records the use of bytes that used_bytes includes already, and forwards them to the backing storage.
 * Negative: given back. */
static void
count(struct storage *st, enum storage_use use, int64_t bytes)
{
    show(st);
    if (st->backing != NULL && use == USE_FILTERS) {
        count_filters(st, bytes);
        return;
    }
    vsc_add(&st->uses[use], (uint64_t)bytes);
    if (st->backing != NULL)
        storage_hold(st->backing, USE_TRANSIENT, bytes);
}

static bool
try_reserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    unsigned long long used = atomic_load_explicit(&st->used_bytes, memory_order_relaxed);
    uint64_t most = room(st);
    do {
        if (st->limit_bytes > 0 && (bytes > st->limit_bytes || used > most - bytes))
            return false;
    } while (!atomic_compare_exchange_weak(&st->used_bytes, &used, used + bytes));
    count(st, use, (int64_t)bytes);
    return true;
}

/* nuke_limit is meant for objects of some size. Small objects count by their bytes: otherwise evictions of
 * small objects could never make room for a long body. */
static bool
may_evict(unsigned objects, uint64_t bytes)
{
    return objects < params.nuke_limit || bytes < (uint64_t)params.nuke_limit * params.fetch_chunksize_bytes;
}

/* Each attempt without room counts as a failure, as in Varnish, even if an eviction then makes room. */
static bool
attempt(struct storage *st, enum storage_use use, uint64_t bytes)
{
    bool done = try_reserve(st, use, bytes);
    if (!done)
        vsc_add(&st->counters[SMA_C_FAIL], 1);
    return done;
}

/* Evicts from st, or if it has nothing to evict, from Transient, which has borrowed its memory. */
static uint64_t
evict_one(struct storage *st)
{
    uint64_t n = st->evict_one(st);
    return n == 0 && st->borrower != NULL ? st->borrower->evict_one(st->borrower) : n;
}

/* Room for a body may take thousands of evictions, so its fiber lets others run meanwhile. */
static bool
reserve_by_evicting(struct storage *st, enum storage_use use, uint64_t bytes)
{
    uint64_t evicted = 0;
    unsigned settled = 0;
    if (bytes > st->limit_bytes)
        return false;
    for (unsigned i = 0; may_evict(i, evicted);) {
        /* memory held above the limit does not count against nuke_limit */
        bool is_held = is_over(st) && settled++ < SETTLE_MAX;
        uint64_t n = evict_one(st);
        atomic_store_explicit(&st->found_none, n == 0, memory_order_relaxed);
        if (n == 0)
            return false;
        i += !is_held;
        evicted += is_held ? 0 : n;
        counters_here()->n_lru_nuked++;
        if (attempt(st, use, bytes))
            return true;
        if (use == USE_BODIES)
            fiber_yield_if_due();
    }
    counters_here()->n_lru_limited++;
    return false;
}

/* Evicts from st at most `max` objects while `needed`, for about SETTLE_PATIENCE, because each search may
 * pass over many objects that are in use. The next call goes on. True: nothing is left to evict. */
static bool
evict_while(struct storage *st, bool (*needed)(const struct storage *st), unsigned max)
{
    nsec until = 0;
    for (unsigned i = 0; i < max && needed(st); i++) {
        if (st->evict_one(st) == 0)
            return true;
        counters_here()->n_lru_nuked++;
        if (i % SETTLE_PER_CLOCK != 0)
            continue;
        nsec now = clock_mono_ns();
        until = until == 0 ? now + SETTLE_PATIENCE : until;
        if (now >= until)
            break;
    }
    return false;
}

/* Evicts for memory that st has borrowed: first from its lender, then from st. */
static void
settle_backing(struct storage *st)
{
    if (st->backing == NULL)
        return;
    (void)storage_settle(st->backing, SETTLE_FOR_OTHERS);
    (void)evict_while(st, storage_refuses, SETTLE_FOR_OTHERS);
}

static int
reserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    if (!attempt(st, use, bytes) && !reserve_by_evicting(st, use, bytes))
        return ERR_NOMEM;
    settle_backing(st);
    return 0;
}

/* Slow clients may hold these bytes for long, so they must fit into what st can borrow. */
static int
reserve_within(struct storage *st, enum storage_use use, uint64_t bytes)
{
    int err = reserve(st, use, bytes);
    if (err != 0 || !storage_refuses(st))
        return err;
    storage_unreserve(st, use, bytes);
    vsc_add(&st->counters[SMA_C_FAIL], 1);
    return ERR_NOMEM;
}

/* The first filters are never refused: their memory belongs to the base (docs/memory.md). */
static int
reserve_filters(struct storage *st, uint64_t bytes)
{
    if (storage_used_for(st, USE_FILTERS) + bytes > FILTERS_FREE)
        return reserve_within(st, USE_FILTERS, bytes);
    atomic_fetch_add(&st->used_bytes, bytes);
    count(st, USE_FILTERS, (int64_t)bytes);
    return 0;
}

int
storage_reserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    switch (use) {
    case USE_FILTERS: return reserve_filters(st, bytes);
    case USE_BODIES: return reserve_within(st, use, bytes);
    case USE_HEADS: return storage_reserve_piece(st, use, bytes);
    default: return reserve(st, use, bytes);
    }
}

int
storage_reserve_piece(struct storage *st, enum storage_use use, uint64_t bytes)
{
    int err = reserve(st, use, bytes);
    if (err == 0 || st->backing == NULL)
        return err;
    atomic_fetch_add(&st->used_bytes, bytes);
    count(st, use, (int64_t)bytes);
    settle_backing(st);
    return 0;
}

void
storage_unreserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    unsigned long long before = atomic_fetch_sub(&st->used_bytes, bytes);
    CHECK(before >= bytes);
    count(st, use, -(int64_t)bytes);
}

void
storage_allocated(struct storage *st, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_C_REQ], 1);
    vsc_add(&st->counters[SMA_C_BYTES], bytes);
    vsc_add(&st->counters[SMA_G_ALLOC], 1);
}

void
storage_trimmed(struct storage *st, enum storage_use use, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_C_FREED], bytes);
    storage_unreserve(st, use, bytes);
}

int
storage_charge(struct storage *st, enum storage_use use, uint64_t bytes)
{
    int err = storage_reserve(st, use, bytes);
    if (err == 0)
        storage_allocated(st, bytes);
    return err;
}

void
storage_refund(struct storage *st, enum storage_use use, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_G_ALLOC], (uint64_t)-1);
    storage_trimmed(st, use, bytes);
}

void
storage_hold(struct storage *st, enum storage_use use, int64_t bytes)
{
    unsigned long long before = atomic_fetch_add(&st->used_bytes, (unsigned long long)bytes);
    CHECK(bytes >= 0 || before >= (unsigned long long)-bytes);
    vsc_add(&st->counters[bytes < 0 ? SMA_C_FREED : SMA_C_BYTES], (uint64_t)(bytes < 0 ? -bytes : bytes));
    count(st, use, bytes);
}

bool
storage_settle(struct storage *st, unsigned max)
{
    bool found_none = evict_while(st, is_over, max);
    atomic_store_explicit(&st->found_none, found_none, memory_order_relaxed);
    return !found_none && is_over(st);
}

bool
storage_refuses(const struct storage *st)
{
    const struct storage *lender = st->backing;
    return lender != NULL && atomic_load_explicit(&lender->found_none, memory_order_relaxed) &&
           is_over(lender);
}

bool
storage_is_tight(const struct storage *st)
{
    uint64_t limit = st->limit_bytes, used = atomic_load_explicit(&st->used_bytes, memory_order_relaxed);
    if (st->backing != NULL && st->backing->limit_bytes < limit)
        limit = st->backing->limit_bytes;
    return (limit > 0 && used > limit / 2) || storage_refuses(st);
}

static struct storage *
lender_of(const struct storage *st)
{
    return st->backing != NULL ? st->backing : (struct storage *)(uintptr_t)st;
}

void
storage_grow(struct storage *st, int64_t bytes)
{
    struct storage *lender = lender_of(st);
    atomic_fetch_add_explicit(&lender->growing_bytes, (unsigned long long)bytes, memory_order_relaxed);
}

bool
storage_growth_ends(const struct storage *st, uint64_t own)
{
    const struct storage *lender = lender_of(st);
    uint64_t limit = st->limit_bytes > 0 ? st->limit_bytes : lender->limit_bytes;
    uint64_t most = limit / 100 * params.growing_max;
    if (limit == 0 || own <= GROWING_SHORT)
        return limit > 0 && own > most;
    return own > most || atomic_load_explicit(&lender->growing_bytes, memory_order_relaxed) > most;
}

uint64_t
storage_used_for(const struct storage *st, enum storage_use use)
{
    return __atomic_load_n(&st->uses[use], __ATOMIC_RELAXED);
}

/* ---- the space in memory files ---- */

void
file_space_init(struct file_space *f)
{
    *f = (struct file_space){ 0 };
    pthread_mutex_init(&f->lock, NULL);
}

void
file_space_release(struct file_space *f)
{
    memfd_space_release(&f->space);
    pthread_mutex_destroy(&f->lock);
}

struct space *
storage_space(const struct storage *st)
{
    struct file_space *f = st->files;
    if (f == NULL)
        return NULL;
    pthread_mutex_lock(&f->lock);
    if (f->space == NULL && !f->failed) {
        f->failed = memfd_space_new(&f->space) != 0;
        if (f->failed)
            log_line(LOG_LEVEL_WARNING, "sendfile_min has no effect, bodies are copied: memfd: %s",
                     strerror(errno));
    }
    struct space *space = f->space;
    pthread_mutex_unlock(&f->lock);
    return space;
}

struct space *
file_space_so_far(struct file_space *f)
{
    pthread_mutex_lock(&f->lock);
    struct space *space = f->space;
    pthread_mutex_unlock(&f->lock);
    return space;
}
