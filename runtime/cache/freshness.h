/* Judges a response by RFC 9111: whether it may be stored, and how long it is fresh. Pure; time is an
 * argument. A policy may change the result afterwards. */
#ifndef VERNIS_CACHE_FRESHNESS_H
#define VERNIS_CACHE_FRESHNESS_H

#include "http/message.h"

struct freshness {
    nsec ttl, grace, keep;   /* proposal; ttl counts from `origin_time` */
    nsec origin_time;        /* wall clock: response time less initial age (RFC 9111, 4.2.3) */
    nsec age, date, expires; /* as parsed; -1 absent */
    int64_t max_age_s;       /* -1 absent */
    bool cacheable;          /* the status allows caching and nothing forbids storing */
    bool stated;             /* the origin states a freshness lifetime */
    bool targeted;           /* a targeted field (RFC 9213) applies: Cache-Control and Expires were ignored */
};

struct freshness_rules {
    nsec ttl, grace, keep;              /* defaults for responses without their own values */
    bool targeted;                      /* obey targeted fields */
    bool rfc9111;                       /* apply the rules of rfc9111.h; the fields below are for them */
    const struct http_message *request; /* NULL: not fetched for a particular request */
    unsigned heuristic_percent;
    nsec heuristic_max, negative_ttl;
};

void freshness_of(const struct http_message *response, nsec response_time,
                  const struct freshness_rules *rules, struct freshness *out);

enum conditional { CONDITIONAL_NONE, CONDITIONAL_NOT_MODIFIED };
/* Evaluates If-None-Match, else If-Modified-Since, of a client's GET or HEAD against a stored 200 (RFC 9110,
 * 13.2.2). `rfc9111`: names of days and months in any case. */
enum conditional conditional_check(const struct http_message *request, const struct http_message *response,
                                   bool rfc9111);

#endif
