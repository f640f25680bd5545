/* Surrogate keys: find stored responses by words that the origin gave them (fields xkey, X-HashTwo and
 * Cache-Groups). A table maps the hash of each word to its responses; the table is divided into parts with
 * one lock each. A response is in the table from store_insert until it leaves the index. Both changes happen
 * under the shard's lock, so the index holds a reference to every response found here, and more references
 * may be taken. Words are compared by 64 bits of hash: two words with equal hashes are purged together.
 *
 * Lock order: shard, then part. */
#include <stdlib.h>

#include "base/list.h"
#include "base/mem.h"
#include "base/split.h"
#include "base/lock.h"
#include "cache/object_internal.h"
#include "cache/purge/surrogate.h"
#include "http/structured.h"
#include "log/tally.h"
#include "log/vsc.h"
#include "loop/fiber.h"

#define PARTS 64u
#define BUCKETS_FIRST 64u
#define PURGE_AT_ONCE 64u /* responses referenced under one hold of a part's lock */

struct node { /* a node of a table, for embedding */
    struct node *next;
    uint64_t key;
};

struct table {
    struct node **buckets;
    uint32_t n_buckets, n; /* n_buckets: power of two, or 0 */
};

/* Freed with its last member. */
struct word {
    struct node node;    /* by hash */
    struct list members; /* newest first */
};

/* One response that has the word. All responses may have the same word, so a hash finds each member without a
 * walk over the others. */
struct member {
    struct node node; /* by hash and response */
    struct list link;
    struct word *word;
    struct object *object; /* NULL: marks the position of a running purge */
};

struct part {
    _Alignas(64) pthread_mutex_t lock;
    struct table words, members;
};

enum surrogate_counter {
    XKEY_KEYS,
    XKEY_TABLE_BYTES,
    XKEY_HEAD_BYTES,
    XKEY_ENTRY_BYTES,
    XKEY_BYTES,
    XKEY_COUNT
};

/* Names as in the module for Varnish. */
static const struct vsc_row counter_rows_xkey[XKEY_COUNT] = {
    { "g_keys", VSC_GAUGE, VSC_INFO, VSC_INTEGER, "Surrogate keys of stored responses" },
    { "g_hashhead_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Memory of the tables of keys" },
    { "g_ochead_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Always 0: responses need no separate memory" },
    { "g_oc_bytes", VSC_GAUGE, VSC_DEBUG, VSC_BYTES, "Memory of keys and their links to responses" },
    { "g_bytes", VSC_GAUGE, VSC_INFO, VSC_BYTES, "Memory of all surrogate key data" },
};
static const struct vsc_type xkey_type = { "XKEY", "Surrogate keys", counter_rows_xkey, XKEY_COUNT };

struct surrogates {
    struct part parts[PARTS];
    struct storage *const *account;     /* the storage that is charged */
    const struct digest_secret *secret; /* secret for tags, owned by the store */
    uint64_t *counters;                 /* in shared memory */
    struct tally tally;
};

static void
show(struct tally *t, const uint64_t *sums)
{
    const struct surrogates *s = container_of(t, struct surrogates, tally);
    for (int i = 0; i < XKEY_COUNT; i++)
        vsc_set(&s->counters[i], tally_gauge(sums[i]));
}

/* Counts a piece of n bytes at the allocator's size. A negative n takes away. */
static void
count_bytes(struct surrogates *s, enum surrogate_counter of, int64_t n)
{
    n = n < 0 ? -(int64_t)mem_cost((size_t)-n) : (int64_t)mem_cost((size_t)n);
    storage_hold(*s->account, USE_KEYS, n);
    uint64_t *counts = tally_words(&s->tally);
    counts[of] += (uint64_t)n;
    counts[XKEY_BYTES] += (uint64_t)n;
}

