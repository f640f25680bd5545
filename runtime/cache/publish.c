/* A fetch reports here that its response is inserted, published, complete or failed. Lookups and waiters see
 * the effects. */
#include "cache/evict/evict.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "cache/invalidation_internal.h"
#include "cache/store.h"
#include "cache/purge/surrogate.h"
#include "cache/waiters.h"
#include "log/counters.h"
#include "log/report.h"
#include "log/txn.h"

#define SETTLE_AT_ONCE 64u

/* Different lists of selecting fields among the responses of a key. */
struct vary_lists {
    uint64_t names[VARY_LISTS_MAX]; /* vary_marks.names */
    unsigned n;
};

/* ---- insertion ---- */

/* Returns with the shard locked and all bans tested: no ban was added between the last test and the lock. */
static struct shard *
lock_and_judge(struct store *s, struct object *busy, struct verdict *v)
{
    for (;;) {
        bans_judge(s->bans, busy, v);
        DEBUG_CHECK(v->newest != NULL && v->tested > 0);
        struct shard *sh = index_lock_of(s, busy);
        if (v->newest == atomic_load_explicit(&s->bans->newest, memory_order_acquire))
            return sh;
        pthread_mutex_unlock(&sh->lock);
    }
}

/* Attach it to its surrogate keys first, so that walks of purges find the object. The table of purges has
 * those whose walks have passed already. It remembers them until the object is no longer in the list of
 * births. */
static void
settle(struct store *s, struct object *busy, struct verdict *v)
{
    SHARD_HELD(busy);
    DEBUG_CHECK(busy->live->born > 0 && busy->expiry_slot == 0);
    busy->head->born = busy->live->born;
    surrogates_attach(s->surrogates, busy);
    invalidations_judge(s, busy, v);
    ban_attach(s->bans, busy, v);
    if (v->stale)
        object_soften(busy, v->to);
    if (v->dead) {
        index_doom(busy, v->before);
        return;
    }
    busy->live->give_before = v->before;
    busy->flags |= OBJECT_FINDABLE;
    store_count(s, COUNT_STORED, 1);
}

/* Takes the entry of the hit-for-miss, which is that of the key. Not if the marker has left meanwhile. */
static void
enter_beside(struct store *s, struct object *busy)
{
    SHARD_HELD(busy);
    struct object *marker = busy->live->beside;
    if (marker == NULL)
        return;
    if (marker->entry != NULL)
        index_link(s, marker->entry, busy);
    else
        busy->flags |= OBJECT_PURGED;
}

bool
store_insert(struct store *s, struct object *busy, struct object *replaces)
{
    struct verdict v = { .to = { .grace = -1, .keep = -1 } };
    CHECK(busy->head != NULL && busy->live != NULL && object_state(busy) < OBJECT_STREAMING);
    CHECK(!(busy->flags & (OBJECT_FINDABLE | OBJECT_PURGED)) && replaces != busy);
    if (busy->live->born == 0)
        store_born(s, busy); /* the fetch asked no origin */
    struct shard *sh = lock_and_judge(s, busy, &v);
    enter_beside(s, busy);
    bool is_in = busy->entry != NULL;
    if (is_in)
        settle(s, busy, &v);
    pthread_mutex_unlock(&sh->lock);
    object_release(&busy->live->beside);
    (void)storage_settle(s->largest, SETTLE_AT_ONCE);
    if (replaces != NULL)
        store_supersede(busy, replaces);
    return is_in;
}

bool
store_is_marked(const struct store *s, const struct object *busy, nsec least, nsec now)
{
    const struct object *marker = busy->live->beside;
    return marker != NULL && (marker->flags & OBJECT_FINDABLE) && !object_softened(marker) &&
           !purged_all_may_concern(s, marker) && object_ttl_left(marker, now) >= least;
}

void
store_supersede(struct object *busy, struct object *stale)
{
    CHECK(busy->live != NULL && object_state(busy) < OBJECT_STREAMING && stale != busy);
    if (busy->live->replaces != NULL)
        return;
    object_ref(stale);
    busy->live->replaces = stale;
}

void
store_drop(struct store *s, struct object *stale)
{
    (void)index_drop(s, stale, REMOVAL_SILENT);
}

void
store_lost(struct object *o)
{
    DEBUG_CHECK(o->head != NULL);
    counters_here()->bodies_lost++;
    log_line(LOG_LEVEL_WARNING, "the body of response %u could not be read: dropped", o->xid);
    store_drop(object_storage(o)->store, o);
}

/* ---- publication ---- */

static void
log_expiry(const struct object *o, nsec death)
{
    struct counters *n = counters_here();
    n->exp_mailed++;
    n->exp_received++;
    if (!log_wants(TAG_EXP_KILL))
        return;
    log_printf(&log_untied, TAG_EXP_KILL, "EXP_When p=%p e=%.6f f=0x%x", (const void *)o, nsec_seconds(death),
               (unsigned)o->flags);
    log_printf(&log_untied, TAG_EXP_KILL, "EXP_expire p=%p e=%.6f f=0x%x", (const void *)o,
               nsec_seconds(death - clock_real_ns()), (unsigned)o->flags);
}

