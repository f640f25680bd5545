/* Storages and their budgets. Bodies and heads are charged before they are allocated, and the thread that
 * needs space evicts for it. Memory that is allocated under a lock, such as the entries of the index, is
 * held: charged at once, above the limit if necessary. The next charge evicts for it.
 *
 * What a thread needs it takes from taken_bytes, with a piece more that it holds ahead for what it needs
 * next; what it frees it holds ahead up to two pieces. So taken_bytes is what all use and hold ahead, and a
 * storage seems full a little early. A thread that would fail for lack of room counts what the others hold
 * ahead as room (take_last): the storage is then above its limit by these bytes once they are used. While it
 * is above its limit, what is freed is given back at once. */
#include "storage/storage_internal.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/counters.h"
#include "loop/fiber.h"

#define SETTLE_MAX 2048u /* most objects evicted for one allocation, in addition to nuke_limit */
#define SETTLE_FOR_OTHERS 512u
#define SETTLE_PER_CLOCK 8u
#define SETTLE_PATIENCE NSEC_PER_MSEC
#define GROWING_SHORT (1u << 20) /* a growing body up to this length does not end for the sake of others */
/* Threads hold at most this part of a storage ahead, in all, if they are the loops. Smaller pieces would save
 * few writes to the line that all threads share: of a smaller storage nothing is held ahead. */
#define AHEAD_PART 128u
#define AHEAD_PIECES 2u
#define PIECE_BYTES_MAX (256u * 1024)
#define PIECE_BYTES_MIN 4096u
/* Filter bytes of Transient that do not count; docs/memory.md counts them in the base. */
#define FILTERS_FREE (1 << 20)

static struct share *
share_here(struct storage *st)
{
    return (struct share *)tally_words(&st->tally);
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
    pthread_mutex_init(&st->filters_lock, NULL);
    storage_counters_make(st);
    storage_limit(st, limit_bytes);
    *out = st;
    return 0;
}

void
storage_limit(struct storage *st, uint64_t bytes)
{
    uint64_t piece = bytes / (AHEAD_PART * AHEAD_PIECES * params.loops);
    st->limit_bytes = bytes;
    st->piece_bytes = bytes == 0 || piece > PIECE_BYTES_MAX ? PIECE_BYTES_MAX
                    : piece < PIECE_BYTES_MIN               ? 0
                                                            : piece;
    tally_show(&st->tally);
}

