/* One connect target, shared by all backends of all policies with the same addresses. Each loop that uses it
 * has a pool with its idle connections (endpoint_idle.c). Private to this room. */
#ifndef VERNIS_ORIGIN_ENDPOINT_H
#define VERNIS_ORIGIN_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/un.h>

#include "base/list.h"
#include "base/mem.h"
#include "origin/connection.h"

#define ENDPOINT_IDLE_MAX 4096u   /* idle connections that a loop keeps per endpoint */
#define ENDPOINT_ADDRESSES_MAX 2u /* one of each family */
#define ENDPOINT_PATH_BYTES sizeof((struct sockaddr_un *)0)->sun_path

struct endpoint_key {
    struct address addresses[ENDPOINT_ADDRESSES_MAX]; /* tried in this order */
    unsigned n_addresses;
    char path[ENDPOINT_PATH_BYTES]; /* Unix socket when n_addresses is 0; "@name": abstract socket */
    struct span preamble;           /* sent first on each connection */
    uint32_t proxy_header;          /* 0: none; 1, 2: version of the PROXY header sent after the preamble */
};

struct outcomes {               /* outcomes of requests, for endpoint_eject.c; endpoint lock */
    unsigned row;               /* failures since the last success */
    unsigned n, failed;         /* within the window */
    nsec window_began;          /* monotonic */
    _Atomic nsec ejected_until; /* monotonic; 0: never ejected */
};

struct endpoint {
    struct list link;        /* table lock */
    atomic_uint refs;        /* the last reference is dropped under the table lock */
    struct endpoint_key key; /* fixed; preamble is owned */
    pthread_mutex_t lock;
    struct list pools; /* struct pool, lock; they keep the memory, though not the idle connections */
    bool closed;       /* lock; there is no reference any more */
    /* monotonic: no attempts before this time, because the last attempt failed at once */
    _Atomic nsec held_until;
    struct outcomes outcomes; /* lock */
};

/* finds or creates the endpoint; copies the key */
struct endpoint *endpoint_acquire(const struct endpoint_key *key);
struct endpoint *endpoint_ref(struct endpoint *ep); /* the caller must already keep ep alive */
void endpoint_release(struct endpoint **ep);        /* the last release closes the idle connections */
void endpoint_free(struct endpoint *ep);            /* closed, and without pools */

/* Fiber only. Connects, then sends the preamble and the PROXY header. ERR_TIMEOUT, ERR_RESET, ERR_SYS. On
 * failure c is closed and errno has the reason; 0: no attempt was made (held_until). Health polls pass client
 * NULL and always try. */
int endpoint_connect(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline,
                     const struct client_addresses *client);

/* endpoint_idle.c. The connections of one loop to an endpoint: those that it took or makes, which it counts,
 * and idle ones, which other loops may take. A pool keeps the memory of its endpoint. On its loop, except
 * where a comment says "any thread". */
struct pool {
    struct list of_loop;       /* owner loop */
    struct list of_endpoint;   /* endpoint lock */
    struct endpoint *endpoint; /* fixed */
    struct idle_keeper *keeper;
    unsigned n_used;     /* connections that the loop took or makes: the pool stays */
    unsigned n_borrowed; /* taken from loops with few of them, until `second_ends` */
    nsec second_ends;
    /* Written by other threads, so on a cache line of its own. */
    _Alignas(CACHE_LINE_BYTES) pthread_mutex_t lock; /* after the endpoint's */
    struct list idle;                                /* lock; struct backend_conn, newest first */
    atomic_uint n_idle;                              /* lock; read without it */
    bool closed;                                     /* lock; as of the endpoint */
    struct list left;                                /* lock; struct backend_conn whose socket was taken */
};

/* The loop's pool of ep, or NULL. ep is only compared, so it may be gone. */
struct pool *pool_find(struct loop *loop, const struct endpoint *ep);
/* The same, and makes one. The caller keeps ep alive. */
struct pool *pool_of(struct loop *loop, struct endpoint *ep);
/* A live connection, or NULL. Used, so that p->n_used counts it. */
struct backend_conn *pool_take(struct pool *p);
/* true: the connection may be reused */
bool pool_keeps(const struct pool *p, const struct backend_conn *bc);
/* Makes bc idle, with its reference to the backend. false: refused, the caller closes bc. The caller lowers
 * n_used. */
bool pool_put(struct backend_conn *bc);

/* Any thread; ep has no references. Frees it, if no pool keeps it. */
void endpoint_close_idle(struct endpoint *ep);
unsigned endpoint_count_idle(struct endpoint *ep); /* any thread */
/* Any thread. No idle connection refers to b any more. Returns how many did: the caller drops their
 * references. */
unsigned endpoint_forget(struct endpoint *ep, const struct backend *b);
/* frees the loop's pools, with their idle connections */
void endpoint_loop_release(struct loop *loop);
/* Closes connections of the loop that were idle for params.backend_idle_timeout_s, and frees pools without a
 * use. Returns how many pools are left. */
unsigned endpoint_reap(struct loop *loop, nsec now);

#define EJECTED_WHY_BYTES 64
bool ejection_is_on(void); /* true: a parameter enables ejection */
nsec endpoint_ejected_until(const struct endpoint *ep);
/* Counts the outcome of a request. True: this failure ejects the endpoint, and `why` names the rule. */
bool endpoint_note(struct endpoint *ep, bool good, nsec now, char why[EJECTED_WHY_BYTES]);

#define PROXY_HEADER_BYTES_MAX 512
/* Writes a PROXY protocol header of version 1 or 2; `from` NULL: without addresses. Version 2 also carries
 * `authority` unless it is unset. Returns the length, or 0 if the authority does not fit. */
size_t proxy_header_of(unsigned version, const struct address *from, const struct address *to,
                       struct span authority, char out[PROXY_HEADER_BYTES_MAX]);
/* Writes the header for a client; NULL: without addresses (health polls). */
size_t proxy_header_write(unsigned version, const struct client_addresses *client,
                          char out[PROXY_HEADER_BYTES_MAX]);

#endif
