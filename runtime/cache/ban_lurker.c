/* The lurker tests stored responses in the background against bans without request conditions, so that
 * lookups need not test these bans and the list gets shorter.
 *
 * A round begins with a plan over the current list. A ban is due if it is old enough (ban_lurker_age) and has
 * conditions on stored responses only. A response that points at the plan's i-th ban (from the newest) is
 * tested against the due bans newer than that, the oldest first. A response that meets none of them then
 * points at `moves_to`: the newest due ban or, because only lookups can test bans on requests, the newest ban
 * older than all of these. One walk over the index tests all responses, and then the due bans are complete.
 * Responses that still point below the newest ban_cutoff bans are dropped untested. Responses stored during
 * the walk were tested against all bans at insertion (bans_judge). */
#include <limits.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "log/counters.h"
#include "log/report.h"
#include "log/txn.h"

#define LURK_IDLE (49 * NSEC_PER_SEC) /* longest pause between two rounds without a new ban */
#define LURK_AT_ONCE 64u              /* responses taken under one hold of a shard's lock */

struct planned {
    struct ban *ban;
    struct ban *moves_to; /* NULL: responses that point here are not tested */
    unsigned n_due;       /* number of bans in plan.due newer than this one */
    bool kill;
};

struct plan {
    struct planned *bans; /* newest first, numbers without gaps */
    unsigned n;
    struct ban **due; /* newest first */
    unsigned n_due;
    uint64_t newest; /* number */
    nsec wait;       /* time until the next ban is due */
};

struct walk {
    struct store *store;
    struct bans *bans;
    struct plan plan;
    struct object **found; /* references */
    size_t n_found, cap_found;
    void (*pause)(double seconds, void *arg);
    void *pause_arg;
    uint64_t tested, tests, killed, cut;
};

/* ---- the plan; the oldest ban is held ---- */

/* Is this ban due now? A due ban makes all older ones due, because a response that moves to a newer ban must
 * have been tested against all bans between. The times of older bans do not matter: clocks are set back, and
 * two threads may ban at once. */
static bool
is_due(struct plan *p, const struct ban *b, nsec now)
{
    if (p->n_due > 0)
        return true;
    nsec left = nsec_add(nsec_add(b->time, nsec_of(params.ban_lurker_age_s)), -now);
    if (left >= 0 && left < p->wait)
        p->wait = left;
    return left < 0;
}

/* Each ban was charged for its share of the plan's memory. */
static void
make_plan(struct plan *p, struct ban *newest, const struct ban *oldest, nsec now)
{
    unsigned cutoff = params.ban_cutoff > 0 ? params.ban_cutoff : UINT_MAX,
             n = (unsigned)(newest->number - oldest->number) + 1;
    struct ban *moves_to = NULL;
    *p = (struct plan){ .bans = mem_alloc(n * sizeof *p->bans),
                        .due = mem_alloc(n * sizeof(struct ban *)),
                        .newest = newest->number,
                        .wait = LURK_IDLE };
    for (struct ban *b = newest; p->n < n; b = b->older) {
        CHECK(b != NULL); /* the numbers of the list have no gaps */
        DEBUG_CHECK(b->number == newest->number - p->n && p->n_due <= p->n);
        unsigned at = p->n++, flags = ban_flags(b);
        p->bans[at] = (struct planned){ b, moves_to, p->n_due, at > cutoff };
        if (flags & BAN_COMPLETED)
            continue;
        if ((flags & BAN_ON_REQUESTS) && at <= cutoff) {
            moves_to = moves_to == NULL || p->n == n ? NULL : b->older;
        } else if (is_due(p, b, now)) {
            p->due[p->n_due++] = b;
            moves_to = moves_to == NULL ? b : moves_to;
        }
    }
}

static bool
has_work(const struct plan *p)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->bans[i].moves_to != NULL &&
            p->bans[i].n_due > 0
            /* The lurker's hold. */
            && ban_users(p->bans[i].ban) > (i + 1 == p->n))
            return true;
    return false;
}

