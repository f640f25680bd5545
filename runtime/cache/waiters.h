/* Requests that wait for the fetch of another request: see waiters.c. Call with the shard lock held. */
#ifndef VERNIS_CACHE_WAITERS_H
#define VERNIS_CACHE_WAITERS_H

#include "cache/index.h"
#include "loop/notice.h"
#include "cache/store.h"

/* marks: of the request, by the fields on which the awaited response probably varies; NULL: not known. now:
 * current position; ERR_NOMEM. */
int waiter_queue(struct cache_entry *e, struct store_waiter *w, const struct vary_marks *marks, uint64_t now);
/* Wakes those that wait for o, which is published or doomed. They look up again. */
void waiters_wake(struct cache_entry *e, const struct object *o, struct notice_batch *b);
/* Wakes at most `max` of those that wait for o, to fetch. Several do not wait for each other. `retries`: o's
 * fetch failed. */
void waiters_send(struct shard *sh, struct cache_entry *e, const struct object *o, unsigned max, bool retries,
                  struct notice_batch *b);
/* Gives o, which is published, to those that wait for it and asked before a position: they need no lookup. */
void waiters_give(struct cache_entry *e, struct object *o, uint64_t before, struct notice_batch *b);
/* Call when the waiter looks up again; without locks. Returns the object it was given, a reference, or
 * NULL. */
struct object *waiter_answer(struct store *s, struct store_waiter *w);
/* Call after the lookup, if it does not wait again; `fetches`: it has begun a fetch, for which the others
 * wait. */
void waiter_done(struct store *s, struct store_waiter *w, bool fetches);

#endif
