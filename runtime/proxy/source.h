/* Sources of a response body, from which a delivery (deliver.h) gets its bytes: an object, a text, or another
 * source through a chain of filters (source_filtered.h).
 *
 * A source runs on the loop's stack and never waits. If it has no bytes now, it says why, and calls `moved`
 * later. It lends its memory: given bytes stay valid until they are released. `advance` says that the stream
 * took bytes. The stream may still hold them (`held`); only their release allows their memory to be used
 * again.
 *
 * To write another source: embed struct body_source, fill in `ops`, and give it to the delivery. Its memory
 * needs a limit with a name, and is charged to a storage (store_reserve with USE_FILTERS) before it is
 * allocated. */
#ifndef VERNIS_PROXY_SOURCE_H
#define VERNIS_PROXY_SOURCE_H

#include "cache/object.h"

enum source_state {
    SOURCE_MORE, /* more may follow. If no bytes were given: watch, and gather again */
    SOURCE_BUSY, /* no bytes were given, but there is work left: gather again, after others had their turn */
    SOURCE_HELD, /* no bytes were given: held bytes must be released first */
    SOURCE_END,  /* the given bytes are the last */
    SOURCE_FAILED, /* the given bytes may be sent; the body cannot be completed */
};

struct body_source;

/* Bytes of a file, which the kernel can send by itself. */
struct body_file {
    int fd;
    off_t at;
    size_t bytes;
};

struct body_source_ops {
    /* Fills at most `max` iovecs with at most `most` bytes, from the position of `advance` on. `most` 0: only
     * the state is wanted. Returns the number of iovecs. */
    int (*gather)(struct body_source *s, struct iovec *iov, int max, size_t most, enum source_state *then);
    /* As gather, but gives at most `most` bytes of a file. False: the next bytes are not in a file, or there
     * are none; gather says which. NULL: never. */
    bool (*file)(struct body_source *s, size_t most, struct body_file *out, enum source_state *then);
    /* Moves over n bytes that gather gave. Of all bytes advanced over so far, the last `held` must stay
     * valid. n may be 0, when bytes were released. */
    void (*advance)(struct body_source *s, size_t n, uint64_t held);
    /* Continues with the bytes from `at` up to `end`, behind all bytes given so far. NULL: the source cannot
     * skip; gather and advance over the bytes instead. */
    void (*seek)(struct body_source *s, uint64_t at, uint64_t end);
    /* From now on calls `moved`, on the loop's stack, when gather would give more bytes or another state.
     * Gather again after this call: earlier changes are not reported. */
    void (*watch)(struct body_source *s, struct loop *loop);
    void (*unwatch)(struct body_source *s); /* harmless without a watch */
    /* No more bytes are wanted. False: another task still works for this source, and `moved` is called after
     * its end; do not close before that. NULL: always true. */
    bool (*cancel)(struct body_source *s);
    /* The last call: all bytes are released or unwanted. NULL: nothing to do */
    void (*close)(struct body_source *s);
};

struct body_source {
    const struct body_source_ops *ops;
    void (*moved)(struct body_source *s); /* set, with `user`, by the driver of the source */
    void *user;
};

static inline size_t
iov_bytes(const struct iovec *iov, int n)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += iov[i].iov_len;
    return bytes;
}

/* What `cancel` and `close` of a source do, also if it has none. */
static inline bool
source_cancel(struct body_source *s)
{
    return s->ops->cancel == NULL || s->ops->cancel(s);
}

static inline void
source_close(struct body_source *s)
{
    if (s->ops->close != NULL)
        s->ops->close(s);
}

/* For a source around another one: from now on calls `moved` of the outer when the inner has moved. */
void source_watch_inner(struct body_source *outer, struct body_source *inner, struct loop *loop);

struct object_source {
    struct body_source source;
    struct object *object; /* lent, held by the request */
    struct body_reader reader;
    bool is_watched, is_told; /* told: that the body is lost */
    struct watch watch;
};

struct text_source {
    struct body_source source;
    struct span text; /* lent */
};

/* The body is that of the object, or a second form of it. */
struct body_source *object_source_init(struct object_source *s, struct object *o, const struct body *b);
/* For sources that do more than one of an object (source_partial.h). */
int object_gather(struct body_source *b, struct iovec *iov, int max, size_t most, enum source_state *then);
bool object_file(struct body_source *b, size_t most, struct body_file *out, enum source_state *then);
void object_advance(struct body_source *b, size_t n, uint64_t held);
void object_seek(struct body_source *b, uint64_t at, uint64_t end);
struct body_source *text_source_init(struct text_source *s, struct span text);

#endif
