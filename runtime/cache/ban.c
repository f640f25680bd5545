/* The list of bans, and what look-ups ask of it: see ban.h.
 *
 * Bans are taken off at the old end only. So whoever holds one may walk from the newest down to it without the lock: nothing on
 * the way can go, and a ban's `older` does not change. A response holds the ban it points at, that is, all newer ones too. */
#include "cache/ban.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/params.h"
#include "cache/ban_internal.h"
#include "log/counters.h"

/* ---- the list ---------------------------------------------------------------------------------------------------------- */

static void
ban_free(struct ban *b)
{
    ban_tests_free(b->tests, b->n_tests);
    free(b->text);
    free(b);
}

static struct ban *
ban_of_draft(struct ban_draft **dp, nsec now)
{
    struct ban_draft *d = *dp;
    struct ban *b = mem_zalloc(sizeof *b);
    *b = (struct ban){ .time = now, .tests = d->tests, .n_tests = d->n_tests, .text = ban_draft_text(d) };
    atomic_init(&b->refs, 0);
    atomic_init(&b->flags, d->flags);
    free(d);
    *dp = NULL;
    return b;
}

static bool
same_test(const struct ban_test *a, const struct ban_test *b)
{
    return a->field == b->field && a->oper == b->oper && a->duration == b->duration
           && span_eq(span_of(a->name, a->name_bytes), span_of(b->name, b->name_bytes))
           && span_eq(span_of(a->value, a->value_bytes), span_of(b->value, b->value_bytes));
}

static bool
same_ban(const struct ban *a, const struct ban *b)
{
    if (a->n_tests != b->n_tests || (ban_flags(a) & BAN_OF_ITS_TIME) != 0)
        return false;
    for (unsigned i = 0; i < a->n_tests; i++)
        if (!same_test(&a->tests[i], &b->tests[i]))
            return false;
    return true;
}

void
ban_complete(struct ban *b)
{
    if (ban_flags(b) & BAN_COMPLETED)
        return;
    atomic_fetch_or_explicit(&b->flags, BAN_COMPLETED, memory_order_release);
    counters_here()->bans_completed++;
}

void
bans_kick(struct bans *bans)
{
    bans->generation++;
    if (bans->running)
        pthread_cond_signal(&bans->wake);
}

static void
complete_duplicates(struct ban *b)
{
    for (struct ban *older = b->older; older != NULL; older = older->older)
        if (!(ban_flags(older) & BAN_COMPLETED) && same_ban(b, older)) {
            ban_complete(older);
            counters_here()->bans_dups++;
        }
}

static void
insert(struct bans *bans, struct ban *b)
{
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    struct counters *n = counters_here();
    b->older = newest;
    b->number = newest == NULL ? 1 : newest->number + 1;
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

void
store_ban(struct store *s, struct ban_draft **d, nsec now)
{
    struct bans *bans = s->bans;
    struct ban *b = ban_of_draft(d, now);
    pthread_mutex_lock(&bans->lock);
    insert(bans, b);
    if (params.ban_dups)
        complete_duplicates(b);
    if (!(ban_flags(b) & BAN_ON_REQUESTS))
        bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
}

void
bans_clean(struct bans *bans, struct ban **removed)
{
    struct counters *n = counters_here();
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    for (struct ban *b = bans->oldest; b != newest && atomic_load_explicit(&b->refs, memory_order_acquire) == 0; b = bans->oldest) {
        bans->oldest = b->newer;
        bans->oldest->older = NULL;
        n->bans--;
        n->bans_deleted++;
        n->bans_completed -= (ban_flags(b) & BAN_COMPLETED) != 0;
        n->bans_obj -= (ban_flags(b) & BAN_ON_OBJECTS) != 0;
        n->bans_req -= (ban_flags(b) & BAN_ON_REQUESTS) != 0;
        b->older = *removed;
        *removed = b;
    }
}

void
ban_free_list(struct ban *removed)
{
    while (removed != NULL) {
        struct ban *b = removed;
        removed = b->older;
        ban_free(b);
    }
}

/* The list is never empty: it begins with a ban that says nothing and is done. */
int
bans_new(struct bans **out)
{
    struct bans *bans = mem_zalloc(sizeof *bans);
    struct ban_draft *d = ban_draft_new();
    pthread_mutex_init(&bans->lock, NULL);
    pthread_condattr_t attr;
    CHECK(pthread_condattr_init(&attr) == 0 && pthread_condattr_setclock(&attr, CLOCK_MONOTONIC) == 0);
    CHECK(pthread_cond_init(&bans->wake, &attr) == 0);
    pthread_condattr_destroy(&attr);
    insert(bans, ban_of_draft(&d, clock_real_ns()));
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
    ban_free_list(atomic_load(&bans->newest));
    pthread_cond_destroy(&bans->wake);
    pthread_mutex_destroy(&bans->lock);
    free(bans);
}

/* ---- responses and their bans -------------------------------------------------------------------------------------------- */

static struct ban *
ban_of(const struct object *o)
{
    return atomic_load_explicit(&((struct object *)o)->head->ban, memory_order_acquire);
}

void
ban_attach(struct bans *bans, struct object *o)
{
    if (ban_of(o) != NULL)
        return;
    pthread_mutex_lock(&bans->lock);
    ban_move(o, atomic_load_explicit(&bans->newest, memory_order_relaxed));
    pthread_mutex_unlock(&bans->lock);
}

void
ban_detach(struct object_head *h)
{
    struct ban *b = atomic_load_explicit(&h->ban, memory_order_relaxed);
    if (b != NULL)
        atomic_fetch_sub_explicit(&b->refs, 1, memory_order_release);
    atomic_store_explicit(&h->ban, NULL, memory_order_relaxed);
}

void
ban_move(struct object *o, struct ban *to)
{
    struct ban *from = ban_of(o);
    if (from != NULL && from->number >= to->number)
        return;
    atomic_fetch_add_explicit(&to->refs, 1, memory_order_relaxed);
    atomic_store_explicit(&o->head->ban, to, memory_order_release);
    if (from != NULL)
        atomic_fetch_sub_explicit(&from->refs, 1, memory_order_release);
}

/* ---- tests ------------------------------------------------------------------------------------------------------------------ */

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
    case BAN_MATCH: case BAN_NOT_MATCH: case BAN_OPERATORS: break;
    }
    WRONG("operator of a duration");
}

