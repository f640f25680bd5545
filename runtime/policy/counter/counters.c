/* Counters that policies declare: see counters.h. */
#include "policy/counter/counters.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"
#include "log/counters.h"
#include "log/vsc.h"

#define MAP_SLOTS 512u /* a power of two, more than twice COUNTER_SERIES_MAX */
#define OTHER COUNTER_SERIES_MAX
#define IDENT_BYTES 512u /* of a series in shared memory: its readers take no longer names */

_Static_assert(MAP_SLOTS > 2 * COUNTER_SERIES_MAX && MAP_SLOTS < UINT16_MAX, "room in the map");

struct series {
    struct span key; /* fixed */
    uint32_t hash;
    uint64_t *shown; /* admin thread; NULL: not yet in shared memory */
};

struct cells { /* of one loop; the last ones are of all threads without a loop, under the lock */
    _Alignas(64) uint64_t *n; /* of each series; NULL before the first count */
    uint16_t *map;            /* by hash: the number of a series, from 1 on */
    bool knows_all;           /* the counter is full, and the map has all of its series */
};

struct policy_counter {
    struct list link; /* counters; all_lock */
    unsigned owners;  /* all_lock */
    char *name;
    struct span *labels;
    unsigned n_labels, n_slots;
    pthread_mutex_t lock;
    struct series *series[COUNTER_SERIES_MAX + 1]; /* lock for writers; fixed once counted in n_series */
    atomic_uint n_series;                          /* without OTHER */
    atomic_bool has_other;
    struct cells cells[];
};

static const struct vsc_row rows[] = { { "count", VSC_COUNTER, VSC_INFO, VSC_INTEGER,
                                         "Counted by a policy" } };
static const struct vsc_type type = { "policy", "Counters that policies declare", rows, 1 };

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct list all = { &all, &all }; /* all_lock */

/* ---- life ---------------------------------------------------------------------------------------------- */

static bool
is_declared(const struct policy_counter *c, const struct image_counter *d, unsigned n_slots)
{
    if (!span_eq(span_str(c->name), d->name) || c->n_labels != d->n_labels || c->n_slots != n_slots)
        return false;
    for (unsigned i = 0; i < c->n_labels; i++)
        if (!span_eq(c->labels[i], d->labels[i]))
            return false;
    return true;
}

static char *
text_copy(struct span text)
{
    char *copy = mem_zalloc(text.len + 1);
    memcpy(copy, text.ptr, text.len);
    return copy;
}

static struct series *
series_new(struct span key, uint32_t hash)
{
    struct series *s = mem_zalloc(sizeof *s);
    s->key = span_of(text_copy(key), key.len);
    s->hash = hash;
    return s;
}

static struct policy_counter *
counter_new(const struct image_counter *d, unsigned n_slots)
{
    size_t bytes = sizeof(struct policy_counter) + n_slots * sizeof(struct cells);
    struct policy_counter *c = aligned_alloc(64, (bytes + 63) / 64 * 64);
    CHECK(c != NULL);
    memset(c, 0, bytes);
    c->name = text_copy(d->name);
    c->labels = mem_zalloc((d->n_labels + 1) * sizeof *c->labels);
    for (unsigned i = 0; i < d->n_labels; i++)
        c->labels[i] = span_of(text_copy(d->labels[i]), d->labels[i].len);
    c->n_labels = d->n_labels;
    c->n_slots = n_slots;
    pthread_mutex_init(&c->lock, NULL);
    return c;
}

static void
counter_free(struct policy_counter *c)
{
    for (unsigned i = 0; i <= OTHER; i++) {
        if (c->series[i] == NULL)
            continue;
        vsc_free(&c->series[i]->shown);
        free((char *)c->series[i]->key.ptr);
        free(c->series[i]);
    }
    for (unsigned i = 0; i < c->n_slots; i++) {
        free(c->cells[i].n);
        free(c->cells[i].map);
    }
    for (unsigned i = 0; i < c->n_labels; i++)
        free((char *)c->labels[i].ptr);
    free(c->labels);
    free(c->name);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* ---- counting ------------------------------------------------------------------------------------------ */

static uint32_t
hash_of(struct span key)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < key.len; i++)
        h = (h ^ (unsigned char)key.ptr[i]) * 16777619u;
    return h ^ h >> 15;
}

/* The number of a series that the map has; negative: it does not have it. */
static int
map_find(const struct policy_counter *c, const struct cells *cells, struct span key, uint32_t hash)
{
    for (uint32_t at = hash % MAP_SLOTS; cells->map[at] != 0; at = (at + 1) % MAP_SLOTS) {
        const struct series *s = c->series[cells->map[at] - 1];
        if (s->hash == hash && span_eq(s->key, key))
            return cells->map[at] - 1;
    }
    return -1;
}

static void
map_add(const struct policy_counter *c, struct cells *cells, unsigned number)
{
    uint32_t at = c->series[number]->hash % MAP_SLOTS;
    while (cells->map[at] != 0 && cells->map[at] != number + 1)
        at = (at + 1) % MAP_SLOTS;
    cells->map[at] = (uint16_t)(number + 1);
}

/* Under the lock. OTHER: there is no such series, and no room for it. */
static unsigned
series_find_or_add(struct policy_counter *c, struct span key, uint32_t hash)
{
    unsigned n = atomic_load_explicit(&c->n_series, memory_order_relaxed);
    for (unsigned i = 0; i < n; i++)
        if (c->series[i]->hash == hash && span_eq(c->series[i]->key, key))
            return i;
    if (n == COUNTER_SERIES_MAX)
        return OTHER;
    c->series[n] = series_new(key, hash);
    atomic_store_explicit(&c->n_series, n + 1, memory_order_release);
    return n;
}

