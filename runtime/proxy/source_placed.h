/* Bodies in places (cache/placed/placed.h) as sources. The source pins the place of its next byte, and keeps
 * the pin until the stream has released all bytes of that place. A place that its storage cannot read ends
 * the body as failed, and the response leaves the cache. */
#ifndef VERNIS_PROXY_SOURCE_PLACED_H
#define VERNIS_PROXY_SOURCE_PLACED_H

#include "cache/placed/placed.h"
#include "proxy/source.h"

struct placed_source {
    struct body_source source;
    struct object *object; /* lent, held by the request */
    uint64_t at, end;      /* the next byte, and the end of the wanted bytes */
    uint64_t held;         /* bytes before `at` that the stream holds */
    struct pinned pinned;
    struct pin_waiter waiter;
    struct watch watch;
    bool waiting, failed, watching;
};

struct body_source *placed_source_init(struct placed_source *s, struct object *o);

#endif
