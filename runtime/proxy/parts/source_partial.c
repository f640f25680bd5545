/* See source_partial.h. */
#include "proxy/parts/source_partial.h"

#include "base/check.h"
#include "proxy/parts/hole.h"

/* Failed fetches of holes allowed in one response: an origin may have cut one short by chance */
#define FAILURES_MAX 1u

static struct partial_source *
partial_of(struct body_source *b)
{
    return container_of(b, struct partial_source, stored.source);
}

static int
fetch_hole(struct partial_source *s, uint64_t at)
{
    DEBUG_CHECK(s->hole == NULL && at < s->stored.reader.end);
    int err = hole_fetch(s->request, s->stored.object, at, s->stored.reader.end, &s->hole);
    s->hole_at = at;
    return err;
}

/* Counts the failed fetches of the bytes at the reader's position since the last look, of this request or of
 * others. False: too many failures. */
static bool
may_wait(struct partial_source *s, const struct body_gap *gap)
{
    const struct hole *h = s->hole;
    unsigned all = s->waited.extent == gap->extent ? (uint16_t)(gap->failures - s->waited.failures) : 0;
    bool idle = h != NULL && h->state == HOLE_DONE && s->hole_at == s->stored.reader.at;
    bool own = idle || (h != NULL && h->state == HOLE_FAILED);
    s->failures += all > 0 ? all : own;
    s->waited = *gap;
    if (own)
        hole_leave(&s->hole);
    return s->failures <= FAILURES_MAX;
}

static enum source_state
fetch_missing(struct partial_source *s, const struct body_gap *gap)
{
    bool refused = s->hole != NULL && s->hole->state == HOLE_REFUSED;
    if (!may_wait(s, gap) || refused)
        return SOURCE_FAILED;
    hole_leave(&s->hole);
    int err = fetch_hole(s, s->stored.reader.at);
    return err == 0 || err == ERR_BUSY ? SOURCE_MORE : SOURCE_FAILED;
}

/* While a stored extent goes out, starts the fetch of the next one, so that a reader waits for the origin
 * once, not at each hole. A running fetch claims its next extent itself, so an unclaimed one needs a new
 * fetch. */
static void
look_ahead(struct partial_source *s)
{
    const struct body_reader *r = &s->stored.reader;
    uint64_t size = body_extent_bytes(r->body), next = (r->at / size + 1) * size,
             end = r->end < next + size ? r->end : next + size;
    struct body_gap gap;
    if (next >= r->end || s->ahead == next || (s->hole != NULL && s->hole->state != HOLE_DONE) ||
        body_look(r->body, r->at, next, &gap) != SIGHT_THERE)
        return;
    s->ahead = next;
    if (body_look(r->body, next, end, &gap) != SIGHT_HOLE)
        return;
    hole_leave(&s->hole);
    (void)fetch_hole(s, gap.at);
}

/* The state of a source without bytes to give. */
static enum source_state
state_of(struct partial_source *s)
{
    const struct body_reader *r = &s->stored.reader;
    struct body_gap gap;
    switch (body_look(r->body, r->at, r->at + 1, &gap)) {
    case SIGHT_THERE: /* the bytes came just now: gather again */ return SOURCE_BUSY;
    case SIGHT_COMING:
    case SIGHT_CLAIMED: return may_wait(s, &gap) ? SOURCE_MORE : SOURCE_FAILED;
    case SIGHT_HOLE: return fetch_missing(s, &gap);
    case SIGHT_GONE: /* a response never mixes bytes of two versions */ return SOURCE_FAILED;
    }
    WRONG("sight");
}

static int
partial_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct partial_source *s = partial_of(b);
    const struct body_reader *r = &s->stored.reader;
    int n = object_gather(b, iov, max, most, then);
    if (n > 0)
        look_ahead(s);
    else if (*then == SOURCE_MORE && !r->is_waiting)
        *then = state_of(s);
    return n;
}

static void
on_holes(struct hole_watch *w)
{
    struct partial_source *s = container_of(w, struct partial_source, watch);
    DEBUG_CHECK(s->stored.is_watched);
    s->stored.source.moved(&s->stored.source);
}

static void
partial_watch(struct body_source *b, struct loop *loop)
{
    struct partial_source *s = partial_of(b);
    DEBUG_CHECK(!s->stored.is_watched);
    s->stored.is_watched = true;
    hole_watch(s->stored.reader.body, &s->watch, loop, on_holes);
}

static void
partial_unwatch(struct body_source *b)
{
    struct partial_source *s = partial_of(b);
    s->stored.is_watched = false;
    hole_unwatch(&s->watch);
}

static void
partial_close(struct body_source *b)
{
    struct partial_source *s = partial_of(b);
    DEBUG_CHECK(!s->stored.is_watched);
    body_close(&s->stored.reader);
    hole_leave(&s->hole);
}

struct body_source *
partial_source_init(struct partial_source *s, struct request *r, struct object *o, struct hole **hole)
{
    static const struct body_source_ops ops = {
        .gather = partial_gather,
        .file = object_file,
        .advance = object_advance,
        .seek = object_seek,
        .watch = partial_watch,
        .unwatch = partial_unwatch,
        .close = partial_close,
    };
    CHECK(body_is_partial(&o->body));
    *s = (struct partial_source){
        .request = r, .hole = *hole, .hole_at = UINT64_MAX, .waited.extent = UINT32_MAX
    };
    (void)object_source_init(&s->stored, o, &o->body);
    s->stored.source.ops = &ops;
    s->stored.reader.end = body_bytes(&o->body);
    *hole = NULL;
    return &s->stored.source;
}
