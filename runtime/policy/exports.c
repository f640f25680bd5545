/* Joins the tables of what a policy may import and finds rows by name. The index is built once, on first use. */
#include "policy/exports.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "policy/state.h"

static const struct export_table *const tables[] = {
    &exports_lib_core, &exports_lib_sub, &exports_lib_text, &exports_vars_client, &exports_vars_fetch, &exports_vars_response,
    &exports_std_text, &exports_std_convert, &exports_std_system, &exports_ban, &exports_directors, &exports_cookie,
    &exports_blob, &exports_misc, &exports_var, &exports_str, &exports_accept, &exports_vsthrottle, &exports_digest,
    &exports_urlcode, &exports_shard, &exports_header, &exports_geoip2, &exports_basicauth, &exports_unix, &exports_xkey,
    &exports_bodyaccess, &exports_saintmode, &exports_dynamic, &exports_dynamic_resolver, &exports_vtc_log, &exports_vtc_memory,
    &exports_proxy, &exports_re2, &exports_re2_set, &exports_tcp,
};

#define N_TABLES (sizeof tables / sizeof tables[0])
#define INDEX_SLOTS 2048u               /* a power of two, at least twice the number of rows */

static const struct policy_export *by_hash[INDEX_SLOTS];
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static uint64_t
fnv1a(uint64_t h, const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)p[i]) * 0x100000001b3ull;
    return h;
}

uint64_t
export_hash(struct span symbol, struct span signature)
{
    uint64_t h = fnv1a(0xcbf29ce484222325ull, symbol.ptr, symbol.len);
    h = fnv1a(h, ":", 1);
    return fnv1a(h, signature.ptr, signature.len);
}

static size_t
slot_of(struct span symbol)
{
    return fnv1a(0xcbf29ce484222325ull, symbol.ptr, symbol.len) & (INDEX_SLOTS - 1);
}

static void
index_build(void)
{
    unsigned n = 0;
    for (size_t t = 0; t < N_TABLES; t++) {
        for (unsigned i = 0; i < tables[t]->n; i++) {
            const struct policy_export *row = &tables[t]->rows[i];
            size_t s = slot_of(span_str(row->symbol));
            for (; by_hash[s] != NULL; s = (s + 1) & (INDEX_SLOTS - 1))
                CHECK(strcmp(by_hash[s]->symbol, row->symbol) != 0);
            by_hash[s] = row;
            CHECK(++n <= INDEX_SLOTS / 2);
        }
    }
}

const struct policy_export *
export_find(struct span symbol)
{
    pthread_once(&index_once, index_build);
    for (size_t s = slot_of(symbol); by_hash[s] != NULL; s = (s + 1) & (INDEX_SLOTS - 1))
        if (span_eq(span_str(by_hash[s]->symbol), symbol))
            return by_hash[s];
    return NULL;
}

const struct policy_export *
export_at(unsigned i)
{
    for (size_t t = 0; t < N_TABLES; i -= tables[t++]->n)
        if (i < tables[t]->n)
            return &tables[t]->rows[i];
    return NULL;
}

/* ---- what rows use ----------------------------------------------------------------------------------------------------- */

void
vcl_fail(struct policy_ctx *ctx, const char *why)
{
    if (!ctx->failed) {
        ctx->failed_why = why;
        ctx->failed_site = ctx->site;
        log_text(ctx->log, TAG_VCL_ERROR, span_str(why));
    }
    ctx->failed = 1;
}

void
vcl_fail_printf(struct policy_ctx *ctx, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct span why = arena_vprintf(ctx->arena, fmt, ap);
    va_end(ap);
    vcl_fail(ctx, why.ptr != NULL ? why.ptr : "Workspace overflow");
}

void *
vcl_alloc(struct policy_ctx *ctx, size_t n)
{
    void *p = arena_alloc(ctx->arena, n);
    if (p == NULL)
        vcl_fail(ctx, "Workspace overflow");
    return p;
}

struct span
vcl_keep(struct policy_ctx *ctx, struct arena *a, struct span text)
{
    if (text.len == 0)
        return SPAN_LIT("");
    struct span copy = arena_copy(a, text);
    if (copy.ptr == NULL)
        vcl_fail(ctx, "Workspace overflow");
    return copy;
}

struct span
vcl_printf(struct policy_ctx *ctx, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    struct span text = arena_vprintf(ctx->arena, fmt, ap);
    va_end(ap);
    if (text.ptr == NULL)
        vcl_fail(ctx, "Workspace overflow");
    return text;
}
