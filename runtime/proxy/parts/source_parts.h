/* A body in parts as a source (source.h): gives stored bytes, waits for bytes that others fetch, and has
 * holes fetched one at a time, each while the segment before it is sent. */
#ifndef VERNIS_PROXY_PARTS_SOURCE_PARTS_H
#define VERNIS_PROXY_PARTS_SOURCE_PARTS_H

#include "cache/parts.h"
#include "proxy/source.h"

struct hole;
struct request;

struct parts_source {
    struct body_source source;
    struct request *request; /* lent: the request for which holes are fetched */
    struct object *object;   /* lent, held by the request */
    struct parts *parts;
    uint64_t at, end;
    struct parts_watch watch;
    struct hole *hole; /* the request's side; NULL: no fetch for this source */
    uint64_t hole_at;  /* position where `hole` began */
    /* The gap that the source waits for, with its failures so far; part UINT32_MAX: none */
    struct parts_gap waited;
    uint64_t ahead; /* start of the last segment that was checked for a hole */
    unsigned failures;
};

/* Gives all of the content, or after a seek only the sought range, and fetches no bytes outside of it. Takes
 * over `hole` (or NULL). */
struct body_source *parts_source_init(struct parts_source *s, struct request *r, struct object *o,
                                      struct hole **hole);

#endif
