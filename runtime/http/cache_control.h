/* The Cache-Control fields of a message (RFC 9111, 5.2). */
#ifndef VERNIS_CACHE_CONTROL_H
#define VERNIS_CACHE_CONTROL_H

#include "http/message.h"

struct cache_control {
    int64_t max_age_s, s_maxage_s, stale_while_revalidate_s, stale_if_error_s;    /* -1 = absent */
    int64_t min_fresh_s, max_stale_s;   /* of requests; max-stale without a number: MAX_STALE_ANY */
    bool no_store, no_cache, is_private, is_public, must_revalidate, proxy_revalidate, no_transform, only_if_cached;
    bool must_understand;
    bool no_cache_fields, private_fields;       /* it came with names of fields, and never without: only those are meant */
};

#define MAX_STALE_ANY INT64_MAX

/* All Cache-Control fields of a message together. An unparsable max-age counts as 0 (stale). */
void cache_control_parse(const struct http_message *m, struct cache_control *out);
/* The targeted field (RFC 9213) that decides instead: the first of our list that is there, not empty and a dictionary without a mistake.
 * False: there is none, Cache-Control decides. */
bool cache_control_targeted(const struct http_message *m, struct cache_control *out);
/* Is the field named by no-cache="..." or private="..." of this list of directives? */
bool cache_control_names(struct span directives, struct span field_name);

#endif
