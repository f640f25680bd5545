/* The part of invalidation.c that insertions, lookups and the sweep use. */
#ifndef VERNIS_CACHE_INVALIDATION_INTERNAL_H
#define VERNIS_CACHE_INVALIDATION_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "cache/index.h"
#include "cache/invalidation.h"
#include "cache/purge/purges.h"

struct invalidations {
    atomic_ullong latest; /* position of the latest purge */
    pthread_mutex_t lock; /* taken after a shard's lock, and before the lock of the ban list */
    /* guarded by the lock, like all fields below */
    struct purges purges;
    struct purges of_all; /* of the digest ALL; needed until the sweep has passed */
    size_t held_bytes;
    unsigned added; /* purges since purges_forget */
};

int invalidations_new(struct invalidations **out); /* ERR_NOMEM */
void invalidations_release(struct invalidations **inv);
/* Tests o against the purges by key and tag since it was born. Call with its shard's lock held, after o is in
 * the index and in the table of surrogate keys. */
void invalidations_judge(struct store *s, const struct object *o, struct verdict *v);


/* ---- purges of everything ---- */

/* Makes o stale if a soft one concerns it. May be repeated. Shard lock held. */
void purged_all_soften(struct store *s, struct shard *sh, struct object *o);
/* Forgets the purges that no fetch under way needs, also those of everything if all responses older than
 * `swept` were handled. */
void invalidations_tidy(struct store *s, uint64_t swept);

#endif
