/* The Cache-Control fields of a message (RFC 9111, 5.2). */
#ifndef VERNIS_HTTP_CACHE_CONTROL_H
#define VERNIS_HTTP_CACHE_CONTROL_H

#include "http/message.h"

struct cache_control {
    int64_t max_age_s, s_maxage_s, stale_while_revalidate_s, stale_if_error_s; /* -1 = absent */
    int64_t min_fresh_s, max_stale_s; /* in requests; max-stale without a number: MAX_STALE_ANY */
    bool no_store, no_cache, is_private, is_public, must_revalidate, proxy_revalidate, no_transform,
        only_if_cached;
    bool must_understand;
    /* Every occurrence has field names: only those fields are restricted. */
    bool no_cache_fields, private_fields;
    bool as_varnish; /* see cache_control_parse_as_varnish */
};

#define MAX_STALE_ANY INT64_MAX

/* Joins all Cache-Control fields of a message. An unparsable max-age counts as 0 (stale). */
void cache_control_parse(const struct http_message *m, struct cache_control *out);
/* The same, but reads lifetimes as Varnish does: the first of several, and the digits of "1.5" and "+60". */
void cache_control_parse_as_varnish(const struct http_message *m, struct cache_control *out);
/* Parses the targeted field (RFC 9213) that overrides Cache-Control: the first field of our target list that
 * is present, not empty and a valid dictionary. False: no such field, Cache-Control applies. */
bool cache_control_targeted(const struct http_message *m, struct cache_control *out);
/* Is the response for one user, or not to be stored? */
bool cache_control_is_personal(const struct http_message *response);
/* Does no-cache="..." or private="..." in this list of directives name the field? */
bool cache_control_names(struct span directives, struct span field_name);
/* The argument of the first directive of that name in any case, without quotes around it; empty: it has none.
 * SPAN_NULL: no such directive. */
struct span cache_control_value(struct span directives, struct span name);
/* Is there a directive of one of these names, in any case? The names are separated by NUL. */
bool cache_control_has(struct span directives, struct span names);

#endif
