/* Lookup: finds the stored response that answers a request, and decides whether the caller has to fetch,
 * wait, or both.
 *
 * Most lookups are hits of a fresh response, and most keys have one variant. Such a lookup finds the object
 * near the loop, or takes the shard's lock only to find the entry and take a reference, and compares the
 * selecting fields afterwards.
 * lookup_locked() makes every other decision, under the lock. */
#include <stdlib.h>

#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/invalidation_internal.h"
#include "cache/near.h"
#include "cache/rfc9111/rfc9111.h"
#include "cache/vary.h"
#include "cache/waiters.h"
#include "log/counters.h"

/* ---- judging one object ---- */

static bool
is_busy(const struct object *o)
{
    return object_state(o) < OBJECT_STREAMING;
}

static nsec
limited(nsec own, nsec limit)
{
    nsec t = own > 0 ? own : 0;
    return limit >= 0 && limit < t ? limit : t;
}

/* Returns the time at which o becomes stale for this request, which req.ttl may make earlier. Markers have no
 * content, so req.ttl does not limit them. */
static nsec
stale_at_for(const struct object *o, const struct lookup *l)
{
    return nsec_add(o->origin_time, limited(o->ttl, object_is_marker(o) ? -1 : l->ttl_limit));
}

static bool
fresh_at(const struct object *o, const struct lookup *l, nsec now)
{
    if (l->demand != NULL && !object_is_marker(o))
        return rfc9111_is_met(l->demand, o, stale_at_for(o, l), now);
    return stale_at_for(o, l) > now;
}

static bool
fresh_for(const struct object *o, const struct lookup *l)
{
    return fresh_at(o, l, object_time(o, l->now));
}

/* May a stale o be served in grace? */
static bool
in_grace_for(const struct object *o, const struct lookup *l)
{
    if (l->demand != NULL && !object_is_marker(o) && !rfc9111_takes_stale(l->demand))
        return false;
    return nsec_add(stale_at_for(o, l), limited(o->grace, l->grace_limit)) > object_time(o, l->now);
}

/* A response to HEAD answers no GET (RFC 9110, 9.3.2). A marker is for all methods. */
static bool
answers_method(const struct object *o, const struct lookup *l)
{
    const struct object_coding *c = object_coding_of(o->head);
    return c == NULL || !c->form.of_head || object_is_marker(o) ||
           (l->request != NULL && span_eq(l->request->method, SPAN_LIT("HEAD")));
}

static bool
selected(const struct object *o, const struct lookup *l)
{
    return answers_method(o, l) && (l->ignore_vary || object_selected_by(o, l->request, l->rfc9111));
}

/* ---- the request's marks ---- one set for each list of selecting fields among the variants of the key, so
 * that a look-up reads the request's fields once, however many variants there are. */

struct asked {
    unsigned n;
    struct vary_marks marks[VARY_LISTS_MAX];
};

/* Marks of the request for the fields of `spec`, whose hash is `names`. NULL: the key has too many lists. The
 * store keeps at most VARY_LISTS_MAX; more come only from fetches that have not ended. */
static const struct vary_marks *
asked_for(const struct store *s, struct asked *a, const struct lookup *l, uint64_t names, struct span spec)
{
    DEBUG_CHECK(a->n <= VARY_LISTS_MAX);
    for (unsigned i = 0; i < a->n; i++)
        if (a->marks[i].names == names)
            return &a->marks[i];
    if (a->n == VARY_LISTS_MAX)
        return NULL;
    vary_mark_request(&s->key_secret, spec, l->request, &a->marks[a->n]);
    return &a->marks[a->n++];
}

/* Like selected(), for one of many variants: reads the values only if the marks agree. */
static bool
selected_of_many(const struct store *s, struct asked *a, const struct object *o, const struct lookup *l)
{
    const struct vary_marks *stored = object_marks_of(o->head);
    if (stored == NULL || l->ignore_vary)
        return selected(o, l);
    const struct vary_marks *asked = asked_for(s, a, l, stored->names, object_vary(o));
    return asked != NULL && vary_marks_agree(stored, asked, l->rfc9111) && selected(o, l);
}

