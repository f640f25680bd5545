/* Module re2: patterns as objects, and patterns built at run time. re2_set.c has sets of patterns. The engine
 * is PCRE2, so a pattern may use syntax that RE2 lacks, and match limits replace RE2's linear time.
 * docs/modules.md lists the differences for policies. */
#include "vmod/re2.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/state.h"
#include "policy/task.h"

#define PATTERN_BYTES_MAX 65536u /* per pattern built at run time */

struct re2_regex {
    struct regex *re;
    bool never_capture;
};

/* Captures of the latest match of an object, or of re2.match(), in this transaction. */
struct captured {
    bool matched, never_capture;
    unsigned n;                     /* number of groups, including group 0 */
    const struct group_name *names; /* copied names for re2.match(), whose pattern is freed; n_names */
    unsigned n_names;
    struct span groups[];
};

struct group_name {
    struct span name;
    unsigned group;
};

static const char match_owner; /* owner of re2.match()'s captures */

/* ---- compiling and rewriting ---- */

static unsigned
regex_options(const struct re2_options *o)
{
    return REGEX_END_ONLY | (o->case_sensitive ? 0 : REGEX_CASELESS) | (o->dot_nl ? REGEX_DOT_ALL : 0) |
           (o->literal ? REGEX_LITERAL : 0) | (o->utf8 ? REGEX_UTF : 0) |
           (o->never_capture ? REGEX_NO_CAPTURE : 0) |
           (o->posix_syntax && !o->one_line ? REGEX_MULTILINE : 0);
}

struct compiling {
    struct span pattern;
    unsigned options;
    struct regex *re;
    struct regex_error error;
};

static void
compile(void *arg)
{
    struct compiling *c = arg;
    (void)regex_new_with(c->pattern, c->options, &c->re, &c->error);
}

int
re2_compile(struct policy_ctx *ctx, const char *what, struct span pattern, const struct re2_options *o,
            unsigned more, struct regex **out)
{
    struct compiling c = { .pattern = pattern,
                           .options = regex_options(o) | more,
                           .error.text = "no memory" };
    *out = NULL;
    if (o->longest_match || o->never_nl)
        vcl_fail_printf(ctx, "%s: %s cannot be had", what, o->longest_match ? "longest_match" : "never_nl");
    else if (pattern.ptr == NULL)
        vcl_fail_printf(ctx, "%s: there is no pattern", what);
    else if (fiber_call_deep(compile, &c) != 0 || (*out = c.re) == NULL)
        vcl_fail_printf(ctx, "%s: %s, at offset %zu of the pattern", what, c.error.text, c.error.offset);
    else if (o->max_mem > 0 && regex_bytes(*out) > (uint64_t)o->max_mem) {
        vcl_fail_printf(ctx, "%s: the pattern takes %zu bytes, more than max_mem", what, regex_bytes(*out));
        regex_release(out);
    }
    return *out != NULL ? 0 : ERR_SYNTAX;
}

struct span
re2_rewrite(struct policy_ctx *ctx, const char *what, const struct regex *re, enum regex_replacing how,
            struct span text, struct span rewrite, struct span fallback)
{
    struct span out = SPAN_NULL;
    if (text.ptr == NULL || rewrite.ptr == NULL || fallback.ptr == NULL) {
        vcl_fail_printf(ctx, "%s: %s is unset", what,
                        text.ptr == NULL      ? "text"
                        : rewrite.ptr == NULL ? "rewrite"
                                              : "fallback");
        return SPAN_NULL;
    }
    int matched = regex_replace(re, ctx->arena, text, rewrite, how, &out);
    if (matched < 0)
        vcl_fail_printf(ctx, "%s: out of workspace, or a match limit was reached", what);
    return matched < 0 ? SPAN_NULL : matched == 1 ? out : fallback;
}

/* ---- captures ---- */

static unsigned
groups_of(const struct regex *re)
{
    unsigned n = regex_groups(re) + 1;
    return n < REGEX_GROUPS_MAX ? n : REGEX_GROUPS_MAX;
}

