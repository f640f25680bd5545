/* Invalidation by requests that reach the origin. A request with an unsafe method invalidates its target, the
 * URLs in Location and Content-Location, and groups of responses. All must be of the same origin: otherwise a
 * response could empty the cache of others. vcl_hash, run for a GET of the URL, gives the key of its
 * responses. */
#include "proxy/rfc9111/invalidate.h"

#include "cache/invalidation.h"
#include "http/cache_control.h"
#include "http/fields.h"
#include "http/url.h"
#include "proxy/request_steps.h"
#include "proxy/server.h"
#include "proxy/rfc9111/successor.h"

/* Makes the key that a GET of this client would have. Leaves the request as it was. */
static void
invalidate_url(struct request *r, struct span url)
{
    struct span url_before = r->req.url, method_before = r->req.method;
    struct cache_key key_before = r->vars.key;
    r->req.url = url;
    r->req.method = SPAN_LIT("GET");
    r->vars.key = (struct cache_key){ 0 };
    if (request_hook(r, HOOK_HASH) == ACTION_LOOKUP && !r->vars.key.failed) {
        struct invalidated done = { 0 };
        store_purge(r->server->env->store, &r->vars.key, 0, &done);
        r->server->counters->n_purges++;
        r->server->counters->n_obj_purged += done.objects;
        if (store_is_retired(r->server->env->store))
            successor_purge(&r->vars.key);
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
    struct span groups = object_head_get(r->object, NAME_CACHE_GROUP_INVALIDATION, SPAN_NULL),
                host = message_get(&r->req, NAME_HOST);
    struct invalidated done = { 0 };
    if (groups.ptr == NULL)
        return;
    store_purge_groups(r->server->env->store, groups, host, r->vars.xid, &done);
    r->server->counters->n_obj_purged += done.objects;
    if (store_is_retired(r->server->env->store))
        successor_purge_groups(groups, host);
}

/* ---- HEAD ---- */

static struct object *
find_stored(struct request *r)
{
    struct store *st = r->server->env->store;
    struct lookup l = {
        .key = &r->vars.key,
        .request = &r->req,
        .now = loop_real(r->loop),
        .grace_limit = -1,
        .ttl_limit = -1,
        .ignore_busy = true,
        .no_wait = true,
        .rfc9111 = true,
        .log = r->ctx.log,
    };
    enum lookup_result found = store_lookup(st, &l);
    DEBUG_CHECK(found != LOOKUP_WAIT);
    if (l.busy != NULL)
        store_withdraw(st, l.busy);
    object_release(&l.busy);
    if (found == LOOKUP_HIT_FOR_MISS || found == LOOKUP_HIT_FOR_PASS)
        object_release(&l.object);
    return l.object;
}

static bool
has_other(const struct object *stored, const struct object *head, name_id field)
{
    struct span now = object_head_get(head, field, SPAN_NULL),
                before = object_head_get(stored, field, SPAN_NULL);
    if (field == NAME_ETAG)
        return now.ptr != NULL && !etag_weak_match(now, before);
    return now.ptr != NULL && !span_eq(now, before);
}

/* Is the stored response different from the present response to a GET? ETag and length belong to a coding,
 * and the HEAD may have asked for a different coding than the fetch. Lengths are compared if the origin has
 * sent both. */
static bool
is_outdated(const struct object *stored, const struct object *head)
{
    if (stored->status != head->status || has_other(stored, head, NAME_LAST_MODIFIED))
        return true;
    if (object_head_get(stored, NAME_CONTENT_ENCODING, SPAN_NULL).ptr != NULL)
        return false;
    bool has_length = object_head_get(stored, NAME_CONTENT_LENGTH, SPAN_NULL).ptr != NULL;
    return has_other(stored, head, NAME_ETAG) || (has_length && has_other(stored, head, NAME_CONTENT_LENGTH));
}

/* A personal response to a HEAD says nothing about the response for all: otherwise every request of a user
 * who is logged in would make that one stale. */
static bool
is_personal(struct request *r)
{
    struct http_message m;
    return message_has(&r->req, NAME_AUTHORIZATION) ||
           message_init(&m, &r->arena, object_fields(r->object)) != 0 ||
           object_head_load(r->object, &m) != 0 || cache_control_is_personal(&m);
}

/* The response to a HEAD may show that the stored response to GET is outdated (RFC 9111, 4.3.5). The stored
 * one must then be validated before its next use. */
static void
compare_head(struct request *r)
{
    if (r->object->status != 200 || is_personal(r))
        return;
    struct object *stored = find_stored(r);
    if (stored != NULL && is_outdated(stored, r->object)) {
        log_text(r->ctx.log, TAG_NOTICE,
                 SPAN_LIT("vsl: The response to a HEAD makes the stored response stale"));
        store_make_stale(r->server->env->store, stored, loop_real(r->loop));
    }
    object_release(&stored);
}

/* ---- unsafe methods ---- */

void
request_invalidate(struct request *r)
{
    DEBUG_CHECK(r->object != NULL && r->route == ROUTE_PASS && r->busy == NULL);
    if (r->rfc9111 && span_eq(r->req.method, SPAN_LIT("HEAD")))
        compare_head(r);
    if (!r->rfc9111 || rfc9111_method_is_safe(r->req.method))
        return;
    if (r->object->status < 200 || r->object->status >= 400)
        return;
    /* An indexed response has already replaced the stored one, in this process */
    if ((r->object->flags & OBJECT_INDEXED) == 0 || store_is_retired(r->server->env->store))
        invalidate_url(r, r->req.url);
    invalidate_reference(r, NAME_LOCATION);
    invalidate_reference(r, NAME_CONTENT_LOCATION);
    invalidate_groups(r);
}
