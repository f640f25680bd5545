/* Vary: what a stored response was selected by (RFC 9111, 4.1). */
#ifndef VERNIS_CACHE_VARY_H
#define VERNIS_CACHE_VARY_H

#include "http/message.h"

/* A spec packs, per selecting field, its name and the normalised value of the request it was stored for. */
bool vary_matches(struct span spec, const struct http_message *request);
/* The same for a response in `language` (Content-Language, SPAN_NULL: not known), with Accept-Language taken for what it means: the
 * order of languages does not matter, and a response in the one that the client likes best is the best there can be. */
bool vary_matches_meaning(struct span spec, const struct http_message *request, struct span language);
/* ERR_LIMIT: "*" */
int vary_build(const struct http_message *response, const struct http_message *request, struct arena *a, struct span *spec);
/* Each field of the spec: its stored value (SPAN_NULL: absent), and whether `request` has the same. */
void vary_each(struct span spec, const struct http_message *request,
               void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg);
int vary_check(struct span spec);       /* of one from elsewhere: ERR_SYNTAX */
size_t vary_pack(struct span names, const struct http_message *request, char *out);     /* one Vary line; out NULL: only counts */
size_t vary_repack(struct span spec, const struct http_message *request, char *out);    /* the same fields, for another request */

#endif