/* Returns NULL if o needs no test. */
static const struct planned *
planned_of(const struct plan *p, const struct object *o)
{
    const struct ban *b = ban_of(o);
    if (b == NULL || b->number > p->newest)
        return NULL;
    const struct planned *at = &p->bans[p->newest - b->number];
    CHECK(at->ban == b);
    return at->moves_to != NULL && at->n_due > 0 ? at : NULL;
}

/* ---- one response ---- */

static void
drop(struct walk *w, struct object *o, const char *why)
{
    if (index_drop(w->store, o, REMOVAL_BANNED))
        log_printf(&log_untied, TAG_EXP_BAN, "%u %s", o->xid, why);
}

/* Skips bans completed meanwhile: a newer equal ban replaced them. */
static bool
meets_due(struct walk *w, const struct object *o, const struct planned *at)
{
    DEBUG_CHECK(at->n_due <= w->plan.n_due);
    for (unsigned i = at->n_due; i-- > 0;) {
        const struct ban *b = w->plan.due[i];
        if ((ban_flags(b) & BAN_COMPLETED) || ban_is_own(b, o))
            continue;
        w->tested++;
        if (ban_meets(b, o, NULL, &w->tests))
            return true;
    }
    return false;
}

static void
test_one(struct walk *w, struct object *o)
{
    const struct planned *at = planned_of(&w->plan, o);
    if (at == NULL)
        return; /* a lookup tested it first */
    DEBUG_CHECK(at->moves_to->number >= at->ban->number);
    if (at->kill) {
        drop(w, o, "killed for lurker cutoff");
        w->cut++;
    } else if (meets_due(w, o, at)) {
        drop(w, o, "banned by lurker");
        w->killed++;
    } else {
        pthread_mutex_lock(&w->bans->lock);
        ban_move(o, at->moves_to);
        pthread_mutex_unlock(&w->bans->lock);
    }
}

/* ---- the walk ---- */

static bool
take(struct object *o, void *arg)
{
    struct walk *w = arg;
    if (!(o->flags & OBJECT_FINDABLE) || planned_of(&w->plan, o) == NULL)
        return false;
    if (w->n_found == w->cap_found) {
        w->cap_found = w->cap_found == 0 ? 2 * LURK_AT_ONCE : 2 * w->cap_found;
        w->found = realloc(w->found, w->cap_found * sizeof(struct object *));
        CHECK(w->found != NULL);
    }
    object_ref(o);
    w->found[w->n_found++] = o;
    return true;
}

static void
lock_patiently(struct walk *w, struct shard *sh)
{
    if (pthread_mutex_trylock(&sh->lock) == 0)
        return;
    counters_here()->bans_lurker_contention++;
    if (w->pause != NULL)
        w->pause(params.ban_lurker_holdoff_s, w->pause_arg);
    pthread_mutex_lock(&sh->lock);
}

static void
add_up(struct walk *w)
{
    struct counters *n = counters_here();
    n->bans_lurker_tested += w->tested;
    n->bans_lurker_tests_tested += w->tests;
    n->bans_lurker_obj_killed += w->killed;
    n->bans_lurker_obj_killed_cutoff += w->cut;
    w->tested = w->tests = w->killed = w->cut = 0;
}

static void
test_found(struct walk *w)
{
    for (size_t i = 0; i < w->n_found; i++) {
        if (++w->bans->in_batch > params.ban_lurker_batch && w->pause != NULL) {
            add_up(w);
            w->pause(params.ban_lurker_sleep_s, w->pause_arg);
            w->bans->in_batch = 0;
        }
        test_one(w, w->found[i]);
        object_release(&w->found[i]);
    }
    w->n_found = 0;
    add_up(w);
}

static void
walk_index(struct walk *w)
{
    struct index_walk at = { 0 };
    struct shard *sh;
    while ((sh = index_walk_shard(w->store, &at)) != NULL) {
        DEBUG_CHECK(w->n_found == 0 && at.shard < STORE_SHARDS);
        lock_patiently(w, sh);
        index_walk_some(sh, &at, LURK_AT_ONCE, take, w);
        pthread_mutex_unlock(&sh->lock);
        test_found(w);
    }
}

