/* Watches on objects: by readers (object_watch) and by the writer of a private object (object_on_reader). A
 * small set of locks, chosen by the object's address, guards an object's watches and its object_live, so that
 * a stored object needs neither. */
#include <stdlib.h>

#include "base/size.h"
#include "cache/object_internal.h"

#define OBJECT_LOCKS 64u

static struct {
    _Alignas(64) pthread_mutex_t lock;
} object_locks[OBJECT_LOCKS] = { [0 ... OBJECT_LOCKS - 1] = { PTHREAD_MUTEX_INITIALIZER } };

pthread_mutex_t *
object_lock(const struct object *o)
{
    uint64_t mixed = ((uint64_t)(uintptr_t)o >> 7) * 0x9e3779b97f4a7c15u;
    return &object_locks[mixed >> 58].lock;
}

static void
watch_run(void *arg)
{
    struct watch *w = arg;
    DEBUG_CHECK(loop_may_use(w->loop) && w->object != NULL);
    w->fn(w);
}

static void
watch_init(struct watch *w, struct object *o, struct loop *loop, void (*fn)(struct watch *w), bool for_writer)
{
    CHECK(loop != NULL && fn != NULL);
    DEBUG_CHECK(loop_may_use(loop));
    *w = (struct watch){ .loop = loop, .fn = fn, .object = o, .for_writer = for_writer };
    list_init(&w->link);
    /* Without a notice a reader would wait for ever, and there is no smaller operation to fail. */
    CHECK(notice_new(loop, watch_run, w, &w->notice) == 0);
}

static void
wake_locked(struct object *o, struct notice_batch *b)
{
    LOCK_HELD(object_lock(o));
    list_each(it, &o->live->watches) notice_collect(b, container_of(it, struct watch, link)->notice);
}

void
object_wake(struct object *o)
{
    struct notice_batch b = { 0 };
    pthread_mutex_lock(object_lock(o));
    if (o->live != NULL)
        wake_locked(o, &b);
    pthread_mutex_unlock(object_lock(o));
    notice_send(&b);
}

static void
tell_writer_locked(const struct object *o, struct notice_batch *b)
{
    LOCK_HELD(object_lock(o));
    if (o->live != NULL && o->live->on_reader != NULL)
        notice_collect(b, o->live->on_reader);
}

void
object_watch(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w))
{
    struct notice_batch b = { 0 };
    object_ref(o);
    watch_init(w, o, loop, fn, false);
    pthread_mutex_lock(object_lock(o));
    if (o->live != NULL) {
        list_push_back(&o->live->watches, &w->link);
        atomic_store(&w->tells, o->live->left);
    } else
        notice_collect(&b, w->notice); /* no further change will come */
    pthread_mutex_unlock(object_lock(o));
    notice_send(&b);
}

/* Both sides first store and then load, so the writer sees the position, or the reader that it has to tell.
 */
void
object_watch_at(struct watch *w, size_t at)
{
    struct notice_batch b = { 0 };
    DEBUG_CHECK(w->object != NULL && !w->for_writer);
    atomic_store(&w->at, at);
    if (!atomic_load(&w->tells))
        return;
    pthread_mutex_lock(object_lock(w->object));
    tell_writer_locked(w->object, &b);
    pthread_mutex_unlock(object_lock(w->object));
    notice_send(&b);
}

void
object_leave(struct object *o)
{
    DEBUG_CHECK(object_state(o) == OBJECT_STREAMING && !object_is_transit(o));
    pthread_mutex_lock(object_lock(o));
    o->live->left = true;
    list_each(it, &o->live->watches) atomic_store(&container_of(it, struct watch, link)->tells, true);
    pthread_mutex_unlock(object_lock(o));
    object_wake(o); /* those who wait for the end of the body do so no longer */
}

bool
object_has_left(const struct object *o)
{
    pthread_mutex_lock(object_lock(o));
    bool left = o->live != NULL && o->live->left;
    pthread_mutex_unlock(object_lock(o));
    return left;
}

bool
watches_are_all(struct object *o, size_t *at)
{
    unsigned n = 0;
    pthread_mutex_lock(object_lock(o));
    list_each(it, &o->live->watches)
    {
        *at = min_size(*at, atomic_load(&container_of(it, struct watch, link)->at));
        n++;
    }
    /* The owner of a watch holds two references: its own, and that of the watch */
    bool all = atomic_load_explicit(&o->refs, memory_order_acquire) == 1 + 2 * n;
    pthread_mutex_unlock(object_lock(o));
    return all;
}

void
object_on_reader(struct object *o, struct watch *w, struct loop *loop, void (*fn)(struct watch *w))
{
    watch_init(w, o, loop, fn, true);
    pthread_mutex_lock(object_lock(o));
    CHECK(o->live != NULL && o->live->on_reader == NULL);
    o->live->on_reader = w->notice;
    pthread_mutex_unlock(object_lock(o));
}

void
object_unwatch(struct watch *w)
{
    struct object *o = w->object;
    if (o == NULL)
        return;
    CHECK(w->notice != NULL && loop_may_use(w->loop));
    w->object = NULL;
    pthread_mutex_lock(object_lock(o));
    list_remove(&w->link);
    if (w->for_writer && o->live != NULL && o->live->on_reader == w->notice)
        o->live->on_reader = NULL;
    pthread_mutex_unlock(object_lock(o));
    notice_cancel(&w->notice);
    if (!w->for_writer)
        object_release(&o);
}

/* Unlinks the watches. Their owners keep them, with their references. */
static void
detach_watches(struct object_live *live)
{
    while (list_pop_front(&live->watches) != NULL)
        ;
}

void
object_finish(struct object *o, enum object_state state)
{
    struct notice_batch b = { 0 };
    DEBUG_CHECK(state == OBJECT_COMPLETE || state == OBJECT_FAILED);
    object_body_end(o, false);
    object_unhold_ban(o);
    DEBUG_CHECK(o->live->beside == NULL);
    struct object *replaces = o->live->replaces;
    pthread_mutex_lock(object_lock(o));
    struct object_live *live = o->live;
    atomic_store_explicit(&o->state, state, memory_order_release);
    wake_locked(o, &b);
    detach_watches(live);
    o->live = NULL;
    bool all_read = object_is_transit(o) && live->read_bytes == body_bytes(&o->body);
    pthread_mutex_unlock(object_lock(o));
    notice_send(&b);
    if (all_read)
        object_drain(o); /* otherwise object_passed frees it */
    object_release(&replaces);
    free(live->vary);
    free(live);
}
