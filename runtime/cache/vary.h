/* Vary: selects among the stored responses of a key (RFC 9111, 4.1). */
#ifndef VERNIS_CACHE_VARY_H
#define VERNIS_CACHE_VARY_H

#include "cache/digest.h"
#include "http/message.h"

/* A spec holds, for each selecting field, its name and the normalised value of the request for which the
 * response was stored. */
bool vary_matches(struct span spec, const struct http_message *request);
/* The same, but compares Accept-Language by meaning, for a response in `language` (Content-Language;
 * SPAN_NULL: not known): the order of languages does not matter, and a response in the client's preferred
 * language always matches. */
bool vary_matches_meaning(struct span spec, const struct http_message *request, struct span language);

/* Keyed hashes of a spec. A look-up among many variants compares these, and then the values of the one that
 * it selects: equal values have equal marks, and nothing else is concluded from equal marks. 0 in a field of
 * languages: none. */
struct vary_marks {
    uint64_t names;   /* of the selecting fields, in their order */
    uint32_t values;  /* of the fields but the next two */
    uint32_t codings; /* of Accept-Encoding, which the delivery may meet */
    uint32_t languages;
    uint32_t language_set; /* the same for lists of equal meaning */
    /* Of a response: its language (Content-Language). Of a request: its preferred language. */
    uint32_t language;
};

/* Marks of a stored spec, of a response in `language` (SPAN_NULL: not known). */
void vary_mark_stored(const struct digest_secret *s, struct span spec, struct span language,
                      struct vary_marks *out);
/* Marks of a request by the fields of the spec, whose values do not matter. */
void vary_mark_request(const struct digest_secret *s, struct span spec, const struct http_message *request,
                       struct vary_marks *out);
/* False: a response with the marks `stored`, for the same fields, is not selected by a request with the marks
 * `asked`: vary_matches or, if `by_meaning`, vary_matches_meaning would return false. */
bool vary_marks_agree(const struct vary_marks *stored, const struct vary_marks *asked, bool by_meaning);
/* Calls fn for each field of the spec, with its stored value (SPAN_NULL: absent), and whether `request` has
 * the same value. */
void vary_each(struct span spec, const struct http_message *request,
               void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg);
int vary_check(struct span spec); /* checks a foreign spec: ERR_SYNTAX */
/* Packs one Vary line; out NULL: only counts. */
size_t vary_pack(struct span names, const struct http_message *request, char *out);
/* Packs the same fields for another request; NULL: without their values. */
size_t vary_repack(struct span spec, const struct http_message *request, char *out);

#endif
