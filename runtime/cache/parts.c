/* Tables of parts: see parts.h. */
#include "cache/parts.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/params.h"
#include "cache/object_internal.h"

#define DESCRIBE_ENDING ",..."

enum part_state { PART_HOLE, PART_CLAIMED, PART_COMING, PART_WHOLE };

/* A hole may hold its first bytes, from a fetch that ended early. */
struct part {
    char *data;        /* set by the claim's owner, before `bytes` */
    atomic_uint bytes; /* bytes present */
    uint8_t state;     /* enum part_state; lock */
    uint16_t failures; /* failed claims; lock */
};

struct parts {
    atomic_uint refs; /* objects */
    pthread_mutex_t lock;
    struct list watches;     /* struct parts_watch; lock */
    struct storage *storage; /* charged for the table and the parts */
    uint64_t total;
    size_t cost; /* bytes charged for this table */
    uint32_t size, n;
    atomic_uint missing;   /* number of parts that are not whole */
    bool personal;         /* fixed once published */
    bool gone;             /* lock */
    struct span validator; /* stored after the parts */
    struct part part[];
};

/* ---- life ---- */

static uint64_t
count_of(uint64_t total, uint32_t size)
{
    return (total + size - 1) / size;
}

bool
parts_allowed(uint64_t total, uint32_t size)
{
    return total > 0 && total < INT64_MAX && count_of(total, size) <= params.partial_segments_max;
}

static int64_t
rounding(size_t bytes)
{
    return (int64_t)(mem_cost(bytes) - bytes);
}

static int
charge(struct storage *st, enum storage_use use, size_t bytes)
{
    int err = storage_charge(st, use, bytes);
    if (err == 0)
        storage_hold(st, USE_ROUNDING, rounding(bytes));
    return err;
}

static void
refund(struct storage *st, enum storage_use use, size_t bytes)
{
    storage_hold(st, USE_ROUNDING, -rounding(bytes));
    storage_refund(st, use, bytes);
}

static int
new_table(struct storage *st, uint64_t total, uint32_t size, struct span validator, struct parts **out)
{
    uint32_t n = (uint32_t)count_of(total, size);
    size_t bytes = sizeof(struct parts) + n * sizeof(struct part) + validator.len;
    int err = charge(st, USE_HEADS, bytes);
    if (err != 0)
        return err;
    struct parts *p = calloc(1, bytes);
    if (p == NULL) {
        refund(st, USE_HEADS, bytes);
        return ERR_NOMEM;
    }
    char *text = (char *)&p->part[n];
    memcpy(text, validator.ptr, validator.len);
    p->storage = st;
    p->total = total;
    p->cost = bytes;
    p->size = size;
    p->n = n;
    atomic_init(&p->missing, n);
    p->validator = span_of(text, validator.len);
    atomic_init(&p->refs, 1);
    pthread_mutex_init(&p->lock, NULL);
    list_init(&p->watches);
    *out = p;
    return 0;
}

int
object_set_parts(struct object *o, uint64_t total, uint32_t size, struct span validator)
{
    struct parts *p = NULL;
    CHECK(object_state(o) < OBJECT_STREAMING && o->head != NULL && o->first == NULL &&
          object_parts(o) == NULL);
    if (!parts_allowed(total, size))
        return ERR_LIMIT;
    int err = new_table(o->live->head_storage, total, size, validator, &p);
    if (err != 0)
        return err;
    object_attach_parts(o, p);
    return 0;
}

void
object_share_parts(struct object *o, const struct object *from)
{
    struct parts *p = object_parts(from);
    CHECK(p != NULL && object_state(o) < OBJECT_STREAMING && o->head != NULL && o->first == NULL &&
          object_parts(o) == NULL);
    atomic_fetch_add_explicit(&p->refs, 1, memory_order_relaxed);
    object_attach_parts(o, p);
}

void
parts_set_personal(struct parts *p)
{
    p->personal = true;
}

bool
parts_are_personal(const struct parts *p)
{
    return p->personal;
}

static size_t
room_of(const struct parts *p, uint32_t i)
{
    uint64_t left = p->total - (uint64_t)i * p->size;
    return left < p->size ? (size_t)left : p->size;
}

void
parts_release(struct parts **pp)
{
    struct parts *p = *pp;
    *pp = NULL;
    if (p == NULL || atomic_fetch_sub_explicit(&p->refs, 1, memory_order_acq_rel) > 1)
        return;
    CHECK(list_empty(&p->watches));
    struct storage *st = p->storage;
    for (uint32_t i = 0; i < p->n; i++)
        if (p->part[i].data != NULL) {
            refund(st, USE_BODIES, room_of(p, i));
            free(p->part[i].data);
        }
    pthread_mutex_destroy(&p->lock);
    refund(st, USE_HEADS, p->cost);
    free(p);
}

