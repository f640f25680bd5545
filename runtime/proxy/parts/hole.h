/* A fetch of a part of some content, as the request that asked for it sees it. Shared by both sides, which run on one loop; whoever
 * leaves last frees it. */
#ifndef VERNIS_HOLE_H
#define VERNIS_HOLE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct request;

enum hole_state {
    HOLE_OPEN,                          /* the fetch is at work */
    HOLE_DONE,                          /* it has brought what it could: up to a part that is there or that others fetch */
    HOLE_FAILED,
    HOLE_REFUSED                        /* the origin does not give it to this request, but may to others */
};

struct hole {
    enum hole_state state;
    bool left;                          /* the request has gone: the fetch stops at the end of the segment it is in */
};

int hole_new(struct hole **out);                        /* two references: one for each side. ERR_NOMEM */
void hole_leave(struct hole **h);                       /* the request's side; harmless on NULL, as all of them */
void hole_end(struct hole **h, enum hole_state state);  /* the fetch's side */

/* fetch_hole.c: fetches what is missing of o from `at` on, before `end`, for r; *out becomes r's side. ERR_BUSY: somebody else has begun
 * to. ERR_NOMEM, ERR_LIMIT. */
int hole_fetch(struct request *r, struct object *o, uint64_t at, uint64_t end, struct hole **out);

#endif
