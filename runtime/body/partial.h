/* Partial bodies: extents of equal size, each of which is there, comes, is claimed, or is a hole.
 * docs/partial-objects.md describes their use.
 *
 * Bytes of an extent arrive in order and never change, as in any body, so readers need no lock for present
 * bytes. A fetch claims a hole before it asks for it, one extent at a time, so that no byte is fetched twice
 * and two fetches of different holes run in parallel.
 *
 * The lock of the holes is an innermost one. A claim belongs to one fetch, a watch to one loop. */
#ifndef VERNIS_BODY_PARTIAL_H
#define VERNIS_BODY_PARTIAL_H

#include "base/list.h"
#include "base/span.h"
#include "body/body.h"

struct loop;
struct notice;

/* ---- life ---- */
/* Makes b, which is empty, a body of holes. The validator distinguishes versions of the content. ERR_LIMIT:
 * more extents than partial_segments_max allows. ERR_NOMEM. */
int body_make_holes(struct body *b, struct storage *st, uint64_t total_bytes, uint32_t extent_bytes,
                    struct span validator);
/* May a body of this length be partial? */
bool body_may_have_holes(uint64_t total_bytes, uint32_t extent_bytes);
bool body_is_partial(const struct body *b); /* true for as long as it lives */
/* Marks a body whose first response was for one user, which the policy stores nevertheless. Before anybody
 * else sees it. */
void body_set_personal(struct body *b);
bool body_is_personal(const struct body *b);
struct span body_validator(const struct body *b);
uint32_t body_extent_bytes(const struct body *b); /* of all extents but the last */

/* ---- looking ---- */
bool body_is_whole(const struct body *b); /* has it no hole? Once true, it stays true */

enum body_sight {
    SIGHT_THERE,   /* no byte is missing */
    SIGHT_COMING,  /* a fetch brings the first missing byte, and the origin confirmed the version */
    SIGHT_CLAIMED, /* a fetch asks the origin for it */
    SIGHT_HOLE,    /* no fetch asks for it */
    SIGHT_GONE     /* bytes are missing, and the origin has another version */
};
struct body_gap {
    uint64_t at;       /* the first missing byte */
    uint32_t extent;   /* the one that lacks it */
    uint32_t failures; /* failed fetches of this extent; counted in 16 bits */
};
/* Looks for missing bytes in [at, end); *gap receives the first gap. A reader that waited for a fetch and
 * then finds a hole with more failures than before shares the failure. */
enum body_sight body_look(const struct body *b, uint64_t at, uint64_t end, struct body_gap *gap);
/* Writes the extents that are there as text: "0-3,7 of 9". At most `cap` bytes with a NUL; longer text ends
 * with
 * "...". */
void body_describe(const struct body *b, char *text, size_t cap, uint64_t *stored_bytes);

/* fn runs on the loop after each change. Look again after hole_watch. The watcher must hold the body's owner.
 */
struct hole_watch {
    struct list link;        /* lock of the holes */
    struct content *content; /* NULL: not watching */
    struct notice *notice;   /* private */
    void (*fn)(struct hole_watch *w);
};
void hole_watch(const struct body *b, struct hole_watch *w, struct loop *loop,
                void (*fn)(struct hole_watch *w));
void hole_unwatch(struct hole_watch *w); /* harmless on an inactive watch */

/* ---- filling ---- */
struct hole_claim {
    struct content *content; /* NULL: nothing is claimed. The claimer holds the body's owner */
    uint64_t at, end; /* missing bytes: `at` is in the claimed extent; the claim may move on up to `end` */
};
/* Claims the hole with byte `at`, for a fetch of bytes up to `end`. False: another fetch has claimed it. */
bool hole_claim(const struct body *b, uint64_t at, uint64_t end, struct hole_claim *out);
void claim_confirm(struct hole_claim *c); /* the origin's response has the same version */
/* Returns room for the next bytes of the claim, at least 1. Evicts if necessary. ERR_NOMEM. */
int claim_space(struct hole_claim *c, char **at, size_t *n);
/* Publishes n bytes. False: the claim has ended, because it reached its end or an extent that is not an empty
 * hole. */
bool claim_commit(struct hole_claim *c, size_t n);
bool claim_at_edge(const struct hole_claim *c); /* at the start of an extent */
void claim_end(struct hole_claim *c);           /* harmless if nothing is claimed, like claim_fail */
void claim_fail(struct hole_claim *c);   /* waiting readers share the failure instead of retrying in turn */
void body_forsake(const struct body *b); /* the origin has another version: no fetch fills a hole any more */

#endif
