/* The request body: kept for std.cache_req_body, handed on to a fetch piece by piece, or read to its end so that the connection
 * can go on. Fiber of the request, or of the fetch while the request waits for it. */
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "loop/loop.h"
#include "proxy/request.h"

#define CACHED_BODY_BYTES_MIN 4096
#define CACHED_BODY_BYTES_MAX (1024.0 * 1024 * 1024)   /* whatever the policy allows */
#define DRAIN_BYTES_MAX (1024 * 1024)   /* of an unread request body, to keep the connection */

/* One byte more than the limit is read, to tell a body that ends there from one that goes on. */
static int
grow_cache(struct request_body *b, size_t limit)
{
    size_t want = b->framing.kind == BODY_LENGTH ? (size_t)b->framing.length : b->cache_bytes * 2;
    want = want < CACHED_BODY_BYTES_MIN ? CACHED_BODY_BYTES_MIN : want;
    want = want < limit ? want : limit;
    char *p = realloc(b->cache, want + 1);
    if (p == NULL)
        return ERR_NOMEM;
    b->cache = p;
    b->cache_bytes = want + 1;
    return 0;
}

static int
read_into_cache(struct request *r, size_t limit)
{
    struct stream *s = &r->h1.stream;
    struct request_body *b = &r->body;
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.timeout_idle_s + params.send_timeout_s));
    size_t n = 0;
    b->started = true;
    for (;;) {
        int err = n == b->cache_bytes ? grow_cache(b, limit) : 0;
        if (err != 0)
            return err;
        ssize_t got = s->ops->recv_body(s, b->cache + n, b->cache_bytes - n, deadline);
        if (got < 0)
            return (int)got;
        n += (size_t)got;
        if (n > limit)
            return ERR_LIMIT;
        if (!s->ops->body_unread(s))
            break;
    }
    b->cached = span_of(b->cache, n);
    return 0;
}

/* std.cache_req_body: all of the body now, so that it can be sent again and looked at. Its memory is not the workspace's: the
 * policy said how much it may be. */
int
request_body_cache(struct request *r)
{
    double limit = r->vars.cache_req_body_bytes;
    if (limit < 0 || r->body.cached.ptr != NULL || r->body.framing.kind == BODY_NONE)
        return 0;
    if (limit > CACHED_BODY_BYTES_MAX)
        limit = CACHED_BODY_BYTES_MAX;
    if (r->body.framing.kind == BODY_LENGTH && r->body.framing.length > (uint64_t)limit)
        return ERR_LIMIT;
    return read_into_cache(r, (size_t)limit);
}

ssize_t
request_body_read(struct request *r, size_t *at, void *buf, size_t n, nsec deadline)
{
    struct stream *s = &r->h1.stream;
    if (r->body.cached.ptr == NULL) {
        r->body.started = true;
        return s->ops->recv_body(s, buf, n, deadline);
    }
    size_t left = r->body.cached.len - *at;
    size_t take = left < n ? left : n;
    memcpy(buf, r->body.cached.ptr + *at, take);
    *at += take;
    return (ssize_t)take;
}

/* A body nobody wanted is read to its end when that is cheap: the connection can then be used again. */
void
request_body_drain(struct request *r)
{
    struct stream *s = &r->h1.stream;
    char junk[4096];
    uint64_t total = 0;
    if (!s->ops->body_unread(s) || r->h1.continue_due || s->close_after || s->broken)
        return;
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.timeout_idle_s));
    while (s->ops->body_unread(s) && total < DRAIN_BYTES_MAX) {
        ssize_t n = s->ops->recv_body(s, junk, sizeof junk, deadline);
        if (n <= 0)
            return;
        total += (uint64_t)n;
    }
}

void
request_body_release(struct request *r)
{
    if (r->body.cache == NULL)
        return;
    free(r->body.cache);
    r->body.cache = NULL;
    r->body.cached = SPAN_NULL;
}
