/* One server per loop: its acceptor, its sessions, the policy with which new requests begin, and recycled
 * requests. Only the thread of the loop touches it. proxy.c makes it. */
#ifndef VERNIS_PROXY_SERVER_H
#define VERNIS_PROXY_SERVER_H

#include "cache/store.h"
#include "policy/policy.h"
#include "stream/exchange.h"
#include "stream/listen.h"
#include "stream/service.h"

struct acceptor;
struct backend;

struct proxy_env { /* lent for the life of the process */
    struct store *store;
    const struct listen_socket *listens;
    unsigned n_listens, n_loops;
    unsigned sessions_room; /* the part of sessions_max that the descriptor limit allows; 0: all of it */
    struct loop *const *loops;
    struct span server_hostname, server_identity; /* -i */
    struct span body_storage;                     /* of service.bodies; SPAN_NULL, or unknown: Transient */
    const char *acme_folder;                      /* of challenges; NULL: the policy sees them */
    exchange_open_fn *open_exchange;              /* protocols_open, or a function of the tests */
};

struct server {
    struct service service; /* the part that sessions see */
    struct loop *loop;
    const struct proxy_env *env;
    struct policy *policy;
    struct counters *counters;
    struct acceptor *acceptor; /* accept.c; NULL: no acceptor */
    struct list labels;        /* struct server_label */
    struct list free_requests;
    unsigned n_free_requests;
    struct ready_heads *ready;  /* respond/ready_head.c; NULL: none yet */
    struct span cache_status;   /* rfc9111/cache_status.c: start of a hit's line; NULL: none yet */
    uint64_t xid_next, xid_end; /* this loop's chunk of transaction numbers */
};

struct server_label { /* a label: a name of a policy that requests may switch to */
    struct list link;
    struct span name;      /* owned */
    struct policy *policy; /* counted */
};

/* Lives as long as the loop */
struct server *server_new(struct loop *loop, const struct proxy_env *env, const struct service_ops *ops);
struct server *server_of(const struct loop *loop); /* NULL: the loop has no server */
uint64_t server_xid(struct server *s);             /* next transaction number */
/* debug.xid: process-wide; loops take new chunks from here */
void server_set_xid(uint64_t next, unsigned chunk);

/* Counts the new policy, uncounts the old one; NULL: no policy */
void server_set_policy(struct server *s, struct policy *policy);
struct policy *server_labelled(struct server *s, struct span label); /* NULL: no such label */
/* NULL: the label is gone */
void server_set_label(struct server *s, struct span label, struct policy *policy);
void server_drop_labels(struct server *s);

#endif
