/* Bodies from objects and from texts: see source.h. */
#include "proxy/source.h"

#include "base/check.h"
#include "cache/store.h"

/* Shorter pieces are copied, although the kernel could send them: they leave with the head in one call. */
#define FILE_BYTES_MIN 16384u
/* A place that the kernel has sent costs more when it is freed (storage/memfd.h), so it has to be sent this
 * often to gain. Before these hits the body is copied. */
#define FILE_HITS_MIN 10u

/* ---- around another source ---- */

static void
inner_moved(struct body_source *inner)
{
    struct body_source *outer = inner->user;
    outer->moved(outer);
}

void
source_watch_inner(struct body_source *outer, struct body_source *inner, struct loop *loop)
{
    inner->user = outer;
    inner->moved = inner_moved;
    inner->ops->watch(inner, loop);
}

/* ---- objects ---- */

static struct object_source *
object_of(struct body_source *b)
{
    return container_of(b, struct object_source, source);
}

static enum source_state
lost(struct object_source *s)
{
    if (!s->is_told)
        store_lost(s->object);
    s->is_told = true;
    return SOURCE_FAILED;
}

/* The state behind byte `at`, if no bytes are missing before it. */
static enum source_state
state_behind(const struct object_source *s, enum object_state state, uint64_t at)
{
    DEBUG_CHECK(at <= s->reader.end);
    if (at == s->reader.end)
        return SOURCE_END;
    if (state < OBJECT_COMPLETE || at < body_bytes(s->reader.body))
        return SOURCE_MORE;
    return state == OBJECT_COMPLETE ? SOURCE_END : SOURCE_FAILED;
}

int
object_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct object_source *s = object_of(b);
    enum object_state state = object_state(s->object); /* read first: with COMPLETE the length is final */
    enum body_next next;
    int n = body_gather(&s->reader, iov, max, most, &next);
    uint64_t at = s->reader.at + iov_bytes(iov, n);
    DEBUG_CHECK(n <= max);
    if (n > 0 || next == BODY_NOT_YET || next == BODY_END)
        *then = state_behind(s, state, at);
    else
        *then = next == BODY_LOST ? lost(s) : next == BODY_HELD ? SOURCE_HELD : SOURCE_MORE;
    return n;
}

bool
object_file(struct body_source *b, size_t most, struct body_file *out, enum source_state *then)
{
    struct object_source *s = object_of(b);
    struct iovec iov;
    if (object_gather(b, &iov, 1, most, then) == 0 || iov.iov_len < FILE_BYTES_MIN ||
        !body_file(&s->reader, &out->fd, &out->at))
        return false;
    out->bytes = iov.iov_len;
    return true;
}

void
object_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct object_source *s = object_of(b);
    body_advance(&s->reader, n, held);
    DEBUG_CHECK(held <= s->reader.at);
    if (s->watch.object != NULL)
        object_watch_at(&s->watch, s->reader.at - held);
}

static void
transit_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct object_source *s = object_of(b);
    object_advance(b, n, held);
    object_passed(s->object, s->reader.at - held);
}

void
object_seek(struct body_source *b, uint64_t at, uint64_t end)
{
    body_seek(&object_of(b)->reader, at, end);
}

static void
on_object(struct watch *w)
{
    struct object_source *s = container_of(w, struct object_source, watch);
    DEBUG_CHECK(s->is_watched);
    s->source.moved(&s->source);
}

static void
on_pin(struct body_reader *r)
{
    struct object_source *s = container_of(r, struct object_source, reader);
    if (s->is_watched)
        s->source.moved(&s->source);
}

static void
object_source_watch(struct body_source *b, struct loop *loop)
{
    struct object_source *s = object_of(b);
    DEBUG_CHECK(!s->is_watched);
    s->is_watched = true;
    object_watch(s->object, &s->watch, loop, on_object);
    object_watch_at(&s->watch, s->reader.at - s->reader.held);
}

static void
object_source_unwatch(struct body_source *b)
{
    struct object_source *s = object_of(b);
    s->is_watched = false;
    object_unwatch(&s->watch);
}

static void
object_source_close(struct body_source *b)
{
    DEBUG_CHECK(!object_of(b)->is_watched);
    body_close(&object_of(b)->reader);
}

#define OBJECT_OPS \
    .gather = object_gather, .watch = object_source_watch, .unwatch = object_source_unwatch, \
    .close = object_source_close

static const struct body_source_ops *
ops_for(const struct object *o, const struct body *b)
{
    static const struct body_source_ops copied = { OBJECT_OPS, .advance = object_advance,
                                                   .seek = object_seek },
                                        by_file = { OBJECT_OPS, .advance = object_advance,
                                                    .seek = object_seek, .file = object_file },
                                        in_transit = { OBJECT_OPS, .advance = transit_advance };
    /* The writer waits until its bytes are read, also those that nobody wants: they are skipped */
    if (object_is_transit(o))
        return &in_transit;
    /* Without `file` a source of few bytes is asked once, not twice */
    return object_hits(o) >= FILE_HITS_MIN && body_bytes(b) >= FILE_BYTES_MIN ? &by_file : &copied;
}

struct body_source *
object_source_init(struct object_source *s, struct object *o, const struct body *b)
{
    DEBUG_CHECK(object_state(o) >= OBJECT_STREAMING);
    s->source = (struct body_source){ .ops = ops_for(o, b) };
    s->object = o;
    body_open(&s->reader, b);
    s->reader.moved = on_pin;
    s->is_watched = s->is_told = false;
    s->watch.object = NULL;
    return &s->source;
}

/* ---- texts ---- */

static int
text_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct text_source *s = container_of(b, struct text_source, source);
    size_t n = s->text.len < most ? s->text.len : most;
    *then = n == s->text.len ? SOURCE_END : SOURCE_MORE;
    iov[0] = (struct iovec){ (void *)(uintptr_t)s->text.ptr, n };
    return n > 0;
}

static void
text_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct text_source *s = container_of(b, struct text_source, source);
    DEBUG_CHECK(n <= s->text.len);
    s->text.ptr += n;
    s->text.len -= n;
}

static void
text_watch(struct body_source *b, struct loop *loop)
{
    WRONG("a text never waits");
}

static void
text_unwatch(struct body_source *b)
{
}

struct body_source *
text_source_init(struct text_source *s, struct span text)
{
    static const struct body_source_ops ops = {
        .gather = text_gather,
        .advance = text_advance,
        .watch = text_watch,
        .unwatch = text_unwatch,
    };
    *s = (struct text_source){ .source.ops = &ops, .text = text };
    return &s->source;
}
