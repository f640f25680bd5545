/* What is stored under one key, for people who ask (vernis explain-key). Reads only: no look-up is counted, nothing is touched. */
#ifndef VERNIS_CACHE_VARIANTS_H
#define VERNIS_CACHE_VARIANTS_H

#include "cache/store.h"

enum variant_kind { VARIANT_RESPONSE, VARIANT_HIT_FOR_MISS, VARIANT_HIT_FOR_PASS, VARIANT_BUSY };
enum variant_state { VARIANT_FRESH, VARIANT_GRACE, VARIANT_KEEP, VARIANT_DEAD };

#define VARIANT_SEGMENTS_BYTES 128u

struct variant {
    struct object *object;              /* a reference of store_variants, which the caller gives back */
    enum variant_kind kind;             /* busy: an origin is asked for it, and the rest is not known yet */
    enum variant_state state;
    bool selected;                      /* by the fields of the request */
    bool banned;                        /* the next look-up drops it */
    uint64_t bytes;                     /* head and body, as its storage counts them */
    struct span storage;
    char segments[VARIANT_SEGMENTS_BYTES];      /* of a partial object: those that are there (parts_describe); "": it is none */
};

/* Newest first, as a look-up goes through them; at most `max`. Returns how many there are. */
unsigned store_variants(struct store *s, const struct cache_key *key, struct object *out[], unsigned max);
void variant_describe(struct store *s, struct object *o, const struct http_message *request, nsec now, struct variant *out);
/* The selecting fields: the value that was stored, in its normal form (SPAN_NULL: the request had none), and whether `request` has
 * the same. */
void variant_fields(const struct object *o, const struct http_message *request,
                    void (*fn)(struct span name, struct span stored, bool same, void *arg), void *arg);

#endif
