/* One place to connect to, shared by all backends of all policies with the same addresses: its idle connections are one
 * locked list for all loops, though each is watched by the loop that used it last. Private to this room. */
#ifndef VERNIS_ENDPOINT_H
#define VERNIS_ENDPOINT_H

#include <pthread.h>
#include <stdatomic.h>
#include <sys/un.h>

#include "base/list.h"
#include "origin/connection.h"

#define ENDPOINT_IDLE_MAX 4096u         /* idle connections kept, each endpoint */
#define ENDPOINT_ADDRESSES_MAX 2u       /* one of each family */
#define ENDPOINT_PATH_BYTES sizeof ((struct sockaddr_un *)0)->sun_path

struct endpoint_key {
    struct address addresses[ENDPOINT_ADDRESSES_MAX];   /* tried in this order */
    unsigned n_addresses;
    char path[ENDPOINT_PATH_BYTES];     /* Unix socket when n_addresses is 0; "@name": an abstract one */
    struct span preamble;               /* sent first on each connection */
    uint32_t proxy_header;              /* 0, 1, 2: version of the PROXY header that follows */
};

struct outcomes {                       /* of requests, for endpoint_eject.c; endpoint lock */
    unsigned row;                       /* failures since the last success */
    unsigned n, failed;                 /* within the window */
    nsec window_began;                  /* monotonic */
    _Atomic nsec ejected_until;         /* monotonic; 0: it never was */
};

struct endpoint {
    struct list link;                   /* table lock */
    atomic_uint refs;                   /* the last one goes under the table lock */
    struct endpoint_key key;            /* fixed; preamble is owned */
    pthread_mutex_t lock;
    struct list idle;                   /* struct backend_conn, newest first; lock */
    unsigned n_idle;                    /* lock */
    _Atomic nsec held_until;            /* monotonic: no attempts before, since the last one failed at once */
    struct outcomes outcomes;           /* lock */
};

struct endpoint *endpoint_acquire(const struct endpoint_key *key);     /* finds or makes it; copies the key */
unsigned endpoint_each(unsigned (*fn)(struct endpoint *ep, void *arg), void *arg);     /* the sum; under the lock of the table */
struct endpoint *endpoint_ref(struct endpoint *ep);                    /* by one who holds a reference, or keeps another from going */
void endpoint_release(struct endpoint **ep);        /* the last one closes idle connections */

/* Fiber only. Connects and sends preamble and PROXY header. ERR_TIMEOUT, ERR_RESET, ERR_SYS. On failure c is closed, and errno
 * tells why: 0, it was not tried. Health polls have no client, and are always tried. */
int endpoint_connect(struct endpoint *ep, struct loop *loop, struct conn *c, nsec deadline, const struct client_addresses *client);

/* endpoint_idle.c */
struct backend_conn *endpoint_take_idle(struct endpoint *ep, struct loop *loop);   /* a live one, or NULL */
bool endpoint_keeps(const struct endpoint *ep, const struct backend_conn *bc);      /* may it be used again? */
bool endpoint_put_idle(struct endpoint *ep, struct backend_conn *bc);               /* false: not taken, the caller closes it */
void endpoint_close_idle(struct endpoint *ep);       /* all of them, when nobody holds a reference to it */
void endpoint_loop_release(struct loop *loop);       /* what is kept per loop, and the idle connections that it watches */
void endpoint_reap(nsec now);           /* closes what was idle for params.backend_idle_timeout_s, everywhere */

#define EJECTED_WHY_BYTES 64
bool ejection_is_on(void);              /* by parameters */
nsec endpoint_ejected_until(const struct endpoint *ep);
/* Counts the outcome of a request. True: it was one failure too many, and the endpoint is ejected; `why` says which rule it broke. */
bool endpoint_note(struct endpoint *ep, bool good, nsec now, char why[EJECTED_WHY_BYTES]);

#define PROXY_HEADER_BYTES_MAX 512
/* PROXY protocol header of version 1 or 2; `from` NULL: for nobody. Version 2 also tells an authority that is not unset. Returns its
 * length, 0 when there is no room for the authority. */
size_t proxy_header_of(unsigned version, const struct address *from, const struct address *to, struct span authority,
                       char out[PROXY_HEADER_BYTES_MAX]);
/* That for a client, or for nobody (health checks). */
size_t proxy_header_write(unsigned version, const struct client_addresses *client, char out[PROXY_HEADER_BYTES_MAX]);

#endif
