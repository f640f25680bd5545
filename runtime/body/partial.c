/* Partial bodies: see partial.h. All extents are in the first run of the table. */
#include "body/partial.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/lock.h"
#include "base/params.h"
#include "body/body_internal.h"
#include "loop/notice.h"

#define DESCRIBE_ENDING ",..."

struct holes {
    pthread_mutex_t lock;
    struct list watches; /* struct hole_watch; lock */
    uint64_t total;
    uint32_t size, n;
    atomic_uint missing; /* number of extents that are not there */
    bool personal;       /* fixed once published */
    bool gone;           /* lock */
    uint32_t validator_bytes;
    char validator[];
};

/* ---- life ---- */

static uint64_t
count_of(uint64_t total, uint32_t size)
{
    return (total + size - 1) / size;
}

bool
body_may_have_holes(uint64_t total, uint32_t size)
{
    return total > 0 && total < INT64_MAX && count_of(total, size) <= params.partial_segments_max;
}

static struct holes *
holes_of(const struct body *b)
{
    return b->content->extents->holes;
}

static struct extent *
extent_of(const struct content *c, uint64_t at)
{
    return &c->extents->first.extents[at / c->extents->holes->size];
}

static struct holes *
holes_new(uint64_t total, uint32_t size, struct span validator)
{
    struct holes *h = calloc(1, sizeof *h + validator.len);
    if (h == NULL)
        return NULL;
    h->total = total;
    h->size = size;
    h->n = (uint32_t)count_of(total, size);
    atomic_init(&h->missing, h->n);
    h->validator_bytes = (uint32_t)validator.len;
    memcpy(h->validator, validator.ptr, validator.len);
    pthread_mutex_init(&h->lock, NULL);
    list_init(&h->watches);
    return h;
}

static int64_t
holes_cost(const struct holes *h)
{
    return (int64_t)mem_cost(sizeof *h + h->validator_bytes);
}

void
holes_free(struct content *c)
{
    struct holes *h = c->extents->holes;
    CHECK(list_empty(&h->watches));
    storage_hold(content_storage(c), USE_ROUNDING, -holes_cost(h));
    pthread_mutex_destroy(&h->lock);
    free(h);
}

int
body_make_holes(struct body *b, struct storage *st, uint64_t total, uint32_t size, struct span validator)
{
    CHECK(b->content == NULL);
    if (!body_may_have_holes(total, size))
        return ERR_LIMIT;
    struct holes *h = holes_new(total, size, validator);
    struct content *c = h == NULL ? NULL : content_new(st, 0);
    if (c == NULL || content_extend(c, h->n) != 0) {
        struct body made = { .content = c };
        body_release(&made);
        free(h);
        return ERR_NOMEM;
    }
    c->extents->holes = h;
    storage_hold(st, USE_ROUNDING, holes_cost(h));
    for (uint32_t i = 0; i < h->n; i++)
        extents_add(c, (uint64_t)i * size, 0)->state = EXTENT_HOLE;
    b->content = c;
    atomic_store_explicit(&b->bytes, total, memory_order_release);
    return 0;
}

bool
body_is_partial(const struct body *b)
{
    return b->content != NULL && b->content->extents != NULL && b->content->extents->holes != NULL;
}

void
body_set_personal(struct body *b)
{
    holes_of(b)->personal = true;
}

bool
body_is_personal(const struct body *b)
{
    return holes_of(b)->personal;
}

struct span
body_validator(const struct body *b)
{
    return span_of(holes_of(b)->validator, holes_of(b)->validator_bytes);
}

uint32_t
body_extent_bytes(const struct body *b)
{
    return holes_of(b)->size;
}

/* ---- looking ---- */

bool
body_is_whole(const struct body *b)
{
    return atomic_load_explicit(&holes_of(b)->missing, memory_order_acquire) == 0;
}

static size_t
room_of(const struct holes *h, const struct extent *e)
{
    uint64_t left = h->total - e->at;
    return left < h->size ? (size_t)left : h->size;
}

static enum body_sight
sight_of(const struct holes *h, const struct extent *e)
{
    if (e->state == EXTENT_COMING)
        return SIGHT_COMING;
    if (h->gone)
        return SIGHT_GONE;
    return e->state == EXTENT_CLAIMED ? SIGHT_CLAIMED : SIGHT_HOLE;
}

