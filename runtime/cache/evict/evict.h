/* The queues of a storage, which choose the objects to evict. Lock order: shard, then queues. Belongs
 * together with cache/index: the queues evict from the index, and what leaves the index leaves its queue.
 * Belongs together with cache/store: it makes the queues of each storage, and its hits count in them. */
#ifndef VERNIS_CACHE_EVICT_EVICT_H
#define VERNIS_CACHE_EVICT_EVICT_H

#include "cache/digest.h"
#include "storage/storage.h"

struct object;

int queues_new(struct storage *st); /* ERR_NOMEM */
void queues_release(struct storage *st);
void queues_add(struct object *o, struct digest key); /* for a complete object; shard lock held */
void queues_remove(struct object *o);                 /* harmless if o is in no queue; shard lock held */
/* Evicts the bytes that are wanted, or less: at least one object, if any can be evicted. */
struct evicted queues_evict(struct storage *st, uint64_t bytes);

#endif
