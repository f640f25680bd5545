/* The field Cache-Status: see cache_status.h. */
#include "proxy/rfc9111/cache_status.h"

#include <stdio.h>

#include "base/put.h"
#include "http/fields.h"
#include "proxy/server.h"

#define NAME_BYTES_MAX 64u

static const char *const reasons[] = {
    [FORWARD_BYPASS] = "bypass",       [FORWARD_METHOD] = "method", [FORWARD_URI_MISS] = "uri-miss",
    [FORWARD_VARY_MISS] = "vary-miss", [FORWARD_STALE] = "stale",   [FORWARD_REQUEST] = "request",
};

enum forward_reason
forward_reason_of(const struct rfc9111_demand *demand, const struct lookup *looked)
{
    bool marker = looked->object != NULL &&
                  (looked->object->flags & (OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) != 0;
    if (looked->object != NULL && !marker)
        return demand->any && !rfc9111_takes_stale(demand) ? FORWARD_REQUEST : FORWARD_STALE;
    return looked->other_variants > 0 ? FORWARD_VARY_MISS : FORWARD_URI_MISS;
}

static enum forward_reason
reason_of(const struct request *r)
{
    if (!r->is_pass)
        return (enum forward_reason)r->forwarded;
    bool get = span_eq(r->req.method, SPAN_LIT("GET")) || span_eq(r->req.method, SPAN_LIT("HEAD"));
    return get ? FORWARD_BYPASS : FORWARD_METHOD;
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
    return (r->object->flags & (OBJECT_PRIVATE | OBJECT_HIT_FOR_MISS | OBJECT_HIT_FOR_PASS)) == 0;
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
    if (r->vars.is_hit && !r->is_pass)
        return (size_t)(put_seconds_left(put_span(out, SPAN_LIT("; hit; ttl=")), r) - out);
    return (size_t)snprintf(out, CACHE_STATUS_BYTES_MAX, "; fwd=%s; fwd-status=%u%s", reasons[reason_of(r)],
                            (unsigned)r->object->status, is_stored(r) ? "; stored" : "");
}

void
cache_status_add(struct request *r, struct http_message *resp)
{
    char text[NAME_BYTES_MAX + 2 + CACHE_STATUS_BYTES_MAX];
    struct span name = r->server->env->server_identity;
    size_t n = put_name(name.len > 0 ? name : SPAN_LIT("vernis"), text);
    n += cache_status_facts(r, text + n);
    struct span value = arena_copy(resp->arena, span_of(text, n));
    if (value.ptr == NULL)
        resp->failed = 1;
    else
        (void)message_add(resp, NAME_CACHE_STATUS, SPAN_NULL, value);
}
