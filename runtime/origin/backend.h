/* Origins: addresses, health, the pool of idle connections. A director is anything a BACKEND value can be: a single backend or
 * a choice among others (director.c); it is resolved to a backend when a fetch starts. Backends with equal addresses share one
 * endpoint, whose idle connections are one locked list for all loops and survive policies. */
#ifndef VERNIS_BACKEND_H
#define VERNIS_BACKEND_H

#include "log/txn.h"
#include "origin/connection.h"
#include "policy_abi.h"

struct backend;

struct director {                       /* BACKEND value; embedded first in backends and director instances */
    const struct director_ops *ops;
    struct span name;                   /* VCL name */
};

struct probe;
struct probe_view;

/* What backend.list -p tells of a director beside the health of its members. */
enum director_detail { DETAIL_HEALTH, DETAIL_WEIGHT, DETAIL_TURN, DETAIL_RING };

struct director_member {
    struct director *director;
    double weight;                      /* DETAIL_WEIGHT */
    bool current;                       /* DETAIL_TURN */
    struct span ident;                  /* DETAIL_RING; as rampup_s */
    double rampup_s;
};

struct director_view {
    enum director_detail detail;
    bool sticky;                        /* DETAIL_TURN */
    double warmup, rampup_s;            /* DETAIL_RING */
};

struct director_ops {
    const char *type;                   /* "backend", "round-robin", ... */
    struct backend *(*resolve)(struct director *d, struct policy_ctx *ctx);    /* NULL: none healthy */
    /* For the transaction of ctx, or, when that is NULL, in general. */
    bool (*healthy)(struct director *d, const struct policy_ctx *ctx, double *changed_s);
    /* BACKEND a director yields one step down (`.resolve()`); may be NULL = itself */
    void (*list)(struct director *d, void (*each)(struct director *member, void *arg), void *arg);
    /* Backends that are the director's own are polled, and show their counters, or no more; NULL: it has none. */
    void (*probe)(struct director *d, bool on);
    /* Fills *out, then calls each; NULL: there is nothing to tell beside `list`. */
    void (*view)(struct director *d, struct director_view *out, void (*each)(const struct director_member *m, void *arg), void *arg);
    bool owns_members;                  /* made by the director itself: lists show them as backends of the policy */
};

struct backend *director_resolve(struct director *d, struct policy_ctx *ctx);  /* NULL: none healthy */
bool director_healthy(struct director *d, const struct policy_ctx *ctx);        /* ctx may be NULL */
bool director_is_none(struct director *d);                      /* a backend declared as `none` */
struct director *backend_director(struct backend *b);
struct span backend_name(const struct backend *b);
bool backend_is_real(const struct backend *b);          /* false: `none`, which has no address */
struct span backend_host_header(const struct backend *b);       /* SPAN_NULL: none (Unix path without host_header) */
double backend_connect_timeout(const struct backend *b);       /* seconds; the parameter's when the backend says nothing */
double backend_first_byte_timeout(const struct backend *b);
double backend_between_bytes_timeout(const struct backend *b);

/* A taken connection holds a reference too, so a backend may outlive the policy that declares it. `policy` is that policy's name, for
 * the counters. `via`: the declaration of the backend that connections go through; NULL: none. `why` receives what is wrong with the declaration
 * (a host without an address). */
int backend_new(struct span policy, const struct image_backend *image, const struct image_backend *via, const struct probe *probe,
                struct backend **out, char *why, size_t why_cap);
void backend_release(struct backend **b);
void backend_start_probe(struct backend *b, struct loop *loop);
void backend_stop_probe(struct backend *b);

/* Fiber only. An idle connection (checked to be alive), else a new one. Waits for one of max_connections where the
 * backend or the parameters allow it. ERR_SICK, ERR_BUSY (max_connections), ERR_TIMEOUT,
 * ERR_RESET (refused, unreachable; errno says more, and is 0 when it was not even tried, because it has just failed). Counts in
 * backend_counters; the loop's counters are the caller's. `client` goes into the PROXY header of backends that ask for one: such
 * connections belong to one client and are never reused. NULL: health polls, which act for no client. */
int backend_get_for(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh, const struct client_addresses *client,
                    struct backend_conn **out);
/* The outcome of a request, for ejection: NULL: the origin answered, else what failed. Once a request, before backend_put. */
void backend_note(struct backend_conn *bc, const char *failure);
bool backend_is_ejected(struct backend *b);
void backend_put(struct backend_conn **bc, bool keep);          /* back to the pool, or closed; NULL is harmless */
void backend_log_open(struct backend_conn *bc, struct log_txn *log);   /* BackendOpen now, BackendClose when it is put */
unsigned backend_idle(struct backend *b);                       /* idle connections of its endpoint */
void backend_loop_release(struct loop *loop);                   /* before loop_release: what this room keeps per loop */

/* Counters of one backend (VBE.policy.backend), in shared memory: add with vsc_add. */
enum backend_counter {
    VBE_HAPPY, VBE_BEREQ_HDRBYTES, VBE_BEREQ_BODYBYTES, VBE_BERESP_HDRBYTES, VBE_BERESP_BODYBYTES, VBE_PIPE_HDRBYTES, VBE_PIPE_OUT,
    VBE_PIPE_IN, VBE_CONN, VBE_REQ, VBE_UNHEALTHY, VBE_BUSY, VBE_FAIL, VBE_FAIL_EACCES, VBE_FAIL_EADDRNOTAVAIL,
    VBE_FAIL_ECONNREFUSED, VBE_FAIL_ENETUNREACH, VBE_FAIL_ETIMEDOUT, VBE_FAIL_OTHER, VBE_HELDDOWN, VBE_EJECTED, VBE_COUNT
};
uint64_t *backend_counters(struct backend *b);

/* Administrative health, and a row for backend.list. */
enum backend_admin { BACKEND_AUTO, BACKEND_HEALTHY, BACKEND_SICK };
void backend_set_admin(struct backend *b, enum backend_admin a);
enum backend_admin backend_admin_state(const struct backend *b);
void backend_probe_view(struct backend *b, struct probe_view *out);
void random_seed(unsigned seed);        /* from here on what directors leave to chance follows a known sequence (debug.srandom) */
struct backend *director_backend(struct director *d);           /* NULL when it is not a single backend */
#endif