/* An object that was invalidated during its fetch: give it to the waiters that asked before, and unlink
 * it. */
static void
leave_unfound(struct store *s, struct shard *sh, struct object *o, struct notice_batch *b,
              struct object **dropped)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(o->entry != NULL && !(o->flags & OBJECT_FINDABLE));
    struct cache_entry *e = o->entry;
    bool marker = object_is_marker(o);
    if (!marker)
        waiters_give(e, o, o->live->give_before, b);
    waiters_send(sh, e, o, marker ? UINT32_MAX : 1, false, b);
    index_unlink(s, sh, o, REMOVAL_SILENT, dropped);
}

/* Objects are linked in front, so what lies behind an older one that was told was told as well. */
static void
tell_older(struct object *o)
{
    for (struct object *older = o->next; older != NULL && !(older->marks & OBJECT_OLDER); older = older->next)
        atomic_fetch_or_explicit(&older->marks, OBJECT_OLDER, memory_order_release);
}

static void
become_found(struct shard *sh, struct object *o, struct notice_batch *b)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(o->entry->n_busy > 0 && o->expiry_slot == 0);
    waiters_give(o->entry, o, o->live->give_before, b);
    waiters_wake(o->entry, o, b);
    o->entry->n_busy--;
    expiry_set(&sh->expiry, o);
    index_note_death(sh);
    DEBUG_CHECK(o->expiry_slot != 0);
    tell_older(o);
}

static void
published(struct object *o)
{
    DEBUG_CHECK(object_state(o) == OBJECT_STREAMING);
    struct notice_batch b = { 0 };
    struct object *dropped = NULL;
    struct store *s = object_storage(o)->store;
    struct shard *sh = index_lock_of(s, o);
    bool found = o->entry != NULL && (o->flags & OBJECT_FINDABLE);
    if (found)
        become_found(sh, o, &b);
    else if (o->entry != NULL && (o->flags & OBJECT_PURGED))
        leave_unfound(s, sh, o, &b, &dropped);
    nsec death = object_death(o);
    pthread_mutex_unlock(&sh->lock);
    if (found)
        log_expiry(o, death);
    notice_send(&b);
    index_release(&dropped);
}

/* ---- withdrawal ---- */

static unsigned
turns_after(const struct object *busy, enum withdrawal why)
{
    switch (why) {
    case WITHDRAW_UNUSED: return 1;
    case WITHDRAW_FAILED: return busy->live->is_retry ? 2 : 1;
    case WITHDRAW_UNSHARED: return UINT32_MAX;
    }
    WRONG("reason of a withdrawal");
}

void
store_withdraw(struct store *s, struct object *busy)
{
    store_withdraw_for(s, busy, busy->flags & OBJECT_HIT_FOR_MISS ? WITHDRAW_UNSHARED : WITHDRAW_UNUSED);
}

/* Nobody waits for it. */
static void
withdraw_beside(struct object *busy)
{
    if (busy->live == NULL || busy->live->beside == NULL)
        return;
    object_unhold_ban(busy);
    object_release(&busy->live->beside);
    busy->flags |= OBJECT_PRIVATE;
}

void
store_withdraw_for(struct store *s, struct object *busy, enum withdrawal why)
{
    struct notice_batch b = { 0 };
    struct object *dropped = NULL;
    if (!(busy->flags & OBJECT_INDEXED)) {
        withdraw_beside(busy);
        return;
    }
    CHECK(object_state(busy) != OBJECT_COMPLETE || !(busy->flags & OBJECT_FINDABLE));
    object_unhold_ban(busy); /* a slow client must not keep old bans in the list */
    struct shard *sh = index_lock_of(s, busy);
    if (busy->entry != NULL) {
        waiters_send(sh, busy->entry, busy, turns_after(busy, why), why == WITHDRAW_FAILED, &b);
        index_unlink(s, sh, busy, REMOVAL_SILENT, &dropped);
        index_note_death(sh);
    }
    DEBUG_CHECK(busy->entry == NULL && !(busy->flags & OBJECT_FINDABLE));
    if (object_state(busy) < OBJECT_STREAMING)
        busy->flags |= OBJECT_PRIVATE;
    pthread_mutex_unlock(&sh->lock);
    notice_send(&b);
    index_release(&dropped);
}

bool
store_is_awaited(struct store *s, const struct object *busy)
{
    struct shard *sh = index_lock_of(s, busy);
    bool awaited = busy->entry != NULL && !list_empty(&busy->entry->waiters);
    pthread_mutex_unlock(&sh->lock);
    return awaited;
}

/* ---- completion ---- */

static bool
same_marks(const struct vary_marks *a, const struct vary_marks *b)
{
    if (a == NULL || b == NULL)
        return a == b;
    return a->names == b->names && a->values == b->values && a->codings == b->codings &&
           a->languages == b->languages;
}

static bool
same_variant(const struct object *a, const struct object *b)
{
    return same_marks(object_marks_of(a->head), object_marks_of(b->head)) &&
           span_eq(object_vary(a), object_vary(b)) &&
           head_image_of(a->head)->vary_any == head_image_of(b->head)->vary_any;
}

