/* The life of an object: references, states, lifetimes. head.c and object_body.c have its bytes, watch.c its
 * watches.
 *
 * The fetch holds a reference while it writes, the index while it lists the object, and so does each reader
 * and watch. The last release frees the object. Until an object is finished, a release takes its lock,
 * because the writer may have to be woken. */
#include <stdlib.h>

#include "cache/near.h"
#include "cache/object_internal.h"
#include "log/txn.h"

_Static_assert(sizeof(struct object) <= OBJECT_CORE_COST, "an object's core is two cache lines");
_Static_assert(sizeof(_Atomic nsec) == sizeof(nsec), "lifetimes need no lock");

/* ---- life ---- */

int
object_new(struct storage *st, unsigned flags, struct object **out)
{
    CHECK(st != NULL);
    CHECK((flags & (OBJECT_INDEXED | OBJECT_FINDABLE | OBJECT_PURGED)) == 0);
    struct object *o = aligned_alloc(64, sizeof *o);
    struct object_live *live = calloc(1, sizeof *live);
    if (o == NULL || live == NULL) {
        free(live);
        free(o);
        return ERR_NOMEM;
    }
    *o = (struct object){ .storage_number = st->number, .live = live };
    atomic_init(&o->refs, 1);
    atomic_init(&o->state, OBJECT_BUSY);
    atomic_init(&o->flags, (unsigned char)flags);
    list_init(&live->watches);
    *out = o;
    return 0;
}

void
object_ref(struct object *o)
{
    unsigned before = atomic_fetch_add_explicit(&o->refs, 1, memory_order_relaxed);
    CHECK(before > 0 && before < UINT32_MAX / 2);
}

/* Frees the writer's side of an object that was never completed or failed. */
static void
live_free(struct object *o)
{
    struct object_live *live = o->live;
    if (live == NULL)
        return;
    CHECK(list_empty(&live->watches) && live->on_reader == NULL);
    object_body_end(o, false);
    object_unhold_ban(o);
    object_release(&live->replaces);
    object_release(&live->beside);
    free(live->vary);
    free(live);
    o->live = NULL;
}

static void
object_free(struct object *o)
{
    DEBUG_CHECK(o->entry == NULL && !(o->flags & (OBJECT_INDEXED | OBJECT_FINDABLE | OBJECT_KEYED)));
    CHECK(!list_linked(&o->in_queue) && o->expiry_slot == 0);
    if (o->live != NULL && o->head != NULL)
        object_set_storage(o, o->live->head_storage);
    live_free(o);
    body_release(&o->body);
    object_head_free(o, object_storage(o));
    free(o);
}

/* Drops one reference and wakes a writer that waits for its reader. o may be freed afterwards. */
static unsigned
unref_growing(struct object *o)
{
    struct notice_batch b = { 0 };
    pthread_mutex_t *lock = object_lock(o);
    pthread_mutex_lock(lock);
    if (o->live != NULL && o->live->on_reader != NULL)
        notice_collect(&b, o->live->on_reader);
    unsigned left = atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) - 1;
    pthread_mutex_unlock(lock);
    notice_send(&b);
    return left;
}

void
object_drain(struct object *o)
{
    DEBUG_CHECK(object_is_transit(o));
    body_release(&o->body);
    if (object_is_marker(o))
        atomic_fetch_or_explicit(&o->marks, OBJECT_DRAINED, memory_order_release);
}

/* True for a marker whose reader left early: only the index and we hold it, and lookups do not read a
 * marker's body. */
static bool
body_is_orphaned(const struct object *o)
{
    return object_is_transit(o) && (o->flags & OBJECT_INDEXED) && object_state(o) == OBJECT_COMPLETE &&
           atomic_load_explicit(&((struct object *)o)->refs, memory_order_acquire) == 2;
}

void
object_release(struct object **op)
{
    struct object *o = *op;
    *op = NULL;
    if (o == NULL || near_release(o))
        return;
    if (body_is_orphaned(o))
        object_drain(o);
    unsigned left = object_state(o) < OBJECT_COMPLETE
                      ? unref_growing(o)
                      : atomic_fetch_sub_explicit(&o->refs, 1, memory_order_acq_rel) - 1;
    CHECK(left < UINT32_MAX / 2);
    if (left == 0)
        object_free(o);
}