/* ---- a round ---- */

/* The hold keeps the bans of the plan in the list while the lock is given away. */
static void
finish(struct bans *bans, const struct plan *p, struct ban *held)
{
    for (unsigned i = 0; i < p->n_due;) {
        unsigned end = p->n_due - i < BANS_AT_ONCE ? p->n_due : i + BANS_AT_ONCE;
        pthread_mutex_lock(&bans->lock);
        for (; i < end; i++)
            ban_complete(p->due[i]);
        pthread_mutex_unlock(&bans->lock);
    }
    if (held != NULL)
        atomic_fetch_sub_explicit(&held->hold.refs, 1, memory_order_release);
    bans_drop_unheld(bans);
}

nsec
store_lurk(struct store *s, nsec now, void (*pause)(double seconds, void *arg), void *arg)
{
    struct bans *bans = s->bans;
    struct walk w = { .store = s, .bans = bans, .pause = pause, .pause_arg = arg };
    if (params.ban_lurker_sleep_s <= 0) {
        finish(bans, &w.plan, NULL);
        return LURK_IDLE;
    }
    pthread_mutex_lock(&bans->lock);
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed), *oldest = bans->oldest;
    atomic_fetch_add_explicit(&oldest->hold.refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    make_plan(&w.plan, newest, oldest, now);
    if (has_work(&w.plan))
        walk_index(&w);
    finish(bans, &w.plan, oldest);
    free(w.found);
    free(w.plan.bans);
    free(w.plan.due);
    return w.plan.wait;
}

/* ---- the thread ---- */

/* Waits for `ns`, or until the lurker is stopped, or (if until_kicked) kicked. Lock held. */
static void
rest(struct bans *bans, nsec ns, bool until_kicked)
{
    uint64_t generation = bans->generation;
    nsec until = nsec_add(clock_mono_ns(), ns);
    struct timespec t = { until / NSEC_PER_SEC, until % NSEC_PER_SEC };
    while (!bans->stop && !(until_kicked && generation != bans->generation))
        if (pthread_cond_timedwait(&bans->wake, &bans->lock, &t) != 0)
            break;
}

static void
pause_thread(double seconds, void *arg)
{
    struct bans *bans = arg;
    log_flush();
    counters_settle();
    pthread_mutex_lock(&bans->lock);
    rest(bans, nsec_of(seconds), false);
    pthread_mutex_unlock(&bans->lock);
}

static void *
lurker_thread(void *arg)
{
    struct store *s = arg;
    struct bans *bans = s->bans;
    crash_thread_init();
    pthread_mutex_lock(&bans->lock);
    while (!bans->stop) {
        uint64_t generation = bans->generation;
        pthread_mutex_unlock(&bans->lock);
        nsec wait = store_lurk(s, clock_real_ns(), pause_thread, bans);
        log_flush();
        counters_settle();
        pthread_mutex_lock(&bans->lock);
        if (generation == bans->generation) {
            rest(bans, wait, true);
            bans->in_batch = 0;
        }
    }
    pthread_mutex_unlock(&bans->lock);
    log_thread_release();
    mem_thread_release();
    crash_thread_release();
    return NULL;
}

int
store_lurker_start(struct store *s)
{
    struct bans *bans = s->bans;
    CHECK(!bans->running);
    bans->stop = false;
    bans->running = pthread_create(&bans->thread, NULL, lurker_thread, s) == 0;
    return bans->running ? 0 : ERR_SYS;
}

void
store_lurker_stop(struct store *s)
{
    struct bans *bans = s->bans;
    if (!bans->running)
        return;
    pthread_mutex_lock(&bans->lock);
    bans->stop = true;
    pthread_cond_signal(&bans->wake);
    pthread_mutex_unlock(&bans->lock);
    pthread_join(bans->thread, NULL);
    bans->running = false;
}
