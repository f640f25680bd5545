/* Vary: selects among the stored responses of a key (RFC 9111, 4.1). */
#ifndef VERNIS_CACHE_VARY_H
#define VERNIS_CACHE_VARY_H

#include "http/message.h"

/* A spec holds, for each selecting field, its name and the normalised value of the request for which the
 * response was stored. */
bool vary_matches(struct span spec, const struct http_message *request);
/* The same, but compares Accept-Language by meaning, for a response in `language` (Content-Language;
 * SPAN_NULL: not known): the order of languages does not matter, and a response in the client's preferred
 * language always matches. */
bool vary_matches_meaning(struct span spec, const struct http_message *request, struct span language);
/* ERR_LIMIT: "*" */
int vary_build(const struct http_message *response, const struct http_message *request, struct arena *a,
               struct span *spec);
/* Calls fn for each field of the spec, with its stored value (SPAN_NULL: absent), and whether `request` has
 * the same value. */
void vary_each(struct span spec, const struct http_message *request,
               void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg);
int vary_check(struct span spec); /* checks a foreign spec: ERR_SYNTAX */
/* Packs one Vary line; out NULL: only counts. */
size_t vary_pack(struct span names, const struct http_message *request, char *out);
/* Packs the same fields for another request. */
size_t vary_repack(struct span spec, const struct http_message *request, char *out);

#endif
