/* One server per loop: its listeners, its client connections, the policy new requests begin with, and recycled requests and
 * buffers. Everything is touched by its own loop's thread only, but for `sessions`, which other loops read to balance. */
#ifndef VERNIS_SERVER_H
#define VERNIS_SERVER_H

#include <stdatomic.h>

#include "log/counters.h"
#include "proxy/proxy.h"

#define REQUESTS_KEPT 64                /* recycled request structs per loop */
#define BUFFERS_KEPT 64                 /* recycled receive buffers per loop */
#define ACCEPTS_PER_EVENT 64
#define BUFFER_SPARE_BYTES 4096         /* behind the largest head: room for a chunked request body to pass through */

struct request;

struct server {
    struct loop *loop;
    const struct proxy_env *env;
    struct policy *policy;
    struct counters *counters;
    struct list clients;                /* every open client connection of this loop */
    atomic_uint sessions;
    struct listener *listeners;         /* one per env->listens */
    struct list labels;                 /* struct server_label */
    struct list free_requests, free_buffers;
    unsigned n_free_requests, n_free_buffers;
    uint64_t xid_next, xid_end;         /* this loop's chunk of transaction numbers */
    bool accepting, draining;
};

struct server_label {                   /* a name for a policy that requests may switch to */
    struct list link;
    struct span name;                   /* owned */
    struct policy *policy;              /* counted */
};

struct server *server_of(const struct loop *loop);
uint64_t server_xid(struct server *s);                  /* next transaction number */
void server_set_xid(uint64_t next, unsigned chunk);     /* debug.xid: process-wide; loops take new chunks from here */

struct policy *server_labelled(struct server *s, struct span label);    /* NULL: no such label */

/* Receive buffers: the largest head and some; NULL when memory is out. */
char *server_buffer_take(struct server *s);
void server_buffer_give(struct server *s, char **buf);
size_t server_buffer_bytes(char *buf);                  /* of this one: parameters change while it is in use */

struct request *server_request_take(struct server *s);  /* zeroed but for its recycled memory; NULL when memory is out */
void server_request_give(struct server *s, struct request **r);

#endif
