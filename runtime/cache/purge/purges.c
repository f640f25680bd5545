/* The table of remembered purges: see purges.h. A row with its bucket takes 36 bytes. */
#include "cache/purge/purges.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"

#define PIECE_ITEMS 256u
#define YOUNG_ROWS 1024u /* a table with fewer rows does not become the older one: it costs little */

/* Numbers of rows and details begin with 1; 0: none. */
struct row {
    struct digest digest;
    uint64_t position;
    uint32_t next;   /* in the bucket; the rows of one digest are newest first */
    uint32_t detail; /* 0: a single hard purge that concerns every object */
};

_Static_assert(sizeof(struct row) == 32, "docs/memory.md gives the size");

/* ---- pieces ---- */

static void *
item(const struct pieces *p, size_t bytes, uint32_t i)
{
    DEBUG_CHECK(i < p->n && i / PIECE_ITEMS < p->cap);
    return p->piece[i / PIECE_ITEMS] + i % PIECE_ITEMS * bytes;
}

static void
directory_grow(struct pieces *p, size_t *total)
{
    uint32_t cap = p->cap == 0 ? 4 : 2 * p->cap;
    char **wider = mem_alloc(cap * sizeof *wider);
    if (p->cap > 0)
        memcpy(wider, p->piece, p->cap * sizeof *wider);
    free(p->piece);
    *total += mem_cost(cap * sizeof *wider) - (p->cap == 0 ? 0 : mem_cost(p->cap * sizeof *wider));
    p->piece = wider;
    p->cap = cap;
}

/* Returns the index of a new item, which is not set. */
static uint32_t
item_add(struct pieces *p, size_t bytes, size_t *total)
{
    uint32_t at = p->n / PIECE_ITEMS;
    if (p->n % PIECE_ITEMS == 0) {
        if (at == p->cap)
            directory_grow(p, total);
        p->piece[at] = mem_alloc(PIECE_ITEMS * bytes);
        *total += mem_cost(PIECE_ITEMS * bytes);
    }
    return p->n++;
}

static void
pieces_free(struct pieces *p)
{
    for (uint32_t i = 0; i * PIECE_ITEMS < p->n; i++)
        free(p->piece[i]);
    free(p->piece);
    *p = (struct pieces){ 0 };
}

static struct row *
row_of(const struct purge_table *t, uint32_t number)
{
    DEBUG_CHECK(number > 0);
    return item(&t->rows, sizeof(struct row), number - 1);
}

static struct purge *
detail_of(const struct purge_table *t, uint32_t number)
{
    DEBUG_CHECK(number > 0);
    return item(&t->details, sizeof(struct purge), number - 1);
}

/* ---- buckets ---- */

static uint32_t
mask_of(uint32_t n) /* the smallest 2^k - 1 that is at least n - 1 */
{
    return n <= 1 ? 0 : UINT32_MAX >> __builtin_clz(n - 1);
}

/* The buckets that are not split yet hold the digests of two. */
static uint32_t *
bucket(const struct purge_table *t, struct digest d)
{
    DEBUG_CHECK(t->buckets.n > 0);
    uint32_t mask = mask_of(t->buckets.n), b = (uint32_t)d.low & mask;
    return item(&t->buckets, sizeof(uint32_t), b < t->buckets.n ? b : b & mask >> 1);
}

/* Adds a bucket, and moves rows to it from the one that it splits. Both keep the order of their rows. */
static void
bucket_add(struct purge_table *t)
{
    uint32_t n = item_add(&t->buckets, sizeof(uint32_t), &t->bytes), mask = mask_of(n + 1);
    uint32_t *to = item(&t->buckets, sizeof(uint32_t), n);
    *to = 0;
    if (n == 0)
        return;
    uint32_t *from = item(&t->buckets, sizeof(uint32_t), n & mask >> 1);
    while (*from != 0) {
        struct row *r = row_of(t, *from);
        if (((uint32_t)r->digest.low & mask) != n) {
            from = &r->next;
            continue;
        }
        *to = *from;
        *from = r->next;
        to = &r->next;
        *to = 0;
    }
}

/* ---- rows ---- */

static struct purge
row_read(const struct purge_table *t, const struct row *r)
{
    if (r->detail != 0)
        return *detail_of(t, r->detail);
    return (struct purge){ .position = r->position, .first = r->position };
}

static void
row_write(struct purge_table *t, struct row *r, const struct purge *x)
{
    bool plain = !x->soft && x->by == 0 && x->host == 0 && x->first == x->position;
    r->position = x->position;
    if (plain && r->detail == 0)
        return;
    if (r->detail == 0)
        r->detail = item_add(&t->details, sizeof *x, &t->bytes) + 1;
    *detail_of(t, r->detail) = *x;
}

