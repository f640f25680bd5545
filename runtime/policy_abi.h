/* The contract between a compiled policy and the runtime. policy_numbers.h numbers the hooks, actions and
 * messages; the build generates it from grammar/vocabulary.toml. compiler/native/shapes.py holds the machine
 * and C types of values.
 *
 * A policy is a shared object which exports one symbol, `vernis_policy`, of type struct policy_image. The
 * object has no undefined symbols and no writable data (all is read-only after relocation). It reaches the
 * runtime through ctx->imports, a table the loader fills from the names in image.imports. All state lives in
 * the runtime's struct policy, so the runtime can replace an image by another with the same interface_digest
 * and keep the state.
 *
 * The layouts here are the only source: the build measures them for the compiler
 * (compiler/native/measure.py). */
#ifndef VERNIS_POLICY_ABI_H
#define VERNIS_POLICY_ABI_H

#include <stdint.h>

#include "base/span.h"
#include "policy_numbers.h"
#include "policy_origins.h" /* image_probe, image_backend */

struct http_message; /* http/message.h; the ABI digest covers its layout, because inlined helpers read
                      * it */
struct object;
struct client_vars; /* policy/vars.h */
struct fetch_vars;
struct arena;
struct log_txn;
struct policy;

struct vcl_ip {       /* IP values: constants of an image, or in an arena */
    uint8_t family;   /* 4, 6; 0 = none (Unix socket) */
    uint8_t zone;     /* of IPv6: index of an interface, 0 = none */
    uint16_t port;    /* host order, 0 = unknown */
    uint8_t addr[16]; /* network order; IPv4 uses the first 4 */
};

struct vcl_blob {
    const void *ptr;
    uint64_t len;
    uint32_t type; /* 0 = plain bytes; modules tag their own */
};

/* Arguments of the action a hook returned. Reset by the runtime before each hook. */
struct policy_return {
    int64_t status;   /* synth, error; 0 = none given */
    struct span text; /* reason of synth and error, message of fail, label of vcl */
    double seconds;   /* pass(DURATION) in backend_response; negative = none given */
};

/* The context of a running hook. proxy/ (or a test) fills it on its own stack. Members that are not in scope
 * of the running hook are NULL. */
struct policy_ctx {
    void *const *imports;  /* functions, in the order of image.imports */
    const uint16_t *names; /* image name index -> interned header name id of this worker */
    struct http_message *msg[MSG_COUNT];
    struct policy *policy;
    struct client_vars *client;
    struct fetch_vars *fetch;
    const struct object *obj; /* hit, deliver; stale object of a conditional fetch in backend hooks */
    struct arena *arena;      /* everything a hook allocates dies with the transaction */
    struct log_txn *log;
    struct policy_return ret;
    double now;             /* seconds since the epoch, constant within one hook */
    uint32_t site;          /* index into image.sites, kept current by compiled code */
    int32_t failed;         /* set by a runtime function: compiled code returns ACTION_FAIL at once */
    enum vcl_hook hook;     /* the hook that runs */
    const char *failed_why; /* static or arena text, for the log */
    struct loop *loop;      /* NULL in init, fini and tests */
    const char *joined;     /* the newest result of concat, for messages; its first joined_first bytes
                             * are the first part */
    size_t joined_first;
    const char *fresh;      /* the newest text that an operation wrote into `arena`; nothing changes it */
    uint32_t failed_site;   /* site of the failure; compiled code may run on before it checks
                             * `failed` */
    const char *stack_low;  /* a hook whose stack grows below this address fails; NULL: no
                             * limit */
    int64_t work_left;      /* rest of the hook's budget; compiled code subtracts calls of subs */
    uint64_t *subs_running; /* one bit for each of image.subs; in the arena; NULL: none */
    /* one for each of image.pattern_sets, of this hook; in the arena; NULL: none yet */
    struct pattern_result *pattern_results;
    struct captures *captures; /* of this hook's newest search for groups; in the arena; NULL: none yet */
    uint32_t allowed;          /* safety checks that the hook has waived: bits of SAFETY_NAMES */
    uint32_t rule_slot;        /* whose counters rule_hits are (policy/rule_counts.h) */
    uint64_t *rule_hits;       /* one for each of image.rules, of this thread; compiled code adds to them */
};

typedef int32_t policy_hook_fn(struct policy_ctx *ctx); /* returns enum vcl_action */

struct image_import {
    struct span name;   /* "get_req_url" */
    uint64_t signature; /* FNV-1a 64 of "name:RESULT(PARAM,PARAM?)" */
};

struct image_source {
    struct span name, text;
};

struct image_site {
    uint32_t file, line, column;
};

