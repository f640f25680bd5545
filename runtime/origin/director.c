/* Code shared by all directors: nested resolution, health, membership in another director. */
#include "origin/director.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/check.h"
#include "base/mem.h"

struct backend *
director_resolve(struct director *d, struct policy_ctx *ctx)
{
    return d == NULL ? NULL : d->ops->resolve(d, ctx);
}

bool
director_healthy(struct director *d, const struct policy_ctx *ctx)
{
    return d != NULL && d->ops->healthy(d, ctx, NULL);
}

/* ---- members ------------------------------------------------------------------------------------------- */

void
members_init(struct members *m)
{
    *m = (struct members){ 0 };
    pthread_rwlock_init(&m->lock, NULL);
}

void
members_release(struct members *m)
{
    free(m->list);
    pthread_rwlock_destroy(&m->lock);
}

static void
look_for(struct director *d, void *arg)
{
    CHECK(d != NULL && d->ops != NULL);
    struct search {
        struct director *wanted;
        unsigned depth;
        bool found;
    } *s = arg;
    if (d == s->wanted || s->depth == 0)
        s->found = true;
    if (s->found || d->ops->list == NULL)
        return;
    s->depth--;
    d->ops->list(d, look_for, s);
    s->depth++;
}

bool
director_reaches(struct director *d, struct director *wanted)
{
    struct search {
        struct director *wanted;
        unsigned depth;
        bool found;
    } s = { wanted, DIRECTOR_DEPTH_MAX, false };
    look_for(d, &s);
    return s.found;
}

/* Members are added one at a time. Otherwise two threads could together build a cycle. */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

int
members_add(struct members *m, struct director *self, struct director *d, double weight)
{
    pthread_mutex_lock(&adding);
    int err = d == NULL || director_reaches(d, self) ? ERR_LIMIT : 0;
    pthread_rwlock_wrlock(&m->lock);
    if (m->n == DIRECTOR_MEMBERS_MAX)
        err = ERR_LIMIT;
    if (err == 0 && m->n == m->cap) {
        m->cap = m->cap == 0 ? 8 : 2 * m->cap;
        m->list = realloc(m->list, m->cap * sizeof *m->list);
        CHECK(m->list != NULL);
    }
    if (err == 0)
        m->list[m->n++] = (struct member){ d, weight };
    pthread_rwlock_unlock(&m->lock);
    pthread_mutex_unlock(&adding);
    return err;
}

unsigned
members_remove(struct members *m, struct director *d)
{
    unsigned found = UINT_MAX;
    pthread_rwlock_wrlock(&m->lock);
    for (unsigned i = 0; i < m->n && found == UINT_MAX; i++)
        if (m->list[i].director == d)
            found = i;
    if (found != UINT_MAX) {
        m->n--;
        memmove(&m->list[found], &m->list[found + 1], (m->n - found) * sizeof *m->list);
    }
    pthread_rwlock_unlock(&m->lock);
    return found;
}

bool
members_healthy(struct members *m, const struct policy_ctx *ctx, double *changed_s)
{
    bool healthy = false;
    double latest = 0;
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++) {
        double changed = 0;
        struct director *d = m->list[i].director;
        healthy |= d->ops->healthy(d, ctx, changed_s == NULL ? NULL : &changed);
        latest = changed > latest ? changed : latest;
    }
    pthread_rwlock_unlock(&m->lock);
    if (changed_s != NULL)
        *changed_s = latest;
    return healthy;
}

void
members_each(struct members *m, void (*each)(struct director *member, void *arg), void *arg)
{
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++)
        each(m->list[i].director, arg);
    pthread_rwlock_unlock(&m->lock);
}

struct director *
members_pick(struct members *m, const struct policy_ctx *ctx, double point)
{
    struct director *picked = NULL;
    double total = 0, sum = 0;
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++)
        total += director_healthy(m->list[i].director, ctx) ? m->list[i].weight : 0;
    for (unsigned i = 0; i < m->n && total > 0; i++) {
        if (m->list[i].weight <= 0 || !director_healthy(m->list[i].director, ctx))
            continue;
        /* keeps the last candidate, in case rounding or a health change leaves no match */
        picked = m->list[i].director;
        sum += m->list[i].weight;
        if (point * total < sum)
            break;
    }
    pthread_rwlock_unlock(&m->lock);
    return picked;
}

/* ---- random numbers ------------------------------------------------------------------------------------ */

/* For tests: the additive generator of BSD's random(3), whose sequences Varnish's tests expect. Each number
 * is the sum of the numbers 31 and 28 places back. Park and Miller's generator fills the table. random_unit
 * takes two numbers; random_choice, for the random director, takes one. */
#define KNOWN_PLACES 31u
#define KNOWN_APART 3u

static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t known[KNOWN_PLACES], known_at;
static atomic_bool known_seeded;

static uint32_t
known_next(void)
{
    uint32_t *place = &known[(known_at + KNOWN_APART) % KNOWN_PLACES];
    *place += known[known_at];
    known_at = (known_at + 1) % KNOWN_PLACES;
    return *place >> 1;
}

void
random_seed(unsigned seed)
{
    pthread_mutex_lock(&known_lock);
    known[0] = seed;
    for (unsigned i = 1; i < KNOWN_PLACES; i++)
        known[i] = (uint32_t)(16807ull * (known[i - 1] % 0x7ffffffeu + 1) % 0x7fffffffu) - 1;
    known_at = 0;
    for (unsigned i = 0; i < 10 * KNOWN_PLACES; i++)
        (void)known_next();
    pthread_mutex_unlock(&known_lock);
    atomic_store(&known_seeded, true);
}

static double
known_part(void)
{
    pthread_mutex_lock(&known_lock);
    double part = known_next() * 0x1.0p-31;
    pthread_mutex_unlock(&known_lock);
    return part;
}

static double
known_unit(void)
{
    pthread_mutex_lock(&known_lock);
    double high = known_next() * 0x1.0p-31, low = known_next() * 0x1.0p-62;
    pthread_mutex_unlock(&known_lock);
    return high + low;
}

/* splitmix64, seeded from the kernel once per thread. It spreads load; do not use it for secrets. */
double
random_unit(void)
{
    static _Thread_local uint64_t state;
    if (atomic_load_explicit(&known_seeded, memory_order_relaxed))
        return known_unit();
    if (state == 0 && (getrandom(&state, sizeof state, 0) != (ssize_t)sizeof state || state == 0))
        state = (uint64_t)(uintptr_t)&state;
    state += 0x9e3779b97f4a7c15ull;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (double)((z ^ z >> 31) >> 11) * 0x1.0p-53;
}

double
random_choice(void)
{
    return atomic_load_explicit(&known_seeded, memory_order_relaxed) ? known_part() : random_unit();
}
