/* The list of bans, and the tests that lookups make: see ban.h.
 *
 * Bans are removed only at the old end. So a thread that holds one ban may walk from the newest ban down to
 * it without the lock: no ban on the way can be removed, and `older` does not change. A response holds the
 * ban that it points at, and thereby all newer ones. */
#include "cache/ban.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/params.h"
#include "cache/ban_internal.h"
#include "cache/index.h"
#include "log/counters.h"
#include "loop/fiber.h"

#define BANS_BETWEEN_YIELDS 32u
#define LURKER_BYTES 48u /* the lurker's plan needs this for each ban */

/* ---- the list ---- */

static void
ban_free(struct bans *bans, struct ban *b)
{
    if (b->bytes > 0)
        storage_refund(bans->store->largest, USE_BANS, b->bytes);
    ban_tests_free(b->tests, b->n_tests);
    free(b->text);
    free(b);
}

static struct ban *
ban_of_draft(const struct store *s, struct ban_draft **dp, nsec now)
{
    DEBUG_CHECK((*dp)->n_tests <= BAN_TESTS_MAX);
    struct ban_draft *d = *dp;
    struct ban *b = mem_zalloc(sizeof *b);
    *b = (struct ban){
        .time = now, .by = d->by, .tests = d->tests, .n_tests = d->n_tests, .text = ban_draft_text(d)
    };
    b->text_hash = digest_short(&s->key_secret, span_str(b->text));
    atomic_init(&b->hold.refs, 0);
    atomic_init(&b->flags, d->flags);
    free(d);
    *dp = NULL;
    return b;
}

static bool
same_test(const struct ban_test *a, const struct ban_test *b)
{
    return a->field == b->field && a->oper == b->oper && a->duration == b->duration &&
           span_eq(span_of(a->name, a->name_bytes), span_of(b->name, b->name_bytes)) &&
           span_eq(span_of(a->value, a->value_bytes), span_of(b->value, b->value_bytes));
}

static bool
same_ban(const struct ban *a, const struct ban *b)
{
    if (a->text_hash != b->text_hash || a->n_tests != b->n_tests)
        return false;
    for (unsigned i = 0; i < a->n_tests; i++)
        if (!same_test(&a->tests[i], &b->tests[i]))
            return false;
    return true;
}

static void
alike_add(struct bans *bans, struct ban *b)
{
    LOCK_HELD(&bans->lock);
    struct ban **chain = &bans->alike[b->text_hash % BANS_ALIKE];
    b->alike = *chain;
    b->alike_at = chain;
    if (b->alike != NULL)
        b->alike->alike_at = &b->alike;
    *chain = b;
}

static void
alike_remove(struct ban *b)
{
    if (b->alike_at == NULL)
        return;
    *b->alike_at = b->alike;
    if (b->alike != NULL)
        b->alike->alike_at = b->alike_at;
    b->alike_at = NULL;
}

void
ban_complete(struct ban *b)
{
    if (ban_flags(b) & BAN_COMPLETED)
        return;
    alike_remove(b);
    atomic_fetch_or_explicit(&b->flags, BAN_COMPLETED, memory_order_release);
    counters_here()->bans_completed++;
}

static void
bans_kick(struct bans *bans)
{
    LOCK_HELD(&bans->lock);
    bans->generation++;
    if (bans->running)
        pthread_cond_signal(&bans->wake);
}

/* A policy's ban does not concern the response of its own fetch. So it replaces only equal bans made before
 * that fetch began. */
static bool
stands_for(const struct ban *b, const struct ban *older, uint64_t born)
{
    return same_ban(b, older) && (b->by == 0 || older->position <= born);
}

/* Call before b is in its chain. */
static void
complete_duplicates(struct bans *bans, const struct ban *b, uint64_t born)
{
    struct ban *older = bans->alike[b->text_hash % BANS_ALIKE], *next;
    for (unsigned n = 0; older != NULL && n < BANS_AT_ONCE; older = next, n++) {
        next = older->alike;
        if (stands_for(b, older, born)) {
            ban_complete(older);
            counters_here()->bans_dups++;
        }
    }
}

static void
insert(struct bans *bans, struct ban *b, struct positions *positions)
{
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    struct counters *n = counters_here();
    CHECK(b->older == NULL && b->newer == NULL && b->hold.refs == 0);
    b->older = newest;
    b->number = newest == NULL ? 1 : newest->number + 1;
    b->position = position_next(positions);
    if (newest != NULL)
        newest->newer = b;
    else
        bans->oldest = b;
    atomic_store_explicit(&bans->newest, b, memory_order_release);
    n->bans++;
    n->bans_added++;
    n->bans_obj += (ban_flags(b) & BAN_ON_OBJECTS) != 0;
    n->bans_req += (ban_flags(b) & BAN_ON_REQUESTS) != 0;
}