/* ---- the short way ---- */

static struct object *
first_findable(struct cache_entry *e)
{
    struct object *o = e == NULL ? NULL : e->objects;
    while (o != NULL && !object_findable(o))
        o = o->next;
    return o;
}

/* Call without locks. True: a ban concerns o, and o has left the index. */
static bool
drop_banned(struct store *s, struct object *o, const struct lookup *l)
{
    if (!bans_concern(s->bans, o, l->request))
        return false;
    if (index_drop(s, o, REMOVAL_BANNED)) {
        counters_here()->bans_obj_killed++;
        log_printf(l->log, TAG_EXP_BAN, "%u banned lookup", o->xid);
    }
    return true;
}

static bool
is_current(const struct store *s, const struct object *o, const struct lookup *l)
{
    return fresh_at(o, l, l->now) && !purged_all_may_concern(s, o);
}

/* The first object of the shard's entry, with a reference; NULL: it may not be a hit, and the shard stays
 * locked. */
static struct object *
take_first(struct store *s, struct shard *sh, const struct lookup *l, struct digest d)
{
    pthread_mutex_lock(&sh->lock);
    struct object *o = first_findable(index_find(sh, l->key, d));
    if (o == NULL || object_is_marker(o) || !is_current(s, o, l))
        return NULL;
    object_ref(o);
    pthread_mutex_unlock(&sh->lock);
    DEBUG_CHECK(o->head != NULL && !(o->flags & OBJECT_PRIVATE));
    return o;
}

/* l->object is a hit, or a marker near the loop. False: neither, and the shard is locked. */
static bool
lookup_quick(struct store *s, struct shard *sh, struct lookup *l, struct digest d)
{
    struct object *near = near_find(l->key, d), *o = near != NULL ? near : take_first(s, sh, l, d);
    if (o == NULL)
        return false;
    if ((near != NULL && !is_current(s, o, l)) || object_softened(o) || !selected(o, l) ||
        (bans_to_test(s->bans, o) && drop_banned(s, o, l))) {
        object_release(&o);
        pthread_mutex_lock(&sh->lock);
        return false;
    }
    if (near == NULL)
        near_offer(o, l->key, d);
    l->object = o;
    return true;
}

/* ---- the whole decision; shard lock held ---- */

#define UNTESTED_MAX 32u /* tested before the next scan */

struct found {
    struct object *fresh, *stale; /* stale: the youngest object in grace or keep */
    struct object *model;         /* any response: shows the fields on which the key varies */
    unsigned others;              /* variants for other requests */
    struct object *busy;          /* its fetch may bring a response for this request */
    struct object *unshared;      /* the youngest hit-for-miss in grace: waiting is probably useless */
    struct object *too_old;       /* the youngest response for this request that is not fresh for it */
    struct object *marker;        /* a marker for this request */
    bool purged;                  /* a purge of everything removed a response of this key */
    /* Newer bans must be tested against these first. Only the variants that the request selects are tested,
     * so a request does not pay for the other variants of its key. References, which the caller releases. */
    unsigned n_untested;
    struct object *untested[UNTESTED_MAX]; /* last: a look-up sets all fields before it to zero */
};

/* A response has no Vary before its head arrives. If earlier responses of the key have Vary, it probably has
 * the same. */
static bool
may_match(const struct store *s, struct asked *a, const struct object *o, const struct lookup *l)
{
    const struct object_live *live = o->live;
    uint64_t born = live->born;
    if (live->no_wait || (born > 0 && born < s->purged_all.hard))
        return false;
    if (l->waiter != NULL && l->waiter->patience > 0 && live->number > l->waiter->patience)
        return false;
    if (live->vary == NULL || l->ignore_vary)
        return true;
    const struct vary_marks *asked = asked_for(s, a, l, live->marks.names,
                                               span_of(live->vary, live->vary_bytes));
    return asked != NULL && vary_marks_agree(&live->marks, asked, false);
}