int
surrogates_new(struct storage *const *account, const struct digest_secret *secret, struct surrogates **out)
{
    struct surrogates *s = aligned_alloc(_Alignof(struct surrogates), sizeof *s);
    if (s == NULL)
        return ERR_NOMEM;
    memset(s, 0, sizeof *s);
    s->account = account;
    s->secret = secret;
    for (unsigned i = 0; i < PARTS; i++)
        pthread_mutex_init(&s->parts[i].lock, NULL);
    s->counters = vsc_new(&xkey_type, "XKEY");
    tally_open(&s->tally, XKEY_COUNT, show);
    *out = s;
    return 0;
}

void
surrogates_release(struct surrogates **sp)
{
    struct surrogates *s = *sp;
    *sp = NULL;
    for (unsigned i = 0; s != NULL && i < PARTS; i++) {
        CHECK(s->parts[i].words.n == 0 && s->parts[i].members.n == 0);
        free(s->parts[i].words.buckets);
        free(s->parts[i].members.buckets);
        pthread_mutex_destroy(&s->parts[i].lock);
    }
    if (s != NULL) {
        tally_close(&s->tally);
        vsc_free(&s->counters);
    }
    free(s);
}

/* ---- tables ---- */

/* The low bits of a hash choose the part, so buckets use higher bits. */
static struct node **
bucket(const struct table *t, uint64_t key)
{
    DEBUG_CHECK(t->n_buckets > 0 && (t->n_buckets & (t->n_buckets - 1)) == 0);
    return &t->buckets[key >> 32 & (t->n_buckets - 1)];
}

static void
table_grow(struct surrogates *s, struct table *t)
{
    struct table bigger = { .n_buckets = t->n_buckets == 0 ? BUCKETS_FIRST : 2 * t->n_buckets, .n = t->n };
    bigger.buckets = mem_zalloc(bigger.n_buckets * sizeof(struct node *));
    for (uint32_t i = 0; i < t->n_buckets; i++)
        while (t->buckets[i] != NULL) {
            struct node *n = t->buckets[i], **to = bucket(&bigger, n->key);
            t->buckets[i] = n->next;
            n->next = *to;
            *to = n;
        }
    count_bytes(s, XKEY_TABLE_BYTES, (int64_t)(bigger.n_buckets * sizeof(struct node *)));
    if (t->n_buckets > 0)
        count_bytes(s, XKEY_TABLE_BYTES, -(int64_t)(t->n_buckets * sizeof(struct node *)));
    free(t->buckets);
    *t = bigger;
}

static void
table_add(struct surrogates *s, struct table *t, struct node *n)
{
    if (t->n >= t->n_buckets)
        table_grow(s, t);
    struct node **to = bucket(t, n->key);
    n->next = *to;
    *to = n;
    t->n++;
}

static void
table_remove(struct table *t, struct node *n)
{
    struct node **link = bucket(t, n->key);
    DEBUG_CHECK(t->n > 0);
    while (*link != n) {
        CHECK(*link != NULL);
        link = &(*link)->next;
    }
    *link = n->next;
    t->n--;
}

/* ---- words ---- */

bool
surrogate_next(struct span *words, struct span *word)
{
    return split_next(words, SPAN_LIT(" \t,"), word);
}

static bool
names_words(struct span name)
{
    return span_eq_nocase(name, SPAN_LIT("xkey")) || span_eq_nocase(name, SPAN_LIT("X-HashTwo"));
}

/* This prefix distinguishes a group from a word of the same text. */
#define GROUP_MARK '\1'
#define GROUP_BYTES_MAX 255u /* RFC 9875 requires at least 32 */

static void
group_digest(const struct digest_secret *secret, struct span group, struct digest *out)
{
    DEBUG_CHECK(group.len <= GROUP_BYTES_MAX);
    char text[1 + GROUP_BYTES_MAX];
    text[0] = GROUP_MARK;
    memcpy(text + 1, group.ptr, group.len);
    *out = digest_of(secret, span_of(text, 1 + group.len));
}

