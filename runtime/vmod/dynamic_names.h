/* The names of a dynamic.director: their lookups, their table, and their backends. Private to this module. */
#ifndef VERNIS_VMOD_DYNAMIC_NAMES_H
#define VERNIS_VMOD_DYNAMIC_NAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"
#include "log/txn.h"
#include "origin/backend.h"
#include "origin/director.h"
#include "vmod/dynamic_lookup.h"

#define NAMES_MAX 512u     /* per object */
#define BACKENDS_MAX 1024u /* per object */
#define HOST_BYTES_MAX DNS_NAME_BYTES_MAX
#define PORT_BYTES_MAX 64u
#define NAME_BYTES_MAX 512u

struct dynamic;

struct target { /* target of a service (RFC 2782) */
    unsigned priority, weight;
    struct name *name; /* held */
};

struct name { /* a host name, or a service, which has no port of its own */
    struct director director;
    struct dynamic *of;
    /* fixed until the entry makes room for another name */
    char host[HOST_BYTES_MAX], port[PORT_BYTES_MAX], title[NAME_BYTES_MAX];
    uint64_t hash, serial; /* serial: never 0, and never used twice within the object */
    /* the lock of `of` guards the fields below */
    struct backend *answer[DYNAMIC_ADDRESSES_MAX];
    unsigned n, turn;
    nsec answered, next_lookup, used;        /* monotonic; answered 0: never */
    nsec ttl;                                /* of the answer */
    struct target targets[DNS_SERVICES_MAX]; /* for a service, instead of addresses; n_targets */
    unsigned n_targets;
    unsigned held; /* number of services with this target; a held name never makes room */
    bool looking, failed;
    enum { IN_USE, UNUSED, DROPPED } state; /* UNUSED: for usage_timeout; DROPPED: also without its answer */
    bool lasting; /* used in vcl_init, perhaps as the member of a director: never makes room */
    struct list waiters;
};

struct known {
    struct address address;
    uint64_t serial; /* of the name that owns the backend; 0: all names of the object share it */
    struct backend *backend;
    nsec seen;        /* last time in an answer */
    unsigned answers; /* number of current answers with this backend */
    bool retired;
};

struct dynamic {
    struct director director;   /* all names, for backend.list */
    struct policy *policy;      /* owner of the object; lives longer */
    struct image_backend terms; /* settings of each backend; the texts are owned here */
    char *port, *host_header;
    const struct image_probe *probe; /* owned by the policy; NULL: none */
    const struct acl *allowed;       /* owned by the policy; NULL: every address is allowed */
    const struct resolver *resolver; /* owned by the policy; NULL: getaddrinfo */
    enum { TTL_CFG, TTL_DNS, TTL_MIN, TTL_MAX } ttl_from;
    bool share_by_name;
    atomic_bool debug;
    nsec keep; /* time until a backend without an answer is retired */
    nsec ttl, retry_after, first_lookup_timeout, usage_timeout;
    pthread_mutex_t lock;
    struct name *names[NAMES_MAX];    /* lock */
    struct known known[BACKENDS_MAX]; /* lock */
    unsigned n_names, n_known;        /* lock */
    uint64_t serial;                  /* last serial given; lock */
    bool probing;                     /* the policy is warm; lock */
    nsec next_sweep;                  /* no name expires before this time; lock */
};

/* Finds or creates the name; NULL: too many names. Call under the lock. A service has an empty port. */
struct name *dynamic_name(struct dynamic *d, struct span host, struct span port);
/* Starts a lookup if one is due, without waiting. */
void dynamic_look(struct name *m);
/* Starts a lookup if one is due, and waits if no usable answer exists. */
void dynamic_refresh(struct name *m);
void dynamic_start_probing(struct dynamic *d, struct backend *b); /* call under the lock */
void dynamic_log(const struct log_txn *log, enum log_tag tag, const struct name *m, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* dynamic_expiry.c; call under the lock. Adds (1) or removes (-1) a name's answer from the counts of its
 * backends. */
void dynamic_count_answer(const struct name *m, int by, const struct log_txn *log);
void dynamic_retire(struct dynamic *d, nsec now);
void dynamic_release_targets(struct name *m, nsec now);
/* Drops the answers of names unused for usage_timeout, and logs that in the current transaction. */
void dynamic_drop_unused(struct dynamic *d, const struct log_txn *log, nsec now);

extern const struct director_ops dynamic_name_ops, dynamic_service_ops; /* dynamic.c */

#endif
