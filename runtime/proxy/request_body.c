/* The request body: kept for std.cache_req_body, forwarded to a fetch piece by piece, or read to its end so
 * that the connection can go on. Runs on the fiber of the request, or on that of the fetch while the request
 * waits for it. */
#include "proxy/request_body.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"
#include "cache/store.h"
#include "loop/loop.h"
#include "proxy/request_log.h"
#include "proxy/server.h"

#define PIECE_BYTES 16384 /* of a forwarded body */
#define CACHED_BODY_BYTES_MIN 4096
#define CACHED_BODY_BYTES_MAX (1024u * 1024 * 1024) /* even if the policy allows more */
#define DRAIN_BYTES_MAX (1024 * 1024)               /* of an unread request body, to keep the connection */

/* The time at which the client becomes too slow if no byte arrives before. Only time spent waiting for the
 * client counts, not time in which an origin makes the client wait. NSEC_NEVER: no limit. */
static nsec
too_slow_at(const struct request *r)
{
    if (params.request_rate_min_bytes == 0)
        return NSEC_NEVER;
    double earned_s = (double)r->stream->bytes.req_body / params.request_rate_min_bytes;
    return nsec_add(loop_now(r->loop), nsec_of(params.rate_grace_s + earned_s) - r->body.waited);
}

static ssize_t
receive(struct request *r, void *buf, size_t n, nsec deadline)
{
    nsec before = loop_now(r->loop), slow = deadline == RECV_NOW ? NSEC_NEVER : too_slow_at(r);
    ssize_t got = r->stream->ops->recv_body(r->stream, buf, n, slow < deadline ? slow : deadline);
    r->body.waited += loop_now(r->loop) - before;
    if (got == ERR_TIMEOUT && slow < deadline) {
        log_text(&r->log, TAG_ERROR, SPAN_LIT("The client sends more slowly than request_rate_min"));
        r->server->counters->sess_slow_request++;
    }
    return got;
}

/* Slow uploads must not evict the stored objects of a storage. */
static bool
exceeds_share(struct request *r, size_t bytes)
{
    const struct storage *st = r->body.storage;
    uint64_t limit = st->limit_bytes / 100 * params.req_body_share;
    if (limit == 0 || storage_used_for(st, USE_REQUESTS) + bytes <= limit)
        return false;
    log_printf(&r->log, TAG_ERROR,
               "Active request bodies hold %llu bytes: req_body_share allows %u%% of storage %.*s",
               (unsigned long long)storage_used_for(st, USE_REQUESTS), params.req_body_share,
               (int)st->name.len, st->name.ptr);
    r->server->counters->req_body_refused++;
    return true;
}

static int
make_room(struct request *r, size_t bytes)
{
    struct request_body *b = &r->body;
    DEBUG_CHECK(bytes >= b->cache_bytes && (b->cache_bytes == 0) == (b->cache == NULL));
    if (b->storage == NULL) {
        b->storage = r->vars.storage != NULL ? r->vars.storage : store_transient(r->server->env->store);
        log_printf(&r->log, TAG_STORAGE, "malloc %.*s", (int)b->storage->name.len, b->storage->name.ptr);
    }
    if (exceeds_share(r, bytes) || store_take(b->storage, USE_REQUESTS, bytes) != 0)
        return ERR_NOMEM;
    char *p = realloc(b->cache, bytes);
    if (p == NULL) {
        store_give(b->storage, USE_REQUESTS, bytes);
        return ERR_NOMEM;
    }
    if (b->cache_bytes > 0)
        store_give(b->storage, USE_REQUESTS, b->cache_bytes);
    b->cache = p;
    b->cache_bytes = bytes;
    return 0;
}

/* Makes room for one byte beyond the limit, to tell a body that ends at the limit from a longer one. */
static int
grow_cache(struct request *r, size_t limit)
{
    const struct request_body *b = &r->body;
    size_t want = b->content.kind == CONTENT_KNOWN ? (size_t)b->content.bytes : b->cache_bytes * 2;
    want = want < CACHED_BODY_BYTES_MIN ? CACHED_BODY_BYTES_MIN : want;
    want = want < limit ? want : limit;
    return make_room(r, want + 1);
}