/* A response that is too old only because of req.ttl is neither served in grace nor validated: the request
 * wants a new one, as in Varnish. A response that does not meet the client's Cache-Control is validated. */
static void
consider_stale(struct found *f, struct object *o, const struct lookup *l)
{
    SHARD_HELD(o);
    bool too_fresh = object_ttl_left(o, l->now) > 0 && l->demand == NULL;
    if (!object_is_marker(o) && (f->too_old == NULL || o->origin_time > f->too_old->origin_time))
        f->too_old = o;
    if (object_is_marker(o) || too_fresh || !object_in_keep(o, l->now))
        return;
    if (f->stale == NULL || o->origin_time > f->stale->origin_time)
        f->stale = o;
}

static void
consider_unshared(struct found *f, struct object *o, const struct lookup *l)
{
    DEBUG_CHECK(object_is_marker(o));
    if (in_grace_for(o, l) && (f->unshared == NULL || o->origin_time > f->unshared->origin_time))
        f->unshared = o;
}

/* A hit-for-miss in grace replaces older responses of its key: these are neither served nor validated any
 * more. */
static void
settle_unshared(struct found *f)
{
    DEBUG_CHECK(f->n_untested == 0);
    bool newest = f->fresh == NULL && f->unshared != NULL &&
                  (f->stale == NULL || f->unshared->origin_time >= f->stale->origin_time);
    if (newest)
        f->fresh = f->unshared;
}

static void
note_untested(struct found *f, struct object *o)
{
    DEBUG_CHECK(f->n_untested < UNTESTED_MAX);
    object_ref(o);
    f->untested[f->n_untested++] = o;
}

static void
scan(struct store *s, struct shard *sh, const struct cache_entry *e, const struct lookup *l, struct asked *a,
     struct found *f)
{
    LOCK_HELD(&sh->lock);
    for (struct object *o = e->objects; o != NULL && f->fresh == NULL && f->n_untested < UNTESTED_MAX;
         o = o->next) {
        if (is_busy(o)) {
            if (f->busy == NULL && may_match(s, a, o, l))
                f->busy = o;
            continue;
        }
        if (!object_findable(o))
            continue;
        if (purged_all_removed(s, o)) {
            f->purged = true; /* the sweep frees it */
            continue;
        }
        if (purged_all_may_concern(s, o))
            purged_all_soften(s, sh, o);
        if (f->model == NULL && !object_is_marker(o))
            f->model = o;
        if (!selected_of_many(s, a, o, l)) {
            f->others++;
            continue;
        }
        if (bans_to_test(s->bans, o)) {
            note_untested(f, o);
            continue;
        }
        if (object_is_marker(o))
            f->marker = o;
        if (fresh_for(o, l))
            f->fresh = o;
        else if (o->flags & OBJECT_HIT_FOR_MISS)
            consider_unshared(f, o, l);
        else
            consider_stale(f, o, l);
    }
}

/* Predicts the selecting fields of `busy`. Without a prediction, requests for other variants may wait in
 * vain. */
static void
predict_vary(const struct store *s, struct object *busy, const struct object *model, struct asked *a,
             const struct lookup *l)
{
    CHECK(busy->live->vary == NULL);
    DEBUG_CHECK(model == NULL || (model->head != NULL && model != busy));
    const struct vary_marks *stored = model == NULL ? NULL : object_marks_of(model->head);
    if (stored == NULL || l->request == NULL)
        return;
    struct span spec = object_vary(model);
    const struct vary_marks *asked = asked_for(s, a, l, stored->names, spec);
    size_t bytes = vary_repack(spec, NULL, NULL);
    char *names = asked == NULL ? NULL : malloc(bytes);
    if (names == NULL)
        return;
    busy->live->vary = names;
    busy->live->vary_bytes = (uint32_t)vary_repack(spec, NULL, names);
    busy->live->marks = *asked;
}