struct image_acl_entry {
    uint8_t family; /* 4 or 6 */
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

struct image_table_row {
    struct span key;  /* of an ip table: the address in network order, and a byte with the prefix's length */
    struct span text; /* value of STRING, or of IP: a byte with the family, and the address */
    int64_t whole;    /* value of INT, BYTES and BOOL; of BACKEND the index */
    double real;      /* value of REAL and DURATION */
};

struct image_table {
    struct span name;
    struct span file;                     /* its rows are there; SPAN_NULL: they are `rows` */
    struct span key_column, value_column; /* of a CSV file with a head line; else SPAN_NULL */
    const struct image_table_row *rows;
    uint32_t n_rows;
    uint32_t kind;  /* enum image_table_kind */
    uint32_t value; /* enum image_table_value */
    uint32_t site;
};

struct image_counter {
    struct span name;
    const struct span *labels;
    uint32_t n_labels, pad;
};

struct image_instance {
    struct span name, kind; /* "www", "directors.round_robin" */
    int32_t fini_import;    /* destructor: void (ctx, void *instance) */
    uint32_t site;
};

struct image_sub { /* a sub that the policy uses as a value */
    struct span name;
    uint32_t hooks; /* bit per enum vcl_hook: where it can be called */
};

struct image_module { /* a third party's (module_abi.h); image.imports names its functions
                       * "name.symbol" */
    struct span name, path;
};

struct image_pattern { /* of a pattern set */
    int32_t regex;     /* index of image.regexes; -1: the whole subject is `text` */
    struct span text;
};

struct image_pattern_set {      /* the patterns that are tried on one subject */
    uint32_t first, n_patterns; /* of image.patterns */
};

struct image_chain_subject { /* one subject of a chain */
    uint32_t set, place;     /* the pattern of its i-th test is at place + i in the set */
    const uint32_t *tests;   /* their numbers in the chain, ascending */
    uint32_t n_tests;
};

/* Places where a chain goes on: the number of a test, or IMAGE_EXIT and the number of an exit, with which
 * the chain ends. Each exit leads to code. */
#define IMAGE_EXIT (UINT32_C(1) << 31)

struct image_chain_test {
    uint32_t site;
    uint32_t body; /* offset of its image_row in the chain's rows, or IMAGE_EXIT and the exit to its code */
};

/* A body as data. `n_changes` times an image_change follows, each with its text behind it, padded to
 * IMAGE_ROW_ALIGN. */
struct image_row {
    uint32_t rule; /* that it counts; IMAGE_NO_RULE: none */
    uint32_t next; /* where the chain goes on */
    uint32_t site; /* the last statement */
    uint16_t n_changes, pad;
};
#define IMAGE_NO_RULE UINT32_MAX
#define IMAGE_ROW_ALIGN 4u

struct image_change { /* of a field with a constant text */
    uint32_t site;
    uint16_t name, len;
    uint8_t msg, kind; /* enum vcl_msg, enum image_change_kind */
    uint16_t pad;
};

/* With the text behind it. */
static inline uint32_t
image_change_bytes(const struct image_change *c)
{
    return (uint32_t)sizeof *c + (c->len + IMAGE_ROW_ALIGN - 1) / IMAGE_ROW_ALIGN * IMAGE_ROW_ALIGN;
}

struct image_chain { /* tests in the order in which the policy tries them */
    const struct image_chain_subject *subjects;
    const struct image_chain_test *tests;
    const char *rows;
    uint32_t n_subjects, n_tests, n_exits, rows_bytes;
};

struct image_rule {         /* a sub, an arm of an `if`, or a statement with @rule */
    uint32_t site;          /* where it begins */
    uint32_t start, length; /* of its head in the text of that source: "sub a", "if (...)", "else" */
    uint32_t end_line, end_column;
    uint32_t name; /* of @rule: the index in rule_names, from 1 on; 0 without a name */
};

struct image_effects {
    uint64_t actions; /* bit per enum vcl_action it can return */
    uint32_t flags;   /* EFFECT_... */
    /* The hook does nothing but return this action, and no rule counts its runs. ACTION_NONE: it does more */
    uint32_t constant;
    uint32_t n_reads, n_writes;
    const struct span *reads, *writes; /* variable names; headers as "resp.http.x-foo" or "resp.http.*" */
};

struct policy_image {
    uint64_t magic; /* VERNIS_POLICY_MAGIC */
    uint32_t abi_version;
    uint32_t optimisation;        /* level of the compiler, for vcl.list and tests */
    uint8_t abi_digest[32];       /* of headers, inlined bitcode and CPU features; the loader demands an
                                   * exact match */
    uint8_t source_digest[32];    /* SHA-256 over all source names and texts */
    uint8_t interface_digest[32]; /* of declarations, names, regexes, instances: state depends on them */
    struct span name;
    policy_hook_fn *hooks[HOOK_COUNT]; /* never NULL */
    const struct image_import *imports;
    const struct image_source *sources;
    const struct image_site *sites;
    const struct span *names; /* header names, for interning at load */
    const struct span *regexes;
    const struct image_backend *backends;
    const struct image_probe *probes;
    const struct image_acl *acls;
    const struct image_table *tables;
    const struct image_counter *counters;
    const struct image_instance *instances;
    const struct span *storages;
    const struct image_module *modules;
    const struct image_sub *subs;
    const struct image_pattern *patterns;
    const struct image_pattern_set *pattern_sets;
    const struct image_chain *chains;
    const struct image_rule *rules;
    const struct span *rule_names;
    uint32_t n_imports, n_sources, n_sites, n_names, n_regexes, n_backends, n_probes, n_acls, n_tables,
        n_counters, n_instances, n_storages, n_modules, n_subs, n_patterns, n_pattern_sets, n_chains, n_rules,
        n_rule_names;
    uint32_t rules_left;      /* rules beyond RULES_MAX, which have no counter */
    int32_t default_backend;  /* index, -1 none */
    uint32_t syntax;          /* of the policy's text: 40, 41, 50 */
    uint32_t follows_rfc9111; /* 1: vcl 5.0 without `caching 4.1;` */
    struct image_effects effects[HOOK_COUNT];
};

#endif
