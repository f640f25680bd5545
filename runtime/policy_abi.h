/* The contract between a compiled policy and the runtime. Hooks, actions and messages have their numbers from policy_numbers.h, which
 * the build makes of grammar/vocabulary.toml; the machine and C types of values are in compiler/native/shapes.py.
 *
 * A policy is a shared object which exports one symbol, `vernis_policy`, of type struct policy_image. It has no undefined
 * symbols and no writable data (all is read-only after relocation): it reaches the runtime through ctx->imports, a table
 * the loader fills from the names in image.imports, and all state lives in the runtime's struct policy. So an image may be
 * replaced by another with the same interface_digest under running state.
 *
 * The layouts here are the only ones: the build measures them for the compiler (compiler/native/measure.py). */
#ifndef VERNIS_POLICY_ABI_H
#define VERNIS_POLICY_ABI_H

#include <stdint.h>

#include "base/span.h"
#include "policy_numbers.h"

struct http_message;        /* http/message.h; its layout is part of the ABI digest, inlined helpers read it */
struct object;
struct client_vars;         /* policy/vars.h */
struct fetch_vars;
struct arena;
struct log_txn;
struct policy;

struct vcl_ip {             /* IP values: constants of an image, or in an arena */
    uint8_t family;         /* 4, 6; 0 = none (Unix socket) */
    uint8_t zone;           /* of IPv6: index of an interface, 0 = none */
    uint16_t port;          /* host order, 0 = unknown */
    uint8_t addr[16];       /* network order; IPv4 uses the first 4 */
};

struct vcl_blob {
    const void *ptr;
    uint64_t len;
    uint32_t type;          /* 0 = plain bytes; modules tag their own */
};

/* Arguments of the action a hook returned. Reset by the runtime before each hook. */
struct policy_return {
    int64_t status;         /* synth, error; 0 = none given */
    struct span text;       /* reason of synth and error, message of fail, label of vcl */
    double seconds;         /* pass(DURATION) in backend_response; negative = none given */
};

/* What a hook is called with. Lives on the caller's stack; filled by proxy/ (or by tests). Members that are not in scope of
 * the running hook are NULL. */
struct policy_ctx {
    void *const *imports;           /* functions, in the order of image.imports */
    const uint16_t *names;          /* image name index -> interned header name id of this worker */
    struct http_message *msg[MSG_COUNT];
    struct policy *policy;
    struct client_vars *client;
    struct fetch_vars *fetch;
    const struct object *obj;       /* hit, deliver; stale object of a conditional fetch in backend hooks */
    struct arena *arena;            /* everything a hook allocates dies with the transaction */
    struct log_txn *log;
    struct policy_return ret;
    double now;                     /* seconds since the epoch, constant within one hook */
    uint32_t site;                  /* index into image.sites, kept current by compiled code */
    int32_t failed;                 /* set by a runtime function: compiled code returns ACTION_FAIL at once */
    enum vcl_hook hook;             /* the hook that runs */
    const char *failed_why;         /* static or arena text, for the log */
    struct loop *loop;              /* NULL in init, fini and tests */
    const char *joined;             /* the latest text made by concat, and how much of it is the first part: for messages */
    size_t joined_first;
    uint32_t failed_site;               /* where that was: compiled code may go on a little before it looks at `failed` */
    const char *stack_low;              /* compiled code that finds itself below it fails; NULL: as much stack as anybody needs */
    int64_t work_left;                  /* of the hook's budget, where compiled code counts calls of subs */
    uint64_t *subs_running;             /* of image.subs, a bit each; in the arena; NULL: none */
};

typedef int32_t policy_hook_fn(struct policy_ctx *ctx);     /* returns enum vcl_action */

struct image_import {
    struct span name;               /* "get_req_url" */
    uint64_t signature;             /* FNV-1a 64 of "name:RESULT(PARAM,PARAM?)" */
};

struct image_source {
    struct span name, text;
};

struct image_site {
    uint32_t file, line, column;
};

struct image_probe {
    struct span name, url;
    struct span request;            /* whole head with CRLFs; NULL ptr: GET of url */
    uint32_t expected_response, window, threshold, initial;
    double timeout_s, interval_s;
};

struct image_backend {
    struct span name, host, port, path, host_header, preamble;  /* path "@name": an abstract socket */
    struct span authority;          /* told the proxy that `via` is; SPAN_NULL: none */
    double connect_timeout_s, first_byte_timeout_s, between_bytes_timeout_s, wait_timeout_s;    /* negative: the parameter's value */
    int32_t probe;                  /* index, -1 none */
    uint32_t via;                   /* 1 + index of an earlier backend that connections go through; 0 none */
    uint32_t max_connections;       /* 0 no limit */
    uint32_t wait_limit;            /* requests that wait for one of those; 0: the parameter's value */
    uint32_t proxy_header;          /* 0, 1, 2 */
    uint32_t none;                  /* 1: `backend x none;` always sick */
    uint32_t site;
};

struct image_acl_entry {
    uint8_t family;                 /* 4 or 6 */
    uint8_t bits;
    uint8_t negated;
    uint8_t pad;
    uint8_t addr[16];
    struct span text;
};

struct image_acl {
    struct span name;
    const struct image_acl_entry *entries;
    uint32_t n_entries, log;
};

struct image_instance {
    struct span name, kind;         /* "www", "directors.round_robin" */
    int32_t fini_import;            /* destructor: void (ctx, void *instance) */
    uint32_t site;
};

struct image_sub {                  /* that the policy uses as a value */
    struct span name;
    uint32_t hooks;                 /* bit per enum vcl_hook: where it can be called */
};

struct image_module {               /* by a third party (module_abi.h); its functions are imported as "name.symbol" */
    struct span name, path;
};

struct image_effects {
    uint64_t actions;               /* bit per enum vcl_action it can return */
    uint32_t flags;                 /* EFFECT_... */
    uint32_t n_reads, n_writes;
    const struct span *reads, *writes;  /* variable names; headers as "resp.http.x-foo" or "resp.http.*" */
};

struct policy_image {
    uint64_t magic;                 /* VERNIS_POLICY_MAGIC */
    uint32_t abi_version;
    uint32_t optimisation;          /* level it was compiled at, for list and tests */
    uint8_t abi_digest[32];         /* headers + inlined bitcode + CPU features; exact match or refused */
    uint8_t source_digest[32];      /* SHA-256 over all source names and texts */
    uint8_t interface_digest[32];   /* declarations, names, regexes, instances: what state depends on */
    struct span name;
    policy_hook_fn *hooks[HOOK_COUNT];          /* never NULL */
    policy_hook_fn *traced_hooks[HOOK_COUNT];   /* all NULL for now */
    const struct image_import *imports;
    const struct image_source *sources;
    const struct image_site *sites;
    const struct span *names;                   /* header names, for interning at load */
    const struct span *regexes;
    const struct image_backend *backends;
    const struct image_probe *probes;
    const struct image_acl *acls;
    const struct image_instance *instances;
    const struct span *storages;
    const struct image_module *modules;
    const struct image_sub *subs;
    uint32_t n_imports, n_sources, n_sites, n_names, n_regexes, n_backends, n_probes, n_acls, n_instances, n_storages, n_modules, n_subs;
    int32_t default_backend;                    /* index, -1 none */
    uint32_t syntax;                            /* of the policy's text: 40, 41 */
    struct image_effects effects[HOOK_COUNT];
};

#endif
