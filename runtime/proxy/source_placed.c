/* See source_placed.h. */
#include "proxy/source_placed.h"

#include "base/check.h"

/* Shorter pieces are copied, although the kernel could send them: they leave with the head in one call. */
#define FILE_BYTES_MIN 16384u
/* A place that the kernel has sent costs more when it is freed (segment/memfd.h), so it has to be sent this
 * often to gain. Before these hits the body is copied. */
#define FILE_HITS_MIN 10u

static struct placed_source *
placed_of(struct body_source *b)
{
    return container_of(b, struct placed_source, source);
}

static void
on_pin(struct pin_waiter *w, enum pin result)
{
    struct placed_source *s = container_of(w, struct placed_source, waiter);
    s->waiting = false;
    s->failed = result == PIN_FAILED;
    if (s->failed)
        object_lost(s->object);
    if (s->watching)
        s->source.moved(&s->source);
}

static enum source_state
pin_next(struct placed_source *s)
{
    if (s->held > 0) /* they may be in the pinned place */
        return SOURCE_HELD;
    place_unpin(&s->pinned);
    s->waiter = (struct pin_waiter){ .loop = loop_current(), .fn = on_pin };
    switch (placed_pin(s->object, s->at, &s->waiter, &s->pinned)) {
    case PIN_READY: return SOURCE_BUSY;
    case PIN_WAIT: s->waiting = true; return SOURCE_MORE;
    case PIN_FAILED: break;
    }
    s->failed = true;
    object_lost(s->object);
    return SOURCE_FAILED;
}

/* The next bytes, if they are pinned. Otherwise an empty piece, and the reason. */
static struct iovec
next_bytes(struct placed_source *s, size_t most, enum source_state *then)
{
    struct iovec iov = { 0 };
    /* Read before the length: with COMPLETE it is final */
    enum object_state state = object_state(s->object);
    uint64_t total = atomic_load_explicit(&s->object->body_bytes, memory_order_acquire);
    uint64_t end = s->end < total ? s->end : total;
    bool is_end = end == s->end || state == OBJECT_COMPLETE;
    *then = s->failed || state == OBJECT_FAILED ? SOURCE_FAILED : SOURCE_MORE;
    if (s->waiting || s->failed)
        return iov;
    if (s->at >= end) {
        *then = is_end ? SOURCE_END : *then;
        return iov;
    }
    if (!placed_has(s->object, s->at, &s->pinned)) {
        enum source_state pinned = pin_next(s);
        if (pinned != SOURCE_BUSY) {
            *then = pinned;
            return iov;
        }
    }
    iov = placed_bytes(s->object, s->at, &s->pinned);
    uint64_t left = end - s->at < most ? end - s->at : most;
    iov.iov_len = iov.iov_len < left ? iov.iov_len : (size_t)left;
    if (is_end && s->at + iov.iov_len == end)
        *then = SOURCE_END;
    return iov;
}

static int
placed_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    iov[0] = next_bytes(placed_of(b), most, then);
    return iov[0].iov_len > 0;
}

static bool
is_popular(const struct object *o)
{
    return atomic_load_explicit(&((struct object *)(uintptr_t)o)->hits, memory_order_relaxed) >=
           FILE_HITS_MIN;
}

static bool
placed_file(struct body_source *b, size_t most, struct body_file *out, enum source_state *then)
{
    struct placed_source *s = placed_of(b);
    struct iovec iov = next_bytes(s, most, then);
    if (iov.iov_len < FILE_BYTES_MIN || !is_popular(s->object) ||
        !pinned_file(&s->pinned, &out->fd, &out->at))
        return false;
    out->at += (off_t)(s->at % PLACED_BYTES);
    out->bytes = iov.iov_len;
    return true;
}

static void
placed_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct placed_source *s = placed_of(b);
    s->at += n;
    s->held = held;
    placed_passed(s->object, s->at - held);
}

static void
placed_seek(struct body_source *b, uint64_t at, uint64_t end)
{
    struct placed_source *s = placed_of(b);
    CHECK(at >= s->at && at <= end && !s->waiting);
    s->at = at;
    s->end = end;
}

static void
on_object(struct watch *w)
{
    struct placed_source *s = container_of(w, struct placed_source, watch);
    s->source.moved(&s->source);
}

static void
placed_watch(struct body_source *b, struct loop *loop)
{
    struct placed_source *s = placed_of(b);
    s->watching = true;
    object_watch(s->object, &s->watch, loop, on_object);
}

static void
placed_unwatch(struct body_source *b)
{
    struct placed_source *s = placed_of(b);
    s->watching = false;
    object_unwatch(&s->watch);
}

static void
placed_close(struct body_source *b)
{
    struct placed_source *s = placed_of(b);
    if (s->waiting)
        placed_unwait(s->object, &s->waiter);
    s->waiting = false;
    place_unpin(&s->pinned);
}

struct body_source *
placed_source_init(struct placed_source *s, struct object *o)
{
    static const struct body_source_ops ops = {
        .gather = placed_gather,
        .file = placed_file,
        .advance = placed_advance,
        .seek = placed_seek,
        .watch = placed_watch,
        .unwatch = placed_unwatch,
        .close = placed_close,
    };
    *s = (struct placed_source){ .source.ops = &ops, .object = o, .end = UINT64_MAX };
    return &s->source;
}