/* The storage until the fetch chooses one (store_storage, which counts the turns). */
static struct storage *
default_storage(struct store *s, struct digest d)
{
    DEBUG_CHECK(s->n_storages >= 1 && s->n_storages <= STORAGES_MAX);
    return s->n_storages == 1 ? store_transient(s) : s->storages[1 + d.low % (s->n_storages - 1)];
}

/* Each object that is being fetched lengthens the scans of all other requests for the key. Beyond
 * key_fetches_max the response goes to its client only. */
static bool
is_crowded(const struct cache_entry *e)
{
    return e != NULL && e->n_busy >= params.key_fetches_max;
}

static int
start_busy(struct store *s, struct shard *sh, struct cache_entry *e, struct lookup *l, struct digest d,
           const struct found *f, struct asked *a)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(e == NULL || digest_eq(e->digest, d));
    CHECK(l->busy == NULL);
    struct object *busy = NULL;
    if (l->key->failed || object_new(default_storage(s, d), 0, &busy) != 0)
        return ERR_NOMEM;
    if (e == NULL)
        e = index_add(s, sh, l->key, d);
    if (e == NULL) {
        object_release(&busy);
        return ERR_NOMEM;
    }
    predict_vary(s, busy, f->model, a, l);
    busy->live->no_wait = l->no_wait;
    busy->live->is_retry = l->waiter != NULL && l->waiter->retries;
    busy->live->number = ++sh->n_fetches;
    index_link(s, e, busy);
    l->busy = busy;
    return 0;
}

static enum lookup_result
wait_for(const struct store *s, struct cache_entry *e, const struct lookup *l, struct asked *a,
         const struct object *busy)
{
    CHECK(l->waiter != NULL);
    DEBUG_CHECK(e->n_busy > 0 && busy->entry == e);
    const struct object_live *live = busy->live;
    const struct vary_marks *asked = live->vary == NULL || l->ignore_vary
                                       ? NULL
                                       : asked_for(s, a, l, live->marks.names,
                                                   span_of(live->vary, live->vary_bytes));
    return waiter_queue(e, l->waiter, asked, position_now(&s->positions)) == 0 ? LOOKUP_WAIT : LOOKUP_FULL;
}

static struct object *
with_ref(struct object *o)
{
    if (o != NULL)
        object_ref(o);
    return o;
}

/* ---- the cause of a miss ---- */

static nsec
stale_for(const struct object *o, const struct lookup *l)
{
    return object_time(o, l->now) - nsec_add(o->origin_time, limited(o->ttl, -1));
}

static struct miss
miss_of_old(const struct object *o, const struct lookup *l)
{
    bool fresh = object_ttl_left(o, l->now) > 0;
    if (l->demand != NULL && (fresh || object_in_grace(o, l->now, l->grace_limit)))
        return (struct miss){ MISS_CLIENT, 0 };
    if (fresh)
        return (struct miss){ MISS_REQ_TTL, 0 };
    return (struct miss){ object_in_grace(o, l->now, -1) ? MISS_REQ_GRACE : MISS_EXPIRED, stale_for(o, l) };
}

static struct miss
miss_of_removed(const struct store *s, struct digest d, const struct lookup *l)
{
    static const enum miss_cause causes[] = {
        [REMOVAL_EXPIRED] = MISS_EXPIRED,
        [REMOVAL_EVICTED] = MISS_EVICTED,
        [REMOVAL_PURGED] = MISS_PURGED,
        [REMOVAL_BANNED] = MISS_BANNED,
    };
    struct removal_note note;
    if (!removals_find(s->removals, d, l->now, &note))
        return (struct miss){ MISS_ABSENT, 0 };
    DEBUG_CHECK(note.cause > REMOVAL_SILENT && note.cause <= REMOVAL_BANNED);
    bool ended = note.marker && note.cause == REMOVAL_EXPIRED;
    return (struct miss){ ended ? MISS_MARKER_ENDED : causes[note.cause], note.ago };
}

