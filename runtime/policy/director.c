/* What all directors share: resolving through levels, health, and being the member of another. */
#include "policy/director.h"

#include <stdlib.h>
#include <sys/random.h>

#include "base/check.h"
#include "base/mem.h"

struct backend *
director_resolve(struct director *d, struct policy_ctx *ctx)
{
    return d == NULL ? NULL : d->ops->resolve(d, ctx);
}

bool
director_healthy(struct director *d)
{
    return d != NULL && d->ops->healthy(d, NULL);
}

/* ---- members ------------------------------------------------------------------------------------------------------------------------ */

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
    struct search { struct director *wanted; unsigned depth; bool found; } *s = arg;
    if (d == s->wanted || s->depth == 0)
        s->found = true;
    if (s->found || d->ops->list == NULL)
        return;
    s->depth--;
    d->ops->list(d, look_for, s);
    s->depth++;
}

/* Is `wanted` somewhere below d? Too many levels count as yes: neither may be built. */
static bool
reaches(struct director *d, struct director *wanted)
{
    struct search { struct director *wanted; unsigned depth; bool found; } s = { wanted, DIRECTOR_DEPTH_MAX, false };
    look_for(d, &s);
    return s.found;
}

/* One at a time, so that two threads can not close a ring together. */
static pthread_mutex_t adding = PTHREAD_MUTEX_INITIALIZER;

int
members_add(struct members *m, struct director *self, struct director *d, double weight)
{
    pthread_mutex_lock(&adding);
    int err = d == NULL || reaches(d, self) ? ERR_LIMIT : 0;
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

void
members_remove(struct members *m, struct director *d)
{
    pthread_rwlock_wrlock(&m->lock);
    unsigned kept = 0;
    for (unsigned i = 0; i < m->n; i++)
        if (m->list[i].director != d)
            m->list[kept++] = m->list[i];
    m->n = kept;
    pthread_rwlock_unlock(&m->lock);
}

bool
members_healthy(struct members *m, double *changed_s)
{
    bool healthy = false;
    double latest = 0;
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++) {
        double changed = 0;
        struct director *d = m->list[i].director;
        healthy |= d->ops->healthy(d, changed_s == NULL ? NULL : &changed);
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

/* A point of [0, 1) chooses among the healthy members by weight. */
struct director *
members_pick(struct members *m, double point)
{
    struct director *picked = NULL;
    double total = 0, sum = 0;
    pthread_rwlock_rdlock(&m->lock);
    for (unsigned i = 0; i < m->n; i++)
        total += director_healthy(m->list[i].director) ? m->list[i].weight : 0;
    for (unsigned i = 0; i < m->n && total > 0; i++) {
        if (m->list[i].weight <= 0 || !director_healthy(m->list[i].director))
            continue;
        picked = m->list[i].director;   /* rounding, or a change of health since, leaves the last one */
        sum += m->list[i].weight;
        if (point * total < sum)
            break;
    }
    pthread_rwlock_unlock(&m->lock);
    return picked;
}

/* ---- chance --------------------------------------------------------------------------------------------------------------------------- */

/* splitmix64, seeded from the kernel once per thread: for spreading load, not for secrets. */
double
random_unit(void)
{
    static _Thread_local uint64_t state;
    if (state == 0 && (getrandom(&state, sizeof state, 0) != (ssize_t)sizeof state || state == 0))
        state = (uint64_t)(uintptr_t)&state;
    state += 0x9e3779b97f4a7c15ull;
    uint64_t z = state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return (double)((z ^ z >> 31) >> 11) * 0x1.0p-53;
}
