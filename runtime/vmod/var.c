/* Module var: named, typed values of a transaction, and texts shared by all transactions. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "policy/exports.h"
#include "policy/task.h"
#include "vmod/var.h"

#define VARS_MAX 256u /* per transaction */
#define GLOBALS_MAX 4096u
#define GLOBAL_BYTES_MAX 65536u /* per value */

enum var_type { VAR_NONE, VAR_STRING, VAR_INT, VAR_REAL, VAR_DURATION, VAR_IP, VAR_BACKEND };

struct var {
    struct span name;
    enum var_type type;
    union {
        struct span text;
        int64_t number;
        double real;
        const struct vcl_ip *ip;
        struct director *backend;
    } is;
};

struct vars {
    unsigned n;
    struct var list[VARS_MAX];
};

static const char owner;

static struct vars *
vars_of(struct policy_ctx *ctx)
{
    return task_list(ctx, &owner, sizeof(struct vars), offsetof(struct vars, list));
}

static struct var *
var_find(struct policy_ctx *ctx, struct span name, struct vars **out)
{
    struct vars *v = vars_of(ctx);
    *out = v;
    for (unsigned i = 0; v != NULL && i < v->n; i++)
        if (span_eq(v->list[i].name, name))
            return &v->list[i];
    return NULL;
}

/* Returns the entry for a name, new or existing; on error calls vcl_fail and returns NULL. */
static struct var *
var_place(struct policy_ctx *ctx, struct span name, enum var_type type)
{
    struct vars *all;
    struct var *v = var_find(ctx, name, &all);
    if (all == NULL)
        return NULL;
    if (v == NULL && all->n == VARS_MAX) {
        vcl_fail(ctx, "var: too many variables");
        return NULL;
    }
    if (v == NULL) {
        struct span kept = vcl_keep(ctx, ctx->arena, name);
        if (ctx->failed)
            return NULL;
        v = &all->list[all->n++];
        v->name = kept;
    }
    v->type = type;
    return v;
}

static const struct var *
var_of_type(struct policy_ctx *ctx, struct span name, enum var_type type)
{
    struct vars *all;
    const struct var *v = var_find(ctx, name, &all);
    return v != NULL && v->type == type ? v : NULL;
}

void
vcl_var_set_string(struct policy_ctx *ctx, struct span name, struct span value)
{
    struct span kept = value.ptr == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, value);
    struct var *v = ctx->failed ? NULL : var_place(ctx, name, VAR_STRING);
    if (v != NULL)
        v->is.text = kept;
}

struct span
vcl_var_get_string(struct policy_ctx *ctx, struct span name)
{
    const struct var *v = var_of_type(ctx, name, VAR_STRING);
    return v != NULL ? v->is.text : SPAN_NULL;
}

void
vcl_var_set_int(struct policy_ctx *ctx, struct span name, int64_t value)
{
    struct var *v = var_place(ctx, name, VAR_INT);
    if (v != NULL)
        v->is.number = value;
}

int64_t
vcl_var_get_int(struct policy_ctx *ctx, struct span name)
{
    const struct var *v = var_of_type(ctx, name, VAR_INT);
    return v != NULL ? v->is.number : 0;
}

static void
set_real(struct policy_ctx *ctx, struct span name, enum var_type type, double value)
{
    struct var *v = var_place(ctx, name, type);
    if (v != NULL)
        v->is.real = value;
}

static double
get_real(struct policy_ctx *ctx, struct span name, enum var_type type)
{
    const struct var *v = var_of_type(ctx, name, type);
    return v != NULL ? v->is.real : 0;
}

void
vcl_var_set_real(struct policy_ctx *ctx, struct span name, double value)
{
    set_real(ctx, name, VAR_REAL, value);
}

double
vcl_var_get_real(struct policy_ctx *ctx, struct span name)
{
    return get_real(ctx, name, VAR_REAL);
}

