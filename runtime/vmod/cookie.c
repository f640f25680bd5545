/* Module cookie: a list of names and values, parsed from a Cookie field, changed, and written back as text.
 * Each transaction owns its list: one for the client side, one for the fetch side. */
#include <stdlib.h>

#include "base/check.h"
#include "exports_vmod.h"
#include "http/chars.h"
#include "http/fields.h"
#include "log/tags.h"
#include "log/txn.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/task.h"
#include "vmod/text_set.h"

#define COOKIES_MAX 512u

struct cookie {
    struct span name, value;
};

struct cookie_jar {
    unsigned n;
    struct cookie list[COOKIES_MAX];
};

static const char owner;

static struct cookie_jar *
jar_of(struct policy_ctx *ctx)
{
    return task_list(ctx, &owner, sizeof(struct cookie_jar), offsetof(struct cookie_jar, list));
}

static struct cookie *
find(struct cookie_jar *jar, struct span name)
{
    for (unsigned i = 0; i < jar->n; i++)
        if (span_eq(jar->list[i].name, name))
            return &jar->list[i];
    return NULL;
}

/* An existing name gets the new value and keeps its position. An empty name or value is ignored, as in
 * Varnish. */
static void
put(struct policy_ctx *ctx, struct cookie_jar *jar, struct span name, struct span value)
{
    if (name.len == 0 || value.len == 0)
        return;
    struct cookie *c = find(jar, name);
    if (c == NULL && jar->n == COOKIES_MAX) {
        log_text(log_of(ctx), TAG_ERROR, SPAN_LIT("cookie: too many cookies"));
        return;
    }
    struct span kept = vcl_keep(ctx, ctx->arena, value);
    if (c == NULL) {
        struct span kept_name = vcl_keep(ctx, ctx->arena, name);
        if (ctx->failed)
            return;
        c = &jar->list[jar->n++];
        c->name = kept_name;
    }
    c->value = kept;
}

void
vcl_cookie_clean(struct policy_ctx *ctx)
{
    struct cookie_jar *jar = jar_of(ctx);
    if (jar != NULL)
        jar->n = 0;
}

static const char *
find_end(const char *at, const char *end, char c)
{
    const char *found = at >= end ? NULL : memchr(at, c, (size_t)(end - at));
    return found == NULL ? end : found;
}

/* Parses like Varnish: a name ends at '=', a value at the next ';', and only blanks before a name are
 * skipped. Empty text changes nothing. */
void
vcl_cookie_parse(struct policy_ctx *ctx, struct span text)
{
    struct cookie_jar *jar = jar_of(ctx);
    if (text.len == 0 && ctx->log != NULL)
        log_text(ctx->log, TAG_DEBUG, SPAN_LIT("cookie: nothing to parse"));
    if (jar == NULL || text.len == 0)
        return;
    jar->n = 0;
    const char *at = text.ptr, *end = at + text.len;
    while (at < end && !ctx->failed) {
        while (at < end && char_is_space(*at))
            at++;
        const char *equals = find_end(at, end, '=');
        if (equals == end)
            return;
        const char *stop = find_end(equals + 1, end, ';');
        put(ctx, jar, span_of(at, (size_t)(equals - at)), span_of(equals + 1, (size_t)(stop - equals - 1)));
        at = stop == end ? end : stop + 1;
    }
}

void
vcl_cookie_set(struct policy_ctx *ctx, struct span name, struct span value)
{
    struct cookie_jar *jar = jar_of(ctx);
    if (jar != NULL)
        put(ctx, jar, name, value);
}

struct span
vcl_cookie_get(struct policy_ctx *ctx, struct span name)
{
    struct cookie_jar *jar = jar_of(ctx);
    struct cookie *c = jar == NULL || name.len == 0 ? NULL : find(jar, name);
    return c == NULL ? SPAN_NULL : c->value;
}

int32_t
vcl_cookie_isset(struct policy_ctx *ctx, struct span name)
{
    struct cookie_jar *jar = jar_of(ctx);
    return jar != NULL && name.len > 0 && find(jar, name) != NULL;
}