/* ---- memory of bans ---- */

static bool
exceeds_share(const struct storage *largest, size_t bytes)
{
    uint64_t limit = largest->limit_bytes / 100 * params.ban_share;
    return limit > 0 && storage_used_for(largest, USE_BANS) + bytes > limit;
}

/* Charges a ban to the storage, which may evict objects for it. Bans beyond ban_share are refused: otherwise
 * a long list would empty the cache, and each lookup would have to test too many bans. */
static int
charge(struct bans *bans, struct ban *b, char error[BAN_ERROR_BYTES])
{
    DEBUG_CHECK(b->bytes == 0 && b->number == 0);
    struct storage *largest = bans->store->largest;
    size_t bytes = mem_cost(sizeof *b) + mem_cost(strlen(b->text) + 1) +
                   ban_tests_memory(b->tests, b->n_tests) + LURKER_BYTES;
    if (exceeds_share(largest, bytes))
        bans_drop_unheld(bans);
    bool full = exceeds_share(largest, bytes);
    if (!full && storage_charge(largest, USE_BANS, bytes) == 0) {
        b->bytes = bytes;
        return 0;
    }
    counters_here()->bans_refused++;
    int n = snprintf(error, BAN_ERROR_BYTES, "The ban is refused: ");
    snprintf(
        error + n, BAN_ERROR_BYTES - (size_t)n,
        full
            ? "bans hold %llu bytes, ban_share allows %u%% of storage %.*s (%llu bytes)"
            : "bans hold %llu bytes (ban_share is %u%%), and no stored response can be evicted from storage %.*s (%llu bytes)",
        (unsigned long long)storage_used_for(largest, USE_BANS), params.ban_share, (int)largest->name.len,
        largest->name.ptr, (unsigned long long)largest->limit_bytes);
    return ERR_LIMIT;
}

int
bans_prepare(struct bans *bans, struct ban_draft **d, nsec now, struct ban **out, char error[BAN_ERROR_BYTES])
{
    struct ban *b = ban_of_draft(bans->store, d, now);
    int err = charge(bans, b, error);
    if (err == 0)
        *out = b;
    else
        ban_free(bans, b);
    return err;
}

uint64_t
bans_add(struct bans *bans, struct ban *b, uint64_t born)
{
    DEBUG_CHECK(b->bytes > 0);
    pthread_mutex_lock(&bans->lock);
    insert(bans, b, &bans->store->positions);
    uint64_t position = b->position;
    bool may_equal = !(ban_flags(b) & BAN_OF_ITS_TIME);
    if (params.ban_dups && may_equal)
        complete_duplicates(bans, b, born);
    if (may_equal)
        alike_add(bans, b);
    if (!(ban_flags(b) & BAN_ON_REQUESTS))
        bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
    return position;
}

/* Returns those it has removed, newest first; NULL: the oldest ban stays. */
static struct ban *
remove_some(struct bans *bans)
{
    LOCK_HELD(&bans->lock);
    struct counters *n = counters_here();
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed), *removed = NULL;
    for (unsigned i = 0; i < BANS_AT_ONCE; i++) {
        struct ban *b = bans->oldest;
        if (b == newest || atomic_load_explicit(&b->hold.refs, memory_order_acquire) != 0)
            break;
        alike_remove(b);
        bans->oldest = b->newer;
        bans->oldest->older = NULL;
        n->bans--;
        n->bans_deleted++;
        n->bans_completed -= (ban_flags(b) & BAN_COMPLETED) != 0;
        n->bans_obj -= (ban_flags(b) & BAN_ON_OBJECTS) != 0;
        n->bans_req -= (ban_flags(b) & BAN_ON_REQUESTS) != 0;
        b->older = removed;
        removed = b;
    }
    return removed;
}

static void
free_list(struct bans *bans, struct ban *removed)
{
    while (removed != NULL) {
        struct ban *b = removed;
        removed = b->older;
        ban_free(bans, b);
    }
}

void
bans_drop_unheld(struct bans *bans)
{
    struct ban *removed;
    births_weigh_anchors(bans);
    do {
        pthread_mutex_lock(&bans->lock);
        removed = remove_some(bans);
        pthread_mutex_unlock(&bans->lock);
        free_list(bans, removed);
    } while (removed != NULL);
}

