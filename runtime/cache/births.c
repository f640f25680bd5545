/* The births of responses: each fetch under way holds the ban that was the newest when it asked the origin.
 * Bans older than that do not concern its response. */
#include "cache/ban_internal.h"
#include "cache/index.h"

/* Takes the position under the lock, so that the list holds exactly the bans up to it. */
uint64_t
ban_hold(struct bans *bans, struct positions *positions, struct object *o)
{
    struct object_live *live = o->live;
    object_unhold_ban(o);
    pthread_mutex_lock(&bans->lock);
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    atomic_fetch_add_explicit(&newest->hold.refs, 1, memory_order_relaxed);
    live->born_ban = &newest->hold;
    live->born = position_now(positions);
    list_push_back(&bans->births, &live->birth);
    pthread_mutex_unlock(&bans->lock);
    return live->born;
}

void
object_unhold_ban(struct object *o)
{
    struct object_live *live = o->live;
    if (live == NULL || live->born_ban == NULL)
        return;
    struct bans *bans = object_storage(o)->store->bans;
    pthread_mutex_lock(&bans->lock);
    list_remove(&live->birth);
    pthread_mutex_unlock(&bans->lock);
    atomic_fetch_sub_explicit(&live->born_ban->refs, 1, memory_order_release);
    live->born_ban = NULL;
}

uint64_t
bans_oldest_birth(struct bans *bans)
{
    pthread_mutex_lock(&bans->lock);
    const struct object_live *oldest = list_first(&bans->births, struct object_live, birth);
    uint64_t born = oldest == NULL ? UINT64_MAX : atomic_load(&((struct object_live *)oldest)->born);
    pthread_mutex_unlock(&bans->lock);
    return born;
}
