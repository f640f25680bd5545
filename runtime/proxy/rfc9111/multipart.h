/* Several ranges of a body as one response, multipart/byteranges (RFC 9110, 14.6): a source that sends the
 * ranges of another source, each behind a small head. The ranges ascend, so the other source is read once,
 * from front to back. */
#ifndef VERNIS_PROXY_RFC9111_MULTIPART_H
#define VERNIS_PROXY_RFC9111_MULTIPART_H

#include "http/range_set.h"
#include "proxy/source.h"

struct multipart_facts {
    struct span content_type; /* Content-Type of the response, with the boundary */
    uint64_t bytes;           /* length of its content */
};

/* Wraps *source, which has `total` bytes, and is closed with the wrapper. `set` and `content_type` (of the
 * whole; or NULL) are lent until then, as is the memory from the arena. ERR_NOMEM: *source is unchanged. */
int multipart_open(struct arena *a, const struct range_set *set, uint64_t total, struct span content_type,
                   struct body_source **source, struct multipart_facts *out);

#endif
