/* Stored bytes: a counted content of extents, and the owner's view of it.
 *
 * An extent is a range of the body and the place of its bytes: a block on the heap, or a place in the space
 * of the storage (storage/place.h), from which the kernel can send by itself. The first extent may be in the
 * same block as the content: most bodies are short. There is one kind of body. A whole one misses bytes only
 * at its end, while it is written. One that flows to its only reader is freed behind it. A partial one has
 * holes anywhere (partial.h). A second coding of a response is another body.
 *
 * Several owners share a content: a response, and its successor made by a 304. A body is charged to the
 * storage that its writer named.
 *
 * One writer (writer.h) appends, and publishes a length (release store of `bytes`, acquire load by readers).
 * Published bytes never change, so readers need no lock. */
#ifndef VERNIS_BODY_BODY_H
#define VERNIS_BODY_BODY_H

#include <stdatomic.h>
#include <sys/uio.h>

#include "storage/storage.h"

struct content;
struct fiber;
struct run;

/* Part of its owner. Zeroed: empty. */
struct body {
    struct content *content; /* set before `bytes` grows for the first time; NULL: no byte yet */
    atomic_size_t bytes;     /* published; of a partial body the whole length */
};

static inline uint64_t
body_bytes(const struct body *b)
{
    return atomic_load_explicit(&((struct body *)(uintptr_t)b)->bytes, memory_order_acquire);
}

/* Gives b, which is empty, the content of `of`, which is not written any more or partial. */
void body_share(struct body *b, const struct body *of);
/* Leaves the content; the last owner frees it. No reader of b may be left. Harmless on an empty body. */
void body_release(struct body *b);
uint64_t body_stored_bytes(const struct body *b); /* the memory charged for it, without overhead */
/* Frees the extents that end before byte `at`, unless the content is shared. No reader may go back to them.
 * The first extent stays if it is part of the content. Returns the bytes freed. */
uint64_t body_free_before(struct body *b, uint64_t at);

/* ---- reading ---- */

/* Why a reader got no bytes. */
enum body_next {
    BODY_NOT_YET, /* they are not published */
    BODY_GAP,     /* a hole of a partial body */
    BODY_PINNING, /* the space reads them: `moved` is called */
    BODY_HELD,    /* bytes given before are held in the place that must be left first */
    BODY_LOST,    /* the space could not read them */
    BODY_END      /* the reader is at its end */
};

/* One position in a body. Any number of readers, each on one loop. */
struct body_reader {
    const struct body *body; /* lent: the owner stays */
    uint64_t at, end;        /* next byte; where to stop */
    uint64_t held;           /* of the bytes before `at`, the last that may be in use */
    struct run *run;         /* private: where to look first */
    struct pinned pinned;    /* private: the place of a space that is read now */
    struct pin_waiter waiter;
    bool is_waiting, is_lost;
    void (*moved)(struct body_reader *r); /* on the loop's stack, after BODY_PINNING */
    struct fiber *fiber;                  /* private: of body_read */
};

static inline void
body_open(struct body_reader *r, const struct body *b)
{
    r->body = b;
    r->at = r->held = 0;
    r->end = UINT64_MAX;
    r->run = NULL;
    r->pinned.space = NULL;
    r->is_waiting = r->is_lost = false;
}

/* Fills at most `max` iovecs with at most `most` bytes (at least 1) from `at` on. They stay valid until they
 * are neither held nor before them. Returns the number of iovecs; 0: `next` says why. */
int body_gather(struct body_reader *r, struct iovec *iov, int max, size_t most, enum body_next *next);
/* Moves over n bytes that body_gather gave. Of all bytes so far, the last `held` must stay valid. */
void body_advance(struct body_reader *r, size_t n, uint64_t held);
/* Goes on with the bytes from `at`, which is not before the position, up to `end`. */
void body_seek(struct body_reader *r, uint64_t at, uint64_t end);
/* Are the next bytes, which body_gather gave just now, in a file? The caller may let the kernel send them. */
bool body_file(const struct body_reader *r, int *fd, off_t *at);
void body_close(struct body_reader *r); /* all bytes are released; harmless on a closed one */
/* As body_gather for one piece, but parks the fiber while the space reads. 1; 0: none for now, or the end;
 * ERR_SYS: lost. */
int body_read(struct body_reader *r, struct iovec *iov, size_t most);

#endif
