/* Requests that wait for the fetch of another request for the same key. They queue on the entry, longest
 * waiting first. The end of a fetch wakes those that wait for it, not those that wait for other variants; if
 * it is not known on which fields its response varies, it wakes all. A woken waiter looks up again. If a
 * fetch failed or began in vain, only one waiter is woken, and it fetches in turn; the others wait for its
 * fetch. If that waiter goes away or needs no fetch, its turn goes to the next. After repeated failures each
 * failed fetch wakes two, so that many waiters do not spend the sum of all timeouts. */
#include "cache/waiters.h"

enum waiter_state { WAITER_IDLE, WAITER_QUEUED, WAITER_WOKEN };

static void
waiter_run(void *arg)
{
    struct store_waiter *w = arg;
    DEBUG_CHECK(loop_may_use(w->loop) && atomic_load(&w->pending) == WAITER_WOKEN);
    notice_cancel(&w->notice);
    w->fn(w);
}

int
waiter_queue(struct cache_entry *e, struct store_waiter *w, const struct vary_marks *marks, uint64_t now)
{
    CHECK(w->notice == NULL && w->given == NULL && atomic_load(&w->pending) == WAITER_IDLE);
    CHECK(w->loop != NULL && w->fn != NULL);
    int err = notice_new(w->loop, waiter_run, w, &w->notice);
    if (err != 0)
        return err;
    w->digest = e->digest;
    w->marks = marks == NULL ? (struct vary_marks){ 0 } : *marks;
    w->has_turn = false;
    if (w->asked == 0)
        w->asked = now;
    atomic_store(&w->pending, WAITER_QUEUED);
    list_push_back(&e->waiters, &w->link);
    return 0;
}

static void
wake(struct store_waiter *w, struct notice_batch *b)
{
    CHECK(atomic_load(&w->pending) == WAITER_QUEUED && w->notice != NULL);
    list_remove(&w->link);
    atomic_store(&w->pending, WAITER_WOKEN);
    notice_collect(b, w->notice);
}

/* False: the two marks are known for the same fields, and differ. Equal marks are no proof (vary.h), but here
 * they only wake a waiter in vain. */
static bool
may_be_same(const struct vary_marks *a, const struct vary_marks *b)
{
    return a == NULL || a->names == 0 || b->names == 0 || a->names != b->names ||
           vary_marks_agree(a, b, true);
}

/* Judges by the marks of the prediction, for which w began to wait, and by those of the response. */
static bool
waits_for(const struct store_waiter *w, const struct object *o)
{
    return may_be_same(&o->live->marks, &w->marks) ||
           (o->head != NULL && may_be_same(object_marks_of(o->head), &w->marks));
}

/* Will the end of another fetch than o's wake w? */
static bool
waits_for_another(const struct cache_entry *e, const struct object *o, const struct store_waiter *w)
{
    DEBUG_CHECK(o->entry == e);
    for (const struct object *other = e->objects; other != NULL; other = other->next)
        if (other != o && object_state(other) < OBJECT_STREAMING && !other->live->no_wait &&
            may_be_same(&other->live->marks, &w->marks))
            return true;
    return false;
}

void
waiters_wake(struct cache_entry *e, const struct object *o, struct notice_batch *b)
{
    SHARD_HELD(o);
    for (struct list *it = e->waiters.next, *next; it != &e->waiters; it = next) {
        struct store_waiter *w = container_of(it, struct store_waiter, link);
        next = it->next;
        if (waits_for(w, o))
            wake(w, b);
    }
}

void
waiters_send(struct shard *sh, struct cache_entry *e, const struct object *o, unsigned max, bool retries,
             struct notice_batch *b)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(max > 0);
    unsigned n = 0;
    for (struct list *it = e->waiters.next, *next; it != &e->waiters && n < max; it = next) {
        struct store_waiter *w = container_of(it, struct store_waiter, link);
        next = it->next;
        if (!waits_for(w, o) || (max == 1 && waits_for_another(e, o, w)))
            continue;
        w->patience = max > 1 ? sh->n_fetches : 0;
        w->has_turn = max < UINT32_MAX;
        w->retries = retries;
        wake(w, b);
        n++;
    }
}

void
waiters_give(struct cache_entry *e, struct object *o, uint64_t before, struct notice_batch *b)
{
    SHARD_HELD(o);
    CHECK(before == 0 || object_state(o) >= OBJECT_STREAMING);
    for (struct list *it = e->waiters.next, *next; it != &e->waiters; it = next) {
        struct store_waiter *w = container_of(it, struct store_waiter, link);
        next = it->next;
        if (w->asked >= before || !waits_for(w, o))
            continue;
        object_ref(o);
        w->given = o;
        wake(w, b);
    }
}

/* Passes on a turn: wakes one waiter for the same variant in each entry with this digest. (If two keys share
 * the digest, the waiter of the wrong key looks up in vain and waits again.) */
static void
pass_turn(struct shard *sh, const struct store_waiter *from, struct notice_batch *b)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(from->has_turn && !list_linked(&from->link));
    struct digest d = from->digest;
    for (struct cache_entry *e = index_next_of(sh, d, NULL); e != NULL; e = index_next_of(sh, d, e)) {
        for (struct list *it = e->waiters.next; it != &e->waiters; it = it->next) {
            struct store_waiter *w = container_of(it, struct store_waiter, link);
            if (!may_be_same(&w->marks, &from->marks))
                continue;
            w->patience = from->patience;
            w->retries = from->retries;
            w->has_turn = true;
            wake(w, b);
            break;
        }
    }
}

/* Shard lock held. */
static void
forget(struct store_waiter *w)
{
    DEBUG_CHECK(!list_linked(&w->link));
    w->asked = w->patience = 0;
    w->has_turn = w->retries = false;
    w->marks = (struct vary_marks){ 0 };
    atomic_store(&w->pending, WAITER_IDLE);
}

void
store_unwait(struct store *s, struct store_waiter *w)
{
    struct notice_batch b = { 0 };
    DEBUG_CHECK(w->loop == NULL || loop_may_use(w->loop));
    if (atomic_load(&w->pending) == WAITER_IDLE && !w->has_turn) {
        w->asked = w->patience = 0;
        w->retries = false;
        return;
    }
    struct shard *sh = shard_of(s, w->digest);
    pthread_mutex_lock(&sh->lock);
    if (atomic_load(&w->pending) == WAITER_QUEUED)
        list_remove(&w->link);
    if (w->has_turn)
        pass_turn(sh, w, &b);
    forget(w);
    index_tidy(s, sh, w->digest);
    pthread_mutex_unlock(&sh->lock);
    notice_send(&b);
    notice_cancel(&w->notice);
    object_release(&w->given);
}

struct object *
waiter_answer(struct store *s, struct store_waiter *w)
{
    DEBUG_CHECK(loop_may_use(w->loop));
    if (atomic_load(&w->pending) == WAITER_QUEUED)
        store_unwait(s, w); /* looks up again before it was woken: it loses its place */
    notice_cancel(&w->notice);
    atomic_store(&w->pending, WAITER_IDLE);
    struct object *given = w->given;
    w->given = NULL;
    return given;
}

void
waiter_done(struct store *s, struct store_waiter *w, bool fetches)
{
    DEBUG_CHECK(w->asked != 0);
    if (fetches)
        w->has_turn = false;
    store_unwait(s, w);
}