/* What is not set is unequal to everything, and neither matches nor fails to. A match that reaches a limit has not happened. */
static bool
compare_text(const struct ban_test *t, struct span text)
{
    struct span value = span_of(t->value, t->value_bytes);
    switch (t->oper) {
    case BAN_EQ: return text.ptr != NULL && span_eq(text, value);
    case BAN_NEQ: return text.ptr == NULL || !span_eq(text, value);
    case BAN_MATCH: return text.ptr != NULL && regex_match(t->regex, text) > 0;
    case BAN_NOT_MATCH: return text.ptr != NULL && regex_match(t->regex, text) <= 0;
    case BAN_GT: case BAN_GE: case BAN_LT: case BAN_LE: case BAN_OPERATORS: break;
    }
    WRONG("operator of a text");
}

/* ttl and age are meant as of the time of the ban, whenever it is tested; grace and keep do not change with time. */
static bool
test_meets(const struct ban_test *t, nsec time, const struct object *o, const struct http_message *request)
{
    struct span name = span_of(t->name, t->name_bytes);
    char status[8];
    switch (t->field) {
    case BAN_REQ_URL:
        return compare_text(t, request == NULL ? SPAN_NULL : request->url);
    case BAN_REQ_HTTP:
        return compare_text(t, request == NULL ? SPAN_NULL : message_get_named(request, t->id, name));
    case BAN_OBJ_STATUS:
        return compare_text(t, span_of(status, (size_t)snprintf(status, sizeof status, "%03u", o->status % 1000u)));
    case BAN_OBJ_HTTP:
        return compare_text(t, object_head_get(o, t->id, name));
    case BAN_OBJ_TTL:
        return compare(t->oper, nsec_add(o->origin_time, o->ttl), nsec_add(time, t->duration));
    case BAN_OBJ_AGE:
        return compare(t->oper, -o->origin_time, nsec_add(t->duration, -time));
    case BAN_OBJ_GRACE:
        return compare(t->oper, o->grace, t->duration);
    case BAN_OBJ_KEEP:
        return compare(t->oper, o->keep, t->duration);
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

/* The newest ban and the one o was tested against; the latter is held. False: they are the same. */
static bool
hold_span(struct bans *bans, const struct object *o, struct ban **newest, struct ban **known)
{
    pthread_mutex_lock(&bans->lock);
    *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed);
    *known = ban_of(o);
    bool differ = *known != *newest;
    if (differ)
        atomic_fetch_add_explicit(&(*known)->refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    return differ;
}

bool
bans_concern(struct bans *bans, struct object *o, const struct http_message *request)
{
    struct counters *n = counters_here();
    struct ban *newest, *known;
    uint64_t tests = 0;
    if (!hold_span(bans, o, &newest, &known))
        return false;
    const struct ban *b = newest;
    while (b != known && ((ban_flags(b) & BAN_COMPLETED) || !ban_meets(b, o, request, &tests)))
        b = b->older;
    pthread_mutex_lock(&bans->lock);
    if (b == known)
        ban_move(o, newest);
    atomic_fetch_sub_explicit(&known->refs, 1, memory_order_release);
    n->bans_tested++;
    n->bans_tests_tested += tests;
    if (atomic_load_explicit(&bans->oldest->refs, memory_order_relaxed) == 0 && bans->oldest != newest)
        bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
    return b != known;
}

/* ---- lists ------------------------------------------------------------------------------------------------------------------- */

void
store_ban_each(struct store *s, void (*fn)(const struct ban_info *info, void *arg), void *arg)
{
    struct bans *bans = s->bans;
    pthread_mutex_lock(&bans->lock);
    struct ban *newest = atomic_load_explicit(&bans->newest, memory_order_relaxed), *oldest = bans->oldest;
    atomic_fetch_add_explicit(&oldest->refs, 1, memory_order_relaxed);
    pthread_mutex_unlock(&bans->lock);
    for (const struct ban *b = newest;; b = b->older) {
        unsigned flags = ban_flags(b), refs = atomic_load_explicit(&((struct ban *)b)->refs, memory_order_relaxed);
        fn(&(struct ban_info){ .time = b->time, .refs = refs - (b == oldest), .completed = (flags & BAN_COMPLETED) != 0,
                               .on_requests = (flags & BAN_ON_REQUESTS) != 0, .on_objects = (flags & BAN_ON_OBJECTS) != 0,
                               .text = span_str(b->text), .id = b }, arg);
        if (b == oldest)
            break;
    }
    pthread_mutex_lock(&bans->lock);
    atomic_fetch_sub_explicit(&oldest->refs, 1, memory_order_release);
    bans_kick(bans);
    pthread_mutex_unlock(&bans->lock);
}
