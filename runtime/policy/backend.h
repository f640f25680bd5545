/* Origins: addresses, health, the pool of idle connections. A director is anything a BACKEND value can be: a single backend or
 * a choice among others (director.c); it is resolved to a backend when a fetch starts. Backends with equal addresses share one
 * endpoint, whose idle connections are one locked list for all loops and survive policies. */
#ifndef VERNIS_BACKEND_H
#define VERNIS_BACKEND_H

#include "loop/conn.h"
#include "policy_abi.h"

struct backend;
struct policy;

struct director {                       /* BACKEND value; embedded first in backends and director instances */
    const struct director_ops *ops;
    struct span name;                   /* VCL name */
    struct policy *policy;
};

struct director_ops {
    const char *type;                   /* "backend", "round_robin", ... */
    struct backend *(*resolve)(struct director *d, struct policy_ctx *ctx);    /* NULL: none healthy */
    bool (*healthy)(struct director *d, double *changed_s);
    /* BACKEND a director yields one step down (`.resolve()`); may be NULL = itself */
    void (*list)(struct director *d, void (*each)(struct director *member, void *arg), void *arg);
};

struct backend *director_resolve(struct director *d, struct policy_ctx *ctx);  /* NULL: none healthy */
bool director_healthy(struct director *d);
struct director *backend_director(struct backend *b);
struct span backend_name(const struct backend *b);
struct span backend_host_header(const struct backend *b);       /* SPAN_NULL: none (Unix path without host_header) */
double backend_connect_timeout(const struct backend *b);       /* seconds; the parameter's when the backend says nothing */
double backend_first_byte_timeout(const struct backend *b);
double backend_between_bytes_timeout(const struct backend *b);

/* Made by policy.c; a taken connection also holds a reference, so it may outlive its policy. `why` says what is wrong with the
 * declaration (a host that has no address). */
struct probe;
int backend_new(struct policy *p, const struct image_backend *image, const struct probe *probe, struct backend **out, char *why,
                size_t why_cap);
void backend_release(struct backend **b);
void backend_start_probe(struct backend *b, struct loop *loop);
void backend_stop_probe(struct backend *b);

/* An origin connection handed out by the pool. */
struct backend_conn {
    struct conn conn;
    struct backend *backend;            /* while taken */
    struct endpoint *endpoint;
    struct list link;                   /* endpoint lock, while idle */
    nsec idle_since;                    /* monotonic; while idle */
    uint64_t requests;                  /* served before this one */
    bool reused;
};

/* Fiber only. An idle connection (checked to be alive), else a new one. ERR_SICK, ERR_BUSY (max_connections), ERR_TIMEOUT,
 * ERR_RESET (refused, unreachable). Counts in backend_stats; the loop's counters are the caller's. The addresses of `client` (or NULL)
 * go into the PROXY header of backends that ask for one: such connections belong to one client and are never reused. */
struct client_vars;
int backend_get_for(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh, const struct client_vars *client,
                    struct backend_conn **out);
void backend_put(struct backend_conn **bc, bool keep);          /* back to the pool, or closed; NULL is harmless */
unsigned backend_idle(struct backend *b);                       /* idle connections of its endpoint */
void backend_loop_release(struct loop *loop);                   /* before loop_release: what this room keeps per loop */

/* Counters of one backend (VBE), shared by all loops. */
struct backend_stats {
    atomic_ullong req, conn_now, unhealthy, busy, fail, helddown, bereq_hdrbytes, bereq_bodybytes, beresp_hdrbytes, beresp_bodybytes;
};
struct backend_stats *backend_stats(struct backend *b);

/* Administrative health, and a row for backend.list. */
enum backend_admin { BACKEND_AUTO, BACKEND_HEALTHY, BACKEND_SICK };
void backend_set_admin(struct backend *b, enum backend_admin a);
enum backend_admin backend_admin_state(const struct backend *b);
struct probe_view { unsigned good, threshold, window; uint64_t happy_bits; double last_changed_s, average_s; bool probed, healthy; };
void backend_probe_view(struct backend *b, struct probe_view *out);
/* All directors of a policy that have a VCL name, in declaration order. */
void policy_each_director(struct policy *p, void (*each)(struct director *d, void *arg), void *arg);
struct backend *director_backend(struct director *d);           /* NULL when it is not a single backend */
#endif
