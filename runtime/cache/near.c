/* The objects that are near a loop: see near.h. */
#include "cache/near.h"

#include <stdlib.h>

#include "cache/object_internal.h"
#include "loop/loop.h"

#define NEAR_SLOTS 256u    /* one for each of as many shards */
#define NEAR_HITS_MIN 16u  /* of an object, before a loop keeps it */
#define NEAR_KEY_MAX 1024u /* bytes of a key */
#define NEAR_SWEEP (1 * NSEC_PER_SEC)
/* All that a loop keeps takes at most this share of a storage, because the memory of what leaves the index is
 * free only after a sweep. Longer bodies cost more to send than to find. */
#define NEAR_SHARE 64u
#define CREDIT_MAX 64u

/* An object, and a reference to it. */
struct near_slot {
    struct object *object;
    struct digest digest;
    unsigned refs;   /* of requests of this loop, beside the slot's own */
    unsigned hits;   /* since the last sweep, which adds them to the object */
    unsigned credit; /* rises with each hit, falls with each hit of another object that wants the slot */
    uint32_t key_bytes;
    char key[];
};

static _Thread_local struct {
    struct loop *loop;
    struct timer sweep;
    unsigned n;
    struct near_slot *slots[NEAR_SLOTS];
} near_here;

static struct near_slot **
place_of(unsigned shard)
{
    return &near_here.slots[shard % NEAR_SLOTS];
}

static struct near_slot *
slot_of(const struct object *o)
{
    struct near_slot *n = *place_of(o->shard);
    return n != NULL && n->object == o ? n : NULL;
}

static void
fold_hits(struct near_slot *n)
{
    atomic_fetch_add_explicit(&n->object->hits, n->hits, memory_order_relaxed);
    n->hits = 0;
}

static void
drop(struct near_slot **place)
{
    struct near_slot *n = *place;
    struct object *o = n->object;
    *place = NULL;
    near_here.n--;
    fold_hits(n);
    atomic_fetch_add_explicit(&o->refs, n->refs, memory_order_relaxed);
    atomic_fetch_sub_explicit(&o->near, 1, memory_order_relaxed);
    free(n);
    object_release(&o);
}

/* Would a lookup that has the shard's lock find o, which is complete, and no newer object before it? Who
 * changes that has changed it before a purge or a publication is acknowledged. */
static bool
is_first(const struct object *o)
{
    return (o->flags & OBJECT_FINDABLE) &&
           !(atomic_load_explicit(&((struct object *)(uintptr_t)o)->marks, memory_order_acquire) &
             OBJECT_OLDER);
}

/* ---- sweep ---- */

static void
sweep_later(void)
{
    timer_set(near_here.loop, &near_here.sweep, loop_now(near_here.loop) + NEAR_SWEEP);
}

static void
sweep(struct timer *t)
{
    for (unsigned i = 0; i < NEAR_SLOTS; i++) {
        struct near_slot *n = near_here.slots[i];
        if (n != NULL && (n->hits == 0 || !is_first(n->object)))
            drop(&near_here.slots[i]);
        else if (n != NULL)
            fold_hits(n);
    }
    if (near_here.n > 0)
        sweep_later();
}

void
near_empty(void)
{
    for (unsigned i = 0; i < NEAR_SLOTS; i++)
        if (near_here.slots[i] != NULL)
            drop(&near_here.slots[i]);
    if (near_here.loop != NULL)
        timer_cancel(near_here.loop, &near_here.sweep);
    near_here.loop = NULL;
}

/* ---- lookup ---- */

struct object *
near_find(const struct cache_key *key, struct digest d)
{
    struct near_slot **place = place_of(shard_number(d)), *n = *place;
    if (n == NULL || !digest_eq(n->digest, d) || n->key_bytes != key->len ||
        memcmp(n->key, key->bytes, key->len) != 0)
        return NULL;
    if (!is_first(n->object)) {
        drop(place);
        return NULL;
    }
    CHECK(n->refs < UINT32_MAX / 2);
    n->refs++;
    n->credit += n->credit < CREDIT_MAX;
    return n->object;
}

/* A marker's body is freed only when nobody else holds the marker, so it must be gone before. */
static bool
is_worth(const struct object *o, const struct cache_key *key)
{
    uint64_t limit = object_storage(o)->limit_bytes;
    return object_state(o) == OBJECT_COMPLETE && (!object_is_marker(o) || object_is_drained(o)) &&
           is_first(o) && key->len <= NEAR_KEY_MAX &&
           (limit == 0 || object_stored_bytes(o) <= limit / (NEAR_SHARE * NEAR_SLOTS));
}

void
near_offer(struct object *o, const struct cache_key *key, struct digest d)
{
    if (atomic_load_explicit(&o->hits, memory_order_relaxed) < NEAR_HITS_MIN || loop_current() == NULL)
        return;
    struct near_slot **place = place_of(o->shard);
    if (*place != NULL && (*place)->credit > 0) {
        (*place)->credit--;
        return;
    }
    if (!is_worth(o, key))
        return;
    struct near_slot *n = malloc(sizeof *n + key->len);
    if (n == NULL)
        return;
    if (*place != NULL)
        drop(place);
    *n = (struct near_slot){ .object = o, .digest = d, .key_bytes = key->len };
    if (key->len > 0)
        memcpy(n->key, key->bytes, key->len);
    object_ref(o);
    atomic_fetch_add_explicit(&o->near, 1, memory_order_relaxed);
    *place = n;
    if (near_here.n++ > 0)
        return;
    near_here.loop = loop_current();
    near_here.sweep.fn = sweep;
    sweep_later();
}

/* ---- references and hits ---- */

void
near_ref(struct object *o)
{
    struct near_slot *n = slot_of(o);
    if (n != NULL)
        n->refs++;
    else
        object_ref(o);
}

bool
near_release(const struct object *o)
{
    struct near_slot *n = slot_of(o);
    if (n == NULL || n->refs == 0)
        return false;
    n->refs--;
    return true;
}

bool
near_touch(const struct object *o)
{
    struct near_slot *n = slot_of(o);
    if (n != NULL)
        n->hits++;
    return n != NULL;
}

unsigned
object_hits(const struct object *o)
{
    const struct near_slot *n = slot_of(o);
    return atomic_load_explicit(&((struct object *)(uintptr_t)o)->hits, memory_order_relaxed) +
           (n == NULL ? 0 : n->hits);
}