unsigned
surrogate_groups(const struct digest_secret *secret, struct span field,
                 struct digest out[SURROGATE_GROUPS_MAX])
{
    struct sf_reader r = sf_reader(field);
    struct sf_item item;
    unsigned n = 0;
    int more;
    while ((more = sf_next_of_list(&r, &item)) == 1) {
        if (item.type != SF_STRING)
            return 0;
        if (n < SURROGATE_GROUPS_MAX && item.text.len <= GROUP_BYTES_MAX)
            group_digest(secret, item.text, &out[n++]);
    }
    return more == 0 ? n : 0;
}

/* ---- words and their members ---- */

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

static struct word *
word_find(const struct part *p, uint64_t hash)
{
    LOCK_HELD(&p->lock);
    for (struct node *n = p->words.n == 0 ? NULL : *bucket(&p->words, hash); n != NULL; n = n->next)
        if (n->key == hash)
            return container_of(n, struct word, node);
    return NULL;
}

static struct word *
word_make(struct surrogates *s, struct part *p, uint64_t hash)
{
    LOCK_HELD(&p->lock);
    struct word *w = word_find(p, hash);
    if (w != NULL)
        return w;
    w = mem_alloc(sizeof *w);
    *w = (struct word){ .node.key = hash };
    list_init(&w->members);
    table_add(s, &p->words, &w->node);
    tally_words(&s->tally)[XKEY_KEYS]++;
    count_bytes(s, XKEY_ENTRY_BYTES, sizeof *w);
    return w;
}

static void
word_tidy(struct surrogates *s, struct part *p, struct word *w)
{
    LOCK_HELD(&p->lock);
    if (!list_empty(&w->members))
        return;
    table_remove(&p->words, &w->node);
    tally_words(&s->tally)[XKEY_KEYS]--;
    count_bytes(s, XKEY_ENTRY_BYTES, -(int64_t)sizeof *w);
    free(w);
}

