/* See source_parts.h. */
#include "proxy/parts/source_parts.h"

#include "base/check.h"
#include "proxy/parts/hole.h"

/* Failed fetches of holes allowed in one response: an origin may have cut one short by chance */
#define FAILURES_MAX 1u

static struct parts_source *
parts_of(struct body_source *b)
{
    return container_of(b, struct parts_source, source);
}

static int
fetch_hole(struct parts_source *s, uint64_t at)
{
    int err = hole_fetch(s->request, s->object, at, s->end, &s->hole);
    s->hole_at = at;
    return err;
}

/* Counts the failed fetches of the bytes at s->at since the last look, of this request or of others. False:
 * too many failures. */
static bool
may_wait(struct parts_source *s, const struct parts_gap *gap)
{
    const struct hole *h = s->hole;
    unsigned all = s->waited.part == gap->part ? (uint16_t)(gap->failures - s->waited.failures) : 0;
    bool idle = h != NULL && h->state == HOLE_DONE && s->hole_at == s->at;
    bool own = idle || (h != NULL && h->state == HOLE_FAILED);
    s->failures += all > 0 ? all : own;
    s->waited = *gap;
    if (own)
        hole_leave(&s->hole);
    return s->failures <= FAILURES_MAX;
}

static enum source_state
fetch_missing(struct parts_source *s, const struct parts_gap *gap)
{
    bool refused = s->hole != NULL && s->hole->state == HOLE_REFUSED;
    if (!may_wait(s, gap) || refused)
        return SOURCE_FAILED;
    hole_leave(&s->hole);
    int err = fetch_hole(s, s->at);
    return err == 0 || err == ERR_BUSY ? SOURCE_MORE : SOURCE_FAILED;
}

/* While a stored segment goes out, starts the fetch of the next one, so that a reader waits for the origin
 * once, not at each hole. A running fetch claims its next segment itself, so an unclaimed segment needs a new
 * fetch. */
static void
look_ahead(struct parts_source *s)
{
    uint64_t size = parts_size(s->parts), next = (s->at / size + 1) * size,
             end = s->end < next + size ? s->end : next + size;
    struct parts_gap gap;
    if (next >= s->end || s->ahead == next || (s->hole != NULL && s->hole->state != HOLE_DONE) ||
        parts_look(s->parts, s->at, next, &gap) != PARTS_THERE)
        return;
    s->ahead = next;
    if (parts_look(s->parts, next, end, &gap) != PARTS_HOLE)
        return;
    hole_leave(&s->hole);
    (void)fetch_hole(s, gap.at);
}

/* The state of a source without bytes to give. */
static enum source_state
state_of(struct parts_source *s)
{
    struct parts_gap gap;
    if (s->at == s->end)
        return SOURCE_END;
    switch (parts_look(s->parts, s->at, s->at + 1, &gap)) {
    case PARTS_THERE: /* the bytes came just now: gather again */ return SOURCE_BUSY;
    case PARTS_COMING:
    case PARTS_CLAIMED: return may_wait(s, &gap) ? SOURCE_MORE : SOURCE_FAILED;
    case PARTS_HOLE: return fetch_missing(s, &gap);
    case PARTS_GONE: /* a response never mixes bytes of two versions */ return SOURCE_FAILED;
    }
    WRONG("sight");
}

static int
parts_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then)
{
    struct parts_source *s = parts_of(b);
    uint64_t left = s->end - s->at, have = 0;
    int n = parts_read(s->parts, s->at, iov, max, most < left ? most : left);
    for (int i = 0; i < n; i++)
        have += iov[i].iov_len;
    if (n > 0)
        *then = have == left ? SOURCE_END : SOURCE_MORE;
    else
        *then = state_of(s);
    if (n > 0)
        look_ahead(s);
    return n;
}

static void
parts_advance(struct body_source *b, size_t n, uint64_t held)
{
    struct parts_source *s = parts_of(b);
    CHECK(n <= s->end - s->at);
    s->at += n;
}

static void
parts_seek(struct body_source *b, uint64_t at, uint64_t end)
{
    struct parts_source *s = parts_of(b);
    CHECK(at >= s->at && at <= end && end <= parts_total(s->parts));
    s->at = at;
    s->end = end;
}

static void
on_parts(struct parts_watch *w)
{
    struct parts_source *s = container_of(w, struct parts_source, watch);
    s->source.moved(&s->source);
}

static void
parts_source_watch(struct body_source *b, struct loop *loop)
{
    struct parts_source *s = parts_of(b);
    parts_watch(s->parts, &s->watch, loop, on_parts);
}

static void
parts_source_unwatch(struct body_source *b)
{
    parts_unwatch(&parts_of(b)->watch);
}

static void
parts_close(struct body_source *b)
{
    hole_leave(&parts_of(b)->hole);
}

struct body_source *
parts_source_init(struct parts_source *s, struct request *r, struct object *o, struct hole **hole)
{
    static const struct body_source_ops ops = {
        .gather = parts_gather,
        .advance = parts_advance,
        .seek = parts_seek,
        .watch = parts_source_watch,
        .unwatch = parts_source_unwatch,
        .close = parts_close,
    };
    struct parts *p = object_parts(o);
    *s = (struct parts_source){ .source.ops = &ops,
                                .request = r,
                                .object = o,
                                .parts = p,
                                .end = parts_total(p),
                                .hole = *hole,
                                .hole_at = UINT64_MAX,
                                .waited.part = UINT32_MAX };
    *hole = NULL;
    return &s->source;
}
