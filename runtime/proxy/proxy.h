/* What admin/worker.c needs of the proxy: clients are accepted and served on every loop, by the policy that is current there.
 * All functions here are called on the loop's own thread (post a message to get there). */
#ifndef VERNIS_PROXY_H
#define VERNIS_PROXY_H

#include <sys/types.h>

#include "cache/store.h"
#include "loop/conn.h"
#include "policy/policy.h"

struct listen_socket {                  /* opened by the manager, inherited by the worker, lives as long as the process */
    int fd;
    struct span name;                   /* "a0" */
    struct span endpoint;               /* "127.0.0.1:6081" or a path; SPAN_NULL-free */
    bool proxy_protocol;                /* ",PROXY" */
    ino_t inode;                        /* of a path: 0 when it is gone already */
    struct address local;
};

struct proxy_env {                      /* lent for the process's life */
    struct store *store;
    const struct listen_socket *listens;
    unsigned n_listens, n_loops;
    struct loop *const *loops;
    struct span server_hostname, server_identity;   /* -i */
};

int proxy_start(struct loop *loop, const struct proxy_env *env);    /* per-loop state; does not accept yet */
void proxy_accept(struct loop *loop, bool on);                      /* (re)starts or stops taking new connections */
/* The policy new requests of this loop begin with. Counts the new one, uncounts the old. NULL before shutdown. */
void proxy_set_policy(struct loop *loop, struct policy *policy);
/* What return (vcl(label)) means on this loop from now on; NULL: there is no such label any more. Counts as proxy_set_policy. */
void proxy_set_label(struct loop *loop, struct span label, struct policy *policy);
void proxy_drain(struct loop *loop);                /* stop accepting, close idle connections, `Connection: close` from now on */
unsigned proxy_sessions(const struct loop *loop);   /* client connections open on this loop (pipes included) */
void proxy_stop(struct loop *loop);                 /* resets what is left, frees per-loop state */

#endif
