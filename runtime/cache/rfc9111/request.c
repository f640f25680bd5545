/* The directives of a request: a client's requirements on the cache (RFC 9111, 5.2.1). */
#include "cache/object.h"
#include "cache/rfc9111/rfc9111.h"

static nsec
time_of(int64_t s)
{
    return s < 0 ? -1 : s > NSEC_NEVER / NSEC_PER_SEC ? NSEC_NEVER : s * NSEC_PER_SEC;
}

void
rfc9111_demand_of(const struct http_message *request, struct rfc9111_demand *out)
{
    struct cache_control cc;
    *out = (struct rfc9111_demand){ .age_max = -1, .fresh_min = -1, .stale_max = -1 };
    if (!message_has(request, NAME_CACHE_CONTROL))
        return;
    cache_control_parse(request, &cc);
    out->age_max = time_of(cc.max_age_s);
    out->fresh_min = time_of(cc.min_fresh_s);
    out->stale_max = time_of(cc.max_stale_s);
    out->no_cache = cc.no_cache;
    out->no_store = cc.no_store;
    out->only_if_cached = cc.only_if_cached;
    out->any = cc.no_cache || out->age_max >= 0 || out->fresh_min >= 0 || out->stale_max >= 0;
}

/* max-stale relaxes only the limits that the RFC leaves to the client; the origin's prohibitions stay in
 * force. */
bool
rfc9111_is_met(const struct rfc9111_demand *d, const struct object *stored, nsec stale_at, nsec now)
{
    if (d->no_cache || (d->age_max >= 0 && object_age(stored, now) > d->age_max))
        return false;
    nsec left = nsec_add(stale_at, -now);
    if (left > 0)
        return d->fresh_min < 0 || left >= d->fresh_min;
    return d->fresh_min < 0 && d->stale_max >= -left && rfc9111_stale_if_away(stored, now);
}

bool
rfc9111_takes_stale(const struct rfc9111_demand *d)
{
    return !d->no_cache && d->age_max < 0 && d->fresh_min < 0;
}
