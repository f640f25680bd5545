/* What RFC 9111 says about a response: may it be stored, how long is it fresh. Pure; time is an argument. A policy may change
 * the proposal afterwards. */
#ifndef VERNIS_FRESHNESS_H
#define VERNIS_FRESHNESS_H

#include "http/message.h"

struct freshness {
    nsec ttl, grace, keep;              /* proposal; ttl counts from `origin_time` */
    nsec origin_time;                   /* wall clock: response time less initial age (RFC 9111, 4.2.3) */
    nsec age, date, expires;            /* as understood; -1 absent */
    int64_t max_age_s;                  /* -1 absent */
    bool cacheable;                     /* status is understood and nothing forbids storing */
    bool stated;                        /* the origin said how long it is fresh */
    bool targeted;                      /* a targeted field (RFC 9213) said so: Cache-Control and Expires were not looked at */
};

struct freshness_rules {
    nsec ttl, grace, keep;              /* where the origin does not say */
    bool targeted;                      /* listen to targeted fields */
    bool rfc9111;                       /* the rules of rfc9111.h, and what they need: */
    const struct http_message *request; /* NULL: nobody's in particular */
    unsigned heuristic_percent;
    nsec heuristic_max, negative_ttl;
};

void freshness_of(const struct http_message *response, nsec response_time, const struct freshness_rules *rules, struct freshness *out);

enum conditional { CONDITIONAL_NONE, CONDITIONAL_NOT_MODIFIED };
/* If-None-Match, else If-Modified-Since of a client's GET or HEAD against a stored 200 (RFC 9110, 13.2.2). */
enum conditional conditional_check(const struct http_message *request, const struct http_message *response);

#endif
