/* Ejects an endpoint for a time after too many failures in a row, or when too large a share of its requests
 * within a window failed. All backends and policies that share the endpoint are counted together. Off by
 * default. */
#include <stdio.h>

#include "base/check.h"
#include "base/params.h"
#include "origin/endpoint.h"

bool
ejection_is_on(void)
{
    return params.backend_eject_failures > 0 || params.backend_eject_rate > 0;
}

nsec
endpoint_ejected_until(const struct endpoint *ep)
{
    return atomic_load_explicit(&((struct endpoint *)ep)->outcomes.ejected_until, memory_order_relaxed);
}

static void
count_outcome(struct outcomes *o, bool good, nsec now)
{
    if (now >= nsec_add(o->window_began, nsec_of(params.backend_eject_window_s))) {
        o->window_began = now;
        o->n = o->failed = 0;
    }
    o->n++;
    o->failed += !good;
    o->row = good ? 0 : o->row + 1;
}

static bool
too_many(const struct outcomes *o, char why[EJECTED_WHY_BYTES])
{
    uint64_t share = (uint64_t)params.backend_eject_rate * o->n;
    if (params.backend_eject_failures > 0 && o->row >= params.backend_eject_failures) {
        snprintf(why, EJECTED_WHY_BYTES, "%u failures in a row", o->row);
        return true;
    }
    if (params.backend_eject_rate > 0 && o->n >= params.backend_eject_requests &&
        100 * (uint64_t)o->failed >= share) {
        snprintf(why, EJECTED_WHY_BYTES, "%u of %u requests failed", o->failed, o->n);
        return true;
    }
    return false;
}

bool
endpoint_note(struct endpoint *ep, bool good, nsec now, char why[EJECTED_WHY_BYTES])
{
    struct outcomes *o = &ep->outcomes;
    pthread_mutex_lock(&ep->lock);
    bool ejected = false;
    if (now >= endpoint_ejected_until(ep)) { /* ignore requests that started before the ejection */
        count_outcome(o, good, now);
        ejected = !good && too_many(o, why);
    }
    if (ejected) {
        nsec until = nsec_add(now, nsec_of(params.backend_eject_time_s));
        o->n = o->failed = o->row = 0;
        atomic_store_explicit(&o->ejected_until, until, memory_order_relaxed);
    }
    pthread_mutex_unlock(&ep->lock);
    return ejected;
}
