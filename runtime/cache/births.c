/* The births of responses: each fetch under way holds the ban that was the newest when it asked the origin.
 * Bans older than that do not concern its response.
 *
 * Loops share the newest ban, but not a lock: a group of loops anchors it, and while that hold lasts, a fetch
 * of the group may hold it as well without the lock of the list. */
#include "cache/ban_internal.h"
#include "cache/index.h"

/* Counts the group before its first birth takes a position: who reads a lower number asks before that
 * birth. */
static struct births *
births_here(struct bans *bans)
{
    unsigned group = loop_part(BIRTH_GROUPS), n = atomic_load(&bans->n_groups);
    while (n <= group && !atomic_compare_exchange_weak(&bans->n_groups, &n, group + 1))
        ;
    return &bans->births[group];
}

static void
drop_anchor(struct births *b)
{
    LOCK_HELD(&b->lock);
    if (b->anchor == NULL)
        return;
    atomic_fetch_sub_explicit(&b->anchor->anchors, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(&b->anchor->hold.refs, 1, memory_order_release);
    b->anchor = NULL;
}

static struct ban *
anchor_newest(struct bans *bans, struct births *b)
{
    LOCK_HELD(&b->lock);
    if (b->anchor == atomic_load_explicit(&bans->newest, memory_order_acquire))
        return b->anchor;
    drop_anchor(b);
    pthread_mutex_lock(&bans->lock);
    b->anchor = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    atomic_fetch_add_explicit(&b->anchor->hold.refs, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&b->anchor->anchors, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    return b->anchor;
}

/* Takes the position first: a ban that comes between is later than the birth, and in force before the fetch
 * asks. */
uint64_t
ban_hold(struct bans *bans, struct positions *positions, struct object *o)
{
    struct object_live *live = o->live;
    struct births *b = births_here(bans);
    object_unhold_ban(o);
    pthread_mutex_lock(&b->lock);
    live->born = position_now(positions);
    live->born_ban = &anchor_newest(bans, b)->hold;
    atomic_fetch_add_explicit(&live->born_ban->refs, 1, memory_order_relaxed);
    live->births = b;
    list_push_back(&b->fetches, &live->birth);
    pthread_mutex_unlock(&b->lock);
    return live->born;
}

struct ban_hold *
births_leave(struct object_live *live)
{
    struct ban_hold *held = live->born_ban;
    pthread_mutex_lock(&live->births->lock);
    list_remove(&live->birth);
    pthread_mutex_unlock(&live->births->lock);
    live->born_ban = NULL;
    return held;
}

void
object_unhold_ban(struct object *o)
{
    if (o->live == NULL || o->live->born_ban == NULL)
        return;
    atomic_fetch_sub_explicit(&births_leave(o->live)->refs, 1, memory_order_release);
}

uint64_t
bans_oldest_birth(struct bans *bans)
{
    uint64_t born = UINT64_MAX;
    for (unsigned i = 0; i < atomic_load(&bans->n_groups); i++) {
        struct births *b = &bans->births[i];
        pthread_mutex_lock(&b->lock);
        const struct object_live *oldest = list_first(&b->fetches, struct object_live, birth);
        uint64_t first = oldest == NULL ? born : atomic_load(&((struct object_live *)oldest)->born);
        born = first < born ? first : born;
        pthread_mutex_unlock(&b->lock);
    }
    return born;
}

void
births_init(struct bans *bans)
{
    for (unsigned i = 0; i < BIRTH_GROUPS; i++) {
        list_init(&bans->births[i].fetches);
        pthread_mutex_init(&bans->births[i].lock, NULL);
    }
}

void
births_release(struct bans *bans)
{
    for (unsigned i = 0; i < BIRTH_GROUPS; i++) {
        CHECK(list_empty(&bans->births[i].fetches));
        pthread_mutex_destroy(&bans->births[i].lock);
    }
}

void
births_weigh_anchors(struct bans *bans)
{
    for (unsigned i = 0; i < atomic_load(&bans->n_groups); i++) {
        struct births *b = &bans->births[i];
        pthread_mutex_lock(&b->lock);
        if (b->anchor != atomic_load_explicit(&bans->newest, memory_order_relaxed))
            drop_anchor(b);
        pthread_mutex_unlock(&b->lock);
    }
}
