/* Readers of bodies: see body.h. A reader pins one place of a space at a time, and holds the pin until the
 * bytes that it gave are released. Blocks on the heap need no pin: the owner keeps the content. */
#include "body/body_internal.h"
#include "loop/fiber.h"
#include "loop/loop.h"

static void
on_pin(struct pin_waiter *w, enum pin result)
{
    struct body_reader *r = container_of(w, struct body_reader, waiter);
    r->is_waiting = false;
    r->is_lost = result == PIN_FAILED;
    r->moved(r);
}

static bool
is_pinned(const struct body_reader *r, const struct extent *e)
{
    const struct place *p = &r->pinned.place;
    return r->pinned.space != NULL && p->segment == e->place.segment && p->offset == e->place.offset;
}

/* True: the place of e is pinned. */
static bool
pin(struct body_reader *r, const struct extent *e, enum body_next *next)
{
    if (is_pinned(r, e))
        return true;
    *next = BODY_HELD;
    if (r->held > 0) /* they may be in the pinned place */
        return false;
    place_unpin(&r->pinned);
    r->waiter = (struct pin_waiter){ .loop = loop_current(), .fn = on_pin };
    enum pin result = place_pin(r->body->content->extents->space, &e->place, &r->waiter, &r->pinned);
    r->is_waiting = result == PIN_WAIT;
    r->is_lost = result == PIN_FAILED;
    *next = r->is_lost ? BODY_LOST : BODY_PINNING;
    return result == PIN_READY;
}

/* The bytes of the extent at `at`, at most `most`. Empty: `next` says why. */
static struct iovec
piece_at(struct body_reader *r, struct run **run, uint64_t at, uint64_t most, enum body_next *next)
{
    const struct content *c = r->body->content;
    const struct extent *e = extent_at(c, at, run);
    struct iovec none = { NULL, 0 };
    size_t in = (size_t)(at - e->at), there = c->extents->holes != NULL ? extent_arrived(e) : e->place.bytes;
    *next = BODY_GAP;
    if (there <= in)
        return none;
    const char *from = e->place.block;
    if (e->in_space) {
        bool may_pin = at == r->at; /* else bytes of another place are given now */
        if (!(may_pin ? pin(r, e, next) : is_pinned(r, e)))
            return none;
        from = pinned_iov(&r->pinned).iov_base;
    }
    return (struct iovec){ (char *)(uintptr_t)from + in, there - in < most ? there - in : (size_t)most };
}

int
body_gather(struct body_reader *r, struct iovec *iov, int max, size_t most, enum body_next *next)
{
    uint64_t total = body_bytes(r->body), end = r->end < total ? r->end : total, at = r->at;
    int n = 0;
    *next = r->is_waiting ? BODY_PINNING : r->is_lost ? BODY_LOST : at >= r->end ? BODY_END : BODY_NOT_YET;
    if (at >= end || r->is_waiting || r->is_lost)
        return 0;
    uint64_t left = end - at < most ? end - at : most;
    const struct content *c = r->body->content;
    if (at < c->inline_bytes) {
        size_t first = c->inline_bytes - (size_t)at;
        iov[n++] = (struct iovec){ (char *)(uintptr_t)c->data + at, first < left ? first : (size_t)left };
        at += iov[0].iov_len;
        left -= iov[0].iov_len;
    }
    for (struct run *run = r->run; left > 0 && n < max;) {
        iov[n] = piece_at(r, at == r->at ? &r->run : &run, at, left, next);
        if (iov[n].iov_len == 0)
            break;
        at += iov[n].iov_len;
        left -= iov[n++].iov_len;
    }
    return n;
}

void
body_advance(struct body_reader *r, size_t n, uint64_t held)
{
    CHECK(n <= body_bytes(r->body) - r->at);
    r->at += n;
    r->held = held;
    /* Runs that end before the position may be freed: do not point to one */
    if (r->run != NULL && n > 0)
        (void)extent_at(r->body->content, r->at - 1, &r->run);
}

void
body_seek(struct body_reader *r, uint64_t at, uint64_t end)
{
    CHECK(at >= r->at && at <= end && !r->is_waiting);
    r->at = at;
    r->end = end;
}

bool
body_file(const struct body_reader *r, int *fd, off_t *at)
{
    struct run *run = r->run;
    if (r->pinned.space == NULL || r->at < r->body->content->inline_bytes)
        return false;
    const struct extent *e = extent_at(r->body->content, r->at, &run);
    if (!e->in_space || !is_pinned(r, e) || !pinned_file(&r->pinned, fd, at))
        return false;
    *at += (off_t)(r->at - e->at);
    return true;
}

void
body_close(struct body_reader *r)
{
    if (r->is_waiting)
        place_unwait(r->body->content->extents->space, &r->waiter);
    r->is_waiting = false;
    place_unpin(&r->pinned);
}

/* ---- on a fiber ---- */

static void
wake(struct body_reader *r)
{
    fiber_wake(r->fiber);
}

int
body_read(struct body_reader *r, struct iovec *iov, size_t most)
{
    enum body_next next;
    int n;
    r->fiber = fiber_current();
    r->moved = wake;
    while ((n = body_gather(r, iov, 1, most, &next)) == 0 && next == BODY_PINNING)
        fiber_park();
    return n > 0 || next == BODY_NOT_YET || next == BODY_END ? n : ERR_SYS;
}
