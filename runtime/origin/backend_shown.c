/* The health of all backends in their counters. An ejection ends by time and without an event, so the
 * counters are computed again and again, not when something happens. */
#include <pthread.h>

#include "log/vsc.h"
#include "origin/backend_internal.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct list backends = { &backends, &backends }; /* lock; struct backend.shown */

/* Call under the lock. */
static void
show(struct backend *b)
{
    vsc_set(&b->counters[VBE_HEALTHY], director_healthy(&b->director, NULL));
}

void
backend_shown_add(struct backend *b)
{
    pthread_mutex_lock(&lock);
    list_push_back(&backends, &b->shown);
    show(b);
    pthread_mutex_unlock(&lock);
}

void
backend_shown_remove(struct backend *b)
{
    pthread_mutex_lock(&lock);
    list_remove(&b->shown);
    pthread_mutex_unlock(&lock);
}

void
backends_show_health(void)
{
    pthread_mutex_lock(&lock);
    list_each(at, &backends) show(container_of(at, struct backend, shown));
    pthread_mutex_unlock(&lock);
}