static int
read_into_cache(struct request *r, size_t limit)
{
    struct stream *s = r->stream;
    struct request_body *b = &r->body;
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(params.timeout_idle_s + params.send_timeout_s));
    size_t n = 0;
    DEBUG_CHECK(b->cached.ptr == NULL && b->ahead_bytes == 0);
    b->started = true;
    for (;;) {
        int err = n == b->cache_bytes ? grow_cache(r, limit) : 0;
        if (err != 0)
            return err;
        ssize_t got = receive(r, b->cache + n, b->cache_bytes - n, deadline);
        if (got < 0)
            return (int)got;
        n += (size_t)got;
        if (n > limit)
            return ERR_LIMIT;
        if (!s->ops->body_unread(s))
            break;
    }
    b->cached = span_of(b->cache, n);
    request_log_stamp(r, "ReqBody");
    return 0;
}

/* Once the body is cached, its length is known, whatever framing the client used. */
static int
set_content_length(struct http_message *m, struct span length)
{
    message_unset(m, NAME_TRANSFER_ENCODING, SPAN_NULL);
    return message_set(m, NAME_CONTENT_LENGTH, SPAN_NULL, length);
}

static int
keep_body(struct request *r, size_t limit)
{
    struct request_body *b = &r->body;
    int err = b->content.kind == CONTENT_KNOWN && b->content.bytes > limit ? ERR_LIMIT
                                                                           : read_into_cache(r, limit);
    if (err == ERR_LIMIT)
        log_text(&r->log, TAG_FETCH_ERROR, SPAN_LIT("Request body too big to cache"));
    if (err != 0 || b->content.kind == CONTENT_KNOWN)
        return err;
    struct span length = arena_printf(&r->arena, "%zu", b->cached.len);
    if (length.ptr == NULL)
        return ERR_NOMEM;
    if (r->vars.req_original != NULL)
        err = set_content_length((struct http_message *)r->vars.req_original, length);
    return err != 0 ? err : set_content_length(&r->req, length);
}

/* Caches the body, so that it can be sent again and read by the policy. Its memory is charged to a storage,
 * not to the workspace: the policy sets the limit. */
int
request_body_keep(struct client_vars *v, uint64_t bytes_max)
{
    struct request *r = request_of_vars(v);
    const struct content *content = &r->body.content;
    if (r->body.cached.ptr != NULL || content->kind == CONTENT_NONE ||
        (content->kind == CONTENT_KNOWN && content->bytes == 0))
        return 0;
    if (r->vars.restarts > 0) {
        log_text(&r->log, TAG_VCL_ERROR, SPAN_LIT("req.body must be cached before restarts"));
        return ERR_LIMIT;
    }
    int err = r->body.failed
                ? ERR_LIMIT
                : keep_body(r, bytes_max < CACHED_BODY_BYTES_MAX ? (size_t)bytes_max : CACHED_BODY_BYTES_MAX);
    r->body.failed |= err != 0;
    if (err == 0)
        r->vars.content = r->body.cached;
    return err;
}

/* ---- forwarding ---- */

static int
piece_buffer(struct request *r)
{
    const struct content *content = &r->body.content;
    bool small = content->kind == CONTENT_KNOWN && content->bytes < PIECE_BYTES;
    if (r->body.cache != NULL)
        return 0;
    int err = make_room(r, small ? (size_t)content->bytes : PIECE_BYTES);
    if (err != 0)
        log_text(&r->log, TAG_FETCH_ERROR,
                 SPAN_LIT("Object allocation failed: no room for the request body"));
    return err;
}

/* Reads from the client into the buffer, behind the bytes there. */
static ssize_t
fill_piece(struct request *r, size_t at, nsec deadline)
{
    DEBUG_CHECK(at <= r->body.cache_bytes && r->body.cached.ptr == NULL);
    struct stream *s = r->stream;
    bool unread = s->ops->body_unread(s);
    ssize_t got = receive(r, r->body.cache + at, r->body.cache_bytes - at, deadline);
    if (unread && !s->ops->body_unread(s))
        request_log_stamp(r, "ReqBody");
    return got;
}

