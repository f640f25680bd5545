/* A loaded policy: the image and all its state (backends, directors, regexes, instances). The worker's admin
 * thread loads and unloads it; every loop uses it. Each loop counts its own uses, so taking a reference is a
 * plain increment. This file knows nothing of requests.
 *
 * State lives in struct policy, not in the image, so policy_replace_image can swap the code under it. Each
 * hook enters the current image and leaves no pointer into the image behind. Therefore ctx->imports is set
 * only while a hook runs. */
#ifndef VERNIS_POLICY_POLICY_H
#define VERNIS_POLICY_POLICY_H

#include "base/check.h"
#include "cache/store.h"
#include "policy/vars.h"
#include "policy_abi.h"

struct policy;

struct policy_env { /* parts of the worker that a policy may use; lent for the life of the process */
    struct store *store;
    unsigned n_loops;
    struct loop *const *loops; /* loop_id(loops[i]) == i */
    /* server.hostname, server.identity (-i); SPAN_NULL: the host name of this machine */
    struct span hostname, identity;
    /* Files that stand in for those of the image: the table, the file, and the operator's name of it, in
     * turn; NULL ends them. NULL: none. Used by policy_load only. */
    char *const *table_files;
    bool offline;     /* for trials: hosts of backends are not looked up, and no connection can be made */
    bool leaves_init; /* for tests: policy_load skips vcl_init, and policy_unload skips vcl_fini */
};

/* Loads a policy: opens the image and checks magic, ABI version and digest; resolves imports by name and
 * signature; interns names; compiles regexes; builds acls, backends and probes; runs vcl_init. On failure
 * nothing stays loaded, and `error` names the problem and its place. */
int policy_load(const struct policy_env *env, struct span name, const char *path, struct policy **out,
                char *error, size_t error_cap);
/* Runs vcl_fini, frees the state, closes the image. CHECKs that no use is counted. */
void policy_unload(struct policy **p);
/* Replaces the code by an image with the same interface digest; state and counters stay. Each loop switches
 * at its next hook. The old image is unmapped after every loop has run its mailbox item and the last hook has
 * left the image. ERR_SYNTAX: the image does not fit, and `error` has the reason. */
int policy_replace_image(struct policy *p, const char *path, char *error, size_t error_cap);

struct span policy_name(const struct policy *p);
const struct policy_image *policy_image(const struct policy *p);
/* never NULL; an always-sick backend if the policy declares none */
struct director *policy_default_director(struct policy *p);
/* All directors that have a VCL name, in declaration order. */
void policy_each_director(struct policy *p, void (*each)(struct director *d, void *arg), void *arg);
/* true: the policy may restore the request to its original form */
bool policy_rolls_back(const struct policy *p);
bool policy_reads_proxy(const struct policy *p); /* true: the policy may use module proxy */
bool policy_pages_possible(void);                /* true: a stored response may have ESI includes */
/* true: the original request must be kept, for this policy or for ESI includes */
bool policy_keeps_original(const struct policy *p);
/* Whether caching follows RFC 9111 for requests of p: p is of vcl 5.0, or the parameter says so. p may be
 * NULL. */
bool policy_follows_rfc9111(const struct policy *p);
void policy_start_probes(struct policy *p); /* call when the policy becomes warm */
void policy_stop_probes(struct policy *p);

/* The ACL of the clients that may ask how their request was decided (proxy/respond/why.h). Call before the
 * first use. False: the policy has no such ACL, so nobody may ask. */
bool policy_allow_why(struct policy *p, struct span acl);
bool policy_tells_why(struct policy_ctx *ctx); /* whether the client of ctx may ask */

/* Take and drop a use; call on `loop`. */
void policy_ref(struct policy *p, struct loop *loop);
void policy_unref(struct policy *p, struct loop *loop);
/* any thread: the sum over all loops; exact when p is no loop's current policy */
uint64_t policy_uses(const struct policy *p);

/* policy_ctx_init fills the constant parts of ctx (policy, names, loop). policy_run runs a hook: it resets
 * ctx->ret and failed, sets the hook, and returns the action (FAIL when ctx->failed). */
void policy_ctx_init(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a);
/* The same for a zeroed ctx. */
void policy_ctx_fill(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a);
enum vcl_action policy_run(struct policy_ctx *ctx, enum vcl_hook hook);
void policy_uncounted(struct policy_ctx *ctx); /* hooks that run in ctx count no rules */
/* Writes "file:line:column" of the statement at ctx->site, for the log. Returns the length as snprintf does,
 * or 0 if unknown. */
int policy_site(struct policy_ctx *ctx, char *out, size_t cap);
/* A statement of a policy; zeroed: not known. */
struct policy_place {
    struct image_site site;
    bool known, builtin; /* builtin: of the built-in policy */
};
/* `site` is 1 + its index; 0: none. */
struct policy_place policy_place(const struct policy_ctx *ctx, uint32_t site);
struct policy_place policy_decided_at(const struct policy_ctx *ctx); /* what ended the newest hook */
/* Logs the place of the running statement as VCL_trace, in Varnish's format: policy, number of the place,
 * source.line.column. Varnish logs the first statement of each block; here those that decide or set a
 * lifetime. */
void policy_trace(const struct policy_ctx *ctx);

/* The head of a rule as the policy has it. */
struct span rule_head(const struct policy_image *im, const struct image_rule *r);
struct span rule_name(const struct policy_image *im, const struct image_rule *r); /* empty without @rule */
/* The counts of the current code's rules, in the order of the image. */
struct rule_report {
    const struct policy_image *image;
    uint64_t requests;    /* runs of vcl_recv */
    uint32_t not_counted; /* rules beyond the limit */
    void (*each)(const struct rule_report *r, uint32_t rule, uint64_t hits, uint64_t timed, double ns);
    void *arg;
};
void policy_report_rules(struct policy *p, struct rule_report *r); /* any thread without a loop */

/* Adds the name of p (may be NULL) and the running hook of ctx, if any, to the report of a failed check. */
void policy_tell(const struct policy_ctx *ctx, const struct policy *p, struct check_report *out);

const char *action_name(enum vcl_action a); /* "deliver" */
const char *hook_name(enum vcl_hook h);     /* "vcl_recv" */

#endif
