/* The field Cache-Status: see cache_status.h. */
#include "proxy/rfc9111/cache_status.h"

#include <assert.h>
#include <stdio.h>

#include "base/check.h"
#include "base/put.h"
#include "http/fields.h"
#include "proxy/server.h"

#define FIELD_NAME "Cache-Status"
#define NAME_BYTES_MAX 64u
#define HIT "; hit; ttl="
#define START_BYTES_MAX (sizeof FIELD_NAME + 1 + NAME_BYTES_MAX + 2)

static_assert(START_BYTES_MAX + CACHE_STATUS_BYTES_MAX + 2 <= CACHE_STATUS_LINE_BYTES, "a line has room");

static const char *const reasons[] = {
    [FORWARD_BYPASS] = "bypass",       [FORWARD_METHOD] = "method", [FORWARD_URI_MISS] = "uri-miss",
    [FORWARD_VARY_MISS] = "vary-miss", [FORWARD_STALE] = "stale",   [FORWARD_REQUEST] = "request",
};

enum forward_reason
forward_reason_of(const struct rfc9111_demand *demand, const struct lookup *looked)
{
    if (looked->object != NULL && !object_is_marker(looked->object))
        return demand->any && !rfc9111_takes_stale(demand) ? FORWARD_REQUEST : FORWARD_STALE;
    return looked->other_variants > 0 ? FORWARD_VARY_MISS : FORWARD_URI_MISS;
}

static enum forward_reason
reason_of(const struct request *r)
{
    if (r->route == ROUTE_CACHE)
        return (enum forward_reason)r->forwarded;
    bool get = span_eq(r->req.method, SPAN_LIT("GET")) || span_eq(r->req.method, SPAN_LIT("HEAD"));
    return get ? FORWARD_BYPASS : FORWARD_METHOD;
}

static bool
is_hit(const struct request *r)
{
    return found_answers(r->vars.found) && r->route == ROUTE_CACHE;
}

/* The seconds left, which are negative if the response is stale. Without printf, since each hit has them. */
static char *
put_seconds_left(char *p, const struct request *r)
{
    nsec left = object_ttl_left(r->object, loop_real(r->loop));
    int64_t seconds = left / NSEC_PER_SEC - (left % NSEC_PER_SEC < 0);
    if (seconds < 0)
        *p++ = '-';
    return put_decimal(p, (uint64_t)(seconds < 0 ? -seconds : seconds));
}

static bool
is_stored(const struct request *r)
{
    return !object_is_transit(r->object);
}

/* Writes the name. A name that is not a token (from the command line) becomes a string, without the
 * characters that need an escape. */
static size_t
put_name(struct span name, char out[NAME_BYTES_MAX + 2])
{
    size_t n = 0;
    bool plain = is_token(name) && (name.ptr[0] < '0' || name.ptr[0] > '9') && name.len <= NAME_BYTES_MAX;
    if (plain) {
        memcpy(out, name.ptr, name.len);
        return name.len;
    }
    out[n++] = '"';
    for (size_t i = 0; i < name.len && n <= NAME_BYTES_MAX; i++)
        if (name.ptr[i] >= ' ' && name.ptr[i] < 0x7f && name.ptr[i] != '"' && name.ptr[i] != '\\')
            out[n++] = name.ptr[i];
    out[n++] = '"';
    return n;
}

size_t
cache_status_facts(const struct request *r, char out[CACHE_STATUS_BYTES_MAX])
{
    if (is_hit(r))
        return (size_t)(put_seconds_left(put_span(out, SPAN_LIT(HIT)), r) - out);
    return (size_t)snprintf(out, CACHE_STATUS_BYTES_MAX, "; fwd=%s; fwd-status=%u%s", reasons[reason_of(r)],
                            (unsigned)r->object->status, is_stored(r) ? "; stored" : "");
}

/* "Cache-Status: edge-1; hit; ttl=", made for the first response: the name of a server never changes. */
static struct span
start_of_hit(struct server *s)
{
    if (s->cache_status.ptr == NULL) {
        char text[START_BYTES_MAX + sizeof HIT], *p = put_span(text, SPAN_LIT(FIELD_NAME ": "));
        struct span name = s->env->server_identity;
        p += put_name(name.len > 0 ? name : SPAN_LIT("vernis"), p);
        p = put_span(p, SPAN_LIT(HIT));
        struct span start = span_of(text, (size_t)(p - text));
        s->cache_status = span_of(mem_text(start), start.len);
    }
    return s->cache_status;
}

static inline char *
put_start(char *p, struct span start)
{
    return start.len <= PUT_SPAN_INLINE_MAX ? put_span_inline(p, start) : put_span(p, start);
}

char *
cache_status_add(struct request *r, struct http_message *resp, char *line)
{
    CHECK(r->object != NULL);
    struct span start = start_of_hit(r->server);
    char *p;
    if (is_hit(r)) {
        p = put_seconds_left(put_start(line, start), r);
    } else {
        p = put_start(line, span_of(start.ptr, start.len - (sizeof HIT - 1)));
        p += cache_status_facts(r, p);
    }
    memcpy(p, "\r\n", 2);
    (void)message_add_line(resp, NAME_CACHE_STATUS, sizeof FIELD_NAME - 1,
                           span_of(line, (size_t)(p + 2 - line)));
    return p + 2;
}
