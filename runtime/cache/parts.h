/* The body of a partial object: a table of parts of equal size, each stored or a hole.
 * docs/partial-objects.md calls them segments and describes their use.
 *
 * Bytes of a part arrive in order and never change, as in any stored body, so readers need no lock for
 * present bytes. A fetch claims a hole before it asks for it, one part at a time, so that no byte is fetched
 * twice and two fetches of different holes run in parallel. Two objects may share a table: a response, and
 * its successor made by a 304. The storage of the first object is charged.
 *
 * The table's lock is the innermost one. A claim belongs to one fetch, a watch to one loop. */
#ifndef VERNIS_CACHE_PARTS_H
#define VERNIS_CACHE_PARTS_H

#include <sys/uio.h>

#include "cache/object.h"

struct notice;
struct parts;

/* ---- life ---- */
/* Makes a table of holes for an object with its head, in form `partial` (object_set_form). Call before
 * object_publish. The validator distinguishes versions of the content. ERR_LIMIT: more parts than
 * partial_segments_max allows. ERR_NOMEM. */
int object_set_parts(struct object *o, uint64_t total_bytes, uint32_t part_bytes, struct span validator);
/* The same with the table of `from`, whose content a 304 confirmed. */
void object_share_parts(struct object *o, const struct object *from);
/* Marks a table whose first response was for one user, which the policy stores nevertheless. Call before
 * object_publish. */
void parts_set_personal(struct parts *p);
bool parts_are_personal(const struct parts *p);
/* NULL: the object is not partial. Valid as long as the object. */
struct parts *object_parts(const struct object *o);
/* May a content of this length have a table? */
bool parts_allowed(uint64_t total_bytes, uint32_t part_bytes);

uint64_t parts_total(const struct parts *p);
struct span parts_validator(const struct parts *p);
uint32_t parts_size(const struct parts *p); /* size of all parts but the last */

/* ---- readers ---- */
/* Fills at most `max` iovecs with the bytes from offset `at` to the next hole, at most `most` bytes. Returns
 * the number of iovecs. */
int parts_read(struct parts *p, uint64_t at, struct iovec *iov, int max, uint64_t most);

/* Is every part whole? Once true, it stays true. */
bool parts_are_whole(const struct parts *p);

enum parts_sight {
    PARTS_THERE,   /* no byte is missing */
    PARTS_COMING,  /* a fetch brings the first missing byte, and the origin confirmed the version */
    PARTS_CLAIMED, /* a fetch asks the origin for it */
    PARTS_HOLE,    /* no fetch asks for it */
    PARTS_GONE     /* bytes are missing, and the origin has another version */
};
struct parts_gap {
    uint64_t at;       /* the first missing byte */
    uint32_t part;     /* the part that lacks it */
    uint32_t failures; /* failed fetches of this part; counted in 16 bits */
};
/* Looks for missing bytes in [at, end); *gap receives the first gap. A reader that waited for a fetch and
 * then finds a hole with more failures than before shares the failure. */
enum parts_sight parts_look(struct parts *p, uint64_t at, uint64_t end, struct parts_gap *gap);
/* Writes the whole parts as text: "0-3,7 of 9". At most `cap` bytes with a NUL; longer text ends with
 * "...". */
void parts_describe(struct parts *p, char *text, size_t cap, uint64_t *stored_bytes);

/* fn runs on the loop after each change. Examine the table again after parts_watch. The watcher must hold the
 * object. */
struct parts_watch {
    struct list link;      /* table's lock */
    struct parts *parts;   /* NULL: not watching */
    struct notice *notice; /* private */
    void (*fn)(struct parts_watch *w);
};
void parts_watch(struct parts *p, struct parts_watch *w, struct loop *loop,
                 void (*fn)(struct parts_watch *w));
void parts_unwatch(struct parts_watch *w); /* harmless on an inactive watch */

/* ---- writers ---- */
struct parts_claim {
    struct parts *parts; /* NULL: nothing is claimed. The owner must hold the object */
    uint64_t at, end;    /* missing bytes: `at` is in the claimed part; the claim may move on up to `end` */
};
/* Claims the hole with byte `at`, for a fetch of bytes up to `end`. False: another fetch has claimed it. */
bool parts_claim(struct parts *p, uint64_t at, uint64_t end, struct parts_claim *out);
void parts_confirm(struct parts_claim *c); /* the origin's response has the same version */
/* Returns room for the next bytes of the claim, at least 1. Evicts if necessary. ERR_NOMEM. */
int parts_space(struct parts_claim *c, char **at, size_t *n);
/* Publishes n bytes. False: the claim has ended, because it reached its end or a part that is not an empty
 * hole. */
bool parts_commit(struct parts_claim *c, size_t n);
bool parts_at_edge(const struct parts_claim *c); /* the claim is at the start of a part */
void parts_unclaim(struct parts_claim *c);       /* harmless if nothing is claimed, like parts_fail */
/* The same, but waiting readers share the failure instead of retrying in turn. */
void parts_fail(struct parts_claim *c);
void parts_forsake(struct parts *p); /* the origin has another version: no fetch fills a hole any more */

/* for the cache only */
void parts_release(struct parts **p);

#endif