void
storage_release(struct storage **stp)
{
    struct storage *st = *stp;
    *stp = NULL;
    if (st == NULL)
        return;
    numbered.all[st->number] = NULL;
    storage_counters_free(st);
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
    uint64_t free_bytes = storage_free_overhead(st);
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
filter_bytes(const struct storage *st)
{
    return atomic_load_explicit(&st->filter_bytes, memory_order_relaxed);
}

static uint64_t
exact_room(const struct storage *st)
{
    uint64_t overhead = storage_used_for(st, USE_ROUNDING) + storage_used_for(st, USE_INDEX);
    return st->limit_bytes + overhead - charged_overhead(st, overhead) + free_of(filter_bytes(st));
}

/* Sums over all threads while some overhead may be free. Once it is large, responses are evicted as if all of
 * it counted, without sums: if it has become less since they were last shown, by up to 64 KB too early. */
static uint64_t
room(const struct storage *st)
{
    return atomic_load_explicit(&st->overhead_counts, memory_order_relaxed)
             ? st->limit_bytes + free_of(filter_bytes(st))
             : exact_room(st);
}

static bool
is_above(const struct storage *st, uint64_t bytes)
{
    return st->limit_bytes > 0 && bytes > st->limit_bytes && bytes > room(st);
}

static uint64_t
taken(const struct storage *st)
{
    return atomic_load_explicit(&st->taken_bytes, memory_order_relaxed);
}

/* Also true if it is so only with what threads hold ahead. */
static bool
is_over(const struct storage *st)
{
    return is_above(st, taken(st));
}

/* More than the thread holds ahead. It adds a piece to what it needs, if there is so much room. False: there
 * is not even what it needs. `lent` counts as room, too. */
static bool
take_lent(struct storage *st, struct share *own, uint64_t bytes, uint64_t lent)
{
    uint64_t needed = bytes - own->ahead, piece, limit = st->limit_bytes;
    unsigned long long before = taken(st);
    do {
        uint64_t after = before + needed;
        if (limit > 0 && (bytes > limit || (after > limit && after > room(st) + lent)))
            return false;
        piece = limit == 0 || after + st->piece_bytes <= limit ? st->piece_bytes : 0;
    } while (!atomic_compare_exchange_weak(&st->taken_bytes, &before, before + needed + piece));
    own->ahead = piece;
    return true;
}

static inline bool
take(struct storage *st, struct share *own, uint64_t bytes)
{
    if (bytes > own->ahead)
        return take_lent(st, own, bytes, 0);
    own->ahead -= bytes;
    return true;
}

static void
take_always(struct storage *st, struct share *own, uint64_t bytes)
{
    if (take(st, own, bytes))
        return;
    atomic_fetch_add(&st->taken_bytes, bytes - own->ahead);
    own->ahead = 0;
}

static void
give(struct storage *st, struct share *own, uint64_t bytes)
{
    own->ahead += bytes;
    bool over = is_over(st);
    if (own->ahead <= AHEAD_PIECES * st->piece_bytes && !over)
        return;
    uint64_t keep = over ? 0 : st->piece_bytes, back = own->ahead - keep;
    own->ahead = keep;
    unsigned long long before = atomic_fetch_sub(&st->taken_bytes, back);
    CHECK(before >= back);
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
    pthread_mutex_lock(&st->filters_lock);
    uint64_t before = filter_bytes(st), now = before + (uint64_t)bytes;
    atomic_store_explicit(&st->filter_bytes, now, memory_order_relaxed);
    if (st->backing != NULL)
        storage_hold(st->backing, USE_TRANSIENT, beyond_free(now) - beyond_free(before));
    pthread_mutex_unlock(&st->filters_lock);
}

/* Records the use of bytes that were taken already, and forwards them to the backing storage. Negative: given
 * back. */
static void
count(struct storage *st, struct share *own, enum storage_use use, int64_t bytes)
{
    if (use == USE_FILTERS) {
        count_filters(st, bytes);
        return;
    }
    own->uses[use] += (uint64_t)bytes;
    if (st->backing != NULL)
        storage_hold(st->backing, USE_TRANSIENT, bytes);
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
    struct share *own = share_here(st);
    bool done = take(st, own, bytes);
    if (done)
        count(st, own, use, (int64_t)bytes);
    else
        own->counts[SMA_C_FAIL]++;
    return done;
}

/* Nothing else is left: the bytes that other threads hold ahead are room. They are summed before taken_bytes
 * is read, so what is taken meanwhile does not count twice. */
static bool
take_last(struct storage *st, enum storage_use use, uint64_t bytes)
{
    struct share *own = share_here(st);
    atomic_store_explicit(&st->overhead_counts, false, memory_order_relaxed);
    uint64_t lent = tally_sum(&st->tally, WORD(ahead)) - own->ahead;
    if (!take(st, own, bytes) && (st->piece_bytes == 0 || !take_lent(st, own, bytes, lent)))
        return false;
    count(st, own, use, (int64_t)bytes);
    return true;
}

static void
note_found(struct storage *st, bool none)
{
    if (atomic_load_explicit(&st->found_none, memory_order_relaxed) != none)
        atomic_store_explicit(&st->found_none, none, memory_order_relaxed);
}

/* A piece, which the thread holds ahead: it takes the lock of the queues once for what its next responses
 * need. */
static struct evicted
evict_piece(struct storage *st)
{
    return st->evict(st, st->piece_bytes);
}

/* Evicts from st, or if it has nothing to evict, from Transient, which has borrowed its memory. */
static struct evicted
evict_any(struct storage *st)
{
    struct evicted n = evict_piece(st);
    return n.objects == 0 && st->borrower != NULL ? evict_piece(st->borrower) : n;
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
        struct evicted n = evict_any(st);
        note_found(st, n.objects == 0);
        if (n.objects == 0)
            return take_last(st, use, bytes);
        i += is_held ? 0 : n.objects;
        evicted += is_held ? 0 : n.bytes;
        if (attempt(st, use, bytes))
            return true;
        if (use == USE_BODIES)
            fiber_yield_if_due();
    }
    if (take_last(st, use, bytes))
        return true;
    counters_here()->n_lru_limited++;
    return false;
}

/* Evicts from st about `max` objects while `needed`, for about SETTLE_PATIENCE, because each search may
 * pass over many objects that are in use. The next call goes on. True: nothing is left to evict. */
