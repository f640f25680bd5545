/* One server per loop: its acceptor, its sessions, the policy new requests begin with, and recycled requests. Everything is touched
 * by its own loop's thread only, but for the number of sessions, which other loops read to balance. proxy.c makes it. */
#ifndef VERNIS_SERVER_H
#define VERNIS_SERVER_H

#include "cache/store.h"
#include "policy/policy.h"
#include "stream/listen.h"
#include "stream/service.h"

struct acceptor;
struct backend;
struct exchange_protocol;

struct proxy_env {                      /* lent for the process's life */
    struct store *store;
    const struct listen_socket *listens;
    unsigned n_listens, n_loops;
    unsigned sessions_room;             /* what descriptors allow of sessions_max; 0: all of it */
    struct loop *const *loops;
    struct span server_hostname, server_identity;   /* -i */
    const struct exchange_protocol *(*protocol_of)(const struct backend *b);    /* protocol_of_backend, or what tests put there */
};

struct server {
    struct service service;             /* what its sessions see of it */
    struct loop *loop;
    const struct proxy_env *env;
    struct policy *policy;
    struct counters *counters;
    struct acceptor *acceptor;          /* accept.c; NULL: takes no connections */
    struct list labels;                 /* struct server_label */
    struct list free_requests;
    unsigned n_free_requests;
    uint64_t xid_next, xid_end;         /* this loop's chunk of transaction numbers */
};

struct server_label {                   /* a name for a policy that requests may switch to */
    struct list link;
    struct span name;                   /* owned */
    struct policy *policy;              /* counted */
};

struct server *server_new(struct loop *loop, const struct proxy_env *env, const struct service_ops *ops);  /* lives as long as the loop */
struct server *server_of(const struct loop *loop);      /* NULL: none was made */
uint64_t server_xid(struct server *s);                  /* next transaction number */
void server_set_xid(uint64_t next, unsigned chunk);     /* debug.xid: process-wide; loops take new chunks from here */

void server_set_policy(struct server *s, struct policy *policy);        /* counts the new one, uncounts the old; NULL: none */
struct policy *server_labelled(struct server *s, struct span label);    /* NULL: no such label */
void server_set_label(struct server *s, struct span label, struct policy *policy);      /* NULL: the label is gone */
void server_drop_labels(struct server *s);

#endif
