/* The functions that a policy may import, and helpers for their implementations.
 *
 * grammar/vocabulary.toml lists all functions. From it the build makes a prototype of each (exports_policy.h,
 * exports_vmod.h), against which the C compiler checks the definition, and the rows of one table per room. */
#ifndef VERNIS_POLICY_EXPORTS_H
#define VERNIS_POLICY_EXPORTS_H

#include "base/mem.h"
#include "exports_policy.h"
#include "log/txn.h"
#include "policy/policy.h"
#include "policy/vars.h"
#include "policy_abi.h"

typedef void export_fn(void); /* the caller casts it to the type that the signature names */

struct policy_export {
    const char *symbol;    /* "get_req_url" */
    const char *signature; /* "STRING()", with the type names of the intermediate representation */
    export_fn *fn;
};

struct export_table {
    const struct policy_export *rows;
    unsigned n;
};

#define EXPORT_TABLE(rows) { rows, sizeof(rows) / sizeof(rows)[0] }

/* Adds a room's table; call once per process, before the first policy is loaded. The policy room's own table
 * needs no call. Symbols are unique over all rooms. The caller keeps the table alive: it is not copied. */
void exports_add(const struct export_table *table);

const struct policy_export *export_find(struct span symbol);     /* NULL: unknown symbol */
const struct policy_export *export_at(unsigned i);               /* NULL past the end */
uint64_t export_hash(struct span symbol, struct span signature); /* FNV-1a 64 of "symbol:signature" */

/* ---- helpers for exported functions -------------------------------------------------------------------- */

/* Makes the hook end with FAIL when the running function returns. The log shows the first reason only. `why`
 * is static, or from the arena. */
void vcl_fail(struct policy_ctx *ctx, const char *why);
/* Names the parameter that limits the memory of a transaction, if that memory has run out. */
void log_small_workspace(struct log_txn *log, enum log_tag tag, const struct arena *a);
void vcl_fail_printf(struct policy_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* from the arena; on failure calls vcl_fail and returns NULL */
void *vcl_alloc(struct policy_ctx *ctx, size_t n);
/* Copies `text` into `a`, whose memory lives as long as the transaction: images and buffers may go earlier.
 * Unset becomes empty text. */
struct span vcl_keep(struct policy_ctx *ctx, struct arena *a, struct span text);
struct span vcl_printf(struct policy_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* True: the request is only explained, so the caller must change nothing stored. The explainer is told the
 * operation. */
bool vcl_withheld(struct policy_ctx *ctx, const char *what, struct span of);

/* The log for functions that also work outside transactions (vcl_init): such records belong to no
 * transaction. */
static inline struct log_txn *
log_of(const struct policy_ctx *ctx)
{
    return ctx->log != NULL ? ctx->log : &log_untied;
}

/* True if one of these hooks runs: HOOKS_BACKEND and so on, or single bits. */
static inline bool
in_hooks(const struct policy_ctx *ctx, unsigned hooks)
{
    return hooks >> ctx->hook & 1;
}

/* The variables of the client side. In backend hooks those of the waiting client, or NULL when the client is
 * gone. */
static inline struct client_vars *
client_of(const struct policy_ctx *ctx)
{
    return ctx->client != NULL ? ctx->client : ctx->fetch != NULL ? ctx->fetch->client : NULL;
}

#endif
