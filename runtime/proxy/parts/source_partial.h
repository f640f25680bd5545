/* A partial body as a source (source.h): gives stored bytes, waits for bytes that others fetch, and has holes
 * fetched one at a time, each while the extent before it is sent. */
#ifndef VERNIS_PROXY_PARTS_SOURCE_PARTIAL_H
#define VERNIS_PROXY_PARTS_SOURCE_PARTIAL_H

#include "body/partial.h"
#include "proxy/source.h"

struct hole;
struct request;

struct partial_source {
    struct object_source stored;
    struct request *request; /* lent: the request for which holes are fetched */
    struct hole_watch watch;
    struct hole *hole; /* the request's side; NULL: no fetch for this source */
    uint64_t hole_at;  /* position where `hole` began */
    /* The gap that the source waits for, with its failures so far; extent UINT32_MAX: none */
    struct body_gap waited;
    uint64_t ahead; /* start of the last extent that was checked for a hole */
    unsigned failures;
};

/* Gives all of the content, or after a seek only the sought range, and fetches no bytes outside of it. Takes
 * over `hole` (or NULL). */
struct body_source *partial_source_init(struct partial_source *s, struct request *r, struct object *o,
                                        struct hole **hole);

#endif