/* Matches a copy of the subject, because the policy may ask for the captured parts later. */
static bool
match_and_capture(struct policy_ctx *ctx, const char *what, const struct regex *re, struct span subject,
                  struct captured *c)
{
    c->matched = false;
    c->n = groups_of(re);
    subject = vcl_keep(ctx, ctx->arena, subject);
    int matched = ctx->failed ? 0 : regex_match_groups(re, subject, c->groups, c->n);
    if (matched < 0)
        vcl_fail_printf(ctx, "%s: a match limit was reached", what);
    c->matched = matched == 1;
    return c->matched;
}

static bool
can_refer(struct policy_ctx *ctx, const char *what, const struct captured *c, struct span fallback)
{
    const char *why = fallback.ptr == NULL ? "fallback is unset"
                    : c == NULL            ? "nothing was matched before"
                    : c->never_capture     ? "never_capture is set"
                    : !c->matched          ? "the match before failed"
                                           : NULL;
    if (why != NULL)
        vcl_fail_printf(ctx, "%s: %s", what, why);
    return why == NULL;
}

static struct span
group_or(struct policy_ctx *ctx, const struct captured *c, unsigned group, struct span fallback)
{
    return c->groups[group].ptr == NULL ? fallback : vcl_keep(ctx, ctx->arena, c->groups[group]);
}

static struct span
back_reference(struct policy_ctx *ctx, const char *what, const struct captured *c, int64_t group,
               struct span fallback)
{
    if (!can_refer(ctx, what, c, fallback))
        return SPAN_NULL;
    if (group >= 0 && group < c->n)
        return group_or(ctx, c, (unsigned)group, fallback);
    vcl_fail_printf(ctx, "%s: the pattern has no group %lld", what, (long long)group);
    return SPAN_NULL;
}

static struct span
named_reference(struct policy_ctx *ctx, const char *what, const struct captured *c, unsigned group,
                struct span name, struct span fallback)
{
    if (group > 0 && group < c->n)
        return group_or(ctx, c, group, fallback);
    vcl_fail_printf(ctx, "%s: the pattern has no group of the name \"%.*s\"", what, (int)name.len,
                    name.len == 0 ? "" : name.ptr);
    return SPAN_NULL;
}

/* ---- objects ---- */

/* The module's options, in the order of the functions' parameters. A macro, because six functions have these
 * twelve parameters. */
#define OPTION_PARAMS \
    int32_t utf8, int32_t posix_syntax, int32_t longest_match, int64_t max_mem, int32_t literal, \
        int32_t never_nl, int32_t dot_nl, int32_t never_capture, int32_t case_sensitive, \
        int32_t perl_classes, int32_t word_boundary, int32_t one_line
#define OPTIONS \
    &(struct re2_options){ .utf8 = utf8 != 0, \
                           .posix_syntax = posix_syntax != 0, \
                           .longest_match = longest_match != 0, \
                           .max_mem = max_mem, \
                           .literal = literal != 0, \
                           .never_nl = never_nl != 0, \
                           .dot_nl = dot_nl != 0, \
                           .never_capture = never_capture != 0, \
                           .case_sensitive = case_sensitive != 0, \
                           .one_line = one_line != 0 }
#define OPTION_TYPES "BOOL,BOOL,BOOL,INT,BOOL,BOOL,BOOL,BOOL,BOOL,BOOL,BOOL,BOOL"

void *
vcl_re2_regex_new(struct policy_ctx *ctx, struct span pattern, OPTION_PARAMS)
{
    struct regex *re;
    if (re2_compile(ctx, "re2.regex", pattern, OPTIONS, 0, &re) != 0)
        return NULL;
    struct re2_regex *r = mem_zalloc(sizeof *r);
    *r = (struct re2_regex){ re, never_capture != 0 };
    return r;
}

void
vcl_re2_regex_fini(struct policy_ctx *ctx, void *instance)
{
    struct re2_regex *r = instance;
    if (r == NULL)
        return;
    regex_release(&r->re);
    free(r);
}

