/* Requests that wait for another's fetch of the same key. They queue on the entry, longest waiting first; being woken means to
 * look up again. When a fetch gave nothing to share only one is woken, which will fetch in its turn; should it go away before
 * it looks up, store_unwait wakes the next, so a turn is never lost. */
#include "cache/internal.h"

enum waiter_state { WAITER_IDLE, WAITER_QUEUED, WAITER_WOKEN };

static void
waiter_run(void *arg)
{
    struct store_waiter *w = arg;
    notice_cancel(&w->notice);
    w->fn(w);
}

int
waiter_queue(struct cache_entry *e, struct store_waiter *w)
{
    CHECK(w->notice == NULL);
    int err = notice_new(w->loop, waiter_run, w, &w->notice);
    if (err != 0)
        return err;
    w->hash = e->hash;
    atomic_store(&w->pending, WAITER_QUEUED);
    list_push_back(&e->waiters, &w->link);
    return 0;
}

void
waiters_wake(struct cache_entry *e, unsigned max, struct notice_batch *b)
{
    for (unsigned i = 0; i < max; i++) {
        struct list *first = list_pop_front(&e->waiters);
        if (first == NULL)
            break;
        struct store_waiter *w = container_of(first, struct store_waiter, link);
        atomic_store(&w->pending, WAITER_WOKEN);
        notice_collect(b, w->notice);
    }
}

static bool
has_busy(const struct cache_entry *e)
{
    for (const struct object *o = e->objects; o != NULL; o = o->next)
        if (object_state(o) < OBJECT_STREAMING)
            return true;
    return false;
}

/* Gives up a turn: entries with this hash whose waiters nobody would wake get one woken. (Two keys of one 64-bit hash: the
 * wrong one looks up for nothing and waits again.) */
static void
pass_turn(struct shard *sh, uint64_t hash, struct notice_batch *b)
{
    if (sh->n_buckets == 0)
        return;
    for (struct cache_entry *e = sh->buckets[hash & (sh->n_buckets - 1)]; e != NULL; e = e->next)
        if (e->hash == hash && !has_busy(e))
            waiters_wake(e, 1, b);
}

void
store_unwait(struct store *s, struct store_waiter *w)
{
    struct notice_batch b = { 0 };
    if (atomic_load(&w->pending) == WAITER_IDLE)
        return;
    struct shard *sh = shard_of(s, w->hash);
    pthread_mutex_lock(&sh->lock);
    if (atomic_load(&w->pending) == WAITER_WOKEN)
        pass_turn(sh, w->hash, &b);
    else
        list_remove(&w->link);
    atomic_store(&w->pending, WAITER_IDLE);
    index_tidy(s, sh, w->hash);
    pthread_mutex_unlock(&sh->lock);
    notice_send(&b);
    notice_cancel(&w->notice);
}

void
waiter_turn_used(struct store *s, struct store_waiter *w)
{
    if (atomic_load(&w->pending) == WAITER_QUEUED)
        store_unwait(s, w);             /* looks up again without having been called: its place is new */
    notice_cancel(&w->notice);
    atomic_store(&w->pending, WAITER_IDLE);
}