/* The list is never empty: it begins with a completed ban without conditions. */
int
bans_new(struct store *s, struct bans **out)
{
    struct bans *bans = aligned_alloc(_Alignof(struct bans), sizeof *bans);
    if (bans == NULL)
        return ERR_NOMEM;
    memset(bans, 0, sizeof *bans);
    struct ban_draft *d = ban_draft_new();
    bans->store = s;
    bans->alike = calloc(BANS_ALIKE, sizeof(*bans->alike));
    CHECK(bans->alike != NULL);
    births_init(bans);
    pthread_mutex_init(&bans->lock, NULL);
    pthread_condattr_t attr;
    CHECK(pthread_condattr_init(&attr) == 0 && pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_cond_init(&bans->wake, &attr) == 0);
    pthread_condattr_destroy(&attr);
    insert(bans, ban_of_draft(s, &d, clock_real_ns()), &s->positions);
    ban_complete(bans->oldest);
    *out = bans;
    return 0;
}

void
bans_release(struct bans **bp)
{
    struct bans *bans = *bp;
    *bp = NULL;
    if (bans == NULL)
        return;
    CHECK(!bans->running);
    births_release(bans);
    free_list(bans, atomic_load(&bans->newest));
    free(bans->alike);
    pthread_cond_destroy(&bans->wake);
    pthread_mutex_destroy(&bans->lock);
    free(bans);
}

/* ---- responses and their bans ---- */

/* Moves the hold from the fetch to the head, and on to the newest ban if no ban is left to test. */
void
ban_attach(struct bans *bans, struct object *o, const struct verdict *v)
{
    struct object_live *live = o->live;
    CHECK(live->born_ban != NULL && ban_of(o) == NULL);
    atomic_store_explicit(&o->head->ban, births_leave(live), memory_order_release);
    if (!v->untested)
        ban_move(o, v->newest);
}

void
ban_move(struct object *o, struct ban *to)
{
    struct ban *from = ban_of(o);
    CHECK(o->head != NULL && to != NULL);
    if (from != NULL && from->number >= to->number)
        return;
    atomic_fetch_add_explicit(&to->hold.refs, 1, memory_order_relaxed);
    atomic_store_explicit(&o->head->ban, &to->hold, memory_order_release);
    if (from != NULL)
        atomic_fetch_sub_explicit(&from->hold.refs, 1, memory_order_release);
}

/* ---- tests ---- */

static bool
compare(enum ban_operator oper, nsec a, nsec b)
{
    switch (oper) {
    case BAN_EQ: return a == b;
    case BAN_NEQ: return a != b;
    case BAN_GT: return a > b;
    case BAN_GE: return a >= b;
    case BAN_LT: return a < b;
    case BAN_LE: return a <= b;
    case BAN_MATCH:
    case BAN_NOT_MATCH:
    case BAN_OPERATORS: break;
    }
    WRONG("operator of a duration");
}

/* An unset field is unequal to every value; neither ~ nor !~ is true for it. A match that hits a limit of the
 * regex counts as no match. */
static bool
compare_text(const struct ban_test *t, struct span text)
{
    struct span value = span_of(t->value, t->value_bytes);
    switch (t->oper) {
    case BAN_EQ: return text.ptr != NULL && span_eq(text, value);
    case BAN_NEQ: return text.ptr == NULL || !span_eq(text, value);
    case BAN_MATCH: return text.ptr != NULL && regex_match(t->regex, text) > 0;
    case BAN_NOT_MATCH: return text.ptr != NULL && regex_match(t->regex, text) <= 0;
    case BAN_GT:
    case BAN_GE:
    case BAN_LT:
    case BAN_LE:
    case BAN_OPERATORS: break;
    }
    WRONG("operator of a text");
}

/* ttl and age refer to the time of the ban, whenever it is tested. grace and keep do not change with time. */
static bool
test_meets(const struct ban_test *t, nsec time, const struct object *o, const struct http_message *request)
{
    struct span name = span_of(t->name, t->name_bytes);
    char status[8];
    switch (t->field) {
    case BAN_REQ_URL: return compare_text(t, request == NULL ? SPAN_NULL : request->url);
    case BAN_REQ_HTTP:
        return compare_text(t, request == NULL ? SPAN_NULL : message_get_named(request, t->id, name));
    case BAN_OBJ_STATUS:
        return compare_text(t, span_of(status,
                                       (size_t)snprintf(status, sizeof status, "%03u", o->status % 1000u)));
    case BAN_OBJ_HTTP: return compare_text(t, object_head_get(o, t->id, name));
    case BAN_OBJ_TTL: return compare(t->oper, nsec_add(o->origin_time, o->ttl), nsec_add(time, t->duration));
    case BAN_OBJ_AGE: return compare(t->oper, -o->origin_time, nsec_add(t->duration, -time));
    case BAN_OBJ_GRACE: return compare(t->oper, o->grace, t->duration);
    case BAN_OBJ_KEEP: return compare(t->oper, o->keep, t->duration);
    }
    WRONG("field of a ban");
}