static uint64_t
member_key(uint64_t hash, const struct object *o)
{
    /* Spreads similar addresses over the high bits. */
    return (hash ^ (uintptr_t)o) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct member *
member_find(const struct part *p, uint64_t hash, const struct object *o)
{
    LOCK_HELD(&p->lock);
    uint64_t key = member_key(hash, o);
    for (struct node *n = p->members.n == 0 ? NULL : *bucket(&p->members, key); n != NULL; n = n->next) {
        struct member *m = container_of(n, struct member, node);
        if (n->key == key && m->object == o && m->word->node.key == hash)
            return m;
    }
    return NULL;
}

static void
add(struct surrogates *s, uint64_t hash, struct object *o)
{
    DEBUG_CHECK(o->entry != NULL);
    struct part *p = part_lock(s, hash);
    if (member_find(p, hash, o) == NULL) { /* origins repeat words */
        struct member *m = mem_alloc(sizeof *m);
        *m = (struct member){ .node.key = member_key(hash, o), .word = word_make(s, p, hash), .object = o };
        table_add(s, &p->members, &m->node);
        count_bytes(s, XKEY_ENTRY_BYTES, sizeof *m);
        list_push_front(&m->word->members, &m->link);
    }
    part_unlock(p);
}

static void
drop(struct surrogates *s, uint64_t hash, struct object *o)
{
    struct part *p = part_lock(s, hash);
    struct member *m = member_find(p, hash, o);
    if (m != NULL) {
        DEBUG_CHECK(!list_empty(&m->word->members) && m->word->node.key == hash);
        table_remove(&p->members, &m->node);
        list_remove(&m->link);
        word_tidy(s, p, m->word);
        count_bytes(s, XKEY_ENTRY_BYTES, -(int64_t)sizeof *m);
        free(m);
    }
    part_unlock(p);
}

struct change {
    struct surrogates *surrogates;
    struct object *object;
    void (*fn)(struct surrogates *s, uint64_t hash, struct object *o);
    bool any;
};

struct word_visit {
    const struct digest_secret *secret;
    void (*fn)(struct digest word, void *arg);
    void *arg;
};

static void
visit_groups(const struct word_visit *v, struct span field)
{
    struct digest groups[SURROGATE_GROUPS_MAX];
    unsigned n = surrogate_groups(v->secret, field, groups);
    for (unsigned i = 0; i < n; i++)
        v->fn(groups[i], v->arg);
}

static void
visit_words(struct span name, struct span value, void *arg)
{
    struct word_visit *v = arg;
    struct span word;
    if (span_eq_nocase(name, SPAN_LIT("Cache-Groups")))
        visit_groups(v, value);
    while (names_words(name) && surrogate_next(&value, &word))
        v->fn(digest_of(v->secret, word), v->arg);
}

void
surrogates_each(const struct surrogates *s, const struct object *o, void (*fn)(struct digest word, void *arg),
                void *arg)
{
    struct word_visit v = { s->secret, fn, arg };
    object_head_each(o, visit_words, &v);
}

static void
change_word(struct digest word, void *arg)
{
    struct change *c = arg;
    c->fn(c->surrogates, word.low, c->object);
    c->any = true;
}

void
surrogates_attach(struct surrogates *s, struct object *o)
{
    DEBUG_CHECK(!(o->flags & OBJECT_KEYED));
    struct change c = { s, o, add, false };
    surrogates_each(s, o, change_word, &c);
    if (!c.any)
        return;
    o->flags |= OBJECT_KEYED;
}

void
surrogates_detach(struct surrogates *s, struct object *o)
{
    struct change c = { s, o, drop, false };
    if (!(o->flags & OBJECT_KEYED))
        return;
    surrogates_each(s, o, change_word, &c);
    o->flags &= (unsigned char)~OBJECT_KEYED;
}

/* ---- purges ---- */

/* A purge references some responses at a time and then handles them without the lock. A place in the word's
 * list marks its progress: new members are added before the place, and removed members do not affect it. */
struct purge {
    struct surrogates *surrogates;
    uint64_t hash;
    struct member place;
};

/* Returns false if no response has the word. */
static bool
purge_begin(struct purge *g, struct surrogates *s, uint64_t hash)
{
    struct part *p = part_lock(s, hash);
    *g = (struct purge){ s, hash, { .word = word_find(p, hash) } };
    if (g->place.word != NULL)
        list_push_front(&g->place.word->members, &g->place.link);
    part_unlock(p);
    return g->place.word != NULL;
}

/* Takes references to the next responses; returns their number. */
static unsigned
purge_next(struct purge *g, struct object *out[PURGE_AT_ONCE])
{
    unsigned n = 0;
    struct part *p = part_lock(g->surrogates, g->hash);
    DEBUG_CHECK(list_linked(&g->place.link) && g->place.object == NULL);
    struct list *end = &g->place.word->members, *at = g->place.link.next;
    for (; at != end && n < PURGE_AT_ONCE; at = at->next) {
        struct object *o = container_of(at, struct member, link)->object;
        if (o == NULL)
            continue; /* the place of another purge */
        object_ref(o);
        out[n++] = o;
    }
    list_remove(&g->place.link);
    list_push_back(at, &g->place.link); /* before the next member */
    part_unlock(p);
    return n;
}

static void
purge_end(struct purge *g)
{
    struct part *p = part_lock(g->surrogates, g->hash);
    DEBUG_CHECK(list_linked(&g->place.link));
    list_remove(&g->place.link);
    word_tidy(g->surrogates, p, g->place.word);
    part_unlock(p);
}

unsigned
surrogates_visit(struct surrogates *s, struct digest word, bool (*fn)(struct object *o, void *arg), void *arg)
{
    struct object *found[PURGE_AT_ONCE];
    struct purge g;
    unsigned n, done = 0;
    if (!purge_begin(&g, s, word.low))
        return 0;
    while ((n = purge_next(&g, found)) > 0) {
        for (unsigned i = 0; i < n; i++) {
            done += fn(found[i], arg);
            object_release(&found[i]);
        }
        fiber_yield_if_due(); /* all responses may have this word: let other fibers of the loop run */
    }
    purge_end(&g);
    return done;
}
