/* The functions a policy may import. Each file of accessors or functions ends with a table of rows; exports.c joins them. */
#ifndef VERNIS_EXPORTS_H
#define VERNIS_EXPORTS_H

#include "base/mem.h"
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

extern const struct export_table exports_lib_core, exports_lib_sub, exports_lib_text, exports_vars_client, exports_vars_fetch,
    exports_vars_response, exports_std_text, exports_std_convert, exports_std_system, exports_ban, exports_directors, exports_cookie,
    exports_blob, exports_misc, exports_var, exports_str, exports_accept, exports_vsthrottle, exports_digest, exports_urlcode,
    exports_shard, exports_header, exports_geoip2, exports_basicauth, exports_unix, exports_xkey, exports_bodyaccess,
    exports_saintmode, exports_dynamic, exports_dynamic_resolver, exports_vtc_log, exports_vtc_memory, exports_proxy, exports_re2,
    exports_re2_set, exports_tcp;

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

/* Where a function writes that works outside of transactions too (vcl_init): their records are tied to none. */
static inline struct log_txn *
log_of(const struct policy_ctx *ctx)
{
    return ctx->log != NULL ? ctx->log : &log_untied;
}

/* The record of the client side; in backend hooks that of the client who waits, NULL when there is none any more. */
static inline struct client_vars *
client_of(const struct policy_ctx *ctx)
{
    return ctx->client != NULL ? ctx->client : ctx->fetch != NULL ? ctx->fetch->client : NULL;
}

#endif
