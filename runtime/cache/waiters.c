/* Requests that wait for the fetch of another request for the same key. They queue on the entry, longest
 * waiting first. A woken waiter looks up again. If a fetch gave nothing to share, only one waiter is woken,
 * and it fetches in turn. If that waiter goes away before its lookup, store_unwait wakes the next, so a turn
 * is never lost. */
#include "cache/waiters.h"

enum waiter_state { WAITER_IDLE, WAITER_QUEUED, WAITER_WOKEN };

static void
waiter_run(void *arg)
{
    struct store_waiter *w = arg;
    notice_cancel(&w->notice);
    w->fn(w);
}

int
waiter_queue(struct cache_entry *e, struct store_waiter *w, uint64_t now)
{
    CHECK(w->notice == NULL && w->given == NULL && atomic_load(&w->pending) == WAITER_IDLE);
    CHECK(w->loop != NULL && w->fn != NULL);
    int err = notice_new(w->loop, waiter_run, w, &w->notice);
    if (err != 0)
        return err;
    w->digest = e->digest;
    if (w->asked == 0)
        w->asked = now;
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
        CHECK(atomic_load(&w->pending) == WAITER_QUEUED && w->notice != NULL);
        atomic_store(&w->pending, WAITER_WOKEN);
        notice_collect(b, w->notice);
    }
}

void
waiters_give(struct cache_entry *e, struct object *o, uint64_t before, struct notice_batch *b)
{
    CHECK(before == 0 || object_state(o) >= OBJECT_STREAMING);
    for (struct list *it = e->waiters.next, *next; it != &e->waiters; it = next) {
        struct store_waiter *w = container_of(it, struct store_waiter, link);
        next = it->next;
        if (w->asked >= before)
            continue;
        list_remove(&w->link);
        object_ref(o);
        w->given = o;
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

bool
waiters_are_stranded(const struct cache_entry *e)
{
    return !list_empty(&e->waiters) && !has_busy(e);
}

/* Passes on a turn: wakes one waiter in each entry with this digest whose waiters no fetch would wake. (If
 * two keys share the digest, the waiter of the wrong key looks up in vain and waits again.) */
static void
pass_turn(struct shard *sh, struct digest d, struct notice_batch *b)
{
    for (struct cache_entry *e = index_next_of(sh, d, NULL); e != NULL; e = index_next_of(sh, d, e))
        if (!has_busy(e))
            waiters_wake(e, 1, b);
}

void
store_unwait(struct store *s, struct store_waiter *w)
{
    struct notice_batch b = { 0 };
    if (atomic_load(&w->pending) == WAITER_IDLE) {
        w->asked = 0;
        return;
    }
    struct shard *sh = shard_of(s, w->digest);
    pthread_mutex_lock(&sh->lock);
    if (w->given != NULL)
        ; /* a waiter with an answer has no turn to pass on */
    else if (atomic_load(&w->pending) == WAITER_WOKEN)
        pass_turn(sh, w->digest, &b);
    else
        list_remove(&w->link);
    w->asked = 0;
    atomic_store(&w->pending, WAITER_IDLE);
    index_tidy(s, sh, w->digest);
    pthread_mutex_unlock(&sh->lock);
    notice_send(&b);
    notice_cancel(&w->notice);
    object_release(&w->given);
}

struct object *
waiter_turn_used(struct store *s, struct store_waiter *w)
{
    if (atomic_load(&w->pending) == WAITER_QUEUED)
        store_unwait(s, w); /* looks up again before it was woken: it loses its place */
    notice_cancel(&w->notice);
    atomic_store(&w->pending, WAITER_IDLE);
    struct object *given = w->given;
    w->given = NULL;
    return given;
}
