/* The life of contents, and their tables of extents: see body.h. */
#include "body/body_internal.h"

#include <stdlib.h>
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the widest registers that this processor has */
#endif

_Static_assert(sizeof(struct content) == 16, "a small body costs 16 bytes beside its content");

/* ---- memory ---- */

/* Memory that an allocation of n bytes takes beyond its first `content` ones. */
static int64_t
rounding(size_t n, size_t content)
{
    return (int64_t)(mem_cost(n) - content);
}

static size_t
table_bytes(uint32_t cap)
{
    return sizeof(struct extents) + cap * sizeof(struct extent);
}

static size_t
run_bytes(uint32_t cap)
{
    return sizeof(struct run) + cap * sizeof(struct extent);
}

static void
hold(const struct content *c, int64_t bytes)
{
    storage_hold(content_storage(c), USE_ROUNDING, bytes);
}

struct content *
content_new(struct storage *st, uint32_t inline_bytes)
{
    CHECK(inline_bytes <= INLINE_BYTES_MAX);
    struct content *c = malloc(sizeof *c + inline_bytes);
    if (c == NULL)
        return NULL;
    atomic_init(&c->refs, 1);
    c->inline_bytes = inline_bytes & INLINE_BYTES_MAX;
    c->storage = st->number;
    c->extents = NULL;
    hold(c, rounding(sizeof *c + inline_bytes, inline_bytes));
    return c;
}

void
content_trim(struct content **cp, uint32_t bytes)
{
    struct content *c = *cp;
    uint32_t unused = c->inline_bytes - bytes;
    struct content *exact = realloc(c, sizeof *c + bytes);
    if (exact == NULL)
        return; /* it stays longer than needed, which is harmless */
    hold(exact, rounding(sizeof *c + bytes, bytes) - rounding(sizeof *c + bytes + unused, bytes + unused));
    exact->inline_bytes = bytes & INLINE_BYTES_MAX;
    *cp = exact;
    storage_trimmed(content_storage(exact), USE_BODIES, unused);
}

int
content_extend(struct content *c, uint32_t cap)
{
    struct extents *x = calloc(1, table_bytes(cap));
    if (x == NULL)
        return ERR_NOMEM;
    x->last = &x->first;
    x->first.cap = cap;
    c->extents = x;
    hold(c, rounding(table_bytes(cap), 0));
    return 0;
}

static int64_t
extent_rounding(const struct content *c, const struct extent *e, uint32_t bytes)
{
    return e->in_space ? (int64_t)(c->extents->space->ops->cost(bytes) - bytes) : rounding(bytes, bytes);
}

static int
place_take(struct content *c, struct extent *e, uint32_t bytes)
{
    struct space *space = storage_space(content_storage(c));
    struct reservation r;
    struct place p;
    char *at;
    size_t n;
    if (space == NULL || (c->extents->space != NULL && c->extents->space != space))
        return ERR_NOMEM;
    int err = space_reserve(space, bytes, &r);
    if (err == 0)
        err = space_place(&r, bytes, &p);
    space_unreserve(&r);
    if (err != 0)
        return err;
    err = place_buffer(space, &p, &at, &n);
    if (err != 0) {
        place_free(space, &p);
        return err;
    }
    if (c->extents->space == NULL) /* readers of earlier extents may look at it */
        c->extents->space = space;
    e->place = p;
    e->in_space = true;
    return 0;
}

int
extent_fill(struct content *c, struct extent *e, uint32_t bytes, bool in_space)
{
    CHECK(e->place.bytes == 0 && bytes > 0);
    if (!in_space || place_take(c, e, bytes) != 0) {
        char *block = malloc(bytes);
        if (block == NULL)
            return ERR_NOMEM;
        e->place = (struct place){ .block = block, .bytes = bytes };
    }
    hold(c, extent_rounding(c, e, bytes));
    return 0;
}

char *
extent_buffer(const struct content *c, const struct extent *e)
{
    char *at = e->place.block;
    size_t n;
    CHECK(!e->in_space || place_buffer(c->extents->space, &e->place, &at, &n) == 0);
    return at;
}

static void
place_end(struct content *c, struct extent *e, uint32_t bytes)
{
    uint64_t checksum = XXH3_64bits(extent_buffer(c, e), bytes);
    place_commit(c->extents->space, &e->place, bytes, checksum);
}

static bool
block_shorten(struct extent *e, uint32_t bytes)
{
    char *exact = realloc(e->place.block, bytes);
    if (exact == NULL)
        return false; /* it stays longer than needed, which is harmless */
    e->place = (struct place){ .block = exact, .bytes = bytes };
    return true;
}

void
extent_end(struct content *c, struct extent *e, uint32_t bytes, bool is_alone)
{
    uint32_t before = e->place.bytes;
    int64_t rounding_before = extent_rounding(c, e, before);
    if (!is_alone)
        bytes = before; /* readers look at the place */
    if (e->in_space)
        place_end(c, e, bytes);
    if (bytes == before || (!e->in_space && !block_shorten(e, bytes)))
        return;
    hold(c, extent_rounding(c, e, bytes) - rounding_before);
    storage_trimmed(content_storage(c), USE_BODIES, before - bytes);
}

