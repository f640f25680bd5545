/* Module header: access to single header fields, also when a field occurs several times. A HEADER argument
 * arrives as the name of its variable, "req.http.Cookie". */
#include "exports_vmod.h"
#include "http/chars.h"
#include "http/message.h"
#include "match/pcre.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/vars_text.h"

#define LINE_BYTES_MAX 65536u /* longest field that regsub handles */

struct target { /* a field of a message */
    struct policy_ctx *ctx;
    struct http_message *m;
    struct span name;
    name_id id;
    const struct regex *re;
};

static bool
target_of(struct policy_ctx *ctx, struct span header, struct target *t)
{
    *t = (struct target){ .ctx = ctx };
    t->m = header.ptr == NULL ? NULL : header_of_text(ctx, header, &t->name);
    if (t->m == NULL) {
        vcl_fail(ctx, "header: this field cannot be used here");
        return false;
    }
    t->id = name_lookup(t->name);
    return true;
}

/* The same for a field to change. Copies the name, so that it outlives the call. */
static bool
own_target_of(struct policy_ctx *ctx, struct span header, struct target *t)
{
    if (!target_of(ctx, header, t))
        return false;
    if (t->m == ctx->msg[MSG_OBJ] || (t->m == ctx->msg[MSG_REQ_TOP] && t->m != ctx->msg[MSG_REQ])) {
        vcl_fail(ctx, "header: this field cannot be changed");
        return false;
    }
    t->name = vcl_keep(ctx, ctx->arena, t->name);
    return !ctx->failed;
}

static bool
is_target(const struct target *t, const struct http_field *f)
{
    return t->id != NAME_NONE && f->id != NAME_NONE ? f->id == t->id : span_eq_nocase(f->name, t->name);
}

static bool
matches(struct policy_ctx *ctx, const struct regex *re, struct span text)
{
    int result = regex_match(re, text);
    if (result < 0)
        vcl_fail(ctx, "header: a match limit of regular expressions was reached");
    return result > 0;
}

/* ---- functions ----------------------------------------------------------------------------------------- */

static void
append(struct policy_ctx *ctx, const struct target *t, struct span value)
{
    if (message_add(t->m, t->id, t->name, value) != 0)
        vcl_fail(ctx, "header: the field is not legal, or there are too many");
}

void
vcl_vmod_header_append(struct policy_ctx *ctx, struct span header, struct span value)
{
    struct target t;
    if (!own_target_of(ctx, header, &t))
        return;
    struct span kept = vcl_keep(ctx, ctx->arena, value);
    if (!ctx->failed)
        append(ctx, &t, kept);
}

void
vcl_vmod_header_copy(struct policy_ctx *ctx, struct span from, struct span to)
{
    struct target source, t;
    if (!target_of(ctx, from, &source) || !own_target_of(ctx, to, &t))
        return;
    unsigned n = source.m->n_fields; /* ignore fields that this call adds to the same message */
    for (unsigned i = 0; i < n && !ctx->failed; i++) {
        if (!is_target(&source, &source.m->fields[i]))
            continue;
        /* Copy values of obj and resp: they lie in the stored response, which a restart releases. */
        struct span kept = vcl_keep(ctx, ctx->arena, source.m->fields[i].value);
        if (!ctx->failed)
            append(ctx, &t, kept);
    }
}

struct span
vcl_vmod_header_get(struct policy_ctx *ctx, struct span header, const struct regex *re)
{
    struct target t;
    if (!target_of(ctx, header, &t))
        return SPAN_NULL;
    for (unsigned i = 0; i < t.m->n_fields && !ctx->failed; i++)
        if (is_target(&t, &t.m->fields[i]) && matches(ctx, re, t.m->fields[i].value))
            return t.m->fields[i].value;
    return SPAN_NULL;
}

static bool
stays(const struct http_field *f, void *arg)
{
    struct target *t = arg;
    return !is_target(t, f) || !matches(t->ctx, t->re, f->value);
}

void
vcl_vmod_header_remove(struct policy_ctx *ctx, struct span header, const struct regex *re)
{
    struct target t;
    if (!own_target_of(ctx, header, &t))
        return;
    t.re = re;
    message_retain(t.m, stays, &t);
}

/* Replaces matches in "name: value". The result must have that form again. */
static void
substitute_line(struct policy_ctx *ctx, struct http_message *m, unsigned at, const struct regex *re,
                struct span replacement, bool all)
{
    const struct http_field *f = &m->fields[at];
    struct span line = vcl_printf(ctx, "%.*s: %.*s", (int)f->name.len, f->name.ptr, (int)f->value.len,
                                  f->value.ptr == NULL ? "" : f->value.ptr);
    if (line.ptr == NULL || !matches(ctx, re, line))
        return;
    struct span out = regex_substitute(re, ctx->arena, line, replacement, all);
    const char *colon = out.ptr == NULL ? NULL : memchr(out.ptr, ':', out.len);
    if (colon == NULL) {
        vcl_fail(ctx, out.ptr == NULL ? "out of workspace" : "header.regsub: the result has no colon");
        return;
    }
    struct span name = span_of(out.ptr, (size_t)(colon - out.ptr)),
                value = span_of(colon + 1, out.len - name.len - 1);
    while (value.len > 0 && char_is_blank(*value.ptr))
        value = span_of(value.ptr + 1, value.len - 1);
    if (message_replace(m, at, name, value) != 0)
        vcl_fail(ctx, "header.regsub: the result is not a legal field");
}

void
vcl_vmod_header_regsub(struct policy_ctx *ctx, struct http_message *m, const struct regex *re,
                       struct span replacement, int32_t all)
{
    if (m == NULL)
        return;
    for (unsigned i = 0; i < m->n_fields && !ctx->failed; i++)
        if (m->fields[i].name.len + m->fields[i].value.len <= LINE_BYTES_MAX)
            substitute_line(ctx, m, i, re, replacement, all != 0);
}

/* Returns the variable's name, as a HEADER argument has it. */
struct span
vcl_vmod_header_dyn(struct policy_ctx *ctx, struct http_message *m, struct span name)
{
    for (int msg = 0; m != NULL && msg < MSG_COUNT; msg++)
        if (ctx->msg[msg] == m)
            return vcl_printf(ctx, "%.*s%.*s", (int)header_family(msg).len, header_family(msg).ptr,
                              (int)name.len, name.ptr == NULL ? "" : name.ptr);
    vcl_fail(ctx, "header.dyn: no such message here");
    return SPAN_NULL;
}