void
vcl_var_set_duration(struct policy_ctx *ctx, struct span name, double value)
{
    set_real(ctx, name, VAR_DURATION, value);
}

double
vcl_var_get_duration(struct policy_ctx *ctx, struct span name)
{
    return get_real(ctx, name, VAR_DURATION);
}

void
vcl_var_set_ip(struct policy_ctx *ctx, struct span name, const struct vcl_ip *value)
{
    /* copied, because a constant lives only as long as its image */
    struct vcl_ip *copy = value == NULL ? NULL : vcl_alloc(ctx, sizeof *copy);
    if (copy != NULL)
        *copy = *value;
    struct var *v = ctx->failed ? NULL : var_place(ctx, name, VAR_IP);
    if (v != NULL)
        v->is.ip = copy;
}

const struct vcl_ip *
vcl_var_get_ip(struct policy_ctx *ctx, struct span name)
{
    const struct var *v = var_of_type(ctx, name, VAR_IP);
    return v != NULL ? v->is.ip : NULL;
}

void
vcl_var_set_backend(struct policy_ctx *ctx, struct span name, struct director *value)
{
    struct var *v = var_place(ctx, name, VAR_BACKEND);
    if (v != NULL)
        v->is.backend = value;
}

struct director *
vcl_var_get_backend(struct policy_ctx *ctx, struct span name)
{
    const struct var *v = var_of_type(ctx, name, VAR_BACKEND);
    return v != NULL ? v->is.backend : NULL;
}

void
vcl_var_clear(struct policy_ctx *ctx)
{
    struct vars *all = vars_of(ctx);
    if (all != NULL)
        all->n = 0;
}

/* ---- global values ------------------------------------------------------------------------------------- */

struct global {
    char *name, *value;
    size_t name_len, value_len;
};

static struct global globals[GLOBALS_MAX];
static unsigned n_globals;
static pthread_rwlock_t globals_lock = PTHREAD_RWLOCK_INITIALIZER;

static struct global *
global_find(struct span name)
{
    for (unsigned i = 0; i < n_globals; i++)
        if (span_eq(span_of(globals[i].name, globals[i].name_len), name))
            return &globals[i];
    return NULL;
}

/* Setting an unset text frees the value. The name stays: GLOBALS_MAX limits the names. */
void
vcl_var_global_set(struct policy_ctx *ctx, struct span name, struct span value)
{
    if (name.ptr == NULL || value.len > GLOBAL_BYTES_MAX) {
        vcl_fail(ctx, name.ptr == NULL ? "var.global_set: no name" : "var.global_set: the value is too long");
        return;
    }
    CHECK(pthread_rwlock_wrlock(&globals_lock) == 0);
    struct global *g = global_find(name);
    if (g == NULL && n_globals < GLOBALS_MAX) {
        g = &globals[n_globals++];
        *g = (struct global){ .name = mem_text(name), .name_len = name.len };
    }
    if (g != NULL) {
        free(g->value);
        g->value = value.ptr == NULL ? NULL : mem_text(value);
        g->value_len = value.len;
    }
    CHECK(pthread_rwlock_unlock(&globals_lock) == 0);
    if (g == NULL)
        vcl_fail(ctx, "var.global_set: too many variables");
}

struct span
vcl_var_global_get(struct policy_ctx *ctx, struct span name)
{
    struct span found = SPAN_NULL;
    CHECK(pthread_rwlock_rdlock(&globals_lock) == 0);
    const struct global *g = global_find(name);
    if (g != NULL && g->value != NULL)
        found = vcl_keep(ctx, ctx->arena, span_of(g->value, g->value_len));
    CHECK(pthread_rwlock_unlock(&globals_lock) == 0);
    return found;
}

void
var_forget(void)
{
    CHECK(pthread_rwlock_wrlock(&globals_lock) == 0);
    while (n_globals > 0) {
        n_globals--;
        free(globals[n_globals].name);
        free(globals[n_globals].value);
    }
    CHECK(pthread_rwlock_unlock(&globals_lock) == 0);
}
