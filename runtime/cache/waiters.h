/* Requests that wait for the fetch of another request: see waiters.c. Call with the shard lock held. */
#ifndef VERNIS_CACHE_WAITERS_H
#define VERNIS_CACHE_WAITERS_H

#include "cache/index.h"
#include "cache/notice.h"
#include "cache/store.h"

/* now: current position; ERR_NOMEM. */
int waiter_queue(struct cache_entry *e, struct store_waiter *w, uint64_t now);
void waiters_wake(struct cache_entry *e, unsigned max, struct notice_batch *b);
/* Gives o, which is published, to the waiters that asked before a position: they need no lookup. */
void waiters_give(struct cache_entry *e, struct object *o, uint64_t before, struct notice_batch *b);
bool waiters_are_stranded(const struct cache_entry *e); /* no fetch would wake them */
/* Call when the waiter looks up again; without locks. Returns the object it was given, a reference, or
 * NULL. */
struct object *waiter_turn_used(struct store *s, struct store_waiter *w);

#endif