/* ---- selection ----------------------------------------------------------------------------------------- */

typedef bool cookie_test(struct policy_ctx *ctx, const struct cookie *c, const void *arg);

static void
retain(struct policy_ctx *ctx, cookie_test *test, const void *arg, bool wanted)
{
    struct cookie_jar *jar = jar_of(ctx);
    unsigned kept = 0;
    for (unsigned i = 0; jar != NULL && i < jar->n; i++)
        if (test(ctx, &jar->list[i], arg) == wanted)
            jar->list[kept++] = jar->list[i];
    if (jar != NULL)
        jar->n = kept;
}

static bool
is_named(struct policy_ctx *ctx, const struct cookie *c, const void *name)
{
    return span_eq(c->name, *(const struct span *)name);
}

static bool
is_listed(struct policy_ctx *ctx, const struct cookie *c, const void *names)
{
    return text_set_has(names, c->name);
}

static bool
is_matched(struct policy_ctx *ctx, const struct cookie *c, const void *re)
{
    int result = regex_match(re, c->name);
    if (result < 0)
        vcl_fail(ctx, "cookie: a match limit of regular expressions was reached");
    return result > 0;
}

void
vcl_cookie_delete(struct policy_ctx *ctx, struct span name)
{
    retain(ctx, is_named, &name, false);
}

/* Names end at commas. As in Varnish, blanks before a name are skipped, but blanks after a name belong to
 * it. */
static void
retain_listed(struct policy_ctx *ctx, struct span list, bool wanted)
{
    struct text_set names;
    size_t most = 1;
    for (size_t i = 0; i < list.len; i++)
        most += list.ptr[i] == ',';
    text_set_init(&names, most);
    for (const char *at = list.ptr, *end = at + list.len; at < end;) {
        while (at < end && char_is_space(*at))
            at++;
        const char *stop = find_end(at, end, ',');
        if (stop > at)
            text_set_add(&names, span_of(at, (size_t)(stop - at)));
        at = stop + 1;
    }
    retain(ctx, is_listed, &names, wanted);
    text_set_release(&names);
}

void
vcl_cookie_filter(struct policy_ctx *ctx, struct span list)
{
    retain_listed(ctx, list, false);
}

void
vcl_cookie_keep(struct policy_ctx *ctx, struct span list)
{
    retain_listed(ctx, list, true);
}

void
vcl_cookie_filter_re(struct policy_ctx *ctx, const struct regex *re)
{
    retain(ctx, is_matched, re, false);
}

void
vcl_cookie_keep_re(struct policy_ctx *ctx, const struct regex *re)
{
    retain(ctx, is_matched, re, true);
}

struct span
vcl_cookie_get_re(struct policy_ctx *ctx, const struct regex *re)
{
    struct cookie_jar *jar = jar_of(ctx);
    for (unsigned i = 0; jar != NULL && i < jar->n; i++)
        if (is_matched(ctx, &jar->list[i], re))
            return jar->list[i].value;
    return SPAN_NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

struct span
vcl_cookie_get_string(struct policy_ctx *ctx)
{
    struct cookie_jar *jar = jar_of(ctx);
    if (jar == NULL)
        return SPAN_NULL;
    size_t len = 0;
    for (unsigned i = 0; i < jar->n; i++)
        len += jar->list[i].name.len + jar->list[i].value.len + 3;
    char *text = vcl_alloc(ctx, len + 1), *at = text;
    if (text == NULL)
        return SPAN_NULL;
    for (unsigned i = 0; i < jar->n; i++) {
        const struct cookie *c = &jar->list[i];
        if (i > 0)
            *at++ = ' ';
        at = mempcpy(at, c->name.ptr, c->name.len);
        *at++ = '=';
        at = mempcpy(at, c->value.ptr, c->value.len);
        *at++ = ';';
    }
    return span_of(text, (size_t)(at - text));
}

struct span
vcl_cookie_format_date(struct policy_ctx *ctx, double now, double delta)
{
    return time_text(ctx, now + delta);
}
