/* Builds requests to origins. Hop-by-hop fields are left out (RFC 9110, 7.6.1), except those in a pipe that
 * describe its bytes. For a fetch into the cache, conditions, ranges and Cache-Control are left out, too:
 * they belong to this client, not to the stored response. */
#include "proxy/bereq.h"

#include "base/check.h"
#include "base/params.h"
#include "base/put.h"
#include "cache/rfc9111/rfc9111.h"
#include "http/fields.h"

#define BEREQ_FIELDS_SPARE 16
#define FORWARDS_MAX INT32_MAX
#define MAX_FORWARDS SPAN_LIT("Max-Forwards")

/* Origins also take Request-Range for Range, and Unless-Modified-Since for If-Range, from drafts of 1995.
 * A-IM asks for the difference from the client's own copy (RFC 3229). */
static const name_id miss_drops[] = {
    NAME_CACHE_CONTROL,     NAME_CONTENT_RANGE,         NAME_IF_MATCH, NAME_IF_NONE_MATCH,
    NAME_IF_MODIFIED_SINCE, NAME_IF_UNMODIFIED_SINCE,   NAME_IF_RANGE, NAME_RANGE,
    NAME_REQUEST_RANGE,     NAME_UNLESS_MODIFIED_SINCE, NAME_A_IM,
};

/* A pipe carries the bytes of the client unchanged, so their framing fields go with them, and the client
 * reads the response itself. Upgrade and Connection go only if vcl_pipe sets them, as in Varnish: otherwise a
 * client could leave HTTP/1 without the consent of the policy. */
static bool
describes_piped_bytes(name_id id)
{
    switch (id) {
    case NAME_TRANSFER_ENCODING:
    case NAME_TRAILER:
    case NAME_TE:
    case NAME_PROXY_AUTHENTICATE:
    case NAME_PROXY_AUTHORIZATION: return true;
    }
    return false;
}

/* Cache-Control is for every cache on the way (RFC 9111, 5.2). Varnish does not send it when it fetches for
 * the cache. */
static bool
is_for_next_cache(name_id id, bool rfc9111)
{
    return id == NAME_CACHE_CONTROL && rfc9111;
}

static bool
dropped(const struct http_field *f, enum bereq_for what, bool rfc9111)
{
    if (f->id == NAME_EXPECT)
        return what != BEREQ_PIPE; /* this proxy answers it */
    if (f->id == NAME_ACCEPT_RANGES)
        return what != BEREQ_PIPE; /* a field of responses */
    if ((f->flags & FIELD_HOP) != 0)
        return what != BEREQ_PIPE || !describes_piped_bytes(f->id);
    for (size_t i = 0; what == BEREQ_MISS && i < sizeof miss_drops / sizeof miss_drops[0]; i++)
        if (f->id == miss_drops[i] && !is_for_next_cache(f->id, rfc9111))
            return true;
    return false;
}

static int
copy_text(struct arena *a, struct span from, struct span *to)
{
    *to = arena_copy(a, from);
    return to->ptr == NULL && from.ptr != NULL ? ERR_NOMEM : 0;
}

static int
copy_fields(const struct http_message *req, enum bereq_for what, bool rfc9111, struct http_message *out)
{
    int err = 0;
    for (unsigned i = 0; err == 0 && i < req->n_fields; i++) {
        const struct http_field *f = &req->fields[i];
        struct span name = f->id != NAME_NONE ? name_text(f->id) : f->name, value;
        if (dropped(f, what, rfc9111))
            continue;
        if (f->id == NAME_NONE || !span_eq(name, f->name))
            err = copy_text(out->arena, f->name, &name);
        if (err == 0)
            err = copy_text(out->arena, f->value, &value);
        if (err == 0)
            err = message_add(out, f->id, name, value);
    }
    message_ids_are_known(out, req->ids_known);
    return err;
}

/* Only for a response that goes to this client alone: TE: trailers would speak for all clients (RFC 9110,
 * 6.5.1). */