int32_t
vcl_re2_regex_match(struct policy_ctx *ctx, void *instance, struct span subject)
{
    struct re2_regex *r = instance; /* NULL, here and below: called before its `new` */
    struct captured *c = r == NULL ? NULL
                                   : task_state(ctx, r, sizeof *c + groups_of(r->re) * sizeof(struct span));
    if (c == NULL)
        return 0;
    c->never_capture = r->never_capture;
    return match_and_capture(ctx, "re2 match", r->re, subject, c);
}

struct span
vcl_re2_regex_backref(struct policy_ctx *ctx, void *instance, int64_t group, struct span fallback)
{
    return instance == NULL ? SPAN_NULL
                            : back_reference(ctx, "re2 backref", task_find(ctx, instance), group, fallback);
}

struct span
vcl_re2_regex_namedref(struct policy_ctx *ctx, void *instance, struct span name, struct span fallback)
{
    struct re2_regex *r = instance;
    const struct captured *c = r == NULL ? NULL : task_find(ctx, r);
    if (r == NULL || !can_refer(ctx, "re2 namedref", c, fallback))
        return SPAN_NULL;
    struct span found;
    unsigned group = regex_group_name(r->re, 0, &found);
    for (unsigned i = 1; group > 0 && !span_eq(found, name); i++)
        group = regex_group_name(r->re, i, &found);
    return named_reference(ctx, "re2 namedref", c, group, name, fallback);
}

struct span
vcl_re2_regex_sub(struct policy_ctx *ctx, void *instance, struct span text, struct span rewrite,
                  struct span fallback)
{
    struct re2_regex *r = instance;
    return r == NULL ? SPAN_NULL : re2_rewrite(ctx, "re2 sub", r->re, REGEX_FIRST, text, rewrite, fallback);
}

struct span
vcl_re2_regex_suball(struct policy_ctx *ctx, void *instance, struct span text, struct span rewrite,
                     struct span fallback)
{
    struct re2_regex *r = instance;
    return r == NULL ? SPAN_NULL : re2_rewrite(ctx, "re2 suball", r->re, REGEX_ALL, text, rewrite, fallback);
}

struct span
vcl_re2_regex_extract(struct policy_ctx *ctx, void *instance, struct span text, struct span rewrite,
                      struct span fallback)
{
    struct re2_regex *r = instance;
    return r == NULL ? SPAN_NULL
                     : re2_rewrite(ctx, "re2 extract", r->re, REGEX_EXTRACT, text, rewrite, fallback);
}

int64_t
vcl_re2_regex_cost(struct policy_ctx *ctx, void *instance)
{
    struct re2_regex *r = instance;
    return r == NULL ? 0 : (int64_t)regex_bytes(r->re);
}

/* ---- patterns built at run time ---- */

static int
compile_once(struct policy_ctx *ctx, const char *what, struct span pattern, const struct re2_options *o,
             struct regex **out)
{
    *out = NULL;
    if (pattern.len <= PATTERN_BYTES_MAX)
        return re2_compile(ctx, what, pattern, o, REGEX_ONCE, out);
    vcl_fail_printf(ctx, "%s: the pattern is too long", what);
    return ERR_LIMIT;
}

/* Copies the group names, because the pattern is freed before the policy asks for them. */
static void
keep_names(struct policy_ctx *ctx, const struct regex *re, struct captured *c)
{
    struct span name;
    unsigned n = 0;
    while (regex_group_name(re, n, &name) > 0)
        n++;
    struct group_name *names = vcl_alloc(ctx, n * sizeof *names);
    c->n_names = 0;
    c->names = names;
    for (unsigned i = 0; names != NULL && i < n && !ctx->failed; i++) {
        unsigned group = regex_group_name(re, i, &name);
        names[c->n_names++] = (struct group_name){ vcl_keep(ctx, ctx->arena, name), group };
    }
}

