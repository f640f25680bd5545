/* Building requests to origins. What is left out: hop-by-hop fields (RFC 9110, 7.6.1); for a fetch into the cache also
 * conditions and ranges, which belong to this client, not to the stored response. */
#include "proxy/bereq.h"

#include "base/check.h"
#include "base/params.h"
#include "http/fields.h"

#define BEREQ_FIELDS_SPARE 16

static const name_id miss_drops[] = {
    NAME_IF_MATCH, NAME_IF_NONE_MATCH, NAME_IF_MODIFIED_SINCE, NAME_IF_UNMODIFIED_SINCE, NAME_IF_RANGE, NAME_RANGE,
};

static bool
dropped(const struct http_field *f, enum bereq_for what)
{
    if (f->id == NAME_EXPECT)
        return what != BEREQ_PIPE;      /* answered by us */
    if (f->id == NAME_UPGRADE || f->id == NAME_CONNECTION || f->id == NAME_HTTP2_SETTINGS)
        return what != BEREQ_PIPE;
    if ((f->flags & FIELD_HOP) != 0)
        return what != BEREQ_PIPE || f->id == NAME_KEEP_ALIVE || f->id == NAME_PROXY_CONNECTION;
    for (size_t i = 0; what == BEREQ_MISS && i < sizeof miss_drops / sizeof miss_drops[0]; i++)
        if (f->id == miss_drops[i])
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
copy_fields(const struct http_message *req, enum bereq_for what, struct http_message *out)
{
    int err = 0;
    for (unsigned i = 0; err == 0 && i < req->n_fields; i++) {
        const struct http_field *f = &req->fields[i];
        struct span name = f->id != NAME_NONE ? name_text(f->id) : f->name, value;
        if (dropped(f, what))
            continue;
        if (f->id == NAME_NONE || !span_eq(name, f->name))
            err = copy_text(out->arena, f->name, &name);
        if (err == 0)
            err = copy_text(out->arena, f->value, &value);
        if (err == 0)
            err = message_add(out, f->id, name, value);
    }
    return err;
}

int
bereq_make(struct request *r, enum bereq_for what, uint64_t xid, struct arena *arena, struct http_message *out)
{
    struct http_message *req = &r->req;
    int err = message_init(out, arena, req->n_fields + BEREQ_FIELDS_SPARE);
    if (err != 0)
        return err;
    message_mark_always(req);           /* what the client's Connection names was marked on receipt */
    out->minor = 1;
    out->proto = what == BEREQ_PIPE && req->minor == 0 ? SPAN_LIT("HTTP/1.0") : SPAN_LIT("HTTP/1.1");
    err = copy_text(arena, req->url, &out->url);
    if (err == 0)
        err = what == BEREQ_MISS ? (out->method = SPAN_LIT("GET"), 0) : copy_text(arena, req->method, &out->method);
    if (err == 0)
        err = copy_fields(req, what, out);
    if (err != 0)
        return err;
    struct span id = arena_printf(arena, "%llu", (unsigned long long)xid);
    if (id.ptr == NULL)
        return ERR_NOMEM;
    if (what == BEREQ_PIPE)
        (void)message_set(out, NAME_CONNECTION, SPAN_NULL, SPAN_LIT("close"));
    return message_set(out, NAME_X_VARNISH, SPAN_NULL, id);
}

bool
bereq_add_validators(struct http_message *bereq, const struct object *stale)
{
    struct span etag = object_head_get(stale, NAME_ETAG, SPAN_NULL);
    struct span modified = object_head_get(stale, NAME_LAST_MODIFIED, SPAN_NULL);
    if (stale->status != 200 || (etag.ptr == NULL && modified.ptr == NULL))
        return false;
    if (copy_text(bereq->arena, etag, &etag) != 0 || copy_text(bereq->arena, modified, &modified) != 0)
        return false;                   /* a full fetch then */
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
