/* The store: its life, its storages, and the expiry of stored responses. lookup.c has lookups, publish.c the
 * reports of fetches, index.c the tables of shards, invalidation.c purges and bans, evict.c
 * evictions. */
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "cache/ban_internal.h"
#include "cache/evict/evict.h"
#include "cache/index.h"
#include "cache/invalidation_internal.h"
#include "cache/near.h"
#include "cache/purge/sweep.h"
#include "cache/store.h"
#include "cache/purge/surrogate.h"
#include "log/counters.h"
#include "log/vsc.h"
#include "storage/memfd.h"

#define EXPIRE_AT_ONCE 32u                /* objects dropped under one hold of a shard's lock */
#define TRANSIENT_BYTES_MIN (32ull << 20) /* limit of Transient beside a smaller storage */

/* ---- life ---- */

static void
take_seed(struct store *s, const struct store_options *o)
{
    uint8_t drawn[DIGEST_SEED_BYTES];
    const uint8_t *seed = o != NULL ? o->seed : NULL;
    if (seed == NULL) {
        digest_seed_draw(drawn);
        seed = drawn;
    }
    digest_secret_make(seed, DIGEST_OF_KEYS, &s->key_secret);
    digest_secret_make(seed, DIGEST_OF_TAGS, &s->tag_secret);
}

static int
new_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out)
{
    DEBUG_CHECK(s->n_storages < STORAGES_MAX);
    int err = storage_new(name, limit_bytes, out);
    if (err != 0)
        return err;
    (*out)->files = &s->files;
    (*out)->store = s;
    (*out)->largest = &s->largest;
    err = queues_new(*out);
    if (err != 0)
        storage_release(out);
    return err;
}

static void
end_storage(struct storage **st)
{
    queues_release(*st);
    storage_release(st);
}

int
store_new(const struct store_options *options, struct store **out)
{
    struct store *s = aligned_alloc(_Alignof(struct store), sizeof *s);
    struct storage *transient;
    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof *s);
    take_seed(s, options);
    for (unsigned i = 0; i < STORE_SHARDS; i++) {
        pthread_mutex_init(&s->shards[i].lock, NULL);
        atomic_init(&s->shards[i].next_death, NSEC_NEVER);
    }
    file_space_init(&s->files);
    tally_open(&s->counts, STORE_COUNTS, NULL);
    int err = new_storage(s, SPAN_LIT("Transient"), 0, &transient);
    if (err != 0) {
        tally_close(&s->counts);
        free(s);
        return err;
    }
    s->storages[s->n_storages++] = s->largest = transient;
    atomic_init(&s->positions.latest, position_of(options == NULL ? 0 : options->epoch, 1));
    s->sweep = sweep_new();
    s->removals = mem_zalloc(sizeof *s->removals);
    CHECK(invalidations_new(&s->invalidations) == 0 && bans_new(s, &s->bans) == 0 &&
          surrogates_new(&s->largest, &s->tag_secret, &s->surrogates) == 0);
    *out = s;
    return 0;
}

static void
shard_release(struct store *s, struct shard *sh)
{
    index_empty(s, sh);
    free(sh->buckets);
    free(sh->expiry.items);
    pthread_mutex_destroy(&sh->lock);
}

void
store_release(struct store **sp)
{
    struct store *s = *sp;
    *sp = NULL;
    if (s == NULL)
        return;
    near_empty();
    for (unsigned i = 0; i < STORE_SHARDS; i++)
        shard_release(s, &s->shards[i]);
    DEBUG_CHECK(store_counted(s, COUNT_OBJECTS) == 0 && store_counted(s, COUNT_ENTRIES) == 0);
    bans_release(&s->bans);
    surrogates_release(&s->surrogates);
    invalidations_release(&s->invalidations);
    sweep_release(&s->sweep);
    free(s->removals);
    for (unsigned i = 0; i < s->n_storages; i++)
        end_storage(&s->storages[i]);
    file_space_release(&s->files);
    tally_close(&s->counts);
    free(s);
}

void
store_retire(struct store *s, bool on)
{
    atomic_store(&s->retired, on);
}

bool
store_is_retired(const struct store *s)
{
    return atomic_load_explicit(&s->retired, memory_order_acquire);
}

/* ---- storages ---- */

static bool
is_larger(const struct storage *a, const struct storage *b)
{
    return b->limit_bytes > 0 && (a->limit_bytes == 0 || a->limit_bytes > b->limit_bytes);
}

static void
set_largest(struct store *s, struct storage *largest)
{
    DEBUG_CHECK(largest != s->largest);
    for (int use = 0; use < USE_COUNT; use++) {
        int64_t bytes = (int64_t)storage_used_for(s->largest, use);
        storage_hold(s->largest, use, -bytes);
        storage_hold(largest, use, bytes);
    }
    s->largest = largest;
}

/* Transient without its own size takes memory from the largest storage, which evicts for it. */
static void
back_transient(struct store *s)
{
    struct storage *transient = store_transient(s);
    uint64_t limit = s->largest->limit_bytes;
    DEBUG_CHECK(s->largest != transient || s->n_storages == 1);
    if (s->has_transient)
        return;
    if (transient->backing != NULL)
        transient->backing->borrower = NULL;
    transient->backing = limit > 0 ? s->largest : NULL;
    if (transient->backing != NULL)
        transient->backing->borrower = transient;
    storage_limit(transient, limit == 0 || limit > TRANSIENT_BYTES_MIN ? limit : TRANSIENT_BYTES_MIN);
}

