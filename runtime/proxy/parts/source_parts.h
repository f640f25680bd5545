/* A body in parts as a source (source.h): gives what is there, waits for what others fetch, and has holes fetched when it comes to the
 * segment before them, one fetch at a time. */
#ifndef VERNIS_SOURCE_PARTS_H
#define VERNIS_SOURCE_PARTS_H

#include "cache/parts.h"
#include "proxy/source.h"

struct hole;
struct request;

struct parts_source {
    struct body_source source;
    struct request *request;            /* lent: for whom holes are fetched */
    struct object *object;              /* lent, held by the request */
    struct parts *parts;
    uint64_t at, end;
    struct parts_watch watch;
    struct hole *hole;                  /* the request's side; NULL: nothing is fetched for it */
    uint64_t hole_at;                   /* where `hole` began */
    struct parts_gap waited;            /* for which others' fetch, and the failures before; part UINT32_MAX: for none */
    uint64_t ahead;                     /* the segment that begins there was looked at for a hole */
    unsigned failures;
};

/* All of the content, until it is sought: then only what lies there is fetched. `hole` (or NULL) is taken over. */
struct body_source *parts_source_init(struct parts_source *s, struct request *r, struct object *o, struct hole **hole);

#endif