/* Is o's list of selecting fields among the newest VARY_LISTS_MAX? */
static bool
list_is_kept(struct vary_lists *lists, const struct object *o)
{
    DEBUG_CHECK(lists->n <= VARY_LISTS_MAX);
    const struct vary_marks *m = object_marks_of(o->head);
    unsigned i = 0;
    while (m != NULL && i < lists->n && lists->names[i] != m->names)
        i++;
    if (m == NULL || i < lists->n)
        return true;
    if (lists->n == VARY_LISTS_MAX)
        return false;
    lists->names[lists->n++] = m->names;
    return true;
}

/* Unlinks responses that a complete one replaces: the older ones of its variant, and the oldest ones beyond
 * VARIANTS_MAX and VARY_LISTS_MAX. A marker replaces only markers, because a stale response may be wanted
 * after the marker ends. */
static void
drop_superseded(struct store *s, struct shard *sh, struct object *o, struct object **dropped)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(o->entry != NULL && object_findable(o));
    unsigned variants = 1;
    bool marker = object_is_marker(o);
    struct vary_lists lists;
    lists.n = 0;
    (void)list_is_kept(&lists, o);
    for (struct object *older = o->next, *next; older != NULL; older = next) {
        next = older->next;
        if (!object_findable(older) || object_state(older) != OBJECT_COMPLETE)
            continue;
        bool superseded = same_variant(older, o) && (!marker || object_is_marker(older));
        if (superseded || ++variants > VARIANTS_MAX || !list_is_kept(&lists, older))
            index_unlink(s, sh, older, REMOVAL_SILENT, dropped);
    }
}

static void
trim_unread(struct object *o)
{
    SHARD_HELD(o);
    object_body_end(o, true);
    if (object_is_transit(o))
        object_drain(o); /* no reader will come */
}

static void
completed_in_index(struct store *s, struct object *o)
{
    struct object *dropped = NULL;
    struct shard *sh = index_lock_of(s, o);
    /* Only the writer and the index hold references: no request reads the object, and none can begin while
     * the shard is locked. */
    if (atomic_load_explicit(&o->refs, memory_order_acquire) == (o->entry != NULL ? 2u : 1u))
        trim_unread(o);
    if (o->entry != NULL && object_findable(o)) {
        drop_superseded(s, sh, o, &dropped);
        queues_add(o, o->entry->digest);
        index_note_death(sh);
    }
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
}

static void
completed(struct object *o)
{
    struct store *s = object_storage(o)->store;
    if (o->flags & OBJECT_INDEXED)
        completed_in_index(s, o);
    else if (atomic_load_explicit(&o->refs, memory_order_acquire) == 1)
        object_body_end(o, true);
    if (o->live->replaces != NULL)
        index_drop(s, o->live->replaces, REMOVAL_SILENT);
    (void)storage_settle(object_storage(o), SETTLE_AT_ONCE); /* the rounding was held, not charged */
}

/* ---- states ---- declared in object.h, defined here because they change the index */

int
object_publish(struct object *o, int64_t content_length)
{
    CHECK(object_state(o) < OBJECT_STREAMING && o->head != NULL && o->live != NULL);
    CHECK(content_length < 0 || (uint64_t)content_length >= body_bytes(&o->body));
    if (content_length >= 0 && (uint64_t)content_length == body_bytes(&o->body))
        object_body_end(o, true); /* the body is complete, and no request reads it yet */
    o->head->content_length = content_length;
    if (content_length >= 0)
        o->flags |= OBJECT_HAS_LENGTH;
    atomic_store_explicit(&o->state, OBJECT_STREAMING, memory_order_release);
    object_wake(o);
    if (o->flags & OBJECT_INDEXED)
        published(o);
    return 0;
}

void
object_complete(struct object *o)
{
    CHECK(object_state(o) == OBJECT_STREAMING && o->live != NULL);
    completed(o);
    object_finish(o, OBJECT_COMPLETE);
}

void
object_fail(struct object *o)
{
    CHECK(object_state(o) < OBJECT_COMPLETE);
    /* Set FAILED first: then a lookup that still finds the object skips it, and waiters woken by the
     * withdrawal do not find it. */
    atomic_store_explicit(&o->state, OBJECT_FAILED, memory_order_release);
    store_withdraw_for(object_storage(o)->store, o, WITHDRAW_FAILED);
    object_finish(o, OBJECT_FAILED);
}

/* ---- lifetimes of what is stored ---- */

void
store_stretch_grace(struct store *s, struct object *o, nsec until)
{
    nsec grace = until - nsec_add(o->origin_time, o->ttl), longer = grace - o->grace;
    if (longer <= 0)
        return;
    /* Take the extra grace from keep, so that the object dies no later unless `until` requires it. */
    nsec keep = o->keep > longer ? o->keep - longer : 0;
    index_soften(s, o, (struct softening){ NSEC_NEVER, grace, keep, false });
}

void
store_make_stale(struct store *s, struct object *o, nsec now)
{
    index_soften(s, o, (struct softening){ now, -1, -1, true });
}