static void
row_unlink(struct purge_table *t, struct digest d, uint32_t number)
{
    uint32_t *link = bucket(t, d);
    while (*link != number) {
        CHECK(*link != 0);
        link = &row_of(t, *link)->next;
    }
    *link = row_of(t, number)->next;
}

/* Both are hard, or both are soft. */
static struct purge
merged(const struct purge *newer, const struct purge *older)
{
    DEBUG_CHECK(newer->soft == older->soft && newer->position > older->position);
    struct purge x = *newer;
    x.first = older->first;
    x.by = newer->by == older->by ? newer->by : 0;
    x.host = newer->host == older->host ? newer->host : 0;
    if (older->to.stale_at < newer->to.stale_at)
        x.to.stale_at = older->to.stale_at;
    if (newer->to.grace < 0)
        x.to.grace = older->to.grace;
    if (newer->to.keep < 0)
        x.to.keep = older->to.keep;
    x.to.at_once = newer->to.at_once || older->to.at_once;
    x.shortens = newer->shortens || older->shortens || x.to.grace != newer->to.grace ||
                 x.to.keep != newer->to.keep;
    return x;
}

/* Merges the two oldest rows of one kind, and returns the number of the row that is free then. */
static uint32_t
make_room(struct purge_table *t, struct digest d, const uint32_t rows[PURGES_OF_ONE])
{
    for (unsigned older = PURGES_OF_ONE - 1; older > 0; older--) {
        struct purge x = row_read(t, row_of(t, rows[older]));
        for (unsigned newer = older; newer-- > 0;) {
            struct purge y = row_read(t, row_of(t, rows[newer]));
            if (x.soft != y.soft)
                continue;
            y = merged(&y, &x);
            row_write(t, row_of(t, rows[newer]), &y);
            row_unlink(t, d, rows[older]);
            return rows[older];
        }
    }
    WRONG("of three rows, two are of one kind");
}

static void
table_add(struct purge_table *t, struct digest d, const struct purge *x)
{
    DEBUG_CHECK(x->position > t->last && x->first <= x->position);
    uint32_t rows[PURGES_OF_ONE], n = 0, at;
    for (at = t->buckets.n == 0 ? 0 : *bucket(t, d); at != 0; at = row_of(t, at)->next)
        if (digest_eq(row_of(t, at)->digest, d)) {
            CHECK(n < PURGES_OF_ONE);
            rows[n++] = at;
        }
    if (n == PURGES_OF_ONE) {
        at = make_room(t, d, rows);
    } else {
        at = item_add(&t->rows, sizeof(struct row), &t->bytes) + 1;
        *row_of(t, at) = (struct row){ .digest = d };
        bucket_add(t);
    }
    struct row *r = row_of(t, at);
    uint32_t *first = bucket(t, d);
    row_write(t, r, x);
    r->next = *first;
    *first = at;
    t->last = x->position;
    DEBUG_CHECK(t->buckets.n == t->rows.n);
}

static void
table_free(struct purge_table *t)
{
    pieces_free(&t->rows);
    pieces_free(&t->buckets);
    pieces_free(&t->details);
    *t = (struct purge_table){ 0 };
}

static void
table_each(const struct purge_table *t, struct digest d, uint64_t born,
           void (*fn)(const struct purge *x, void *arg), void *arg)
{
    for (uint32_t at = t->last <= born ? 0 : *bucket(t, d); at != 0;) {
        const struct row *r = row_of(t, at);
        at = r->next;
        if (r->position <= born || !digest_eq(r->digest, d))
            continue;
        struct purge x = row_read(t, r);
        fn(&x, arg);
    }
}

/* ---- both tables ---- */

void
purges_release(struct purges *p)
{
    table_free(&p->newer);
    table_free(&p->older);
    *p = (struct purges){ 0 };
}

static void
turn(struct purges *p)
{
    DEBUG_CHECK(p->newer.last > p->older.last && p->newer.rows.n > 0);
    table_free(&p->older);
    p->older = p->newer;
    p->newer = (struct purge_table){ 0 };
}

void
purges_add(struct purges *p, struct digest d, const struct purge *x, uint32_t rows_max)
{
    if (p->newer.rows.n > 0 && p->newer.rows.n >= rows_max / 2) {
        p->floor = p->older.last > p->floor ? p->older.last : p->floor;
        turn(p);
    }
    table_add(&p->newer, d, x);
}

void
purges_forget(struct purges *p, uint64_t oldest)
{
    if (p->older.last <= oldest)
        table_free(&p->older);
    if (p->newer.last <= oldest)
        table_free(&p->newer);
    else if (p->older.last == 0 && p->newer.rows.n >= YOUNG_ROWS)
        turn(p);
}

void
purges_each(const struct purges *p, struct digest d, uint64_t born,
            void (*fn)(const struct purge *x, void *arg), void *arg)
{
    table_each(&p->newer, d, born, fn, arg);
    table_each(&p->older, d, born, fn, arg);
}