static int
limit_transient(struct store *s, uint64_t limit_bytes, struct storage **out)
{
    struct storage *transient = store_transient(s);
    if (s->has_transient)
        return ERR_EXISTS;
    s->has_transient = true;
    if (transient->backing != NULL)
        transient->backing->borrower = NULL;
    transient->backing = NULL;
    storage_limit(transient, limit_bytes);
    *out = transient;
    return 0;
}

int
store_add_storage(struct store *s, struct span name, uint64_t limit_bytes, struct storage **out)
{
    CHECK(name.ptr != NULL && name.len > 0);
    struct storage *st = store_storage(s, name);
    if (st != NULL && st == store_transient(s))
        return limit_transient(s, limit_bytes, out);
    if (st != NULL)
        return ERR_EXISTS;
    if (s->n_storages == STORAGES_MAX)
        return ERR_LIMIT;
    int err = new_storage(s, name, limit_bytes, &st);
    if (err != 0)
        return err;
    *out = s->storages[s->n_storages++] = st;
    if (s->largest == store_transient(s) || is_larger(st, s->largest))
        set_largest(s, st);
    back_transient(s);
    return 0;
}

struct storage *
store_transient(struct store *s)
{
    DEBUG_CHECK(s->n_storages > 0);
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

struct span
store_storage_name(const struct store *s, unsigned number)
{
    return number < s->n_storages ? s->storages[number]->name : SPAN_NULL;
}

int
store_take(struct storage *st, enum storage_use use, uint64_t bytes)
{
    return storage_charge(st, use, mem_cost(bytes));
}

void
store_give(struct storage *st, enum storage_use use, uint64_t bytes)
{
    storage_refund(st, use, mem_cost(bytes));
}

int
store_reserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    return storage_reserve(st, use, mem_cost(bytes));
}

void
store_unreserve(struct storage *st, enum storage_use use, uint64_t bytes)
{
    storage_unreserve(st, use, mem_cost(bytes));
}

void
store_hold(struct store *s, enum storage_use use, int64_t bytes)
{
    storage_hold(s->largest, use, bytes);
}

uint64_t
store_largest_bytes(const struct store *s)
{
    return s->largest->limit_bytes;
}

bool
store_settle(struct store *s)
{
    bool more = false;
    for (unsigned i = 0; i < s->n_storages; i++)
        more |= storage_settle(s->storages[i], UINT_MAX);
    return more;
}

static uint64_t
shrink_one(struct storage *st, uint64_t bytes)
{
    uint64_t before = storage_used(st), now = before, evicted = 0;
    while (before - now < bytes && evicted < bytes) {
        struct evicted n = queues_evict(st, bytes - (before - now));
        if (n.objects == 0)
            break;
        evicted += n.bytes;
        now = storage_used(st);
        if (now > before)
            before = now; /* other threads have stored meanwhile */
    }
    DEBUG_CHECK(now <= before);
    return before - now > evicted ? before - now : evicted;
}

uint64_t
store_shrink(struct store *s, uint64_t bytes)
{
    uint64_t freed = 0;
    for (unsigned i = 0; i < s->n_storages && freed < bytes; i++)
        freed += shrink_one(s->storages[i], bytes - freed);
    return freed;
}

/* ---- time ---- */

static unsigned
expire_some(struct store *s, struct shard *sh, nsec now, unsigned max)
{
    struct object *dropped = NULL, *o;
    unsigned n = 0;
    pthread_mutex_lock(&sh->lock);
    while (n < max && (o = expiry_due(&sh->expiry, now)) != NULL) {
        DEBUG_CHECK(o->entry != NULL && o->expiry_slot == 1);
        object_log_expired(o, now);
        index_unlink(s, sh, o, REMOVAL_EXPIRED, &dropped);
        n++;
    }
    index_note_death(sh);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
    return n;
}

unsigned
store_expire(struct store *s, nsec now, unsigned budget)
{
    unsigned done = 0, first = atomic_load_explicit(&s->expires_next, memory_order_relaxed), i = 0;
    while (i < STORE_SHARDS && done < budget) {
        struct shard *sh = &s->shards[(first + i) % STORE_SHARDS];
        unsigned left = budget - done, max = left < EXPIRE_AT_ONCE ? left : EXPIRE_AT_ONCE, n = 0;
        if (atomic_load_explicit(&sh->next_death, memory_order_relaxed) <= now)
            n = expire_some(s, sh, now, max);
        done += n;
        if (n < max)
            i++;
    }
    DEBUG_CHECK(first < STORE_SHARDS && done <= budget);
    atomic_store_explicit(&s->expires_next, (first + i) % STORE_SHARDS, memory_order_relaxed);
    counters_here()->n_expired += done;
    return done;
}

void
store_stats(struct store *s, struct store_stats *out)
{
    *out = (struct store_stats){
        .objects = store_counted(s, COUNT_OBJECTS),
        .stored = store_counted(s, COUNT_STORED),
        .entries = store_counted(s, COUNT_ENTRIES),
    };
    for (unsigned i = 0; i < s->n_storages; i++)
        out->bytes += s->storages[i]->backing != NULL ? 0 : storage_used(s->storages[i]);
}

/* ---- places ---- */

uint64_t
store_placed_bytes(struct store *s)
{
    const struct space *space = file_space_so_far(&s->files);
    return space == NULL ? 0 : memfd_space_used(space);
}

uint64_t
store_kept_bytes(struct store *s)
{
    const struct space *space = file_space_so_far(&s->files);
    return space == NULL ? 0 : memfd_space_kept(space);
}

void
store_tidy_places(struct store *s)
{
    struct space *space = file_space_so_far(&s->files);
    if (space != NULL)
        memfd_space_tidy(space);
}
