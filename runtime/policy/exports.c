/* Joins the rooms' tables of importable functions, and finds rows by name. The first call adds this room's
 * table; higher rooms call exports_add. */
#include "policy/exports.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"

static const struct policy_export rows[] = {
#include "exports_policy_rows.h"
};
static const struct export_table own_table = EXPORT_TABLE(rows);

#define ROOMS_MAX 4u
#define INDEX_SLOTS 2048u /* a power of two, at least twice the number of rows */

static const struct export_table *rooms[ROOMS_MAX];
static unsigned n_rooms, n_rows;
static const struct policy_export *by_hash[INDEX_SLOTS];
static pthread_once_t own_once = PTHREAD_ONCE_INIT;

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
index_row(const struct policy_export *row)
{
    size_t s = slot_of(span_str(row->symbol));
    for (; by_hash[s] != NULL; s = (s + 1) & (INDEX_SLOTS - 1))
        CHECK(strcmp(by_hash[s]->symbol, row->symbol) != 0);
    by_hash[s] = row;
    CHECK(++n_rows <= INDEX_SLOTS / 2);
}

static void
add_table(const struct export_table *table)
{
    CHECK(n_rooms < ROOMS_MAX);
    rooms[n_rooms++] = table;
    for (unsigned i = 0; i < table->n; i++)
        index_row(&table->rows[i]);
}

static void
add_own(void)
{
    add_table(&own_table);
}

void
exports_add(const struct export_table *table)
{
    CHECK(table->n > 0);
    pthread_once(&own_once, add_own);
    add_table(table);
}

const struct policy_export *
export_find(struct span symbol)
{
    pthread_once(&own_once, add_own);
    for (size_t s = slot_of(symbol); by_hash[s] != NULL; s = (s + 1) & (INDEX_SLOTS - 1))
        if (span_eq(span_str(by_hash[s]->symbol), symbol))
            return by_hash[s];
    return NULL;
}

const struct policy_export *
export_at(unsigned i)
{
    pthread_once(&own_once, add_own);
    for (unsigned r = 0; r < n_rooms; i -= rooms[r++]->n)
        if (i < rooms[r]->n)
            return &rooms[r]->rows[i];
    return NULL;
}

/* ---- helpers for exported functions -------------------------------------------------------------------- */

void
log_small_workspace(struct log_txn *log, enum log_tag tag, const struct arena *a)
{
    if (a->overflowed && a->limit_name != NULL)
        log_printf(log, tag, "%s (%zu bytes) is too small for this transaction", a->limit_name,
                   a->limit_bytes);
}

void
vcl_fail(struct policy_ctx *ctx, const char *why)
{
    CHECK(why != NULL);
    if (!ctx->failed) {
        ctx->failed_why = why;
        ctx->failed_site = ctx->site;
        log_text(ctx->log, TAG_VCL_ERROR, span_str(why));
        log_small_workspace(ctx->log, TAG_VCL_ERROR, ctx->arena);
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
