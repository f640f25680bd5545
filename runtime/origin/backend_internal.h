/* The struct of a backend, for the files backend*.c. No file outside this room includes it. */
#ifndef VERNIS_BACKEND_INTERNAL_H
#define VERNIS_BACKEND_INTERNAL_H

#include <stdatomic.h>

#include "origin/backend.h"
#include "origin/backend_address.h"
#include "origin/probe.h"

struct backend {
    struct director director;           /* BACKEND value */
    atomic_uint refs;
    bool real;                          /* false: `none`, which has no endpoint */
    struct backend_address address;
    struct health *health;              /* NULL: not probed */
    const struct probe *probe;          /* the policy's; used by the admin thread only */
    struct poller *poller;              /* lock */
    struct resolver *resolver;          /* lock; NULL: the addresses are not looked up again */
    struct span name, host_header;      /* owned */
    double connect_timeout_s, first_byte_timeout_s, between_bytes_timeout_s, wait_timeout_s;    /* negative: the parameter's */
    uint32_t max_connections, wait_limit, proxy_header;
    atomic_int admin;                   /* enum backend_admin */
    _Atomic double admin_changed_s;
    uint64_t *counters;                 /* enum backend_counter */
    pthread_mutex_t lock;
    struct endpoint *endpoint;          /* lock; another one once the address of a name has changed. NULL: not real */
    unsigned in_use;                    /* lock; connections taken */
    struct list waiting;                /* lock; struct waiter of backend_slots.c, the first to come first */
    unsigned n_waiting;                 /* lock */
};

void backend_unref(struct backend *b);
struct endpoint *backend_endpoint(struct backend *b);   /* a reference; of a real backend */
void backend_move(struct backend *b, struct endpoint *ep, struct loop *loop);   /* takes the reference; polls go on, on `loop` */

/* backend_resolve.c. Any thread; stopping does not wait. NULL: there is no name, or the parameter says no. */
struct resolver *resolver_start(struct backend *b, struct loop *loop);
void resolver_stop(struct resolver **r);

/* backend_slots.c: max_connections, and the queue of those who wait for one of them. Fiber only. ERR_BUSY, or ERR_SICK: the backend
 * became sick meanwhile. */
int backend_reserve(struct backend *b, struct loop *loop);
void backend_unreserve(struct backend *b);
void backend_dismiss(struct backend *b);        /* any thread: it is sick, so nobody waits for it any longer */

#endif
