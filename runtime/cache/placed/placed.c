/* Bodies in places: see placed.h. */
#include "cache/placed/placed.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> /* the widest registers that this processor has */
#endif

#include "base/params.h"
#include "base/size.h"
#include "cache/index.h"
#include "cache/object_internal.h"
#include "cache/store.h"
#include "log/counters.h"
#include "log/report.h"
#include "segment/memfd.h"

#if PLACED_BYTES > MEMFD_PLACE_MAX
#error "the space holds no places of this size"
#endif

struct placed_body {
    struct space *space;
    struct places places;
};

/* The writer's side: the place that is being filled. */
struct placing {
    char *at;
    uint32_t filled;
    XXH3_state_t *sum;
};

/* ---- the space ---- */

/* Made when the first body needs it, because most servers of small content never do. NULL: this process may
 * not make one. */
static struct space *
space_of(struct store *s)
{
    pthread_mutex_lock(&s->space_lock);
    if (s->space == NULL && !s->space_failed) {
        s->space_failed = memfd_space_new(&s->space) != 0;
        if (s->space_failed)
            log_line(LOG_LEVEL_WARNING, "sendfile_min has no effect, bodies are copied: memfd: %s",
                     strerror(errno));
    }
    struct space *space = s->space;
    pthread_mutex_unlock(&s->space_lock);
    return space;
}

/* NULL: no body has needed it yet. */
static struct space *
space_so_far(struct store *s)
{
    pthread_mutex_lock(&s->space_lock);
    struct space *space = s->space;
    pthread_mutex_unlock(&s->space_lock);
    return space;
}

uint64_t
store_placed_bytes(struct store *s)
{
    struct space *space = space_so_far(s);
    return space == NULL ? 0 : memfd_space_used(space);
}

uint64_t
store_kept_bytes(struct store *s)
{
    struct space *space = space_so_far(s);
    return space == NULL ? 0 : memfd_space_kept(space);
}

void
store_tidy_places(struct store *s)
{
    struct space *space = space_so_far(s);
    if (space != NULL)
        memfd_space_tidy(space);
}

/* ---- writer ---- */

/* Memory beyond the bytes of a place. */
static int64_t
rounding(uint32_t bytes)
{
    return (int64_t)(memfd_cost(bytes) - bytes);
}

static int64_t
table_bytes(const struct placed_body *b)
{
    return (int64_t)(sizeof *b + (b->places.cap - 1) * sizeof b->places.first);
}

static int
place_make(struct object *o, uint32_t bytes)
{
    struct placed_body *b = o->placed;
    struct placing *w = o->live->placing;
    struct reservation r;
    struct place p;
    size_t n;
    int err = space_reserve(b->space, bytes, &r);
    if (err == 0)
        err = space_place(&r, bytes, &p);
    space_unreserve(&r);
    if (err != 0)
        return err;
    err = place_buffer(b->space, &p, &w->at, &n);
    if (err != 0) {
        place_free(b->space, &p);
        return err;
    }
    (void)places_add(&b->places, p);
    storage_hold(o->storage, USE_ROUNDING, rounding(bytes));
    w->filled = 0;
    XXH3_64bits_reset(w->sum);
    return 0;
}

static int
place_next(struct object *o)
{
    uint64_t left = (uint64_t)o->head->content_length - o->body_bytes;
    uint32_t bytes = (uint32_t)min_size(left, PLACED_BYTES);
    CHECK(left > 0);
    int err = body_charge(o, bytes);
    if (err != 0)
        return err;
    err = place_make(o, bytes);
    if (err != 0)
        storage_refund(o->storage, USE_BODIES, bytes);
    return err == 0 ? 0 : ERR_NOMEM;
}

void
placing_release(struct object_live *live)
{
    if (live->placing == NULL)
        return;
    XXH3_freeState(live->placing->sum);
    free(live->placing);
    live->placing = NULL;
}

static struct placing *
placing_new(void)
{
    struct placing *w = calloc(1, sizeof *w);
    if (w != NULL)
        w->sum = XXH3_createState();
    if (w != NULL && w->sum == NULL) {
        free(w);
        w = NULL;
    }
    return w;
}

static struct placed_body *
body_new(struct space *space, uint64_t length)
{
    struct placed_body *b = calloc(1, sizeof *b);
    if (b != NULL && places_init(&b->places, (uint32_t)((length + PLACED_BYTES - 1) / PLACED_BYTES)) != 0) {
        free(b);
        b = NULL;
    }
    if (b != NULL)
        b->space = space;
    return b;
}

/* A page with includes is read in many small pieces, and a partial response has its own table. */
static bool
may_be_placed(const struct object *o, uint64_t length)
{
    struct body_form form = object_form(o);
    return params.sendfile_min_bytes > 0 && length >= params.sendfile_min_bytes &&
           length / PLACED_BYTES < UINT32_MAX && !object_is_transit(o) && !form.noted && !form.partial;
}

/* The first place is made here, so that a failure leaves the body on the heap. */
void
placed_start(struct object *o, uint64_t length)
{
    struct space *space = may_be_placed(o, length) ? space_of(storage_store(o->storage)) : NULL;
    struct placed_body *b = space == NULL ? NULL : body_new(space, length);
    if (b == NULL)
        return;
    o->head->is_placed = true;
    o->placed = b;
    storage_hold(o->storage, USE_ROUNDING, table_bytes(b));
    o->live->placing = placing_new();
    if (o->live->placing == NULL || place_next(o) != 0) {
        placing_release(o->live);
        placed_free(o);
        o->head->is_placed = false;
    }
}