static void
ask_for_trailers(const struct http_message *req, struct http_message *out)
{
    if (!list_has_token(message_get(req, NAME_TE), SPAN_LIT("trailers")))
        return;
    (void)message_add(out, NAME_TE, SPAN_NULL, SPAN_LIT("trailers"));
    (void)message_add(out, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("TE"));
}

int64_t
bereq_forwards_left(const struct http_message *req)
{
    uint64_t n;
    if (!span_eq(req->method, SPAN_LIT("OPTIONS")) && !span_eq(req->method, SPAN_LIT("TRACE")))
        return -1;
    int err = parse_uint(message_get_named(req, NAME_NONE, MAX_FORWARDS), &n);
    if (err == ERR_SYNTAX)
        return -1;
    return err == ERR_LIMIT || n > FORWARDS_MAX ? FORWARDS_MAX : (int64_t)n;
}

static int
count_forward(struct http_message *bereq)
{
    int64_t left = bereq_forwards_left(bereq);
    if (left <= 0)
        return 0;
    struct span text = arena_decimal(bereq->arena, (uint64_t)left - 1);
    return text.ptr == NULL ? ERR_NOMEM : message_set(bereq, NAME_NONE, MAX_FORWARDS, text);
}

int
bereq_make(struct http_message *req, enum bereq_for what, bool rfc9111, uint64_t xid, struct arena *arena,
           struct http_message *out)
{
    DEBUG_CHECK(out != req && req->n_fields <= req->cap_fields);
    int err = message_init(out, arena, req->n_fields + BEREQ_FIELDS_SPARE);
    if (err != 0)
        return err;
    message_mark_always(req); /* the fields that the client's Connection names were marked on receipt */
    out->minor = 1;
    out->proto = what == BEREQ_PIPE && req->minor == 0 ? SPAN_LIT("HTTP/1.0") : SPAN_LIT("HTTP/1.1");
    err = copy_text(arena, req->url, &out->url);
    if (err == 0)
        err = what == BEREQ_MISS ? (out->method = SPAN_LIT("GET"), 0)
                                 : copy_text(arena, req->method, &out->method);
    if (err == 0)
        err = copy_fields(req, what, rfc9111, out);
    if (err == 0)
        err = count_forward(out);
    if (err != 0)
        return err;
    struct span id = arena_decimal(arena, xid);
    if (id.ptr == NULL)
        return ERR_NOMEM;
    if (rfc9111)
        (void)message_add(out, NAME_VIA, SPAN_NULL, SPAN_LIT(VIA_TEXT)); /* RFC 9110, 7.6.3 */
    if (rfc9111 && what == BEREQ_PASS)
        ask_for_trailers(req, out);
    if (what == BEREQ_MISS && params.http_gzip_support)
        /* For all clients: the delivery unpacks it if needed */
        (void)message_set(out, NAME_ACCEPT_ENCODING, SPAN_NULL, SPAN_LIT("gzip"));
    if (what == BEREQ_PIPE)
        (void)message_set(out, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    /* Behind the number of a Varnish in front of us */
    return message_add(out, NAME_X_VARNISH, SPAN_NULL, id);
}

bool
bereq_add_validators(struct http_message *bereq, const struct object *stale)
{
    struct span etag = object_head_get(stale, NAME_ETAG, SPAN_NULL);
    struct span modified = object_head_get(stale, NAME_LAST_MODIFIED, SPAN_NULL);
    if (stale->status != 200 || (etag.ptr == NULL && modified.ptr == NULL))
        return false;
    if (copy_text(bereq->arena, etag, &etag) != 0 || copy_text(bereq->arena, modified, &modified) != 0)
        return false; /* then do a full fetch */
    if (etag.ptr != NULL)
        (void)message_set(bereq, NAME_IF_NONE_MATCH, SPAN_NULL, etag);
    if (modified.ptr != NULL)
        (void)message_set(bereq, NAME_IF_MODIFIED_SINCE, SPAN_NULL, modified);
    return true;
}

int
bereq_set_host(struct http_message *bereq, struct span host_header)
{
    if (message_has(bereq, NAME_HOST))
        return 0;
    return message_set(bereq, NAME_HOST, SPAN_NULL, host_header.ptr == NULL ? SPAN_LIT("") : host_header);
}
