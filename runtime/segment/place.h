/* Places: where stored bytes lie, whatever they lie on. A place is a number, never a pointer, so that it can be written to a disk and
 * still means the same after a restart. Bytes are reserved, placed, written once, committed, and then only read. Who reads them pins
 * the place first: the bytes may have to come from somewhere slow, and stay where they are as long as a pin is held.
 *
 * A space is what places lie in. It is reached through a table of calls (space_ops), of which memory.c is the one there is. This room
 * knows no object and no HTTP. Nothing in the server uses it yet: bodies are still lists of heap blocks (cache/body.c). */
#ifndef VERNIS_SEGMENT_PLACE_H
#define VERNIS_SEGMENT_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/clock.h"

struct loop;
struct space;

struct place {
    uint32_t segment, offset;           /* offset in the segment, in units of its space */
    uint32_t bytes;
    uint32_t generation;                /* of the segment, which may have been used for something else since */
};

/* ---- writing ---- one writer a place, any thread */

struct reservation {
    struct space *space;
    uint64_t bytes;                     /* reserved and not yet placed */
};

/* Makes room now for bytes that are placed later. Space is made on the caller's thread. ERR_NOMEM. */
int space_reserve(struct space *s, uint64_t bytes, struct reservation *out);
/* Part of a reservation becomes a place. ERR_LIMIT: more than is left of it. ERR_NOMEM. */
int space_place(struct reservation *r, uint32_t bytes, struct place *out);
void space_unreserve(struct reservation *r);            /* what is left of it; harmless on a zeroed one */
/* Where to write: *n bytes at *at, for the writer alone, until place_commit. ERR_SYS. */
int place_buffer(struct space *s, const struct place *p, char **at, size_t *n);
/* The first `bytes` of the place are there, with this checksum; the rest of it is given back. It does not change any more. */
void place_commit(struct space *s, struct place *p, uint32_t bytes, uint64_t checksum);
void place_free(struct space *s, const struct place *p);        /* bytes that are pinned go with the last pin */

/* ---- reading ---- */

enum pin { PIN_READY, PIN_WAIT, PIN_FAILED };

/* Embed it. After PIN_WAIT fn runs once on `loop`, with PIN_READY (and then `pinned` is held) or PIN_FAILED. */
struct pin_waiter {
    struct loop *loop;
    void (*fn)(struct pin_waiter *w, enum pin result);
};

struct pinned {
    struct space *space;                /* NULL: nothing is pinned */
    struct place place;
    const char *at;
};

enum pin place_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out);
/* On a fiber: the same, but waits. True: pinned. */
bool place_pin_wait(struct space *s, const struct place *p, struct loop *loop, struct pinned *out);
/* Nobody wants the place any more; fn will not run. On the waiter's loop. */
void place_unwait(struct space *s, struct pin_waiter *w);
struct iovec pinned_iov(const struct pinned *x);        /* for copies, filters and encryption in user space */
bool pinned_file(const struct pinned *x, int *fd, off_t *at);   /* for sendfile; false: only in memory */
/* After the last use of the bytes, also by the kernel. Harmless on a zeroed one. */
void place_unpin(struct pinned *x);

/* ---- bodies ---- a row of places, the first one inline: most bodies have one */

struct places {
    struct place first, *more;          /* more: n - 1 of them */
    uint32_t n, cap;
};

/* Appending is the only way to write. ERR_NOMEM. */
int places_add(struct places *a, struct place p);
struct place *places_at(struct places *a, uint32_t i);
/* Which place holds byte `at` of the body, and where in it. False: the body ends before. */
bool places_find(const struct places *a, uint64_t at, uint32_t *i, uint32_t *in_place);
void places_release(struct places *a, struct space *s); /* frees the places too; harmless on a zeroed one */

/* ---- spaces ---- */

struct space_ops {
    const char *name;
    int (*reserve)(struct space *s, uint64_t bytes);
    void (*unreserve)(struct space *s, uint64_t bytes);
    int (*place)(struct space *s, uint32_t bytes, struct place *out);   /* out of what is reserved */
    int (*buffer)(struct space *s, const struct place *p, char **at);
    void (*commit)(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum);
    enum pin (*pin)(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out);
    void (*unwait)(struct space *s, struct pin_waiter *w);
    bool (*file)(struct space *s, const struct pinned *x, int *fd, off_t *at);
    void (*unpin)(struct space *s, struct pinned *x);
    void (*free)(struct space *s, const struct place *p);
};

struct space {                          /* first member of each implementation */
    const struct space_ops *ops;
};

#endif