int
placed_space(struct object *o, char **p, size_t *n)
{
    struct placed_body *b = o->placed;
    struct placing *w = o->live->placing;
    uint32_t i = (uint32_t)(o->body_bytes / PLACED_BYTES);
    int err = i == atomic_load_explicit(&b->places.n, memory_order_relaxed) ? place_next(o) : 0;
    if (err != 0)
        return err;
    *p = w->at + w->filled;
    *n = places_at(&b->places, i)->bytes - w->filled;
    return 0;
}

void
placed_commit(struct object *o, size_t n)
{
    struct placed_body *b = o->placed;
    struct placing *w = o->live->placing;
    struct place *p = places_at(&b->places, (uint32_t)(o->body_bytes / PLACED_BYTES));
    CHECK(n <= p->bytes - w->filled);
    XXH3_64bits_update(w->sum, w->at + w->filled, n);
    w->filled += (uint32_t)n;
    if (w->filled == p->bytes)
        place_commit(b->space, p, w->filled, XXH3_64bits_digest(w->sum));
}

void
placed_free(struct object *o)
{
    struct placed_body *b = o->placed;
    uint32_t n = b == NULL ? 0 : atomic_load_explicit(&b->places.n, memory_order_acquire);
    o->placed = NULL;
    if (b == NULL)
        return;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t bytes = places_at(&b->places, i)->bytes;
        storage_hold(o->storage, USE_ROUNDING, -rounding(bytes));
        storage_refund(o->storage, USE_BODIES, bytes);
    }
    storage_hold(o->storage, USE_ROUNDING, -table_bytes(b));
    places_release(&b->places, b->space);
    free(b);
}

uint64_t
placed_stored_bytes(const struct object *o)
{
    return o->placed == NULL ? 0 : places_bytes(&o->placed->places);
}

/* ---- readers ---- */

bool
object_is_placed(const struct object *o)
{
    return o->head != NULL && o->head->is_placed;
}

enum pin
placed_pin(struct object *o, uint64_t at, struct pin_waiter *w, struct pinned *out)
{
    CHECK(at < atomic_load_explicit(&o->body_bytes, memory_order_acquire));
    struct placed_body *b = o->placed;
    return place_pin(b->space, places_at(&b->places, (uint32_t)(at / PLACED_BYTES)), w, out);
}

void
placed_unwait(struct object *o, struct pin_waiter *w)
{
    place_unwait(o->placed->space, w);
}

bool
placed_has(const struct object *o, uint64_t at, const struct pinned *x)
{
    struct placed_body *b = o->placed;
    if (x->space == NULL ||
        at >= atomic_load_explicit(&((struct object *)(uintptr_t)o)->body_bytes, memory_order_acquire))
        return false;
    const struct place *p = places_at(&b->places, (uint32_t)(at / PLACED_BYTES));
    return p->segment == x->place.segment && p->offset == x->place.offset;
}

struct iovec
placed_bytes(const struct object *o, uint64_t at, const struct pinned *x)
{
    uint64_t total = atomic_load_explicit(&((struct object *)(uintptr_t)o)->body_bytes, memory_order_acquire);
    uint64_t in = at % PLACED_BYTES, first = at - in;
    struct iovec all = pinned_iov(x);
    CHECK(at <= total);
    return (struct iovec){ (char *)all.iov_base + in, min_size(all.iov_len, total - first) - in };
}

void
placed_passed(struct object *o, uint64_t at)
{
    if (object_is_transit(o))
        body_note_read(o, at);
}

void
object_lost(struct object *o)
{
    counters_here()->bodies_lost++;
    log_line(LOG_LEVEL_WARNING, "the body of response %u could not be read: dropped", o->xid);
    store_drop(storage_store(o->storage), o);
}

/* ---- on a fiber ---- */

static int
read_placed(struct object *o, struct body_reader *r, struct iovec *iov, size_t most)
{
    if (r->cursor.at == atomic_load_explicit(&o->body_bytes, memory_order_acquire))
        return 0;
    if (!placed_has(o, r->cursor.at, &r->pinned)) {
        place_unpin(&r->pinned);
        struct placed_body *b = o->placed;
        struct place *p = places_at(&b->places, (uint32_t)(r->cursor.at / PLACED_BYTES));
        if (!place_pin_wait(b->space, p, loop_current(), &r->pinned)) {
            object_lost(o);
            return ERR_SYS;
        }
    }
    *iov = placed_bytes(o, r->cursor.at, &r->pinned);
    iov->iov_len = min_size(iov->iov_len, most);
    return 1;
}

int
object_read(struct object *o, struct body_reader *r, struct iovec *iov, size_t most)
{
    return object_is_placed(o) ? read_placed(o, r, iov, most) : object_body(o, &r->cursor, iov, 1, most);
}

void
object_read_on(struct object *o, struct body_reader *r, size_t n)
{
    if (!object_is_placed(o)) {
        object_body_advance(o, &r->cursor, n);
        return;
    }
    r->cursor.at += n;
    placed_passed(o, r->cursor.at);
}

void
object_read_end(struct body_reader *r)
{
    place_unpin(&r->pinned);
}
