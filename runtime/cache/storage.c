/* Storages and their budgets. Memory is charged before it is allocated, so used_bytes never exceeds limit_bytes, not even for a
 * moment; who needs space evicts it on its own thread. */
#include <stdlib.h>

#include "base/params.h"
#include "cache/internal.h"
#include "log/counters.h"

int
storage_new(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out)
{
    struct storage *st = mem_zalloc(sizeof *st);
    char *text = mem_alloc(name.len + 1);
    memcpy(text, name.ptr, name.len);
    text[name.len] = '\0';
    st->name = span_of(text, name.len);
    st->limit_bytes = limit_bytes;
    int err = queues_new(s, &st->queues);
    if (err != 0) {
        free(text);
        free(st);
        return err;
    }
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
    atomic_fetch_add_explicit(&st->c_fail, 1, memory_order_relaxed);
    return ERR_NOMEM;
}

void
storage_unreserve(struct storage *st, uint64_t bytes)
{
    unsigned long long before = atomic_fetch_sub_explicit(&st->used_bytes, bytes, memory_order_relaxed);
    CHECK(before >= bytes);
}

void
storage_allocated(struct storage *st, uint64_t bytes)
{
    atomic_fetch_add_explicit(&st->c_req, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&st->c_bytes, bytes, memory_order_relaxed);
    atomic_fetch_add_explicit(&st->g_alloc, 1, memory_order_relaxed);
}

void
storage_trimmed(struct storage *st, uint64_t bytes)
{
    atomic_fetch_add_explicit(&st->c_freed, bytes, memory_order_relaxed);
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
    atomic_fetch_sub_explicit(&st->g_alloc, 1, memory_order_relaxed);
    storage_trimmed(st, bytes);
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