static nsec
since(nsec then, nsec now)
{
    return now > then ? now - then : 0; /* a request may have begun before */
}

static struct miss
miss_of(const struct store *s, struct digest d, const struct lookup *l, const struct found *f)
{
    if (l->always_miss)
        return (struct miss){ MISS_ALWAYS, 0 };
    if (f->too_old != NULL)
        return miss_of_old(f->too_old, l);
    if (f->marker != NULL) /* its time is over, and it is not removed yet */
        return (struct miss){ MISS_MARKER_ENDED, stale_for(f->marker, l) };
    if (f->purged)
        return (struct miss){ MISS_PURGED, since(s->purged_all.hard_at, l->now) };
    return f->others > 0 ? (struct miss){ MISS_VARIANT, 0 } : miss_of_removed(s, d, l);
}

/* The caller's reference to the marker is that of l->object. Nobody waits for the response of a fetch after a
 * hit-for-miss, or finds it before it is inserted, so it enters the index only then. */
static enum lookup_result
use_marker(struct store *s, struct lookup *l, struct digest d, struct object *marker)
{
    DEBUG_CHECK(object_is_marker(marker) && l->busy == NULL);
    store_touch(marker);
    l->object = marker;
    if (marker->flags & OBJECT_HIT_FOR_PASS)
        return LOOKUP_HIT_FOR_PASS;
    if (l->key->failed || object_new(default_storage(s, d), 0, &l->busy) != 0) {
        object_release(&l->object);
        return LOOKUP_FULL;
    }
    near_ref(marker);
    l->busy->shard = (uint16_t)shard_number(d);
    l->busy->live->beside = marker;
    l->busy->live->no_wait = true;
    return LOOKUP_HIT_FOR_MISS;
}

/* If it sets f->n_untested, its result is not valid yet. */
static enum lookup_result
lookup_locked(struct store *s, struct shard *sh, struct lookup *l, struct digest d, struct asked *a,
              struct found *f)
{
    LOCK_HELD(&sh->lock);
    DEBUG_CHECK(l->object == NULL && l->busy == NULL);
    memset(f, 0, offsetof(struct found, untested));
    struct cache_entry *e = index_find(sh, l->key, d);
    if (e != NULL && !l->always_miss)
        scan(s, sh, e, l, a, f);
    if (f->n_untested > 0)
        return LOOKUP_WAIT;
    DEBUG_CHECK(f->fresh == NULL || (f->fresh->entry == e && f->fresh->head != NULL));
    l->other_variants = f->others;
    settle_unshared(f);
    if (f->fresh != NULL && object_is_marker(f->fresh))
        return use_marker(s, l, d, with_ref(f->fresh));
    if (f->fresh != NULL) {
        l->object = with_ref(f->fresh);
        return LOOKUP_HIT;
    }
    bool grace = f->stale != NULL && in_grace_for(f->stale, l);
    bool busy = f->busy != NULL && !l->ignore_busy && f->unshared == NULL;
    bool crowded = is_crowded(e);
    if ((busy || crowded) && grace) {
        l->object = with_ref(f->stale);
        return LOOKUP_HIT_GRACE;
    }
    if (busy && l->waiter != NULL)
        return wait_for(s, e, l, a, f->busy);
    int err = crowded ? object_new(store_transient(s), OBJECT_PRIVATE, &l->busy)
                      : start_busy(s, sh, e, l, d, f, a);
    if (err != 0)
        return LOOKUP_FULL;
    if (!crowded) /* a response that is not stored confirms and replaces nothing */
        l->object = with_ref(f->stale);
    if (l->explain)
        l->miss = miss_of(s, d, l, f);
    return grace ? LOOKUP_HIT_GRACE_FETCH : LOOKUP_MISS;
}