int
request_body_ahead(struct request *r, nsec deadline)
{
    struct request_body *b = &r->body;
    if (b->content.kind != CONTENT_UNKNOWN || b->cached.ptr != NULL || b->started || b->ahead_bytes > 0)
        return 0;
    int err = piece_buffer(r);
    if (err != 0)
        return err;
    ssize_t got = fill_piece(r, 0, deadline);
    while (got > 0) {
        b->ahead_bytes += (size_t)got;
        got = b->ahead_bytes < b->cache_bytes ? fill_piece(r, b->ahead_bytes, RECV_NOW) : 0;
    }
    DEBUG_CHECK(b->ahead_bytes <= b->cache_bytes);
    return got == ERR_AGAIN ? 0 : (int)got;
}

static ssize_t
from_cache(const struct request *r, size_t *at, struct span *piece)
{
    DEBUG_CHECK(*at <= r->body.cached.len);
    size_t left = r->body.cached.len - *at;
    *piece = span_of(r->body.cached.ptr + *at, left < PIECE_BYTES ? left : PIECE_BYTES);
    *at += piece->len;
    return (ssize_t)piece->len;
}

ssize_t
request_body_next(struct request *r, size_t *at, struct span *piece, nsec deadline)
{
    struct request_body *b = &r->body;
    DEBUG_CHECK(b->ahead_bytes <= b->cache_bytes && !b->failed);
    if (b->cached.ptr != NULL)
        return from_cache(r, at, piece);
    int err = piece_buffer(r);
    if (err != 0)
        return err;
    ssize_t got = b->ahead_bytes > 0 ? (ssize_t)b->ahead_bytes : fill_piece(r, 0, deadline);
    b->started |= got != ERR_AGAIN;
    b->ahead_bytes = 0;
    *piece = span_of(b->cache, got > 0 ? (size_t)got : 0);
    *at += piece->len;
    return got;
}

bool
request_body_is_left(const struct request *r, size_t at)
{
    const struct request_body *b = &r->body;
    return b->cached.ptr != NULL ? at < b->cached.len
                                 : b->ahead_bytes > 0 || r->stream->ops->body_unread(r->stream);
}

/* The rest of the body is longer than reading it is worth. */
static bool
is_too_long_to_drain(const struct request *r)
{
    const struct content *content = &r->body.content;
    return content->kind == CONTENT_KNOWN && content->bytes - r->stream->bytes.req_body > DRAIN_BYTES_MAX;
}

/* The head of a response says whether the connection stays open, so the rest of the request body must arrive
 * before. But a response must not wait for a long upload: then the connection closes, and the stream reads
 * the rest while it sends (RFC 9112, 9.6). */
void
request_body_drain(struct request *r, double wait_s)
{
    DEBUG_CHECK(loop_may_use(r->loop));
    struct stream *s = r->stream;
    char junk[4096];
    uint64_t total = 0;
    if (!s->ops->body_unread(s) || s->close != SC_NONE || s->broken)
        return;
    if (s->continue_due || is_too_long_to_drain(r)) {
        stream_close_after(s, SC_RX_BODY);
        return;
    }
    nsec deadline = nsec_add(loop_now(r->loop), nsec_of(wait_s));
    while (s->ops->body_unread(s) && total < DRAIN_BYTES_MAX) {
        ssize_t n = receive(r, junk, sizeof junk, deadline);
        if (n <= 0)
            break;
        total += (uint64_t)n;
    }
    request_log_stamp(r, "ReqBody");
    if (s->ops->body_unread(s))
        stream_close_after(s, SC_RX_BODY);
}

void
request_body_release(struct request *r)
{
    if (r->body.cache == NULL) {
        r->body.storage = NULL;
        return;
    }
    DEBUG_CHECK(r->body.storage != NULL);
    store_give(r->body.storage, USE_REQUESTS, r->body.cache_bytes);
    free(r->body.cache);
    r->body.cache = NULL;
    r->body.cache_bytes = r->body.ahead_bytes = 0;
    r->body.storage = NULL;
    r->body.cached = r->vars.content = SPAN_NULL;
}
