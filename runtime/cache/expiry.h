/* A heap of the objects of a shard by the time they are of no more use. Shard lock. */
#ifndef VERNIS_CACHE_EXPIRY_H
#define VERNIS_CACHE_EXPIRY_H

#include "cache/object.h"

struct expiry_item {
    nsec death;
    struct object *object;
};

struct expiry {
    struct expiry_item *items;          /* heap from 1 */
    uint32_t count, capacity;
};

void expiry_set(struct expiry *x, struct object *o);            /* adds or moves */
void expiry_remove(struct expiry *x, struct object *o);
struct object *expiry_due(const struct expiry *x, nsec now);    /* NULL: none */

#endif
