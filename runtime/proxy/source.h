/* Sources of a response body: where a delivery (deliver.h) gets its bytes. An object, a text, or another source through a chain of
 * filters (source_filtered.h).
 *
 * A source is driven from the loop's stack and never waits: when it has nothing to give now, it says what that means, and calls
 * `moved` later. It lends memory: bytes it gave stay valid until they are released. That a byte was advanced over says that the
 * stream took it; it may still be held (`held`) until the stream has released it, and only then may its memory be used again.
 *
 * To write another source: embed struct body_source, fill in `ops`, and give it to the delivery. Memory that it needs has a limit
 * with a name, and is charged to a storage (store_reserve with USE_FILTERS) before it is allocated. */
#ifndef VERNIS_SOURCE_H
#define VERNIS_SOURCE_H

#include "cache/object.h"

enum source_state {
    SOURCE_MORE,                        /* more may follow. If nothing was given: watch, and look again */
    SOURCE_BUSY,                        /* nothing was given, but there is more to do: gather again, after others had their turn */
    SOURCE_HELD,                        /* nothing was given: there is no memory for more before some is released */
    SOURCE_END,                         /* nothing follows what was given */
    SOURCE_FAILED,                      /* what was given may be sent; the body cannot be completed */
};

struct body_source;

struct body_source_ops {
    /* Fills at most `max` iovecs with at most `most` bytes (at least 1) that follow those advanced over. How many iovecs. */
    int (*gather)(struct body_source *s, struct iovec *iov, int max, size_t most, enum source_state *then);
    /* Over n bytes that gather gave. Of all bytes advanced over so far, the last `held` must stay valid. n may be 0: some were
     * released. */
    void (*advance)(struct body_source *s, size_t n, uint64_t held);
    /* The next bytes are those from `at` up to `end`, behind all that was given so far. NULL: it cannot leave bytes out, gather and
     * advance over them. */
    void (*seek)(struct body_source *s, uint64_t at, uint64_t end);
    /* From now on `moved` is called, on the loop's stack, when gather may give more or say something else. Gather again after it:
     * what happened before is not told. */
    void (*watch)(struct body_source *s, struct loop *loop);
    void (*unwatch)(struct body_source *s);     /* harmless when it does not watch */
    /* Nobody wants more bytes. False: somebody still works for this source, and `moved` is called once nobody does; until then it may not
     * be closed. NULL: true. */
    bool (*cancel)(struct body_source *s);
    void (*close)(struct body_source *s);       /* the last call: all bytes are released, or nobody wants them. NULL: nothing to do */
};

struct body_source {
    const struct body_source_ops *ops;
    void (*moved)(struct body_source *s);       /* set by who drives it, with `user` */
    void *user;
};

struct object_source {
    struct body_source source;
    struct object *object;              /* lent, held by the request */
    struct body_cursor cursor;          /* behind what was advanced over */
    struct body_cursor released;        /* behind what is not held, while that is less */
    bool behind;                        /* `released` is used */
    struct watch watch;
};

struct text_source {
    struct body_source source;
    struct span text;                   /* lent */
};

struct body_source *object_source_init(struct object_source *s, struct object *o);
struct body_source *text_source_init(struct text_source *s, struct span text);

#endif
