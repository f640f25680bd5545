/* The body of a partial object: a table of parts of equal size, of which some are there and the others are holes. docs/partial-objects.md
 * calls them segments and says what they are for.
 *
 * Bytes of a part arrive in order and never change, as those of any stored body: readers need no lock for bytes that are there. Whoever
 * fetches a hole claims it first, one part at a time, so that each byte is fetched once and two fetches of different holes go on side by
 * side. A table may belong to two objects: a response, and the one that a 304 made of it. It is charged to the storage of the first.
 *
 * Locks: the table's own is the innermost one. Claims belong to one fetch, watches to one loop. */
#ifndef VERNIS_CACHE_PARTS_H
#define VERNIS_CACHE_PARTS_H

#include <sys/uio.h>

#include "cache/object.h"

struct notice;
struct parts;

/* ---- life ---- */
/* For an object that has its head, in form `partial` (object_set_form), before object_publish: all holes. The validator tells versions of
 * the content apart. ERR_LIMIT: more parts than partial_segments_max allows. ERR_NOMEM. */
int object_set_parts(struct object *o, uint64_t total_bytes, uint32_t part_bytes, struct span validator);
/* The same with the table of `from`, whose content a 304 confirmed. */
void object_share_parts(struct object *o, const struct object *from);
/* The response that it begins with was for one user, and the policy stores it all the same. Before object_publish. */
void parts_set_personal(struct parts *p);
bool parts_are_personal(const struct parts *p);
struct parts *object_parts(const struct object *o);     /* NULL: its body is a whole one. Lives as long as the object */
bool parts_allowed(uint64_t total_bytes, uint32_t part_bytes);      /* may a content of this length have a table? */

uint64_t parts_total(const struct parts *p);
struct span parts_validator(const struct parts *p);
uint32_t parts_size(const struct parts *p);             /* of all parts but the last one */

/* ---- readers ---- */
/* At most `max` iovecs with the bytes that follow offset `at`, without a hole between them, at most `most` bytes. */
int parts_read(struct parts *p, uint64_t at, struct iovec *iov, int max, uint64_t most);

/* No byte of the content is missing, nor will be. */
bool parts_are_whole(const struct parts *p);

enum parts_sight {
    PARTS_THERE,                        /* no byte is missing */
    PARTS_COMING,                       /* some fetch has the origin's word for the version, and brings the first missing byte */
    PARTS_CLAIMED,                      /* some fetch asks the origin for it */
    PARTS_HOLE,                         /* nobody does */
    PARTS_GONE                          /* bytes are missing, and the origin has another version now */
};
struct parts_gap {
    uint64_t at;                        /* the first missing byte */
    uint32_t part;                      /* the one that lacks it */
    uint32_t failures;                  /* fetches that were to bring bytes of this part, and failed; counted in 16 bits */
};
/* Where bytes of [at, end) are missing, *gap tells the first. A reader that has waited for a fetch and finds a hole, and more failures than
 * before, shares that outcome. */
enum parts_sight parts_look(struct parts *p, uint64_t at, uint64_t end, struct parts_gap *gap);
/* Parts as text: "0-3,7 of 9" are whole. At most `cap` bytes with a NUL, and "..." where it is longer. */
void parts_describe(struct parts *p, char *text, size_t cap, uint64_t *stored_bytes);

/* fn runs on the loop when something has changed since. Look again after parts_watch. The watcher holds the object. */
struct parts_watch {
    struct list link;                   /* table's lock */
    struct parts *parts;                /* NULL: does not watch */
    struct notice *notice;              /* private */
    void (*fn)(struct parts_watch *w);
};
void parts_watch(struct parts *p, struct parts_watch *w, struct loop *loop, void (*fn)(struct parts_watch *w));
void parts_unwatch(struct parts_watch *w);              /* harmless on one that does not watch */

/* ---- writers ---- */
struct parts_claim {
    struct parts *parts;                /* NULL: nothing is claimed. Its owner holds the object */
    uint64_t at, end;                   /* missing bytes, the first one of the claimed part; those up to `end` may be claimed in turn */
};
/* Claims the part of byte `at`, a hole, for a fetch of bytes that end before `end`. False: somebody else did. */
bool parts_claim(struct parts *p, uint64_t at, uint64_t end, struct parts_claim *out);
void parts_confirm(struct parts_claim *c);              /* the origin's response is of the same version */
/* Room for the next bytes of the claim: at least 1. Evicts if need be. ERR_NOMEM. */
int parts_space(struct parts_claim *c, char **at, size_t *n);
/* n bytes are there. False: the claim is over, because it has come to its end or to a part that is somebody else's. */
bool parts_commit(struct parts_claim *c, size_t n);
bool parts_at_edge(const struct parts_claim *c);        /* no part is half filled by it */
void parts_unclaim(struct parts_claim *c);              /* harmless when nothing is claimed, as the next one */
void parts_fail(struct parts_claim *c);                 /* the same, and those that wait for the claim need not try in turn */
void parts_forsake(struct parts *p);                    /* the origin has another version: no hole is filled any more */

/* inside of the cache */
void parts_release(struct parts **p);

#endif