/* Lookups in a key with many variants take long and probably miss. */
static void
note_variants(const struct lookup *l)
{
    if (l->other_variants >= params.vary_notice)
        log_printf(l->log, TAG_NOTICE, "vsl: High number of variants (%u)", l->other_variants);
}

/* A waiter may use the object it was given even if lookups cannot find the object any more. Only its Vary is
 * still to be compared. */
static bool
take_given(struct store *s, struct lookup *l)
{
    struct object *given = waiter_answer(s, l->waiter);
    if (given == NULL)
        return false;
    if (object_state(given) == OBJECT_FAILED || object_is_marker(given) || !fresh_for(given, l) ||
        !selected(given, l)) {
        object_release(&given);
        return false;
    }
    l->object = given;
    return true;
}

/* Call with the shard locked; unlocks it. A function of its own, because its tables would cost each hit their
 * place on the stack. */
static __attribute__((noinline)) enum lookup_result
look_up_whole(struct store *s, struct shard *sh, struct lookup *l, struct digest d)
{
    struct asked asked;
    struct found f;
    asked.n = 0;
    for (;;) {
        enum lookup_result result = lookup_locked(s, sh, l, d, &asked, &f);
        pthread_mutex_unlock(&sh->lock);
        if (f.n_untested == 0) {
            if (l->object != NULL && object_is_marker(l->object))
                near_offer(l->object, l->key, d);
            note_variants(l);
            return result;
        }
        for (unsigned i = 0; i < f.n_untested; i++) {
            (void)drop_banned(s, f.untested[i], l);
            object_release(&f.untested[i]);
        }
        pthread_mutex_lock(&sh->lock);
    }
}

static enum lookup_result
look_up(struct store *s, struct lookup *l)
{
    CHECK(l->key != NULL && (l->key->bytes != NULL || l->key->len == 0));
    CHECK(l->waiter == NULL || (l->waiter->loop != NULL && l->waiter->fn != NULL));
    struct digest d = index_key_digest(s, l->key);
    struct shard *sh = shard_of(s, d);
    l->object = l->busy = NULL;
    l->other_variants = 0;
    if (l->waiter != NULL && take_given(s, l))
        return LOOKUP_HIT;
    if (l->always_miss)
        pthread_mutex_lock(&sh->lock);
    else if (lookup_quick(s, sh, l, d))
        return object_is_marker(l->object) ? use_marker(s, l, d, l->object) : LOOKUP_HIT;
    return look_up_whole(s, sh, l, d);
}

/* Checks the contract of each result (store.h): `busy` is set if the caller has to fetch, `object` if the
 * result has one. */
static bool
result_is_complete(const struct lookup *l, enum lookup_result result)
{
    bool fetches = result == LOOKUP_MISS || result == LOOKUP_HIT_FOR_MISS || result == LOOKUP_HIT_GRACE_FETCH;
    bool shows = result != LOOKUP_MISS && result != LOOKUP_WAIT && result != LOOKUP_FULL;
    return (l->busy != NULL) == fetches && (!shows || (l->object != NULL && l->object->head != NULL));
}

/* Will other requests wait for l->busy? */
static bool
begins_shared_fetch(const struct lookup *l, enum lookup_result result)
{
    return l->busy != NULL && !l->no_wait && result != LOOKUP_HIT_FOR_MISS &&
           !(l->busy->flags & OBJECT_PRIVATE);
}

enum lookup_result
store_lookup(struct store *s, struct lookup *l)
{
    DEBUG_CHECK(l->waiter == NULL || loop_may_use(l->waiter->loop));
    enum lookup_result result = look_up(s, l);
    CHECK(result_is_complete(l, result));
    bool waited = l->waiter != NULL && l->waiter->asked != 0;
    if (waited && result != LOOKUP_WAIT)
        waiter_done(s, l->waiter, begins_shared_fetch(l, result));
    return result;
}