static bool
evict_while(struct storage *st, bool (*needed)(const struct storage *st), unsigned max)
{
    nsec until = 0;
    unsigned evicted = 0, looked = 0; /* at the clock, after so many */
    while (evicted < max && needed(st)) {
        struct evicted n = evict_piece(st);
        if (n.objects == 0)
            return true;
        evicted += n.objects;
        if (until != 0 && evicted - looked < SETTLE_PER_CLOCK)
            continue;
        nsec now = clock_mono_ns();
        until = until == 0 ? now + SETTLE_PATIENCE : until;
        if (now >= until)
            break;
        looked = evicted;
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
    share_here(st)->counts[SMA_C_FAIL]++;
    return ERR_NOMEM;
}

static void
reserve_always(struct storage *st, enum storage_use use, uint64_t bytes)
{
    struct share *own = share_here(st);
    take_always(st, own, bytes);
    count(st, own, use, (int64_t)bytes);
}

/* The first filters are never refused: their memory belongs to the base (docs/memory.md). */
static int
reserve_filters(struct storage *st, uint64_t bytes)
{
    if (filter_bytes(st) + bytes > FILTERS_FREE)
        return reserve_within(st, USE_FILTERS, bytes);
    reserve_always(st, USE_FILTERS, bytes);
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
    reserve_always(st, use, bytes);
    settle_backing(st);
    return 0;
}

void
storage_unreserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    struct share *own = share_here(st);
    give(st, own, bytes);
    count(st, own, use, -(int64_t)bytes);
}

void
storage_allocated(struct storage *st, uint64_t bytes)
{
    struct share *own = share_here(st);
    own->counts[SMA_C_REQ]++;
    own->counts[SMA_C_BYTES] += bytes;
    own->counts[SMA_G_ALLOC]++;
}

void
storage_trimmed(struct storage *st, enum storage_use use, uint64_t bytes)
{
    share_here(st)->counts[SMA_C_FREED] += bytes;
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
    share_here(st)->counts[SMA_G_ALLOC]--;
    storage_trimmed(st, use, bytes);
}

void
storage_hold(struct storage *st, enum storage_use use, int64_t bytes)
{
    if (bytes == 0)
        return;
    struct share *own = share_here(st);
    if (bytes < 0) {
        give(st, own, (uint64_t)-bytes);
        own->counts[SMA_C_FREED] += (uint64_t)-bytes;
    } else {
        take_always(st, own, (uint64_t)bytes);
        own->counts[SMA_C_BYTES] += (uint64_t)bytes;
    }
    count(st, own, use, bytes);
}

bool
storage_settle(struct storage *st, unsigned max)
{
    bool over = is_over(st), found_none = over && evict_while(st, is_over, max);
    note_found(st, found_none);
    return over && !found_none && is_over(st);
}

bool
storage_refuses(const struct storage *st)
{
    const struct storage *lender = st->backing;
    return lender != NULL && atomic_load_explicit(&lender->found_none, memory_order_relaxed) &&
           is_over(lender) && is_above(lender, storage_used(lender));
}

bool
storage_is_tight(const struct storage *st)
{
    uint64_t limit = st->limit_bytes;
    if (st->backing != NULL && st->backing->limit_bytes < limit)
        limit = st->backing->limit_bytes;
    return (limit > 0 && taken(st) > limit / 2) || storage_refuses(st);
}

static struct storage *
lender_of(const struct storage *st)
{
    return st->backing != NULL ? st->backing : (struct storage *)(uintptr_t)st;
}

void
storage_grow(struct storage *st, int64_t bytes)
{
    share_here(lender_of(st))->growing += (uint64_t)bytes;
}

uint64_t
storage_growing(const struct storage *st)
{
    return tally_gauge(tally_sum(&lender_of(st)->tally, WORD(growing)));
}

bool
storage_growth_ends(const struct storage *st, uint64_t own)
{
    const struct storage *lender = lender_of(st);
    uint64_t limit = st->limit_bytes > 0 ? st->limit_bytes : lender->limit_bytes;
    uint64_t most = limit / 100 * params.growing_max;
    if (limit == 0 || own <= GROWING_SHORT)
        return limit > 0 && own > most;
    return own > most || storage_growing(st) > most;
}

uint64_t
storage_used_for(const struct storage *st, enum storage_use use)
{
    return use == USE_FILTERS ? filter_bytes(st) : tally_gauge(tally_sum(&st->tally, WORD(uses) + use));
}

uint64_t
storage_counted(const struct storage *st, enum storage_counter which)
{
    CHECK(which < SMA_G_BYTES);
    return tally_sum(&st->tally, WORD(counts) + which);
}

uint64_t
storage_used(const struct storage *st)
{
    uint64_t ahead = tally_sum(&st->tally, WORD(ahead));
    return tally_gauge(taken(st) - ahead);
}
