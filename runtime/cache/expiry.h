/* A heap of a shard's objects, ordered by the end of ttl, grace and keep. Guarded by the shard lock. */
#ifndef VERNIS_CACHE_EXPIRY_H
#define VERNIS_CACHE_EXPIRY_H

#include "cache/object.h"

struct expiry_item {
    nsec death;
    struct object *object;
};

struct expiry {
    struct expiry_item *items; /* the heap begins at index 1 */
    uint32_t count, capacity;
};

void expiry_set(struct expiry *x, struct object *o); /* adds o, or moves it */
void expiry_remove(struct expiry *x, struct object *o);
struct object *expiry_due(const struct expiry *x, nsec now); /* NULL: no object is due */

#endif
