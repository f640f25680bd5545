/* The Cache-Control fields of a message (RFC 9111, 5.2). */
#ifndef VERNIS_CACHE_CONTROL_H
#define VERNIS_CACHE_CONTROL_H

#include "http/message.h"

struct cache_control {
    int64_t max_age_s, s_maxage_s, stale_while_revalidate_s, stale_if_error_s;    /* -1 = absent */
    bool no_store, no_cache, is_private, is_public, must_revalidate, proxy_revalidate, no_transform, only_if_cached;
};
/* All Cache-Control fields of a message together. An unparsable max-age counts as 0 (stale). */
void cache_control_parse(const struct http_message *m, struct cache_control *out);

#endif
