/* Origins: addresses, health, the pool of idle connections. A director is any BACKEND value: a single
 * backend, or a choice among other directors (director.c). A fetch resolves its director to a backend when it
 * starts. Backends with equal addresses share one endpoint, with a pool of connections for each loop. Idle
 * connections outlive policies. */
#ifndef VERNIS_ORIGIN_BACKEND_H
#define VERNIS_ORIGIN_BACKEND_H

#include "log/txn.h"
#include "origin/connection.h"
#include "policy_abi.h"

struct backend;

struct director { /* BACKEND value; first field of backends and director instances */
    const struct director_ops *ops;
    struct span name; /* VCL name */
};

struct probe_view;

/* Detail that backend.list -p adds to the health of a director's members. */
enum director_detail { DETAIL_HEALTH, DETAIL_WEIGHT, DETAIL_TURN, DETAIL_RING };

struct director_member {
    struct director *director;
    double weight;     /* DETAIL_WEIGHT */
    bool current;      /* DETAIL_TURN */
    struct span ident; /* DETAIL_RING, like rampup_s */
    double rampup_s;
};

struct director_view {
    enum director_detail detail;
    bool sticky;             /* DETAIL_TURN */
    double warmup, rampup_s; /* DETAIL_RING */
};

struct director_ops {
    const char *type; /* "backend", "round-robin", ... */
    struct backend *(*resolve)(struct director *d, struct policy_ctx *ctx); /* NULL: no backend is healthy */
    /* Answers for the transaction of ctx; ctx NULL: answers in general. */
    bool (*healthy)(struct director *d, const struct policy_ctx *ctx, double *changed_s);
    /* Calls `each` with each direct member. NULL: no members. */
    void (*list)(struct director *d, void (*each)(struct director *member, void *arg), void *arg);
    /* Starts (on) or stops health polls of the backends that the director owns, and shows or hides their
     * counters. NULL: the director owns no backends. */
    void (*probe)(struct director *d, bool on);
    /* Fills *out, then calls `each`. NULL: `list` says everything. */
    void (*view)(struct director *d, struct director_view *out,
                 void (*each)(const struct director_member *m, void *arg), void *arg);
    bool owns_members; /* The director creates its members: lists show them as backends of the policy. */
};

/* NULL: no backend is healthy */
struct backend *director_resolve(struct director *d, struct policy_ctx *ctx);
bool director_healthy(struct director *d, const struct policy_ctx *ctx); /* ctx may be NULL */
bool director_is_none(struct director *d); /* true: a backend declared as `none` */
struct director *backend_director(struct backend *b);
struct span backend_name(const struct backend *b);
bool backend_is_real(const struct backend *b); /* false: `none`, which has no address */
/* sent as Host when a request has no Host; SPAN_NULL for `none` */
struct span backend_host_header(const struct backend *b);
/* seconds; the parameter applies when the backend sets no timeout */
double backend_connect_timeout(const struct backend *b);
double backend_first_byte_timeout(const struct backend *b);
double backend_between_bytes_timeout(const struct backend *b);

/* A taken connection holds a reference, so a backend may outlive its policy. `policy` is the policy's name,
 * for the counters. `via` is the backend that connections go through, or NULL. On failure `why` describes the
 * error in the declaration, for example a host without an address. */
int backend_new(struct span policy, const struct image_backend *image, const struct image_backend *via,
                const struct image_probe *probe, struct backend **out, char *why, size_t why_cap);
void backend_release(struct backend **b);
void backend_start_probe(struct backend *b, struct loop *loop);
void backend_stop_probe(struct backend *b);

/* Fiber only. Takes a live idle connection, or opens a new one. Waits for one of max_connections if the
 * backend or the parameters allow it. Returns ERR_SICK, ERR_BUSY (max_connections), ERR_TIMEOUT or ERR_RESET
 * (refused, unreachable). With ERR_RESET, errno has the reason; 0 means that no attempt was made because the
 * last attempt just failed. Counts in the backend; the caller updates the loop's counters. The PROXY
 * header of backends that ask for one carries `client`: such a connection serves one client and is never
 * reused. NULL: a health poll, which acts for no client. */
int backend_get_for(struct backend *b, struct loop *loop, double connect_timeout_s, bool fresh,
                    const struct client_addresses *client, struct backend_conn **out);
/* Records the outcome of a request, for ejection: `failure` is NULL if the origin answered, or the reason.
 * Call once a request, before backend_put. */
void backend_note(struct backend_conn *bc, const char *failure);
bool backend_is_ejected(struct backend *b);
/* returns *bc to the pool, or closes it; harmless on NULL */
void backend_put(struct backend_conn **bc, bool keep);
/* Logs BackendOpen now, and BackendClose in backend_put. */
void backend_log_open(struct backend_conn *bc, struct log_txn *log);
unsigned backend_idle(struct backend *b); /* idle connections of b's endpoint */
/* Frees this room's state for the loop; call before loop_release. */
void backend_loop_release(struct loop *loop);

/* Counters of one backend (VBE.policy.backend). */
enum backend_counter {
    VBE_EJECTED,
    VBE_HEALTHY,
    VBE_HAPPY,
    VBE_BEREQ_HDRBYTES,
    VBE_BEREQ_BODYBYTES,
    VBE_BERESP_HDRBYTES,
    VBE_BERESP_BODYBYTES,
    VBE_PIPE_HDRBYTES,
    VBE_PIPE_OUT,
    VBE_PIPE_IN,
    VBE_CONN,
    VBE_REQ,
    VBE_UNHEALTHY,
    VBE_BUSY,
    VBE_FAIL,
    VBE_FAIL_EACCES,
    VBE_FAIL_EADDRNOTAVAIL,
    VBE_FAIL_ECONNREFUSED,
    VBE_FAIL_ENETUNREACH,
    VBE_FAIL_ETIMEDOUT,
    VBE_FAIL_OTHER,
    VBE_HELDDOWN,
    VBE_COUNT
};
/* Harmless if b has no counters. Not for VBE_HEALTHY and VBE_HAPPY. */
void backend_count(struct backend *b, enum backend_counter which); /* adds 1 */
uint64_t *backend_counts(struct backend *b); /* of this thread, to add to; b has counters */
uint64_t backend_counted(const struct backend *b, enum backend_counter which);
/* Any thread. Updates VBE_HEALTHY of all backends; call it a few times a second. */
void backends_show_health(void);

/* Administrative health, and the data for a row of backend.list. */
enum backend_admin { BACKEND_AUTO, BACKEND_HEALTHY, BACKEND_SICK };
void backend_set_admin(struct backend *b, enum backend_admin a);
enum backend_admin backend_admin_state(const struct backend *b);
void backend_probe_view(struct backend *b, struct probe_view *out);
/* For tests: one poll of its probe had this result, and no health is set by hand any more. ERR_NOTFOUND: it
 * has no probe. */
int backend_poll_by_hand(struct backend *b, bool good);
double backend_probe_interval(const struct backend *b); /* seconds; -1: it has no probe */
/* Makes random choices of directors follow the sequence of this seed (debug.srandom). */
void random_seed(unsigned seed);
struct backend *director_backend(struct director *d); /* NULL when d is not a single backend */
#endif
