/* Invalidation by requests with unsafe methods: the target, the URLs in Location and Content-Location, and groups of responses. Only of
 * the same origin: a response must not empty the cache of others. Which responses a URL has is what vcl_hash makes of a GET for it. */
#include "proxy/rfc9111/invalidate.h"

#include "cache/invalidation.h"
#include "http/url.h"
#include "proxy/request_steps.h"
#include "proxy/server.h"

/* The key is made as that of a GET of this client; the request is as before afterwards. */
static void
invalidate_url(struct request *r, struct span url)
{
    struct span url_before = r->req.url, method_before = r->req.method;
    struct cache_key key_before = r->vars.key;
    r->req.url = url;
    r->req.method = SPAN_LIT("GET");
    r->vars.key = (struct cache_key){ 0 };
    if (request_hook(r, HOOK_HASH) == ACTION_LOOKUP && !r->vars.key.failed) {
        r->server->counters->n_purges++;
        r->server->counters->n_obj_purged += store_purge(r->server->env->store, &r->vars.key);
    }
    r->vars.key = key_before;
    r->req.method = method_before;
    r->req.url = url_before;
}

static void
invalidate_reference(struct request *r, name_id field)
{
    struct span reference = object_head_get(r->object, field, SPAN_NULL), url;
    struct url_base base = { message_get(&r->req, NAME_HOST), r->req.url };
    if (reference.ptr == NULL || url_of_same_origin(&base, reference, &r->arena, &url) != 0)
        return;
    if (!span_eq(url, r->req.url))
        invalidate_url(r, url);
}

static void
invalidate_groups(struct request *r)
{
    struct span groups = object_head_get(r->object, NAME_CACHE_GROUP_INVALIDATION, SPAN_NULL);
    if (groups.ptr != NULL)
        r->server->counters->n_obj_purged +=
            store_purge_groups(r->server->env->store, groups, message_get(&r->req, NAME_HOST), r->vars.xid);
}

void
request_invalidate(struct request *r)
{
    if (!rfc9111_on() || rfc9111_method_is_safe(r->req.method))
        return;
    if (r->object->status < 200 || r->object->status >= 400)
        return;
    if ((r->object->flags & OBJECT_INDEXED) == 0)       /* else this response has taken the place of what was stored */
        invalidate_url(r, r->req.url);
    invalidate_reference(r, NAME_LOCATION);
    invalidate_reference(r, NAME_CONTENT_LOCATION);
    invalidate_groups(r);
}