enum body_sight
body_look(const struct body *b, uint64_t at, uint64_t end, struct body_gap *gap)
{
    struct holes *h = holes_of(b);
    enum body_sight found = SIGHT_THERE;
    CHECK(end <= h->total);
    if (body_is_whole(b)) /* avoids a walk over a long table */
        return SIGHT_THERE;
    pthread_mutex_lock(&h->lock);
    while (at < end && found == SIGHT_THERE) {
        const struct extent *e = extent_of(b->content, at);
        uint64_t have = e->at + extent_arrived(e);
        at = have > at ? have : at;
        if (at < end && at < e->at + room_of(h, e)) {
            found = sight_of(h, e);
            *gap = (struct body_gap){ at, (uint32_t)(at / h->size), e->failures };
        }
    }
    pthread_mutex_unlock(&h->lock);
    return found;
}

/* Finds the next run of extents that are there, from i on; false: no more. */
static bool
next_there(const struct content *c, uint32_t *i, uint32_t *last)
{
    const struct extent *all = c->extents->first.extents;
    uint32_t n = c->extents->holes->n;
    while (*i < n && all[*i].state != EXTENT_THERE)
        ++*i;
    *last = *i;
    while (*last < n && all[*last].state == EXTENT_THERE)
        ++*last;
    return (*last)-- > *i;
}

void
body_describe(const struct body *b, char *text, size_t cap, uint64_t *stored_bytes)
{
    struct holes *h = holes_of(b);
    char tail[32];
    size_t room = cap - (size_t)snprintf(tail, sizeof tail, " of %u", h->n) - sizeof DESCRIBE_ENDING,
           used = 0;
    uint32_t last = 0;
    bool more = true;
    *stored_bytes = 0;
    text[0] = '\0';
    pthread_mutex_lock(&h->lock);
    for (uint32_t i = 0; i < h->n; i++)
        *stored_bytes += extent_arrived(&b->content->extents->first.extents[i]);
    for (uint32_t i = 0; more && next_there(b->content, &i, &last); i = last + 1) {
        char run[32];
        int n = last > i ? snprintf(run, sizeof run, "%s%u-%u", used > 0 ? "," : "", i, last)
                         : snprintf(run, sizeof run, "%s%u", used > 0 ? "," : "", i);
        more = used + (size_t)n < room;
        used += (size_t)snprintf(text + used, cap - used, "%s", more ? run : DESCRIBE_ENDING);
    }
    pthread_mutex_unlock(&h->lock);
    snprintf(text + used, cap - used, "%s%s", used > 0 ? "" : "none", tail);
}

/* ---- watches ---- */

static void
watch_run(void *arg)
{
    struct hole_watch *w = arg;
    w->fn(w);
}

void
hole_watch(const struct body *b, struct hole_watch *w, struct loop *loop, void (*fn)(struct hole_watch *w))
{
    struct holes *h = holes_of(b);
    *w = (struct hole_watch){ .content = b->content, .fn = fn };
    list_init(&w->link);
    /* Without a notice a reader would wait for ever, and there is no smaller operation to fail. */
    CHECK(notice_new(loop, watch_run, w, &w->notice) == 0);
    pthread_mutex_lock(&h->lock);
    list_push_back(&h->watches, &w->link);
    pthread_mutex_unlock(&h->lock);
}

void
hole_unwatch(struct hole_watch *w)
{
    struct content *c = w->content;
    if (c == NULL)
        return;
    w->content = NULL;
    pthread_mutex_lock(&c->extents->holes->lock);
    list_remove(&w->link);
    pthread_mutex_unlock(&c->extents->holes->lock);
    notice_cancel(&w->notice);
}

static void
unlock_and_wake(struct holes *h)
{
    LOCK_HELD(&h->lock);
    struct notice_batch b = { 0 };
    list_each(it, &h->watches) notice_collect(&b, container_of(it, struct hole_watch, link)->notice);
    pthread_mutex_unlock(&h->lock);
    notice_send(&b);
}

/* ---- filling ---- */