void
extent_free(struct content *c, struct extent *e)
{
    uint32_t bytes = e->place.bytes;
    if (bytes == 0)
        return;
    hold(c, -extent_rounding(c, e, bytes));
    storage_refund(content_storage(c), USE_BODIES, bytes);
    if (e->in_space)
        place_free(c->extents->space, &e->place);
    else
        free(e->place.block);
    e->place.bytes = 0;
}

/* ---- the table ---- */

static struct run *
run_add(struct content *c, uint32_t cap)
{
    struct run *run = calloc(1, run_bytes(cap));
    if (run == NULL)
        return NULL;
    run->cap = cap;
    hold(c, rounding(run_bytes(cap), 0));
    return run;
}

struct extent *
extents_add(struct content *c, uint64_t at, uint32_t run_cap)
{
    struct extents *x = c->extents;
    struct run *last = x->last, *run = last;
    uint32_t n = atomic_load_explicit(&last->n, memory_order_relaxed);
    if (n == last->cap) {
        run = run_add(c, run_cap);
        n = 0;
    }
    if (run == NULL)
        return NULL;
    run->extents[n].at = at;
    atomic_store_explicit(&run->n, n + 1, memory_order_release);
    if (run != last)
        atomic_store_explicit(&last->next, run, memory_order_release);
    x->last = run;
    return &run->extents[n];
}

static struct run *
run_next(const struct run *run)
{
    return atomic_load_explicit(&((struct run *)(uintptr_t)run)->next, memory_order_acquire);
}

struct extent *
extent_at(const struct content *c, uint64_t at, struct run **from)
{
    struct run *run = *from != NULL ? *from : &c->extents->first, *next;
    while ((next = run_next(run)) != NULL && next->extents[0].at <= at)
        run = next;
    *from = run;
    uint32_t low = 0, high = atomic_load_explicit(&run->n, memory_order_acquire);
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (run->extents[middle].at <= at)
            low = middle;
        else
            high = middle;
    }
    return &run->extents[low];
}

/* ---- owners ---- */

void
body_share(struct body *b, const struct body *of)
{
    CHECK(b->content == NULL);
    if (of->content != NULL) {
        unsigned before = atomic_fetch_add_explicit(&of->content->refs, 1, memory_order_relaxed);
        CHECK(before > 0 && before < UINT32_MAX / 2);
    }
    b->content = of->content;
    atomic_store_explicit(&b->bytes, body_bytes(of), memory_order_release);
}

static bool
is_shared(const struct body *b)
{
    return b->content != NULL && atomic_load_explicit(&b->content->refs, memory_order_acquire) > 1;
}

static void
content_free(struct content *c)
{
    struct extents *x = c->extents;
    for (struct run *run = x == NULL ? NULL : &x->first, *next; run != NULL; run = next) {
        next = run_next(run);
        for (uint32_t i = 0; i < atomic_load_explicit(&run->n, memory_order_relaxed); i++)
            extent_free(c, &run->extents[i]);
        hold(c, -(run == &x->first ? rounding(table_bytes(run->cap), 0) : rounding(run_bytes(run->cap), 0)));
        if (run != &x->first)
            free(run);
    }
    if (x != NULL && x->holes != NULL)
        holes_free(c);
    free(x);
    uint32_t n = c->inline_bytes;
    hold(c, -rounding(sizeof *c + n, n));
    if (n > 0)
        storage_refund(content_storage(c), USE_BODIES, n);
    free(c);
}

void
body_release(struct body *b)
{
    struct content *c = b->content;
    b->content = NULL;
    if (c != NULL && atomic_fetch_sub_explicit(&c->refs, 1, memory_order_acq_rel) == 1)
        content_free(c);
}

uint64_t
body_stored_bytes(const struct body *b)
{
    const struct content *c = b->content;
    uint64_t bytes = c == NULL ? 0 : c->inline_bytes;
    for (struct run *run = c == NULL || c->extents == NULL ? NULL : &c->extents->first; run != NULL;
         run = run_next(run))
        for (uint32_t i = 0; i < atomic_load_explicit(&run->n, memory_order_acquire); i++)
            bytes += run->extents[i].place.bytes;
    return bytes;
}

/* Frees the extents of a run that end before `at`. True: all of it. */
static bool
run_free_before(struct content *c, struct run *run, uint64_t at, uint64_t *freed)
{
    uint32_t n = atomic_load_explicit(&run->n, memory_order_acquire);
    for (uint32_t i = 0; i < n; i++) {
        struct extent *e = &run->extents[i];
        if (e->place.bytes == 0)
            continue;
        if (e->at + e->place.bytes >= at) /* a reader at its end may still look at it */
            return false;
        *freed += e->place.bytes;
        extent_free(c, e);
    }
    return true;
}

uint64_t
body_free_before(struct body *b, uint64_t at)
{
    struct content *c = b->content;
    uint64_t freed = 0;
    if (c == NULL || c->extents == NULL || c->extents->holes != NULL || is_shared(b))
        return 0;
    struct run *first = &c->extents->first, *run, *next;
    bool all = run_free_before(c, first, at, &freed);
    /* The writer appends only to a run without a next one */
    while (all && (run = run_next(first)) != NULL) {
        all = run_free_before(c, run, at, &freed);
        next = run_next(run);
        if (!all || next == NULL)
            break;
        atomic_store_explicit(&first->next, next, memory_order_release);
        hold(c, -rounding(run_bytes(run->cap), 0));
        free(run);
    }
    return freed;
}