/* Under the lock. */
static void
make_other(struct policy_counter *c)
{
    char key[IDENT_BYTES];
    size_t at = 0;
    if (c->series[OTHER] != NULL)
        return;
    for (unsigned i = 0; i < c->n_labels; i++)
        at += (size_t)snprintf(key + at, sizeof key - at, "%s%.*s=\"" COUNTER_OTHER "\"", i == 0 ? "{" : ",",
                               (int)c->labels[i].len, c->labels[i].ptr);
    CHECK(at + 2 < sizeof key);
    key[at++] = '}';
    c->series[OTHER] = series_new(span_of(key, at), 0);
    atomic_store_explicit(&c->has_other, true, memory_order_release);
}

/* Under the lock: the number of a series that the map does not have. */
static unsigned
learn(struct policy_counter *c, struct cells *cells, struct span key, uint32_t hash)
{
    unsigned number = series_find_or_add(c, key, hash);
    if (number != OTHER) {
        map_add(c, cells, number);
        return number;
    }
    make_other(c);
    for (unsigned i = 0; i < COUNTER_SERIES_MAX; i++)
        map_add(c, cells, i);
    cells->knows_all = true;
    return OTHER;
}

static void
cells_make(struct cells *cells)
{
    cells->map = mem_zalloc(MAP_SLOTS * sizeof *cells->map);
    uint64_t *n = mem_zalloc((COUNTER_SERIES_MAX + 1) * sizeof *n);
    __atomic_store_n(&cells->n, n, __ATOMIC_RELEASE);
}

void
policy_counter_add(struct policy_counter *c, unsigned slot, struct span key)
{
    if (slot >= c->n_slots) /* a run that is not counted: vernis explain-key */
        return;
    struct cells *cells = &c->cells[slot];
    bool is_shared = slot == c->n_slots - 1;
    uint32_t hash = hash_of(key);
    if (is_shared)
        CHECK(pthread_mutex_lock(&c->lock) == 0);
    if (cells->n == NULL)
        cells_make(cells);
    int known = map_find(c, cells, key, hash);
    unsigned number = known < 0 ? OTHER : (unsigned)known;
    if (known < 0 && !cells->knows_all) {
        if (!is_shared)
            CHECK(pthread_mutex_lock(&c->lock) == 0);
        number = learn(c, cells, key, hash);
        if (!is_shared)
            CHECK(pthread_mutex_unlock(&c->lock) == 0);
    }
    vsc_set(&cells->n[number], cells->n[number] + 1);
    if (is_shared)
        CHECK(pthread_mutex_unlock(&c->lock) == 0);
    counters_here()->policy_counts++; /* behind the count: wakes the publisher */
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static uint64_t
sum(const struct policy_counter *c, unsigned number)
{
    uint64_t total = 0;
    for (unsigned i = 0; i < c->n_slots; i++) {
        const uint64_t *n = __atomic_load_n(&c->cells[i].n, __ATOMIC_ACQUIRE);
        total += n == NULL ? 0 : __atomic_load_n(&n[number], __ATOMIC_RELAXED);
    }
    return total;
}

static const struct series *
series_at(const struct policy_counter *c, unsigned number)
{
    bool is_there = number == OTHER ? atomic_load_explicit(&c->has_other, memory_order_acquire)
                                    : number < atomic_load_explicit(&c->n_series, memory_order_acquire);
    return is_there ? c->series[number] : NULL;
}

void
policy_counter_each(const struct policy_counter *c, policy_counter_fn *each, void *arg)
{
    for (unsigned i = 0; i <= OTHER; i++) {
        const struct series *s = series_at(c, i);
        if (s != NULL)
            each(arg, s->key, sum(c, i));
    }
}

static void
publish(struct policy_counter *c)
{
    for (unsigned i = 0; i <= OTHER; i++) {
        struct series *s = (struct series *)series_at(c, i);
        if (s == NULL)
            continue;
        if (s->shown == NULL) {
            char ident[IDENT_BYTES];
            snprintf(ident, sizeof ident, "POLICY.%s%.*s", c->name, (int)s->key.len, s->key.ptr);
            s->shown = vsc_new(&type, ident);
        }
        vsc_set(s->shown, sum(c, i));
    }
}

void
policy_counters_publish(void)
{
    CHECK(pthread_mutex_lock(&all_lock) == 0);
    list_each(it, &all) publish(container_of(it, struct policy_counter, link));
    CHECK(pthread_mutex_unlock(&all_lock) == 0);
}

struct policy_counter *
policy_counter_share(const struct image_counter *declared, unsigned n_loops)
{
    struct policy_counter *c = NULL;
    CHECK(pthread_mutex_lock(&all_lock) == 0);
    list_each(it, &all)
    {
        struct policy_counter *one = container_of(it, struct policy_counter, link);
        if (is_declared(one, declared, n_loops + 1))
            c = one;
    }
    if (c == NULL) {
        c = counter_new(declared, n_loops + 1);
        list_push_back(&all, &c->link);
    }
    if (c->owners++ == 0 && c->n_labels == 0) { /* its only series is there before the first count */
        (void)series_find_or_add(c, SPAN_LIT(""), hash_of(SPAN_LIT("")));
        publish(c);
    }
    CHECK(pthread_mutex_unlock(&all_lock) == 0);
    return c;
}

void
policy_counter_release(struct policy_counter **at)
{
    struct policy_counter *c = *at;
    *at = NULL;
    if (c == NULL)
        return;
    CHECK(pthread_mutex_lock(&all_lock) == 0);
    bool is_last = --c->owners == 0;
    if (is_last)
        list_remove(&c->link);
    CHECK(pthread_mutex_unlock(&all_lock) == 0);
    if (is_last)
        counter_free(c);
}