/* Returns the end of the holes that one response can fill: after the first extent, only empty ones follow. */
static uint64_t
run_end(const struct content *c, uint64_t at, uint64_t end)
{
    const struct holes *h = c->extents->holes;
    uint64_t stop = (at / h->size + 1) * h->size;
    while (stop < end && extent_of(c, stop)->state == EXTENT_HOLE && extent_arrived(extent_of(c, stop)) == 0)
        stop += h->size;
    return stop < h->total ? stop : h->total;
}

bool
hole_claim(const struct body *b, uint64_t at, uint64_t end, struct hole_claim *out)
{
    struct holes *h = holes_of(b);
    CHECK(at < end && end <= h->total);
    struct extent *e = extent_of(b->content, at);
    pthread_mutex_lock(&h->lock);
    bool mine = e->state == EXTENT_HOLE && !h->gone;
    if (mine) {
        e->state = EXTENT_CLAIMED;
        *out = (struct hole_claim){ b->content, e->at + extent_arrived(e), run_end(b->content, at, end) };
    }
    pthread_mutex_unlock(&h->lock);
    return mine;
}

void
claim_confirm(struct hole_claim *c)
{
    struct holes *h = c->content->extents->holes;
    pthread_mutex_lock(&h->lock);
    extent_of(c->content, c->at)->state = EXTENT_COMING;
    unlock_and_wake(h);
}

static int
extent_charge(struct content *c, struct extent *e, uint32_t bytes)
{
    struct storage *st = content_storage(c);
    int err = storage_charge(st, USE_BODIES, bytes);
    if (err != 0)
        return err;
    bool in_space = params.sendfile_min_bytes > 0 && bytes >= params.sendfile_min_bytes;
    err = extent_fill(c, e, bytes, in_space);
    if (err != 0)
        storage_refund(st, USE_BODIES, bytes);
    return err;
}

int
claim_space(struct hole_claim *c, char **at, size_t *n)
{
    const struct holes *h = c->content->extents->holes;
    struct extent *e = extent_of(c->content, c->at);
    size_t room = room_of(h, e), in = (size_t)(c->at - e->at);
    int err = e->place.bytes == 0 ? extent_charge(c->content, e, (uint32_t)room) : 0;
    if (err != 0)
        return err;
    *at = extent_buffer(c->content, e) + in;
    *n = room - in;
    return 0;
}

/* Extends the claim to the extent at c->at. */
static bool
claim_next(struct hole_claim *c)
{
    struct extent *e = extent_of(c->content, c->at);
    if (e->state != EXTENT_HOLE || extent_arrived(e) > 0)
        return false;
    e->state = EXTENT_COMING;
    return true;
}

bool
claim_commit(struct hole_claim *c, size_t n)
{
    struct holes *h = c->content->extents->holes;
    struct extent *e = extent_of(c->content, c->at);
    size_t room = room_of(h, e), have = extent_arrived(e) + n;
    bool goes_on = true;
    CHECK(have <= room);
    if (have == room)
        extent_end(c->content, e, (uint32_t)room, false);
    pthread_mutex_lock(&h->lock);
    CHECK(e->state == EXTENT_COMING);
    atomic_store_explicit(&e->arrived, (unsigned)have, memory_order_release);
    c->at += n;
    if (have == room) {
        e->state = EXTENT_THERE;
        atomic_fetch_sub_explicit(&h->missing, 1, memory_order_release);
        goes_on = c->at < c->end && claim_next(c);
    }
    unlock_and_wake(h);
    if (!goes_on)
        c->content = NULL;
    return goes_on;
}

bool
claim_at_edge(const struct hole_claim *c)
{
    return c->at % c->content->extents->holes->size == 0;
}

static void
end_claim(struct hole_claim *c, bool failed)
{
    struct content *content = c->content;
    c->content = NULL;
    if (content == NULL)
        return;
    struct holes *h = content->extents->holes;
    struct extent *e = extent_of(content, c->at);
    pthread_mutex_lock(&h->lock);
    e->state = EXTENT_HOLE;
    e->failures = (uint16_t)(e->failures + failed);
    unlock_and_wake(h);
}

void
claim_end(struct hole_claim *c)
{
    end_claim(c, false);
}

void
claim_fail(struct hole_claim *c)
{
    end_claim(c, true);
}

void
body_forsake(const struct body *b)
{
    struct holes *h = holes_of(b);
    pthread_mutex_lock(&h->lock);
    h->gone = true;
    unlock_and_wake(h);
}