uint64_t
parts_total(const struct parts *p)
{
    return p->total;
}

struct span
parts_validator(const struct parts *p)
{
    return p->validator;
}

uint32_t
parts_size(const struct parts *p)
{
    return p->size;
}

/* ---- readers ---- */

static size_t
bytes_present(const struct part *t)
{
    return atomic_load_explicit(&((struct part *)(uintptr_t)t)->bytes, memory_order_acquire);
}

int
parts_read(struct parts *p, uint64_t at, struct iovec *iov, int max, uint64_t most)
{
    int n = 0;
    CHECK(at <= p->total);
    most = most < p->total - at ? most : p->total - at;
    while (n < max && most > 0) {
        uint32_t i = (uint32_t)(at / p->size);
        size_t in = (size_t)(at % p->size), have = bytes_present(&p->part[i]);
        if (have <= in)
            break;
        size_t take = have - in < most ? have - in : (size_t)most;
        iov[n++] = (struct iovec){ p->part[i].data + in, take };
        at += take;
        most -= take;
    }
    return n;
}

bool
parts_are_whole(const struct parts *p)
{
    return atomic_load_explicit(&((struct parts *)(uintptr_t)p)->missing, memory_order_acquire) == 0;
}

static enum parts_sight
sight_of(const struct parts *p, const struct part *t)
{
    if (t->state == PART_COMING)
        return PARTS_COMING;
    if (p->gone)
        return PARTS_GONE;
    return t->state == PART_CLAIMED ? PARTS_CLAIMED : PARTS_HOLE;
}

enum parts_sight
parts_look(struct parts *p, uint64_t at, uint64_t end, struct parts_gap *gap)
{
    enum parts_sight found = PARTS_THERE;
    CHECK(end <= p->total);
    if (parts_are_whole(p)) /* avoids a walk over a long table */
        return PARTS_THERE;
    pthread_mutex_lock(&p->lock);
    while (at < end && found == PARTS_THERE) {
        uint32_t i = (uint32_t)(at / p->size);
        uint64_t first = (uint64_t)i * p->size, have = first + bytes_present(&p->part[i]);
        at = have > at ? have : at;
        if (at < end && at < first + room_of(p, i)) {
            found = sight_of(p, &p->part[i]);
            *gap = (struct parts_gap){ at, i, p->part[i].failures };
        }
    }
    pthread_mutex_unlock(&p->lock);
    return found;
}

/* Finds the next run of whole parts from i on; false: no more runs. */
static bool
next_run(const struct parts *p, uint32_t *i, uint32_t *last)
{
    while (*i < p->n && p->part[*i].state != PART_WHOLE)
        ++*i;
    *last = *i;
    while (*last < p->n && p->part[*last].state == PART_WHOLE)
        ++*last;
    return (*last)-- > *i;
}

void
parts_describe(struct parts *p, char *text, size_t cap, uint64_t *stored_bytes)
{
    char tail[32];
    size_t room = cap - (size_t)snprintf(tail, sizeof tail, " of %u", p->n) - sizeof DESCRIBE_ENDING,
           used = 0;
    uint32_t last = 0;
    bool more = true;
    *stored_bytes = 0;
    text[0] = '\0';
    pthread_mutex_lock(&p->lock);
    for (uint32_t i = 0; i < p->n; i++)
        *stored_bytes += bytes_present(&p->part[i]);
    for (uint32_t i = 0; more && next_run(p, &i, &last); i = last + 1) {
        char run[32];
        int n = last > i ? snprintf(run, sizeof run, "%s%u-%u", used > 0 ? "," : "", i, last)
                         : snprintf(run, sizeof run, "%s%u", used > 0 ? "," : "", i);
        more = used + (size_t)n < room;
        used += (size_t)snprintf(text + used, cap - used, "%s", more ? run : DESCRIBE_ENDING);
    }
    pthread_mutex_unlock(&p->lock);
    snprintf(text + used, cap - used, "%s%s", used > 0 ? "" : "none", tail);
}

/* ---- watches ---- */

static void
watch_run(void *arg)
{
    struct parts_watch *w = arg;
    w->fn(w);
}

void
parts_watch(struct parts *p, struct parts_watch *w, struct loop *loop, void (*fn)(struct parts_watch *w))
{
    *w = (struct parts_watch){ .parts = p, .fn = fn };
    list_init(&w->link);
    /* Without a notice a reader would wait for ever, and there is no smaller operation to fail. */
    CHECK(notice_new(loop, watch_run, w, &w->notice) == 0);
    pthread_mutex_lock(&p->lock);
    list_push_back(&p->watches, &w->link);
    pthread_mutex_unlock(&p->lock);
}

