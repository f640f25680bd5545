/* A loaded policy: the image plus all state it has (backends, directors, regexes, instances). Loaded and unloaded by the
 * worker's admin thread; used by every loop. Loops count their own uses, so taking and dropping a reference is a plain
 * increment. Nothing here knows of requests.
 *
 * State lives in the policy's parts, not in the image, so policy_replace_image can swap code under it: each hook enters the
 * image that is current, and leaves nothing behind that points into it. So ctx->imports is set only while a hook runs. */
#ifndef VERNIS_POLICY_H
#define VERNIS_POLICY_H

#include "base/check.h"
#include "cache/store.h"
#include "policy/vars.h"
#include "policy_abi.h"

struct policy;

struct policy_env {                     /* what a policy may reach of the worker; lent for the process's life */
    struct store *store;
    unsigned n_loops;
    struct loop *const *loops;          /* loop_id(loops[i]) == i */
    struct span hostname, identity;     /* server.hostname, server.identity (-i); SPAN_NULL: this host's name */
    bool leaves_init;                   /* to the caller: loading does not run vcl_init, nor unloading vcl_fini. For tests */
};

/* dlopen, symbol, magic, ABI version and digest, imports resolved by name and signature, names interned, regexes compiled,
 * acls, backends and probes built, vcl_init run. On failure nothing is left behind and `error` says what and where (an
 * accessor the runtime lacks is named). */
int policy_load(const struct policy_env *env, struct span name, const char *path, struct policy **out, char *error, size_t error_cap);
void policy_unload(struct policy **p);              /* vcl_fini, backends, dlclose. CHECKs that nobody counts it */
/* An image with the same interface digest takes over: same state, same counters. Loops switch by themselves at their next
 * hook; the old image is unmapped when every loop has run an item of its mailbox and the last hook has left it. ERR_SYNTAX +
 * error text when it does not fit. */
int policy_replace_image(struct policy *p, const char *path, char *error, size_t error_cap);

struct span policy_name(const struct policy *p);
const struct policy_image *policy_image(const struct policy *p);
struct director *policy_default_director(struct policy *p);     /* never NULL; an always-sick one when none declared */
/* All directors that have a VCL name, in declaration order. */
void policy_each_director(struct policy *p, void (*each)(struct director *d, void *arg), void *arg);
bool policy_rolls_back(const struct policy *p);     /* it may want the request as the client sent it */
bool policy_pages_possible(void);                   /* some stored response may have ESI includes */
bool policy_keeps_original(const struct policy *p); /* that may be wanted: by it, or by the includes of a stored page */
void policy_start_probes(struct policy *p);         /* when it becomes warm */
void policy_stop_probes(struct policy *p);

/* Uses, counted per loop (call on that loop). */
void policy_ref(struct policy *p, struct loop *loop);
void policy_unref(struct policy *p, struct loop *loop);
uint64_t policy_uses(const struct policy *p);       /* any thread: sum; exact once no loop has it current */

/* Fills the constant parts of ctx (imports, names, policy, loop) and runs a hook: resets ctx->ret and failed, sets hook, returns the
 * action (FAIL when ctx->failed). */
void policy_ctx_init(struct policy_ctx *ctx, struct policy *p, struct loop *loop, struct arena *a);
enum vcl_action policy_run(struct policy_ctx *ctx, enum vcl_hook hook);
/* "file:line:column" of the statement ctx->site names, for the log; returns the length as snprintf does, 0 if unknown. */
int policy_site(struct policy_ctx *ctx, char *out, size_t cap);

/* The name of p (NULL: none any more), and the hook of ctx if one runs, for the report of a failed check. */
void policy_tell(const struct policy_ctx *ctx, const struct policy *p, struct check_report *out);

const char *action_name(enum vcl_action a);         /* "deliver" */
const char *hook_name(enum vcl_hook h);             /* "vcl_recv" */

#endif
