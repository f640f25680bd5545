/* Code common to all spaces: checks the order of calls, and keeps a body as a list of places. */
#include "segment/place.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/list.h"
#include "loop/fiber.h"

/* ---- writing ---- */

int
space_reserve(struct space *s, uint64_t bytes, struct reservation *out)
{
    int err = s->ops->reserve(s, bytes);
    *out = err == 0 ? (struct reservation){ s, bytes } : (struct reservation){ 0 };
    return err;
}

int
space_place(struct reservation *r, uint32_t bytes, struct place *out)
{
    CHECK(bytes > 0);
    if (r->space == NULL || bytes > r->bytes)
        return ERR_LIMIT;
    int err = r->space->ops->place(r->space, bytes, out);
    if (err != 0)
        return err;
    CHECK(out->bytes == bytes);
    r->bytes -= bytes;
    return 0;
}

void
space_unreserve(struct reservation *r)
{
    if (r->space != NULL && r->bytes > 0)
        r->space->ops->unreserve(r->space, r->bytes);
    *r = (struct reservation){ 0 };
}

int
place_buffer(struct space *s, const struct place *p, char **at, size_t *n)
{
    int err = s->ops->buffer(s, p, at);
    *n = err == 0 ? p->bytes : 0;
    return err;
}

void
place_commit(struct space *s, struct place *p, uint32_t bytes, uint64_t checksum)
{
    CHECK(bytes > 0 && bytes <= p->bytes);
    s->ops->commit(s, p, bytes, checksum);
    if (p->bytes != bytes) /* readers may look at it */
        p->bytes = bytes;
}

void
place_free(struct space *s, const struct place *p)
{
    s->ops->free(s, p);
}

/* ---- reading ---- */

enum pin
place_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out)
{
    CHECK(out->space == NULL);
    enum pin result = s->ops->pin(s, p, w, out);
    CHECK((result == PIN_READY) == (out->space == s));
    return result;
}

struct parked {
    struct pin_waiter waiter;
    struct fiber *fiber;
    enum pin result;
};

static void
pin_arrived(struct pin_waiter *w, enum pin result)
{
    struct parked *p = container_of(w, struct parked, waiter);
    p->result = result;
    fiber_wake(p->fiber);
}

bool
place_pin_wait(struct space *s, const struct place *p, struct loop *loop, struct pinned *out)
{
    struct parked parked = { .waiter = { .loop = loop, .fn = pin_arrived }, .fiber = fiber_current() };
    CHECK(parked.fiber != NULL);
    parked.result = place_pin(s, p, &parked.waiter, out);
    while (parked.result == PIN_WAIT)
        fiber_park();
    return parked.result == PIN_READY;
}

void
place_unwait(struct space *s, struct pin_waiter *w)
{
    s->ops->unwait(s, w);
}

struct iovec
pinned_iov(const struct pinned *x)
{
    CHECK(x->space != NULL);
    return (struct iovec){ (char *)(uintptr_t)x->at, x->place.bytes };
}

bool
pinned_file(const struct pinned *x, int *fd, off_t *at)
{
    CHECK(x->space != NULL);
    return x->space->ops->file != NULL && x->space->ops->file(x->space, x, fd, at);
}

void
place_unpin(struct pinned *x)
{
    if (x->space != NULL)
        x->space->ops->unpin(x->space, x);
    *x = (struct pinned){ 0 };
}

/* ---- bodies ---- */

int
places_init(struct places *a, uint32_t n)
{
    CHECK(n > 0 && atomic_load_explicit(&a->n, memory_order_relaxed) == 0);
    struct place *more = n > 1 ? calloc(n - 1, sizeof *more) : NULL;
    if (n > 1 && more == NULL)
        return ERR_NOMEM;
    *a = (struct places){ .more = more, .cap = n };
    return 0;
}

static struct place *
at(struct places *a, uint32_t i)
{
    return i == 0 ? &a->first : &a->more[i - 1];
}

struct place *
places_add(struct places *a, struct place p)
{
    uint32_t n = atomic_load_explicit(&a->n, memory_order_relaxed);
    CHECK(n < a->cap);
    *at(a, n) = p;
    atomic_store_explicit(&a->n, n + 1, memory_order_release);
    return at(a, n);
}

struct place *
places_at(struct places *a, uint32_t i)
{
    CHECK(i < atomic_load_explicit(&a->n, memory_order_acquire));
    return at(a, i);
}

uint64_t
places_bytes(struct places *a)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < atomic_load_explicit(&a->n, memory_order_acquire); i++)
        bytes += at(a, i)->bytes;
    return bytes;
}

void
places_release(struct places *a, struct space *s)
{
    for (uint32_t i = 0; i < atomic_load_explicit(&a->n, memory_order_relaxed); i++)
        place_free(s, at(a, i));
    free(a->more);
    *a = (struct places){ 0 };
}
