/* Places: addresses of stored bytes on any medium. A place in a space is a number, so that it can be written
 * to a disk and stays valid after a restart. Bytes are reserved, placed, written once, committed, and
 * then only read. A reader pins the place first: reading it from the medium may take time, and pinned bytes
 * do not move.
 *
 * A place may be pinned before it is committed, by readers that follow its writer. The writer tells them by
 * other means how many bytes are valid.
 *
 * A space holds places. Callers reach it through a table of functions (space_ops); memfd.c implements it, and
 * a disk would. This room knows no objects and no HTTP. */
#ifndef VERNIS_STORAGE_PLACE_H
#define VERNIS_STORAGE_PLACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/uio.h>

#include "base/clock.h"

struct loop;
struct space;

struct place {
    union {
        struct {
            uint32_t segment, offset; /* offset in the segment, in units of its space */
        };
        char *block; /* on the heap, which is no space: see body.h */
    };
    uint32_t bytes;
    uint32_t generation; /* of the segment: a higher one means that the segment was reused */
};

/* ---- writing ---- one writer for each place, on any thread */

struct reservation {
    struct space *space;
    uint64_t bytes; /* reserved and not yet placed */
};

/* Reserves room for bytes that are placed later. The space makes room on the caller's thread. ERR_NOMEM. */
int space_reserve(struct space *s, uint64_t bytes, struct reservation *out);
/* Turns part of a reservation into a place. ERR_LIMIT: the reservation has fewer bytes left. ERR_NOMEM. */
int space_place(struct reservation *r, uint32_t bytes, struct place *out);
/* Gives back the rest of a reservation; harmless on a zeroed one. */
void space_unreserve(struct reservation *r);
/* Returns the buffer to write to: *n bytes at *at, until place_commit. ERR_SYS. */
int place_buffer(struct space *s, const struct place *p, char **at, size_t *n);
/* Keeps the first `bytes` of the place with this checksum and frees the rest. The bytes are immutable from
 * now on. */
void place_commit(struct space *s, struct place *p, uint32_t bytes, uint64_t checksum);
void place_free(struct space *s, const struct place *p); /* pinned bytes are freed with the last pin */

/* ---- reading ---- */

enum pin { PIN_READY, PIN_WAIT, PIN_FAILED };

/* For embedding in the caller's struct. After PIN_WAIT, fn runs once on `loop`, with PIN_READY (and `pinned`
 * is filled) or PIN_FAILED. */
struct pin_waiter {
    struct loop *loop;
    void (*fn)(struct pin_waiter *w, enum pin result);
};

struct pinned {
    struct space *space; /* NULL: nothing is pinned */
    struct place place;
    const char *at;
};

enum pin place_pin(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out);
/* Cancels a waiter: fn will not run. Call on the waiter's loop. */
void place_unwait(struct space *s, struct pin_waiter *w);
struct iovec pinned_iov(const struct pinned *x); /* for copies, filters and encryption in user space */
bool pinned_file(const struct pinned *x, int *fd, off_t *at); /* for sendfile; false: only in memory */
/* Call after the last use of the bytes, by the kernel too. Harmless on a zeroed one. */
void place_unpin(struct pinned *x);

/* ---- spaces ---- */

struct space_ops {
    const char *name;
    uint64_t (*cost)(uint32_t bytes); /* bytes that a place of this length takes */
    int (*reserve)(struct space *s, uint64_t bytes);
    void (*unreserve)(struct space *s, uint64_t bytes);
    int (*place)(struct space *s, uint32_t bytes, struct place *out); /* takes bytes from the reservation */
    int (*buffer)(struct space *s, const struct place *p, char **at);
    void (*commit)(struct space *s, const struct place *p, uint32_t bytes, uint64_t checksum);
    enum pin (*pin)(struct space *s, const struct place *p, struct pin_waiter *w, struct pinned *out);
    void (*unwait)(struct space *s, struct pin_waiter *w);
    bool (*file)(struct space *s, const struct pinned *x, int *fd, off_t *at);
    void (*unpin)(struct space *s, struct pinned *x);
    void (*free)(struct space *s, const struct place *p);
};

struct space { /* first member of each implementation */
    const struct space_ops *ops;
};

#endif
