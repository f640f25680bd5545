/* Storages and their budgets. Memory is charged before it is allocated, so used_bytes never exceeds limit_bytes, not even for a
 * moment; who needs space evicts it on its own thread. */
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/params.h"
#include "cache/internal.h"
#include "log/counters.h"
#include "log/vsc.h"

#define IDENT_BYTES 256u

static const struct vsc_row rows[SMA_COUNT] = {
    [SMA_C_REQ] = { "c_req", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Allocations" },
    [SMA_C_FAIL] = { "c_fail", VSC_COUNTER, VSC_INFO, VSC_INTEGER, "Allocations refused for want of room" },
    [SMA_C_BYTES] = { "c_bytes", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes allocated since the start" },
    [SMA_C_FREED] = { "c_freed", VSC_COUNTER, VSC_INFO, VSC_BYTES, "Bytes freed since the start" },
    [SMA_G_ALLOC] = { "g_alloc", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Allocations held" },
    [SMA_G_BYTES] = { "g_bytes", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes held, with room reserved for what is under way" },
    [SMA_G_SPACE] = { "g_space", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Bytes left; 0 without a limit" },
};
static const struct vsc_type type = { "sma", "A storage", rows, SMA_COUNT };

static void
counters_make(struct storage *st)
{
    char ident[IDENT_BYTES];
    snprintf(ident, sizeof ident, "SMA.%.*s", (int)st->name.len, st->name.ptr);
    st->counters = vsc_new(&type, ident);
    vsc_set(&st->counters[SMA_G_SPACE], st->limit_bytes);
}

int
storage_new(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out)
{
    struct storage *st = mem_zalloc(sizeof *st);
    char *text = mem_text(name);
    st->name = span_of(text, name.len);
    st->limit_bytes = limit_bytes;
    int err = queues_new(s, &st->queues);
    if (err != 0) {
        free(text);
        free(st);
        return err;
    }
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
    vsc_free(&st->counters);
    queues_release(&st->queues);
    free((char *)st->name.ptr);
    free(st);
}

int
store_add_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out)
{
    CHECK(name.ptr != NULL && name.len > 0);
    struct storage *st = store_storage(s, name);
    if (st != NULL && st == store_transient(s) && st->limit_bytes == 0) {
        st->limit_bytes = limit_bytes;  /* -s Transient=malloc,SIZE */
        vsc_set(&st->counters[SMA_G_SPACE], limit_bytes);
        *out = st;
        return 0;
    }
    if (st != NULL)
        return ERR_EXISTS;
    if (s->n_storages == STORAGES_MAX)
        return ERR_LIMIT;
    int err = storage_new(s, name, limit_bytes, &st);
    if (err == 0)
        *out = s->storages[s->n_storages++] = st;
    return err;
}

struct storage *
store_transient(struct store *s)
{
    return s->storages[0];
}

struct storage *
store_storage(struct store *s, struct span name)
{
    if (name.ptr == NULL) {
        unsigned n = s->n_storages - 1;
        unsigned turn = n > 1 ? atomic_fetch_add_explicit(&s->turn, 1, memory_order_relaxed) % n : 0;
        return n == 0 ? store_transient(s) : s->storages[1 + turn];
    }
    for (unsigned i = 0; i < s->n_storages; i++)
        if (span_eq(s->storages[i]->name, name))
            return s->storages[i];
    return NULL;
}

struct store *
storage_store(const struct storage *st)
{
    return queues_store(st->queues);
}

/* ---- budget ---- */

static bool
try_reserve(struct storage *st, uint64_t bytes)
{
    unsigned long long used = atomic_load_explicit(&st->used_bytes, memory_order_relaxed);
    do {
        if (st->limit_bytes > 0 && (bytes > st->limit_bytes || used > st->limit_bytes - bytes))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&st->used_bytes, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    vsc_add(&st->counters[SMA_G_BYTES], bytes);
    if (st->limit_bytes > 0)
        vsc_add(&st->counters[SMA_G_SPACE], -bytes);
    return true;
}

static bool
reserve_by_evicting(struct storage *st, uint64_t bytes)
{
    if (bytes > st->limit_bytes)
        return false;
    for (unsigned i = 0; i < params.nuke_limit; i++) {
        if (!queues_evict_one(st))
            return false;
        counters_here()->n_lru_nuked++;
        if (try_reserve(st, bytes))
            return true;
    }
    counters_here()->n_lru_limited++;
    return false;
}

int
storage_reserve(struct storage *st, uint64_t bytes)
{
    if (try_reserve(st, bytes) || reserve_by_evicting(st, bytes))
        return 0;
    vsc_add(&st->counters[SMA_C_FAIL], 1);
    return ERR_NOMEM;
}

void
storage_unreserve(struct storage *st, uint64_t bytes)
{
    unsigned long long before = atomic_fetch_sub_explicit(&st->used_bytes, bytes, memory_order_relaxed);
    CHECK(before >= bytes);
    vsc_add(&st->counters[SMA_G_BYTES], -bytes);
    if (st->limit_bytes > 0)
        vsc_add(&st->counters[SMA_G_SPACE], bytes);
}

void
storage_allocated(struct storage *st, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_C_REQ], 1);
    vsc_add(&st->counters[SMA_C_BYTES], bytes);
    vsc_add(&st->counters[SMA_G_ALLOC], 1);
}

void
storage_trimmed(struct storage *st, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_C_FREED], bytes);
    storage_unreserve(st, bytes);
}

int
storage_charge(struct storage *st, uint64_t bytes)
{
    int err = storage_reserve(st, bytes);
    if (err == 0)
        storage_allocated(st, bytes);
    return err;
}

void
storage_refund(struct storage *st, uint64_t bytes)
{
    vsc_add(&st->counters[SMA_G_ALLOC], (uint64_t)-1);
    storage_trimmed(st, bytes);
}

int
store_take(struct storage *st, uint64_t bytes)
{
    return storage_charge(st, bytes);
}

void
store_give(struct storage *st, uint64_t bytes)
{
    storage_refund(st, bytes);
}

static uint64_t
shrink_one(struct storage *st, uint64_t bytes)
{
    unsigned long long before = atomic_load(&st->used_bytes), now = before;
    while (before - now < bytes && queues_evict_one(st)) {
        counters_here()->n_lru_nuked++;
        now = atomic_load(&st->used_bytes);
        if (now > before)
            before = now;               /* others have stored meanwhile */
    }
    return before - now;
}

uint64_t
store_shrink(struct store *s, uint64_t bytes)
{
    uint64_t freed = 0;
    for (unsigned i = 0; i < s->n_storages && freed < bytes; i++)
        freed += shrink_one(s->storages[i], bytes - freed);
    return freed;
}
