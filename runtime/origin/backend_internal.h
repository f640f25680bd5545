/* struct backend, for the files backend*.c. No file outside this room includes this header. */
#ifndef VERNIS_ORIGIN_BACKEND_INTERNAL_H
#define VERNIS_ORIGIN_BACKEND_INTERNAL_H

#include <stdatomic.h>

#include "log/tally.h"
#include "origin/backend.h"
#include "origin/backend_address.h"
#include "origin/probe.h"

struct backend {
    struct director director; /* BACKEND value */
    atomic_uint refs;
    bool real; /* false: declared as `none`, without an endpoint */
    struct backend_address address;
    struct health *health;           /* NULL: no probe */
    const struct image_probe *probe; /* owned by the policy; admin thread only */
    struct poller *poller;           /* lock */
    struct resolver *resolver;       /* lock; NULL: no repeated lookups */
    /* The declaration, with texts of its own, because a backend may outlive its image. host_header and the
     * timeouts are those in force; the indices are those of the image. */
    struct image_backend terms;
    atomic_int admin; /* enum backend_admin */
    _Atomic double admin_changed_s;
    uint64_t *counters; /* enum backend_counter, in shared memory */
    struct tally tally; /* of most of them */
    pthread_mutex_t lock;
    /* Replaced under the lock when a name's address changes; NULL: `none`. Without the lock it is only an
     * identity: the endpoint may be gone. */
    _Atomic(struct endpoint *) endpoint;
    atomic_bool released; /* by its policy */
    unsigned in_use;      /* lock; connections taken; kept if terms.max_connections is set */
    struct list waiting;  /* lock; struct waiter of backend_slots.c, in order of arrival */
    unsigned n_waiting;   /* lock */
    struct list shown;    /* backend_shown.c; only of real backends */
};

void backend_unref(struct backend *b);

/* False when the host name has moved to another address, or the policy has released b: a connection then
 * closes after its current use. For idle connections call it under their pool's lock: see endpoint_forget. */
static inline bool
backend_is_at(struct backend *b, const struct endpoint *ep)
{
    return atomic_load_explicit(&b->endpoint, memory_order_relaxed) == ep &&
           !atomic_load_explicit(&b->released, memory_order_relaxed);
}

/* backend_shown.c. From add to remove, VBE_HEALTHY of a real backend is kept. */
void backend_shown_add(struct backend *b);
void backend_shown_remove(struct backend *b);
struct endpoint *backend_endpoint(struct backend *b); /* a new reference; b must be real */
/* takes the caller's reference to ep; continues health polls on `loop` */
void backend_move(struct backend *b, struct endpoint *ep, struct loop *loop);

/* backend_resolve.c. Any thread; resolver_stop does not wait. NULL: b has no host name, or
 * backend_resolve_interval is 0. */
struct resolver *resolver_start(struct backend *b, struct loop *loop);
void resolver_stop(struct resolver **r);

/* backend_slots.c: max_connections, and the queue of requests that wait for a connection. Fiber only.
 * ERR_BUSY, or ERR_SICK if the backend became sick during the wait. */
int backend_reserve(struct backend *b, struct loop *loop);
void backend_unreserve(struct backend *b);
void backend_dismiss(struct backend *b); /* any thread; b is sick: fails all waiters */

#endif
