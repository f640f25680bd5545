/* Describes the variants stored under one key, for `vernis explain-key`. Reads only: counts no lookup and
 * changes no hits. */
#ifndef VERNIS_CACHE_VARIANTS_H
#define VERNIS_CACHE_VARIANTS_H

#include "cache/store.h"

enum variant_kind { VARIANT_RESPONSE, VARIANT_HIT_FOR_MISS, VARIANT_HIT_FOR_PASS, VARIANT_BUSY };
enum variant_state { VARIANT_FRESH, VARIANT_GRACE, VARIANT_KEEP, VARIANT_DEAD };

#define VARIANT_SEGMENTS_BYTES 128u

struct variant {
    struct object *object;  /* a reference from store_variants, which the caller releases */
    enum variant_kind kind; /* busy: a fetch is under way, and the fields below are not known yet */
    enum variant_state state;
    bool selected;  /* the fields of the request select it */
    bool banned;    /* the next lookup drops it */
    bool purged;    /* a purge of everything removed it: lookups pass over it until the sweep frees it */
    uint64_t bytes; /* bytes of head and body, as its storage counts them */
    struct span storage;
    /* The stored parts of a partial object (body_describe); "": not partial. */
    char segments[VARIANT_SEGMENTS_BYTES];
};

/* Returns the variants newest first, as a lookup scans them; at most `max` references. Returns the total
 * number. */
unsigned store_variants(struct store *s, const struct cache_key *key, struct object *out[], unsigned max);
void variant_describe(struct store *s, struct object *o, const struct http_message *request, bool rfc9111,
                      nsec now, struct variant *out);
/* Calls fn for each selecting field, with the stored value in its normal form (SPAN_NULL: the request had no
 * such field), and whether `request` has the same value. */
void variant_fields(const struct object *o, const struct http_message *request,
                    void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg);

#endif
