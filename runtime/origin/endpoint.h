/* One connect target, shared by all backends of all policies with the same addresses. Its idle connections
 * are one locked list for all loops, though the loop that used a connection last watches it. Private to this
 * room. */
#ifndef VERNIS_ORIGIN_ENDPOINT_H
#define VERNIS_ORIGIN_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/un.h>

#include "base/list.h"
#include "origin/connection.h"

#define ENDPOINT_IDLE_MAX 4096u   /* idle connections kept per endpoint */
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
    struct list idle; /* struct backend_conn, newest first; lock */
    unsigned n_idle;  /* lock */
    /* monotonic: no attempts before this time, because the last attempt failed at once */
    _Atomic nsec held_until;
    struct outcomes outcomes; /* lock */
};

/* finds or creates the endpoint; copies the key */
struct endpoint *endpoint_acquire(const struct endpoint_key *key);
/* sum of fn's results; fn runs under the table lock */
unsigned endpoint_each(unsigned (*fn)(struct endpoint *ep, void *arg), void *arg);
struct endpoint *endpoint_ref(struct endpoint *ep); /* the caller must already keep ep alive */
void endpoint_release(struct endpoint **ep);        /* the last release closes the idle connections */

/* Fiber only. Connects, then sends the preamble and the PROXY header. ERR_TIMEOUT, ERR_RESET, ERR_SYS. On
 * failure c is closed and errno has the reason; 0: no attempt was made (held_until). Health polls pass client
 * NULL and always try. */
int endpoint_connect(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline,
                     const struct client_addresses *client);

/* endpoint_idle.c */
/* a live connection, or NULL */
struct backend_conn *endpoint_take_idle(struct endpoint *ep, struct loop *loop);
/* true: the connection may be reused */
bool endpoint_keeps(const struct endpoint *ep, const struct backend_conn *bc);
/* false: refused, the caller closes bc */
bool endpoint_put_idle(struct endpoint *ep, struct backend_conn *bc);
void endpoint_close_idle(struct endpoint *ep); /* closes all; only when ep has no references */
/* frees the loop's state, and the idle connections that it watches */
void endpoint_loop_release(struct loop *loop);
/* Closes connections of all endpoints that were idle for params.backend_idle_timeout_s. Returns how many idle
 * ones are left. */
unsigned endpoint_reap(nsec now);

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
