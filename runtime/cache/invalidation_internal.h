/* Invalidations, for the insertion of responses. */
#ifndef VERNIS_CACHE_INVALIDATION_INTERNAL_H
#define VERNIS_CACHE_INVALIDATION_INTERNAL_H

#include "cache/invalidation.h"
#include "cache/position.h"

struct invalidations;

int invalidations_new(struct invalidations **out);     /* ERR_NOMEM */
void invalidations_release(struct invalidations **inv);
/* Purges by key and tag since o was born. o has its place in the index and in the table of surrogate keys. Its shard's lock held. */
void invalidations_judge(struct store *s, const struct object *o, struct verdict *v);

#endif
