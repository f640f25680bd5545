/* Several ranges of a body as one response, multipart/byteranges (RFC 9110, 14.6): a source that sends the ranges of another source, each
 * behind a small head. The ranges are in ascending order, so the body is walked through once, whatever it comes from. */
#ifndef VERNIS_MULTIPART_H
#define VERNIS_MULTIPART_H

#include "http/range_set.h"
#include "proxy/source.h"

struct multipart_facts {
    struct span content_type;           /* of the response, with the boundary */
    uint64_t bytes;                     /* of its content */
};

/* Puts itself around *source, which gives `total` bytes, and is closed with it. `set` and `content_type`, that of the whole (or NULL), are
 * lent until then, as all that is taken of the arena. ERR_NOMEM: *source is as it was. */
int multipart_open(struct arena *a, const struct range_set *set, uint64_t total, struct span content_type, struct body_source **source,
                   struct multipart_facts *out);

#endif
