/* The part of invalidation.c that the insertion of responses uses. */
#ifndef VERNIS_CACHE_INVALIDATION_INTERNAL_H
#define VERNIS_CACHE_INVALIDATION_INTERNAL_H

#include "cache/invalidation.h"
#include "cache/position.h"

struct invalidations;

int invalidations_new(struct invalidations **out); /* ERR_NOMEM */
void invalidations_release(struct invalidations **inv);
/* Tests o against the purges by key and tag since it was born. Call with its shard's lock held, after o is in
 * the index and in the table of surrogate keys. */
void invalidations_judge(struct store *s, const struct object *o, struct verdict *v);

#endif
