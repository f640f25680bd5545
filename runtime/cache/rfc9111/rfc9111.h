/* The rules of RFC 9111 that VCL 4.x policies lack: which responses may be stored, how stale they may be
 * used, and what a client may require of the cache. They apply to requests whose policy is of vcl 5.0, and
 * to all while the parameter `feature` has its bit rfc9111 (policy_follows_rfc9111); freshness.h has the
 * rules that always apply. response.c judges responses, request.c requests. Pure; time is an argument.
 * Belongs together with cache/freshness: that file has the rules that both modes share, and calls these for
 * the rest. */
#ifndef VERNIS_CACHE_RFC9111_RFC9111_H
#define VERNIS_CACHE_RFC9111_RFC9111_H

#include "base/params.h"
#include "cache/freshness.h"
#include "http/cache_control.h"

struct object;

/* Whether the parameter turns the rules on for all policies. */
static inline bool
rfc9111_for_all(void)
{
    return (params.features & FEATURE_RFC9111) != 0;
}

/* ---- responses ---- */
/* Completes the result of freshness_of: lifetimes, and whether the response may be stored at all. */
void rfc9111_judge(const struct http_message *response, const struct cache_control *cc,
                   const struct freshness_rules *rules, struct freshness *out);
/* May the stale response be used `now`, when the origin cannot be reached or answers with 5xx? */
bool rfc9111_stale_if_away(const struct object *stored, nsec now);
bool rfc9111_stale_if_error(const struct object *stored, nsec now);
/* Removes the fields that no-cache="..." and private="..." name, for a response that was stored for another
 * request. */
void rfc9111_withhold_fields(struct http_message *response);
/* False: that would remove none. */
bool rfc9111_may_withhold(const struct http_message *response);
bool rfc9111_method_is_safe(struct span method);

/* ---- requests ---- */
struct rfc9111_demand { /* the client's requirements on a stored response; -1: none */
    nsec age_max, fresh_min, stale_max;
    bool no_cache, no_store, only_if_cached;
    bool any; /* the client has at least one requirement */
};

void rfc9111_demand_of(const struct http_message *request, struct rfc9111_demand *out);
/* Does the stored response, which becomes stale at `stale_at`, meet the demand? */
bool rfc9111_is_met(const struct rfc9111_demand *d, const struct object *stored, nsec stale_at, nsec now);
/* May a stale response be used, if the origin allows it? */
bool rfc9111_takes_stale(const struct rfc9111_demand *d);

#endif
