/* Bodies from objects and from texts: see source.h. */
#include "proxy/source.h"

#include "base/check.h"

/* ---- objects ---- */

static int
object_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct object_source *s = container_of(b, struct object_source, source);
    /* Read before the body: with COMPLETE its length is final */
    enum object_state state = object_state(s->object);
    int n = object_body(s->object, &s->cursor, iov, max, most);
    size_t have = 0;
    for (int i = 0; i < n; i++)
        have += iov[i].iov_len;
    *then = state == OBJECT_FAILED ? SOURCE_FAILED : SOURCE_MORE;
    if (state == OBJECT_COMPLETE && s->cursor.at + have == atomic_load(&s->object->body_bytes))
        *then = SOURCE_END;
    return n;
}

/* For a body that leaves its storage while it grows. */
static void
note_position(struct object_source *s)
{
    if (s->watch.object != NULL)
        object_watch_at(&s->watch, s->behind ? s->released.at : s->cursor.at);
}

/* Memory of a private object is freed behind the cursor: advance it only over released bytes. */
static void
object_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct object_source *s = container_of(b, struct object_source, source);
    if (!s->behind && held == 0) {
        object_body_advance(s->object, &s->cursor, n);
        note_position(s);
        return;
    }
    if (!s->behind) {
        s->behind = true;
        s->released = s->cursor;
    }
    object_body_pass(s->object, &s->cursor, n);
    CHECK(held <= s->cursor.at - s->released.at);
    object_body_advance(s->object, &s->released, s->cursor.at - s->released.at - (size_t)held);
    note_position(s);
    if (held > 0)
        return;
    s->cursor = s->released; /* its old segment may be freed now */
    s->behind = false;
}

static void
on_object(struct watch *w)
{
    struct object_source *s = container_of(w, struct object_source, watch);
    s->source.moved(&s->source);
}

static void
object_source_watch(struct body_source *b, struct loop *loop)
{
    struct object_source *s = container_of(b, struct object_source, source);
    object_watch(s->object, &s->watch, loop, on_object);
    note_position(s);
}

static void
object_source_unwatch(struct body_source *b)
{
    object_unwatch(&container_of(b, struct object_source, source)->watch);
}

struct body_source *
object_source_init(struct object_source *s, struct object *o)
{
    static const struct body_source_ops ops = {
        .gather = object_gather,
        .advance = object_advance,
        .watch = object_source_watch,
        .unwatch = object_source_unwatch,
    };
    *s = (struct object_source){ .source.ops = &ops, .object = o };
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
