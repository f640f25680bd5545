/* A fetch of a part, as the requester sees it. The request and the fetch share this struct, on one loop. The
 * side that leaves last frees it. */
#ifndef VERNIS_PROXY_PARTS_HOLE_H
#define VERNIS_PROXY_PARTS_HOLE_H

#include <stdbool.h>
#include <stdint.h>

struct object;
struct request;

enum hole_state {
    HOLE_OPEN, /* the fetch is running */
    HOLE_DONE, /* the fetch has filled the bytes up to a stored part, or to one that others fetch */
    HOLE_FAILED,
    HOLE_REFUSED /* the origin refused this request, but may serve others */
};

struct hole {
    enum hole_state state;
    bool left; /* the request has left: the fetch stops at the end of its segment */
};

int hole_new(struct hole **out);                       /* two references: one for each side. ERR_NOMEM */
void hole_leave(struct hole **h);                      /* the request leaves; harmless on NULL */
void hole_end(struct hole **h, enum hole_state state); /* the fetch leaves; harmless on NULL */

/* fetch_hole.c: fetches the missing bytes of o from `at` to `end`, for r. *out becomes the request's side.
 * ERR_BUSY: another fetch has claimed them. ERR_NOMEM, ERR_LIMIT. */
int hole_fetch(struct request *r, struct object *o, uint64_t at, uint64_t end, struct hole **out);

#endif
