/* The names of a dynamic.director: looked up, remembered, and their backends. Private to this module. */
#ifndef VERNIS_DYNAMIC_NAMES_H
#define VERNIS_DYNAMIC_NAMES_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"
#include "base/list.h"
#include "log/txn.h"
#include "origin/backend.h"
#include "origin/director.h"
#include "vmod/dynamic_lookup.h"

#define NAMES_MAX 512u                  /* of one object */
#define BACKENDS_MAX 1024u              /* of one object */
#define HOST_BYTES_MAX DNS_NAME_BYTES_MAX
#define PORT_BYTES_MAX 64u
#define NAME_BYTES_MAX 512u

struct dynamic;

struct target {                         /* of a service (RFC 2782) */
    unsigned priority, weight;
    struct name *name;                  /* held */
};

struct name {                           /* of a host, or of a service, which has no port of its own */
    struct director director;
    struct dynamic *of;
    char host[HOST_BYTES_MAX], port[PORT_BYTES_MAX], title[NAME_BYTES_MAX];     /* fixed, but for recycling */
    uint64_t hash, serial;              /* serial: no other name of the object has or had it; not 0 */
    /* the lock of `of` */
    struct backend *answer[DYNAMIC_ADDRESSES_MAX];
    unsigned n, turn;
    nsec answered, next_lookup, used;   /* monotonic; answered 0: never */
    nsec ttl;                           /* of the answer */
    struct target targets[DNS_SERVICES_MAX];    /* instead of addresses, when it is a service; n_targets */
    unsigned n_targets;
    unsigned held;                      /* by services, as their target: it makes no room */
    bool looking, failed;
    enum { IN_USE, UNUSED, DROPPED } state;     /* unused for usage_timeout; and without its answer since */
    bool lasting;                       /* vcl_init asked for it, and may have put it into a director: it makes no room */
    struct list waiters;
};

struct known {
    struct address address;
    uint64_t serial;                    /* of the name it belongs to; 0: all of the object share it */
    struct backend *backend;
    nsec seen;                          /* last in an answer */
    unsigned answers;                   /* that have it now */
    bool aside;
};

struct dynamic {
    struct director director;           /* all of it, for backend.list */
    struct policy *policy;              /* whose `new` made it; lives longer */
    struct image_backend terms;         /* of each backend; texts are ours */
    char *port, *host_header;
    const struct probe *probe;          /* the policy's; NULL: none */
    const struct acl *allowed;          /* the policy's; NULL: every address */
    const struct resolver *resolver;    /* the policy's; NULL: the system's look-up */
    enum { TTL_CFG, TTL_DNS, TTL_MIN, TTL_MAX } ttl_from;
    bool share_by_name;
    atomic_bool debug;
    nsec keep;                          /* how long a backend that no answer has is not put aside */
    nsec ttl, retry_after, first_lookup_timeout, usage_timeout;
    pthread_mutex_t lock;
    struct name *names[NAMES_MAX];      /* lock */
    struct known known[BACKENDS_MAX];   /* lock */
    unsigned n_names, n_known;          /* lock */
    uint64_t serial;                    /* the latest that was given; lock */
    bool probing;                       /* its policy is warm; lock */
    nsec next_sweep;                    /* no name is unused for long before; lock */
};

/* The name, made when there is none; NULL: there are too many. The caller holds the lock. A service has an empty port. */
struct name *dynamic_name(struct dynamic *d, struct span host, struct span port);
bool dynamic_is_service(const struct name *m);
/* Looks it up if it is time, without waiting. */
void dynamic_look(struct name *m);
/* Looks it up if it is time, and waits for the answer if there is none that could be used. */
void dynamic_refresh(struct name *m);
void dynamic_start_probing(struct dynamic *d, struct backend *b);  /* the caller holds the lock */
void dynamic_log(const struct log_txn *log, enum log_tag tag, const struct name *m, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

/* dynamic_expiry.c; the caller holds the lock. A name's answer begins (1) or ceases (-1) to count for its backends. */
void dynamic_count_answer(const struct name *m, int by, const struct log_txn *log);
void dynamic_put_aside(struct dynamic *d, nsec now);
void dynamic_release_targets(struct name *m, nsec now);
/* Names that nobody has used for usage_timeout lose their answers, and the log of the transaction that comes by says so. */
void dynamic_drop_unused(struct dynamic *d, const struct log_txn *log, nsec now);

extern const struct director_ops dynamic_name_ops, dynamic_service_ops;     /* dynamic.c */

#endif
