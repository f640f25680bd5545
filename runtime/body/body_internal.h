/* A content from inside: its extents. Shared by body.c (life), reader.c, writer.c and partial.c. */
#ifndef VERNIS_BODY_BODY_INTERNAL_H
#define VERNIS_BODY_BODY_INTERNAL_H

#include "base/check.h"
#include "base/mem.h"
#include "base/size.h"
#include "body/body.h"

struct holes;

enum extent_state { EXTENT_THERE, EXTENT_HOLE, EXTENT_CLAIMED, EXTENT_COMING };

struct extent {
    uint64_t at;         /* of its first byte in the body */
    struct place place;  /* bytes 0: no memory yet, or freed */
    atomic_uint arrived; /* of a partial body: bytes present, from the first on */
    uint16_t failures;   /* of a partial body: failed claims; lock of the holes */
    uint8_t state;       /* enum extent_state; lock of the holes */
    bool in_space;
};

/* Extents one after the other. Runs never move, so that readers may look at them without a lock. */
struct run {
    struct run *_Atomic next;
    uint32_t cap;
    atomic_uint n;
    struct extent extents[];
};

struct extents {
    struct space *space; /* of those in_space */
    struct holes *holes; /* NULL: not partial */
    struct run *last;    /* writer */
    struct run first;    /* the last member: its extents follow */
};

/* A small body is one block with this header of 16 bytes. */
struct content {
    atomic_uint refs;
    uint32_t inline_bytes : 24; /* capacity of the first extent, which follows; 0: it does not */
    uint32_t storage : 8;       /* charged: see storage_numbered */
    struct extents *extents;    /* behind the first one; NULL: none */
    char data[];
};
#define INLINE_BYTES_MAX ((1u << 24) - 1)

static inline struct storage *
content_storage(const struct content *c)
{
    return storage_numbered(c->storage);
}

/* Makes a content with room for the first extent; the room is charged already. NULL: no memory. */
struct content *content_new(struct storage *st, uint32_t inline_bytes);
/* Makes its table, with room for `cap` extents. ERR_NOMEM. */
int content_extend(struct content *c, uint32_t cap);
void content_trim(struct content **c, uint32_t bytes); /* the only extent is shorter than its room */

/* Takes memory for an extent, which is charged already: in the space of the storage if `in_space` and it
 * gives a place, else on the heap. ERR_NOMEM. */
int extent_fill(struct content *c, struct extent *e, uint32_t bytes, bool in_space);
/* Where its bytes are written. */
char *extent_buffer(const struct content *c, const struct extent *e);
/* All bytes that will come are there: the first `bytes` of its room. Gives back the rest if no reader looks
 * at the extent (`is_alone`). */
void extent_end(struct content *c, struct extent *e, uint32_t bytes, bool is_alone);
void extent_free(struct content *c, struct extent *e); /* harmless without memory */
/* Appends an extent without memory. `run_cap`: room of a further run. NULL: no memory. */
struct extent *extents_add(struct content *c, uint64_t at, uint32_t run_cap);
/* The extent that holds byte `at`, which is behind the inline one and published. *run: where to begin, or
 * NULL, and where it was found. */
struct extent *extent_at(const struct content *c, uint64_t at, struct run **run);

static inline size_t
extent_arrived(const struct extent *e)
{
    return atomic_load_explicit(&((struct extent *)(uintptr_t)e)->arrived, memory_order_acquire);
}

void holes_free(struct content *c);

#endif