bool
ban_meets(const struct ban *b, const struct object *o, const struct http_message *request, uint64_t *tests)
{
    for (unsigned i = 0; i < b->n_tests; i++) {
        (*tests)++;
        if (!test_meets(&b->tests[i], b->time, o, request))
            return false;
    }
    return true;
}

/* Returns the newest ban and the last ban that o was tested against, and holds the latter. False: both are
 * the same. */
static bool
hold_span(struct bans *bans, const struct object *o, struct ban **newest, struct ban **known)
{
    pthread_mutex_lock(&bans->lock);
    *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    *known = ban_of(o);
    bool differ = *known != *newest;
    if (differ)
        atomic_fetch_add_explicit(&(*known)->hold.refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    return differ;
}

/* A fiber that has many bans to test lets the others of its loop run. The object holds the bans. */
static void
yield_between(const struct ban *b)
{
    if (b->number % BANS_BETWEEN_YIELDS == 0)
        fiber_yield_if_due();
}

bool
bans_concern(struct bans *bans, struct object *o, const struct http_message *request)
{
    struct counters *n = counters_here();
    struct ban *newest, *known;
    uint64_t tests = 0;
    CHECK(o->head != NULL && ban_of(o) != NULL);
    if (!hold_span(bans, o, &newest, &known))
        return false;
    const struct ban *b = newest;
    while (b != known &&
           ((ban_flags(b) & BAN_COMPLETED) || ban_is_own(b, o) || !ban_meets(b, o, request, &tests))) {
        b = b->older;
        yield_between(b);
    }
    pthread_mutex_lock(&bans->lock);
    if (b == known)
        ban_move(o, newest);
    atomic_fetch_sub_explicit(&known->hold.refs, 1, memory_order_release);
    n->bans_tested++;
    n->bans_tests_tested += tests;
    if (ban_users(bans->oldest) == 0 && bans->oldest != newest)
        bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
    return b != known;
}

/* ---- responses about to be inserted ---- */

/* A ban on requests can be complete without a newer equal ban: when the lurker dropped all older responses
 * (ban_cutoff). */
static void
judge_one(const struct ban *b, const struct object *o, struct verdict *v, uint64_t *tests)
{
    unsigned flags = ban_flags(b);
    if (ban_is_own(b, o))
        return;
    if (flags & BAN_ON_REQUESTS) {
        v->untested = true;
        verdict_before(v, b->position);
        v->dead |= (flags & BAN_COMPLETED) && params.ban_cutoff > 0;
    } else if (ban_meets(b, o, NULL, tests)) {
        verdict_dead(v, b->position);
    }
}

void
bans_judge(struct bans *bans, const struct object *o, struct verdict *v)
{
    struct counters *n = counters_here();
    uint64_t known = v->tested > 0 ? v->tested : ban_held(o->live->born_ban)->number, tests = 0;
    bool was_dead = v->dead;
    v->newest = atomic_load_explicit(&bans->newest, memory_order_acquire);
    for (const struct ban *b = v->newest; b->number > known; b = b->older) {
        judge_one(b, o, v, &tests);
        yield_between(b);
    }
    v->tested = v->newest->number;
    n->bans_tested += v->tested > known;
    n->bans_tests_tested += tests;
    if (v->dead && !was_dead) {
        n->bans_obj_killed++;
        log_printf(&log_untied, TAG_EXP_BAN, "%u banned insert", o->xid);
    }
}

/* ---- lists ---- */

void
store_ban_each(struct store *s, void (*fn)(const struct ban_info *info, void *arg), void *arg)
{
    struct bans *bans = s->bans;
    pthread_mutex_lock(&bans->lock);
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed), *oldest = bans->oldest;
    atomic_fetch_add_explicit(&oldest->hold.refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    for (const struct ban *b = newest;; b = b->older) {
        unsigned flags = ban_flags(b), refs = ban_users(b);
        fn(&(struct ban_info){ .time = b->time,
                               .refs = refs - (b == oldest && refs > 0),
                               .completed = (flags & BAN_COMPLETED) != 0,
                               .on_requests = (flags & BAN_ON_REQUESTS) != 0,
                               .on_objects = (flags & BAN_ON_OBJECTS) != 0,
                               .text = span_str(b->text),
                               .id = b },
           arg);
        if (b == oldest)
            break;
    }
    pthread_mutex_lock(&bans->lock);
    atomic_fetch_sub_explicit(&oldest->hold.refs, 1, memory_order_release);
    bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
}
