/* The rules of RFC 9111 that 4.x policies do not have: what may be stored, how stale it may be used, and what a client may ask of the
 * cache. They hold while parameter `feature` has its bit rfc9111; freshness.h has what holds always. response.c judges
 * responses, request.c requests. Pure; time is an argument. Belongs together with cache/freshness: that finds what both modes share, and
 * asks here for the rest. */
#ifndef VERNIS_RFC9111_H
#define VERNIS_RFC9111_H

#include "base/params.h"
#include "cache/freshness.h"
#include "http/cache_control.h"

struct object;

static inline bool
rfc9111_on(void)
{
    return (params.features & FEATURE_RFC9111) != 0;
}

/* ---- responses ---- */
/* Completes what freshness_of has found: lifetimes, and whether the response may be stored at all. */
void rfc9111_judge(const struct http_message *response, const struct cache_control *cc, const struct freshness_rules *rules,
                   struct freshness *out);
/* May the stored response be used `now`, although it is stale and the origin cannot be reached, or answers with 5xx? */
bool rfc9111_stale_if_away(const struct object *stored, nsec now);
bool rfc9111_stale_if_error(const struct object *stored, nsec now);
/* The fields that no-cache="..." and private="..." name leave a response that was stored for another request. */
void rfc9111_withhold_fields(struct http_message *response);
bool rfc9111_method_is_safe(struct span method);

/* ---- requests ---- */
struct rfc9111_demand {                 /* what the client asks of a stored response; -1: nothing */
    nsec age_max, fresh_min, stale_max;
    bool no_cache, no_store, only_if_cached;
    bool any;                           /* it asks for something */
};

void rfc9111_demand_of(const struct http_message *request, struct rfc9111_demand *out);
/* Is the stored response, which becomes stale at `stale_at`, good enough? */
bool rfc9111_is_met(const struct rfc9111_demand *d, const struct object *stored, nsec stale_at, nsec now);
bool rfc9111_takes_stale(const struct rfc9111_demand *d);      /* as far as the origin allows it by itself */

#endif
