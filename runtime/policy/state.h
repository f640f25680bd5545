/* Parts of a loaded policy. For this room and vmod: load.c builds it, the others read it.
 *
 * Code and state are apart. A struct policy_code is one mapped image with its resolved imports; struct policy is everything
 * that outlives a replacement of the code. Nothing that survives a hook points into an image: texts are copied when a policy
 * stores them, so an image is pinned only while one of its hooks runs.
 *
 * Belongs together with policy/policy: policy.h shows a policy from outside, this header from inside; policy.c implements both. */
#ifndef VERNIS_POLICY_STATE_H
#define VERNIS_POLICY_STATE_H

#include <pthread.h>
#include <stdatomic.h>

#include "base/check.h"
#include "base/list.h"
#include "base/mem.h"
#include "http/names.h"
#include "loop/loop.h"
#include "match/pcre.h"
#include "origin/backend.h"
#include "origin/probe.h"
#include "policy/acl.h"
#include "policy/policy.h"

#define CACHE_LINE_BYTES 64

/* One per loop and one (the last) for threads without a loop. Written by its loop only, read by whoever sums. */
struct use_count {
    _Alignas(CACHE_LINE_BYTES) atomic_uint_fast64_t n;
};

struct module;

struct policy_code {
    const struct policy_image *image;
    struct module **modules;            /* those of the image that are no part of the runtime, in its order */
    void *handle;                       /* of dlopen; NULL when the image was handed in */
    struct use_count *inside;           /* hooks running right now, per loop */
    unsigned n_slots;                   /* of inside */
    atomic_bool retired;                /* another has taken over; it frees itself when nobody is inside */
    unsigned acks_missing;              /* loops that may still enter it; reap lock (policy.c) */
    void *imports[];                    /* ctx->imports points here */
};

struct policy {
    struct policy_env env;
    struct span name;
    _Atomic(struct policy_code *) code;
    struct use_count *uses;             /* policy_ref */
    struct arena arena;                 /* texts and tables of the policy's life; admin thread, or lock */
    pthread_mutex_t lock;               /* directors[] */
    name_id *names;                     /* image name index -> interned id */
    struct span *spellings;             /* the policy's own spelling where it is not the interned one, else SPAN_NULL */
    struct regex **regexes;
    struct acl **acls;
    struct probe *probes;
    struct backend **backends;
    struct storage **storages;          /* NULL entry: no storage of that name */
    void **instances;
    unsigned n_names, n_regexes, n_acls, n_probes, n_backends, n_storages, n_instances;
    struct director **directors;        /* made by `new`, in order */
    unsigned n_directors, cap_directors;
    struct backend *nothing;            /* always sick: stands where no backend is */
    struct director *default_director;
    bool initialised, probing;
    atomic_bool rolls_back;             /* any code it had so far does */
};

extern atomic_bool policy_pages_made;   /* a policy of this process may have stored pages with ESI instructions */

struct use_count *use_counts_new(unsigned n);
uint64_t use_sum(const struct use_count *u, unsigned n);

/* policy.c: the code that is current, for a thread without a loop; it stays mapped until it is let go. Retired code can be found no
 * more and goes when the last hook has left it. */
struct policy_code *code_pin(struct policy *p);
void code_unpin(struct policy_code *code);
void code_retire(struct policy_code *code, const struct policy_env *env);

/* image.c: opens and checks an image, resolves its imports. */
int code_open(const char *path, unsigned n_slots, struct policy_code **out, char *error, size_t error_cap);
int code_of_image(const struct policy_image *image, unsigned n_slots, struct policy_code **out, char *error, size_t error_cap);
void code_close(struct policy_code **code);
/* policy_load with an image of this process instead of a file. */
int policy_load_image(const struct policy_env *env, struct span name, const struct policy_image *image, struct policy **out,
                      char *error, size_t error_cap);
int policy_replace_with(struct policy *p, const struct policy_image *image, char *error, size_t error_cap);

/* state.c: all that `image` declares; on failure the error says what is wrong. Release is harmless on a part of it. */
int state_build(struct policy *p, const struct policy_image *image, char *error, size_t error_cap);
void state_release(struct policy *p);
/* A director made by `new` is listed by its policy until the policy goes. */
void policy_add_director(struct policy *p, struct director *d);
struct span policy_new_name(const struct policy_ctx *ctx);      /* of what the running `new` makes */
struct span policy_instance_name(struct policy *p, const void *instance);    /* of what `new` made; empty if unknown */
struct director *policy_find_director(struct policy *p, struct span name);  /* NULL if unknown */

#endif
