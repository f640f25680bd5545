/* The writer of a body: finds memory for the bytes to come, and publishes them. See body.h.
 *
 * There are three ways to get room. With an announced length, extents are as long as needed. A body that
 * flows passes through extents of a fixed size. A body of unknown length arrives in a scratch buffer and is
 * copied into extents that fit, so that a small chunked response does not keep a whole read buffer; once it
 * is long, it is written into places of the space. */
#ifndef VERNIS_BODY_WRITER_H
#define VERNIS_BODY_WRITER_H

#include "body/body.h"

struct extent;

#define PLACE_BYTES_MAX (1u << 20) /* of an extent in a space */

/* Zeroed but for its public fields: nothing is written yet. */
struct body_writer {
    struct body *body;       /* lent */
    struct storage *storage; /* charged */
    int64_t length;          /* -1: not known */
    bool flows;              /* its only reader frees it: body_free_before */
    bool is_published;       /* a reader may take the bytes */
    /* private: */
    struct extent *last;                  /* NULL: the first extent, which is part of the content */
    size_t room_bytes, filled_bytes;      /* of the last extent */
    char *scratch;                        /* for a body of unknown length */
    size_t scratch_bytes, reserved_bytes; /* reserved: charged for extents not made yet */
    size_t growing_bytes;                 /* of a body of unknown length; see storage_grow */
};

/* Does a body of that length fit an empty storage? */
bool body_fits(const struct storage *st, uint64_t bytes);
/* Announces the length, and reserves room for all of it. ERR_NOMEM. */
int body_expect(struct body_writer *w, uint64_t length);
/* Returns space to write: *n bytes (at least 1) at *p, valid until the next commit. `hint` = expected bytes.
 * ERR_NOMEM if eviction did not help, or if the announced length can never fit. */
int body_space(struct body_writer *w, size_t hint, char **p, size_t *n);
void body_commit(struct body_writer *w, size_t n); /* publishes n bytes */
/* No more bytes come: gives back what is reserved. `is_alone`: no reader looks at the body, and its last
 * extent is trimmed. Repeatable. */
void body_end(struct body_writer *w, bool is_alone);
/* body_free_before, for a body that has left its storage while it grows. */
void body_leave_behind(struct body_writer *w, uint64_t at);
/* Writes all of a body at once, and then publishes it. ERR_NOMEM: it stays empty. */
int body_write(struct body *b, struct storage *st, struct span bytes);

#endif
