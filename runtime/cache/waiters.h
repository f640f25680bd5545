/* Requests that wait for another's fetch: see waiters.c. Shard lock held. */
#ifndef VERNIS_CACHE_WAITERS_H
#define VERNIS_CACHE_WAITERS_H

#include "cache/index.h"
#include "cache/notice.h"
#include "cache/store.h"

int waiter_queue(struct cache_entry *e, struct store_waiter *w, uint64_t now);     /* now: position; ERR_NOMEM */
void waiters_wake(struct cache_entry *e, unsigned max, struct notice_batch *b);
/* Those that asked before a position get o, which is published: they need no look-up. */
void waiters_give(struct cache_entry *e, struct object *o, uint64_t before, struct notice_batch *b);
bool waiters_are_stranded(const struct cache_entry *e); /* nobody fetches what they wait for */
/* It looks up again; no lock held. Returns what it was given, a reference, or NULL. */
struct object *waiter_turn_used(struct store *s, struct store_waiter *w);

#endif
