/* Objects that a loop hits often, and markers that it often finds, are near it: the loop holds a reference to
 * each, finds it by its key without the shard's lock, and counts its requests and hits in a table of its own.
 * Otherwise all loops that hit one object would wait for the same three cache lines.
 *
 * The references that a thread has to one object are alike: object_release takes one from the table while it
 * can, and from the object otherwise. A reference that came from here stays on its thread.
 *
 * Belongs together with cache/object: the last reference is released there, others here.
 *
 * A slot is no reader: eviction takes the object nevertheless (object.near). An object that left the index
 * stays in memory until the loop looks for it or sweeps its slots, at most NEAR_SWEEP later. Loop thread. */
#ifndef VERNIS_CACHE_NEAR_H
#define VERNIS_CACHE_NEAR_H

#include "cache/digest.h"
#include "cache/key.h"
#include "cache/object.h"

/* The object that this loop keeps for the key, with a reference, if lookups would find it first, and no newer
 * one; NULL. Its freshness, bans and selecting fields are for the caller to test. */
struct object *near_find(const struct cache_key *key, struct digest d);
/* After a hit by the shard: keeps o, which the caller holds, if it is hit often. */
void near_offer(struct object *o, const struct cache_key *key, struct digest d);
void near_ref(struct object *o); /* another reference to what the caller holds; it stays on its thread */
bool near_release(const struct object *o); /* true: one of this thread's references was from here */
bool near_touch(const struct object *o);   /* true: the hit was counted here */
void near_empty(void);                     /* lets go of all that this thread keeps; before its end */

#endif
