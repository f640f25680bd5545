/* Surrogate keys: a second way to stored responses, by words the origin gave them (fields xkey and X-HashTwo). A table of
 * (hash of word, response), in parts with a lock each. A response is in it from store_insert until it leaves the index, under
 * the shard's lock both times, so what is found here is referenced by the index and may be referenced again. Words are known by 64
 * bits: two that are equal in all of them would be purged together.
 *
 * Lock order: shard, then part. */
#include <stdatomic.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/mem.h"
#include "base/split.h"
#include "cache/internal.h"
#include "log/vsc.h"

#define PARTS 64u
#define BUCKETS_FIRST 64u
#define PURGE_AT_ONCE 64u               /* responses referenced in one hold of a part's lock */

struct surrogate {
    struct surrogate *next;             /* of the bucket */
    uint64_t hash;
    struct object *object;
};

struct part {
    _Alignas(64) pthread_mutex_t lock;
    struct surrogate **buckets;
    uint32_t n_buckets, n;              /* n_buckets: power of two, or 0 */
};

enum surrogate_counter { XKEY_KEYS, XKEY_TABLE_BYTES, XKEY_HEAD_BYTES, XKEY_ENTRY_BYTES, XKEY_BYTES, XKEY_COUNT };

/* Names as readers know them from the module for Varnish. */
static const struct vsc_row counter_rows_xkey[XKEY_COUNT] = {
    { "g_keys", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Surrogate keys that find something" },
    { "g_hashhead_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Memory of the tables of keys" },
    { "g_ochead_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Always 0: responses need none of their own" },
    { "g_oc_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Memory of keys and what they find" },
    { "g_bytes", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Memory of all that is kept for surrogate keys" },
};
static const struct vsc_type xkey_type = { "XKEY", "Surrogate keys", counter_rows_xkey, XKEY_COUNT };

struct surrogates {
    struct part parts[PARTS];
    uint64_t *counters;                 /* shown once there was a key */
    atomic_bool shown;
};

int
surrogates_new(struct surrogates **out)
{
    struct surrogates *s = aligned_alloc(_Alignof(struct surrogates), sizeof *s);
    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof *s);
    for (unsigned i = 0; i < PARTS; i++)
        pthread_mutex_init(&s->parts[i].lock, NULL);
    s->counters = vsc_new(&xkey_type, "XKEY");
    vsc_hide(s->counters, true);
    *out = s;
    return 0;
}

void
surrogates_release(struct surrogates **sp)
{
    struct surrogates *s = *sp;
    *sp = NULL;
    for (unsigned i = 0; s != NULL && i < PARTS; i++) {
        CHECK(s->parts[i].n == 0);
        free(s->parts[i].buckets);
        pthread_mutex_destroy(&s->parts[i].lock);
    }
    if (s != NULL)
        vsc_free(&s->counters);
    free(s);
}

/* ---- words ------------------------------------------------------------------------------------------------------------ */

static bool
next_word(struct span *rest, struct span *out)
{
    return split_next(rest, SPAN_LIT(" \t,"), out);
}

static uint64_t
hash_of(struct span word)
{
    return XXH3_64bits(word.ptr, word.len);
}

static bool
names_words(struct span name)
{
    return span_eq_nocase(name, SPAN_LIT("xkey")) || span_eq_nocase(name, SPAN_LIT("X-HashTwo"));
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

static struct part *
part_lock(struct surrogates *s, uint64_t hash)
{
    struct part *p = &s->parts[hash % PARTS];
    CHECK(pthread_mutex_lock(&p->lock) == 0);
    return p;
}

static void
part_unlock(struct part *p)
{
    CHECK(pthread_mutex_unlock(&p->lock) == 0);
}

static struct surrogate **
bucket(struct part *p, uint64_t hash)
{
    return &p->buckets[hash / PARTS & (p->n_buckets - 1)];
}

/* A negative number takes away. */
static void
count_bytes(struct surrogates *s, enum surrogate_counter of, int64_t n)
{
    vsc_add(&s->counters[of], (uint64_t)n);
    vsc_add(&s->counters[XKEY_BYTES], (uint64_t)n);
}

static void
part_grow(struct surrogates *s, struct part *p)
{
    struct part bigger = { .n_buckets = p->n_buckets == 0 ? BUCKETS_FIRST : 2 * p->n_buckets };
    bigger.buckets = mem_zalloc(bigger.n_buckets * sizeof *bigger.buckets);
    for (uint32_t i = 0; i < p->n_buckets; i++)
        while (p->buckets[i] != NULL) {
            struct surrogate *g = p->buckets[i];
            p->buckets[i] = g->next;
            struct surrogate **to = bucket(&bigger, g->hash);
            g->next = *to;
            *to = g;
        }
    free(p->buckets);
    count_bytes(s, XKEY_TABLE_BYTES, (int64_t)((bigger.n_buckets - p->n_buckets) * sizeof *p->buckets));
    p->buckets = bigger.buckets;
    p->n_buckets = bigger.n_buckets;
}

static bool
is_known(struct part *p, uint64_t hash)
{
    struct surrogate *g = p->n_buckets == 0 ? NULL : *bucket(p, hash);
    while (g != NULL && g->hash != hash)
        g = g->next;
    return g != NULL;
}

static void
add(struct surrogates *s, uint64_t hash, struct object *o)
{
    struct part *p = part_lock(s, hash);
    if (p->n >= p->n_buckets)
        part_grow(s, p);
    vsc_add(&s->counters[XKEY_KEYS], !is_known(p, hash));
    count_bytes(s, XKEY_ENTRY_BYTES, sizeof(struct surrogate));
    struct surrogate *g = mem_alloc(sizeof *g), **to = bucket(p, hash);
    *g = (struct surrogate){ .next = *to, .hash = hash, .object = o };
    *to = g;
    p->n++;
    part_unlock(p);
}

static void
drop(struct surrogates *s, uint64_t hash, struct object *o)
{
    struct part *p = part_lock(s, hash);
    bool found = false, others = false;
    for (struct surrogate **link = p->n_buckets == 0 ? NULL : bucket(p, hash); link != NULL && *link != NULL;) {
        struct surrogate *g = *link;
        if (g->hash != hash || g->object != o) {
            others |= g->hash == hash;
            link = &g->next;
            continue;
        }
        *link = g->next;
        free(g);
        p->n--;
        found = true;
        count_bytes(s, XKEY_ENTRY_BYTES, -(int64_t)sizeof(struct surrogate));
    }
    if (found && !others)
        vsc_add(&s->counters[XKEY_KEYS], (uint64_t)-1);
    part_unlock(p);
}

struct change {
    struct surrogates *surrogates;
    struct object *object;
    void (*fn)(struct surrogates *s, uint64_t hash, struct object *o);
    bool any;
};

static void
each_word(struct span name, struct span value, void *arg)
{
    struct change *c = arg;
    struct span word;
    while (names_words(name) && next_word(&value, &word)) {
        c->fn(c->surrogates, hash_of(word), c->object);
        c->any = true;
    }
}

void
surrogates_attach(struct surrogates *s, struct object *o)
{
    struct change c = { s, o, add, false };
    object_head_each(o, each_word, &c);
    if (!c.any)
        return;
    o->flags |= OBJECT_KEYED;
    if (!atomic_exchange(&s->shown, true))
        vsc_hide(s->counters, false);
}

void
surrogates_detach(struct surrogates *s, struct object *o)
{
    struct change c = { s, o, drop, false };
    if (!(o->flags & OBJECT_KEYED))
        return;
    object_head_each(o, each_word, &c);
    o->flags &= (unsigned char)~OBJECT_KEYED;
}

/* ---- purges ----------------------------------------------------------------------------------------------------------- */

/* References to responses with that word, the first `max` from `skip` on. */
static unsigned
collect(struct surrogates *s, uint64_t hash, unsigned skip, struct object **out, unsigned max)
{
    unsigned n = 0;
    struct part *p = part_lock(s, hash);
    for (struct surrogate *g = p->n_buckets == 0 ? NULL : *bucket(p, hash); g != NULL && n < max; g = g->next) {
        if (g->hash != hash)
            continue;
        if (skip > 0) {
            skip--;
            continue;
        }
        object_ref(g->object);
        out[n++] = g->object;
    }
    part_unlock(p);
    return n;
}

static unsigned
purge_word(struct store *s, uint64_t hash)
{
    struct object *found[PURGE_AT_ONCE];
    unsigned n, gone = 0;
    while ((n = collect(s->surrogates, hash, 0, found, PURGE_AT_ONCE)) > 0)
        for (unsigned i = 0; i < n; i++) {
            gone += index_drop(s, found[i]) != 0;
            object_release(&found[i]);
        }
    return gone;
}

/* Those that are purged stay in the table, so it is walked on; one that comes or goes meanwhile may be missed or looked at twice,
 * which does it no harm. */
static unsigned
soft_purge_word(struct store *s, uint64_t hash, nsec now)
{
    struct object *found[PURGE_AT_ONCE];
    unsigned n, done = 0;
    for (unsigned skip = 0; (n = collect(s->surrogates, hash, skip, found, PURGE_AT_ONCE)) > 0; skip += n)
        for (unsigned i = 0; i < n; i++) {
            if (object_fresh(found[i], now)) {
                store_soft_purge(s, found[i], now, 0, -1, -1);
                done++;
            }
            object_release(&found[i]);
        }
    return done;
}

unsigned
store_purge_surrogates(struct store *s, struct span words, bool soft, nsec now)
{
    unsigned n = 0;
    struct span word;
    while (next_word(&words, &word))
        n += soft ? soft_purge_word(s, hash_of(word), now) : purge_word(s, hash_of(word));
    return n;
}