void
parts_unwatch(struct parts_watch *w)
{
    struct parts *p = w->parts;
    if (p == NULL)
        return;
    w->parts = NULL;
    pthread_mutex_lock(&p->lock);
    list_remove(&w->link);
    pthread_mutex_unlock(&p->lock);
    notice_cancel(&w->notice);
}

static void
unlock_and_wake(struct parts *p)
{
    struct notice_batch b = { 0 };
    list_each(it, &p->watches) notice_collect(&b, container_of(it, struct parts_watch, link)->notice);
    pthread_mutex_unlock(&p->lock);
    notice_send(&b);
}

/* ---- writers ---- */

static struct part *
part_of(struct parts *p, uint64_t at)
{
    return &p->part[at / p->size];
}

/* Returns the end of the holes that one response can fill: after the first part, only empty parts follow. */
static uint64_t
run_end(const struct parts *p, uint64_t at, uint64_t end)
{
    uint32_t i = (uint32_t)(at / p->size) + 1;
    while ((uint64_t)i * p->size < end && p->part[i].state == PART_HOLE && bytes_present(&p->part[i]) == 0)
        i++;
    uint64_t stop = (uint64_t)i * p->size;
    return stop < p->total ? stop : p->total;
}

bool
parts_claim(struct parts *p, uint64_t at, uint64_t end, struct parts_claim *out)
{
    CHECK(at < end && end <= p->total);
    struct part *t = part_of(p, at);
    pthread_mutex_lock(&p->lock);
    bool mine = t->state == PART_HOLE && !p->gone;
    if (mine) {
        t->state = PART_CLAIMED;
        *out = (struct parts_claim){ p, at / p->size * p->size + bytes_present(t), run_end(p, at, end) };
    }
    pthread_mutex_unlock(&p->lock);
    return mine;
}

void
parts_confirm(struct parts_claim *c)
{
    struct parts *p = c->parts;
    pthread_mutex_lock(&p->lock);
    part_of(p, c->at)->state = PART_COMING;
    unlock_and_wake(p);
}

int
parts_space(struct parts_claim *c, char **at, size_t *n)
{
    struct parts *p = c->parts;
    struct part *t = part_of(p, c->at);
    size_t room = room_of(p, (uint32_t)(c->at / p->size)), in = (size_t)(c->at % p->size);
    if (t->data == NULL) {
        int err = charge(p->storage, USE_BODIES, room);
        if (err != 0)
            return err;
        t->data = malloc(room);
        if (t->data == NULL) {
            refund(p->storage, USE_BODIES, room);
            return ERR_NOMEM;
        }
    }
    *at = t->data + in;
    *n = room - in;
    return 0;
}

/* Extends the claim to the part at c->at. */
static bool
claim_next(struct parts_claim *c)
{
    struct part *t = part_of(c->parts, c->at);
    if (t->state != PART_HOLE || bytes_present(t) > 0)
        return false;
    t->state = PART_COMING;
    return true;
}

bool
parts_commit(struct parts_claim *c, size_t n)
{
    struct parts *p = c->parts;
    struct part *t = part_of(p, c->at);
    size_t room = room_of(p, (uint32_t)(c->at / p->size));
    bool goes_on = true;
    pthread_mutex_lock(&p->lock);
    CHECK(t->state == PART_COMING && n <= room - c->at % p->size);
    size_t have = atomic_fetch_add_explicit(&t->bytes, (unsigned)n, memory_order_release) + n;
    c->at += n;
    if (have == room) {
        t->state = PART_WHOLE;
        atomic_fetch_sub_explicit(&p->missing, 1, memory_order_release);
        goes_on = c->at < c->end && claim_next(c);
    }
    unlock_and_wake(p);
    if (!goes_on)
        c->parts = NULL;
    return goes_on;
}

bool
parts_at_edge(const struct parts_claim *c)
{
    return c->at % c->parts->size == 0;
}

static void
end_claim(struct parts_claim *c, bool failed)
{
    struct parts *p = c->parts;
    c->parts = NULL;
    if (p == NULL)
        return;
    struct part *t = part_of(p, c->at);
    pthread_mutex_lock(&p->lock);
    t->state = PART_HOLE;
    t->failures += failed;
    unlock_and_wake(p);
}

void
parts_unclaim(struct parts_claim *c)
{
    end_claim(c, false);
}

void
parts_fail(struct parts_claim *c)
{
    end_claim(c, true);
}

void
parts_forsake(struct parts *p)
{
    pthread_mutex_lock(&p->lock);
    p->gone = true;
    unlock_and_wake(p);
}
