/* The functions a policy may import, and what they share.
 *
 * grammar/vocabulary.toml lists them all. The build makes a prototype of each (exports_policy.h, exports_vmod.h), by which the C
 * compiler checks the definition, and the rows of one table a room. */
#ifndef VERNIS_EXPORTS_H
#define VERNIS_EXPORTS_H

#include "base/mem.h"
#include "exports_policy.h"
#include "log/txn.h"
#include "policy/policy.h"
#include "policy/vars.h"
#include "policy_abi.h"

typedef void export_fn(void);           /* cast to the real shape by the caller, which knows it from the signature */

struct policy_export {
    const char *symbol;                 /* "get_req_url" */
    const char *signature;              /* "STRING()", in the names of the intermediate representation */
    export_fn *fn;
};

struct export_table {
    const struct policy_export *rows;
    unsigned n;
};

#define EXPORT_TABLE(rows) { rows, sizeof(rows) / sizeof(rows)[0] }

/* A room hands its table over, once a process and before the first policy is loaded; the room policy needs not. Symbols are unique
 * over all rooms. The table stays the caller's and is not copied. */
void exports_add(const struct export_table *table);

const struct policy_export *export_find(struct span symbol);    /* NULL: the runtime lacks it */
const struct policy_export *export_at(unsigned i);              /* NULL past the end */
uint64_t export_hash(struct span symbol, struct span signature);    /* FNV-1a 64 of "symbol:signature" */

/* ---- what rows use --------------------------------------------------------------------------------------------------- */

/* The hook ends with FAIL once the running function returns. The first reason stays, and is the one in the log. `why` is static
 * or of the arena. */
void vcl_fail(struct policy_ctx *ctx, const char *why);
void vcl_fail_printf(struct policy_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void *vcl_alloc(struct policy_ctx *ctx, size_t n);              /* arena; NULL after a failure was noted */
/* A copy in `a` (the lifetime of the transaction): images and buffers go earlier. Unset becomes empty text. */
struct span vcl_keep(struct policy_ctx *ctx, struct arena *a, struct span text);
struct span vcl_printf(struct policy_ctx *ctx, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* True: the request is only explained, so nothing stored may change; its explainer heard what was asked for. */
bool vcl_withheld(struct policy_ctx *ctx, const char *what, struct span of);

/* Where a function writes that works outside of transactions too (vcl_init): their records are tied to none. */
static inline struct log_txn *
log_of(const struct policy_ctx *ctx)
{
    return ctx->log != NULL ? ctx->log : &log_untied;
}

/* Whether one of these hooks runs: HOOKS_BACKEND and so on, or single bits. */
static inline bool
in_hooks(const struct policy_ctx *ctx, unsigned hooks)
{
    return hooks >> ctx->hook & 1;
}

/* The record of the client side; in backend hooks that of the client who waits, NULL when there is none any more. */
static inline struct client_vars *
client_of(const struct policy_ctx *ctx)
{
    return ctx->client != NULL ? ctx->client : ctx->fetch != NULL ? ctx->fetch->client : NULL;
}

#endif
