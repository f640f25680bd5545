/* Interned header names: one worker-wide, append-only table. Well-known names are compile-time constants.
 * Loading a policy adds the names that it uses, up to params.header_names_max; clients never add names. A
 * field whose name is not in the table has id NAME_NONE and is compared by its text. Reading is lock-free,
 * adding takes a lock. */
#ifndef VERNIS_HTTP_NAMES_H
#define VERNIS_HTTP_NAMES_H

#include <stdint.h>

#include "base/span.h"

typedef uint16_t name_id;

/* Stored heads contain these numbers (cache/head_image.h): add new ones at the end. */
enum name_known {
    NAME_NONE,
    NAME_HOST, NAME_CONNECTION, NAME_CONTENT_LENGTH, NAME_TRANSFER_ENCODING, NAME_DATE, NAME_AGE, NAME_VIA,
    NAME_CACHE_CONTROL, NAME_EXPIRES, NAME_LAST_MODIFIED, NAME_ETAG, NAME_VARY, NAME_SET_COOKIE, NAME_COOKIE,
    NAME_AUTHORIZATION, NAME_ACCEPT_ENCODING, NAME_CONTENT_ENCODING, NAME_CONTENT_TYPE, NAME_CONTENT_RANGE, NAME_RANGE,
    NAME_IF_RANGE, NAME_IF_MODIFIED_SINCE, NAME_IF_NONE_MATCH, NAME_IF_MATCH, NAME_IF_UNMODIFIED_SINCE, NAME_EXPECT,
    NAME_KEEP_ALIVE, NAME_UPGRADE, NAME_TE, NAME_TRAILER, NAME_PROXY_AUTHENTICATE, NAME_PROXY_AUTHORIZATION,
    NAME_PROXY_CONNECTION, NAME_X_FORWARDED_FOR, NAME_X_VARNISH, NAME_ACCEPT_RANGES, NAME_PRAGMA, NAME_RETRY_AFTER,
    NAME_SURROGATE_CONTROL, NAME_SURROGATE_CAPABILITY, NAME_LOCATION, NAME_SERVER, NAME_USER_AGENT, NAME_REFERER,
    NAME_ACCEPT, NAME_ACCEPT_LANGUAGE, NAME_HTTP2_SETTINGS, NAME_ALLOW,
    NAME_CDN_CACHE_CONTROL, NAME_VERNIS_CACHE_CONTROL, NAME_CACHE_STATUS, NAME_CACHE_GROUPS, NAME_CACHE_GROUP_INVALIDATION,
    NAME_CONTENT_LOCATION, NAME_CONTENT_LANGUAGE, NAME_VERNIS_WHY,
    NAME_REQUEST_RANGE, NAME_UNLESS_MODIFIED_SINCE, NAME_A_IM,
    NAME_ACCEPT_CHARSET, NAME_ACCESS_CONTROL_ALLOW_ORIGIN, NAME_CONTENT_DISPOSITION, NAME_FROM, NAME_LINK,
    NAME_MAX_FORWARDS, NAME_REFRESH, NAME_STRICT_TRANSPORT_SECURITY, NAME_WWW_AUTHENTICATE,
    NAME_KNOWN_COUNT
};

void names_init(void);                              /* once per process, before any other function here */
name_id name_lookup(struct span text);              /* NAME_NONE if not in the table */
/* All ids below this one are in the table: a later lookup of a name that has one of them finds it. */
unsigned names_count(void);
/* ERR_LIMIT when the table is full, ERR_SYNTAX if not a token. */
int name_intern(struct span text, name_id *out);

extern const struct span name_known_texts[NAME_KNOWN_COUNT];
struct span name_added_text(name_id id);

static inline struct span
name_text(name_id id) /* canonical spelling; for added names the spelling interned first */
{
    return id != NAME_NONE && id < NAME_KNOWN_COUNT ? name_known_texts[id] : name_added_text(id);
}

#endif
