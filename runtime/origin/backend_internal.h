/* The struct of a backend, for backend.c and backend_conn.c. No file outside this room includes it. */
#ifndef VERNIS_BACKEND_INTERNAL_H
#define VERNIS_BACKEND_INTERNAL_H

#include <stdatomic.h>

#include "origin/backend.h"
#include "origin/endpoint.h"
#include "origin/probe.h"

struct backend {
    struct director director;           /* BACKEND value */
    atomic_uint refs;
    struct endpoint *endpoint;          /* NULL: `none` */
    struct health *health;              /* NULL: not probed */
    const struct probe *probe;          /* the policy's; used by the admin thread only */
    struct poller *poller;              /* admin thread */
    struct span name, host_header;      /* owned */
    double connect_timeout_s, first_byte_timeout_s, between_bytes_timeout_s;    /* negative: the parameter's */
    uint32_t max_connections, proxy_header;
    atomic_int admin;                   /* enum backend_admin */
    _Atomic double admin_changed_s;
    uint64_t *counters;                 /* enum backend_counter */
    atomic_uint in_use;                 /* connections taken */
};

void backend_unref(struct backend *b);

#endif
