/* The inside of a loaded policy, for this room and vmod. load.c builds it; other files read it.
 *
 * Code and state are separate. A struct policy_code is one mapped image with its resolved imports. struct
 * policy holds everything that outlives a replacement of the code. Nothing that outlives a hook points into
 * an image: a policy copies the texts that it stores. So an image is pinned only while one of its hooks runs.
 *
 * Belongs together with policy/policy: policy.h shows a policy from outside, this header from inside;
 * policy.c implements both. */
#ifndef VERNIS_POLICY_STATE_H
#define VERNIS_POLICY_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"
#include "http/names.h"
#include "log/txn.h"
#include "loop/loop.h"
#include "match/pattern_set.h"
#include "match/pcre.h"
#include "origin/backend.h"
#include "origin/probe.h"
#include "policy/acl.h"
#include "policy/policy.h"
#include "policy/rule_counts.h"

/* One per loop, and a last one for threads without a loop. Only its loop writes it; any thread reads it. */
struct use_count {
    _Alignas(CACHE_LINE_BYTES) atomic_uint_fast64_t n;
};

struct module;
struct tables;         /* policy/table/tables.h */
struct policy_counter; /* policy/counter/counters.h */

struct policy_code {
    const struct policy_image *image;
    struct module **modules;  /* third-party modules of the image, in its order */
    void *handle;             /* of dlopen; NULL for an image of this process */
    struct use_count *inside; /* hooks running right now, per loop */
    struct rule_counts *rules;
    struct log_pair constants[HOOK_COUNT]; /* VCL_call and VCL_return of hooks with a constant action */
    unsigned n_slots;                      /* of inside */
    atomic_bool retired;                   /* replaced; freed when no hook is inside */
    unsigned acks_missing; /* number of loops that may still enter the code; reap lock (policy.c) */
    /* Those of the image, beside the imports: a hook that searches a chain has just read them. */
    const struct image_chain *chains;
    uint32_t n_chains;
    void *imports[]; /* ctx->imports points here */
};

struct policy {
    struct policy_env env;
    struct span name;
    _Atomic(struct policy_code *) code;
    struct use_count *uses; /* policy_ref */
    struct arena arena;     /* texts and tables that live as long as the policy; admin thread, or lock */
    pthread_mutex_t lock;   /* directors[] */
    name_id *names;         /* image name index -> interned id */
    /* the policy's spelling of a name if it differs from the interned one, else SPAN_NULL */
    struct span *spellings;
    struct regex **regexes;
    struct pattern_set **pattern_sets; /* of these regexes */
    struct acl **acls;
    struct tables *tables;
    struct policy_counter **counters;
    const struct acl *why_acl; /* one of acls; NULL: none */
    struct image_probe *probes;
    struct backend **backends;
    struct storage **storages; /* NULL entry: no store to look the name up in */
    void **instances;
    unsigned n_names, n_regexes, n_pattern_sets, n_acls, n_probes, n_backends, n_storages, n_instances,
        n_counters;
    struct director **directors; /* made by `new`, in order */
    unsigned n_directors, cap_directors;
    struct backend *nothing; /* always-sick placeholder for "no backend" */
    struct director *default_director;
    bool initialised, probing;
    bool reads_fingerprints; /* counted by tls_hello_want */
    atomic_bool rfc9111;     /* image->follows_rfc9111 */
    atomic_bool rolls_back;  /* true if any code of this policy so far rolls back */
    atomic_bool reads_proxy; /* true if any code of this policy so far uses module proxy */
};

extern atomic_bool policy_pages_made; /* true if a policy of this process may have stored pages with ESI */

struct use_count *use_counts_new(unsigned n);
uint64_t use_sum(const struct use_count *u, unsigned n);

/* policy.c. code_pin returns the current code, for a thread without a loop, and keeps it mapped until
 * code_unpin. code_retire takes code that new hooks cannot find any more; the code is freed when the last
 * hook has left it. */
struct policy_code *code_pin(struct policy *p);
void code_unpin(struct policy_code *code);
/* The records of a hook that does nothing but return an action. */
void policy_constant_records(enum vcl_hook hook, uint32_t action, struct log_pair *out);
void code_retire(struct policy_code *code, const struct policy_env *env);

/* image.c: opens and checks an image, and resolves its imports. */
int code_open(const char *path, unsigned n_slots, struct policy_code **out, char *error, size_t error_cap);
int code_of_image(const struct policy_image *image, unsigned n_slots, struct policy_code **out, char *error,
                  size_t error_cap);
void code_close(struct policy_code **code);
/* Like policy_load and policy_replace_image, with an image of this process instead of a file. */
int policy_load_image(const struct policy_env *env, struct span name, const struct policy_image *image,
                      struct policy **out, char *error, size_t error_cap);
int policy_replace_with(struct policy *p, const struct policy_image *image, char *error, size_t error_cap);

/* state.c: builds everything that `image` declares. On failure `error` has the reason. state_release works on
 * a partly built state. */
int state_build(struct policy *p, const struct policy_image *image, char *error, size_t error_cap);
void state_release(struct policy *p);
/* Adds a director made by `new` to the policy's list, until the policy is unloaded. */
void policy_add_director(struct policy *p, struct director *d);
/* name of the object that the running `new` creates */
struct span policy_new_name(const struct policy_ctx *ctx);
/* name of an object that `new` created; empty if unknown */
struct span policy_instance_name(struct policy *p, const void *instance);
struct director *policy_find_director(struct policy *p, struct span name); /* NULL if unknown */

#endif
