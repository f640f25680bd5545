/* The sweep: see sweep.h. */
#include "cache/purge/sweep.h"

#include <stdlib.h>

#include "base/mem.h"
#include "cache/invalidation_internal.h"

#define SWEEP_AT_ONCE 64u /* objects taken under one hold of a shard's lock */

struct sweep {
    struct index_walk walk;
    uint64_t target;       /* position of the purge that the walk is for */
    uint64_t done;         /* all objects born before this position were handled */
    struct object **found; /* references */
    size_t n, cap;
};

struct sweep *
sweep_new(void)
{
    return mem_zalloc(sizeof(struct sweep));
}

void
sweep_release(struct sweep **wp)
{
    struct sweep *w = *wp;
    *wp = NULL;
    if (w != NULL)
        free(w->found);
    free(w);
}

static bool
take(struct object *o, void *arg)
{
    struct sweep *w = arg;
    DEBUG_CHECK(w->target != 0 && w->n <= w->cap);
    if (!(o->flags & OBJECT_FINDABLE) || o->head->born >= w->target)
        return false;
    if (w->n == w->cap) {
        w->cap = w->cap == 0 ? 2 * SWEEP_AT_ONCE : 2 * w->cap;
        w->found = realloc(w->found, w->cap * sizeof(struct object *));
        CHECK(w->found != NULL);
    }
    object_ref(o);
    w->found[w->n++] = o;
    return true;
}

static void
settle(struct store *s, struct object *o)
{
    struct object *dropped = NULL;
    struct shard *sh = index_lock_of(s, o);
    bool listed = o->entry != NULL && (o->flags & OBJECT_FINDABLE);
    if (listed && !purged_all_removed(s, o))
        purged_all_soften(s, sh, o);
    else if (listed && index_is_between(o))
        index_doom(o, o->head->born + 1);
    else if (listed)
        index_unlink(s, sh, o, REMOVAL_PURGED, &dropped);
    index_note_death(sh);
    pthread_mutex_unlock(&sh->lock);
    index_release(&dropped);
}

/* Returns the number of objects it handled. */
static unsigned
settle_some(struct store *s, struct shard *sh)
{
    struct sweep *w = s->sweep;
    DEBUG_CHECK(w->n == 0);
    pthread_mutex_lock(&sh->lock);
    index_walk_some(sh, &w->walk, SWEEP_AT_ONCE, take, w);
    pthread_mutex_unlock(&sh->lock);
    unsigned n = (unsigned)w->n;
    for (size_t i = 0; i < w->n; i++) {
        settle(s, w->found[i]);
        object_release(&w->found[i]);
    }
    w->n = 0;
    return n;
}

bool
store_sweep(struct store *s, unsigned budget, nsec patience)
{
    struct sweep *w = s->sweep;
    struct shard *sh;
    uint64_t latest = atomic_load_explicit(&s->purged_all.latest, memory_order_acquire);
    nsec until = nsec_add(clock_mono_ns(), patience);
    unsigned done = 0, steps = 0;
    if (w->target == 0 && latest > w->done)
        w->target = latest;
    while (w->target != 0 && done < budget && (steps++ == 0 || clock_mono_ns() < until)) {
        if ((sh = index_walk_shard(s, &w->walk)) != NULL) {
            done += settle_some(s, sh);
            continue;
        }
        w->done = w->target;
        w->target = 0;
        w->walk = (struct index_walk){ 0 };
    }
    invalidations_tidy(s, w->done);
    return w->target != 0;
}