/* ---- states ---- */

void
object_request_done(struct object *o)
{
    CHECK(object_state(o) <= OBJECT_REQ_DONE);
    atomic_store_explicit(&o->state, OBJECT_REQ_DONE, memory_order_release);
    object_wake(o);
}

bool
object_findable(const struct object *o)
{
    enum object_state state = object_state(o);
    return (o->flags & OBJECT_FINDABLE) && (state == OBJECT_STREAMING || state == OBJECT_COMPLETE);
}

bool
object_abandoned(const struct object *o)
{
    unsigned refs = atomic_load_explicit(&((struct object *)o)->refs, memory_order_acquire);
    if (!(o->flags & OBJECT_INDEXED))
        return refs == 1;
    return object_is_transit(o) && refs == 2; /* lookups find the marker, but never read its body */
}

static size_t
note_bytes(struct span note)
{
    return note.ptr == NULL ? 0 : sizeof(struct object_note) + note.len;
}

/* A marker's body does not count: it is freed as its reader advances, and the reader owns it. A partial
 * object counts at its full size, because the queues need a constant number. */
uint64_t
object_stored_bytes(const struct object *o)
{
    uint64_t bytes = o->head == NULL ? 0 : OBJECT_CORE_BYTES + head_bytes(o->head);
    if (o->head != NULL)
        bytes += note_bytes(object_note(o)) + note_bytes(object_trailers(o));
    if (object_is_transit(o))
        return bytes;
    return bytes + (object_is_partial(o) ? body_bytes(&o->body) : body_stored_bytes(&o->body));
}

/* ---- lifetimes ---- */

static nsec
not_negative(nsec t)
{
    return t > 0 ? t : 0;
}

/* Origin times lie in the past and lifetimes are not negative, so additions saturate upwards only. */
static nsec
stale_at(const struct object *o)
{
    return nsec_add(o->origin_time, not_negative(o->ttl));
}

nsec
object_time(const struct object *o, nsec now)
{
    return o->head != NULL && object_softened(o) && stale_at(o) > now ? stale_at(o) : now;
}

nsec
object_death(const struct object *o)
{
    return nsec_add(nsec_add(stale_at(o), not_negative(o->grace)), not_negative(o->keep));
}

nsec
object_age(const struct object *o, nsec now)
{
    return not_negative(nsec_add(now, -o->origin_time));
}

nsec
object_ttl_left(const struct object *o, nsec now)
{
    nsec left = nsec_add(stale_at(o), -object_time(o, now));
    return left == 0 ? -1 : left; /* the object is stale from this moment on */
}

bool
object_fresh(const struct object *o, nsec now)
{
    return stale_at(o) > object_time(o, now);
}

bool
object_in_grace(const struct object *o, nsec now, nsec grace_limit)
{
    nsec grace = not_negative(o->grace);
    if (grace_limit >= 0 && grace_limit < grace)
        grace = grace_limit;
    return !object_fresh(o, now) && nsec_add(stale_at(o), grace) > object_time(o, now);
}

void
object_soften(struct object *o, struct softening to)
{
    nsec ttl = not_negative(nsec_add(to.stale_at, -o->origin_time));
    if (ttl < o->ttl)
        o->ttl = ttl;
    if (to.grace >= 0)
        o->grace = to.grace;
    if (to.keep >= 0)
        o->keep = to.keep;
    if (to.at_once)
        atomic_store_explicit(&o->head->softened, true, memory_order_relaxed);
}

void
object_log_expired(const struct object *o, nsec now)
{
    if (log_wants(TAG_EXP_KILL))
        log_printf(&log_untied, TAG_EXP_KILL, "EXP_Expired x=%u t=%.0f", o->xid,
                   nsec_seconds(object_death(o) - now));
}

bool
object_in_keep(const struct object *o, nsec now)
{
    return object_death(o) > object_time(o, now);
}