int32_t
vcl_re2_match(struct policy_ctx *ctx, struct span pattern, struct span subject, OPTION_PARAMS)
{
    struct captured *c = task_state(ctx, &match_owner, sizeof *c + REGEX_GROUPS_MAX * sizeof(struct span));
    struct regex *re;
    if (c == NULL)
        return 0;
    c->matched = false;
    if (compile_once(ctx, "re2.match", pattern, OPTIONS, &re) != 0)
        return 0;
    c->never_capture = never_capture != 0;
    bool matched = match_and_capture(ctx, "re2.match", re, subject, c);
    if (matched && !c->never_capture)
        keep_names(ctx, re, c);
    regex_release(&re);
    return matched;
}

struct span
vcl_re2_backref(struct policy_ctx *ctx, int64_t group, struct span fallback)
{
    return back_reference(ctx, "re2.backref", task_find(ctx, &match_owner), group, fallback);
}

struct span
vcl_re2_namedref(struct policy_ctx *ctx, struct span name, struct span fallback)
{
    const struct captured *c = task_find(ctx, &match_owner);
    if (!can_refer(ctx, "re2.namedref", c, fallback))
        return SPAN_NULL;
    unsigned group = 0;
    for (unsigned i = 0; i < c->n_names; i++)
        if (span_eq(c->names[i].name, name))
            group = c->names[i].group;
    return named_reference(ctx, "re2.namedref", c, group, name, fallback);
}

static struct span
rewrite_once(struct policy_ctx *ctx, const char *what, enum regex_replacing how, const struct span texts[4],
             const struct re2_options *o)
{
    struct regex *re;
    if (compile_once(ctx, what, texts[0], o, &re) != 0)
        return SPAN_NULL;
    struct span out = re2_rewrite(ctx, what, re, how, texts[1], texts[2], texts[3]);
    regex_release(&re);
    return out;
}

struct span
vcl_re2_sub(struct policy_ctx *ctx, struct span pattern, struct span text, struct span rewrite,
            struct span fallback, OPTION_PARAMS)
{
    return rewrite_once(ctx, "re2.sub", REGEX_FIRST, (struct span[]){ pattern, text, rewrite, fallback },
                        OPTIONS);
}

struct span
vcl_re2_suball(struct policy_ctx *ctx, struct span pattern, struct span text, struct span rewrite,
               struct span fallback, OPTION_PARAMS)
{
    return rewrite_once(ctx, "re2.suball", REGEX_ALL, (struct span[]){ pattern, text, rewrite, fallback },
                        OPTIONS);
}

struct span
vcl_re2_extract(struct policy_ctx *ctx, struct span pattern, struct span text, struct span rewrite,
                struct span fallback, OPTION_PARAMS)
{
    return rewrite_once(ctx, "re2.extract", REGEX_EXTRACT,
                        (struct span[]){ pattern, text, rewrite, fallback }, OPTIONS);
}

int64_t
vcl_re2_cost(struct policy_ctx *ctx, struct span pattern, OPTION_PARAMS)
{
    struct regex *re;
    if (compile_once(ctx, "re2.cost", pattern, OPTIONS, &re) != 0)
        return 0;
    size_t bytes = regex_bytes(re);
    regex_release(&re);
    return (int64_t)bytes;
}

/* Puts a backslash before all bytes but letters, digits, _ and UTF-8 bytes; NUL becomes \x00, because a
 * backslash cannot quote it. */
struct span
vcl_re2_quotemeta(struct policy_ctx *ctx, struct span text)
{
    static const char word[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    char *out = text.ptr == NULL ? NULL : vcl_alloc(ctx, 4 * text.len + 1);
    size_t n = 0;
    for (size_t i = 0; out != NULL && i < text.len; i++) {
        char c = text.ptr[i];
        if (c == '\0') {
            memcpy(out + n, "\\x00", 4);
            n += 4;
            continue;
        }
        if ((unsigned char)c < 128 && strchr(word, c) == NULL)
            out[n++] = '\\';
        out[n++] = c;
    }
    return out == NULL ? SPAN_NULL : span_of(out, n);
}

struct span
vcl_re2_version(struct policy_ctx *ctx)
{
    return SPAN_LIT("2.0.0");
}
