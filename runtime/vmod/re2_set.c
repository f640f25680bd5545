/* Module re2, sets: finds which of many patterns match a text, and the values stored with them (a text, a
 * backend, a number, a sub, a pattern for rewriting). Patterns are tried one after another, in the order they
 * were added. A set does not change after vcl_init, so it is read without a lock. */
#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/message.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"
#include "policy/task.h"
#include "vmod/re2.h"

#define PATTERNS_MAX 1024u             /* per set */
#define PATTERNS_AT_ONCE 16u           /* matched before the fiber may yield */
#define FILTERED_LINE_BYTES_MAX 65536u /* longest field that hdr_filter matches */

struct member {
    struct regex *re;    /* with the set's anchor, without captures */
    struct regex *saved; /* for rewriting, without the anchor; NULL: not saved */
    char *text;          /* owned; NULL: none */
    size_t text_bytes;
    struct director *backend; /* NULL: none */
    int64_t integer;
    bool has_integer;
    int32_t sub; /* 0: none */
};

struct set {
    struct re2_options options;
    unsigned anchor; /* bits of enum regex_option */
    bool compiled;
    unsigned n, cap;
    struct member *members; /* owned */
    size_t pattern_bytes;   /* of all patterns; at most max_mem, which also limits RE2's whole set */
};

/* Result of the latest match() of a set in this transaction. */
struct found {
    unsigned n, first, last; /* indices from 0 */
    uint64_t bits[];
};

/* ---- set setup ---- */

void *
vcl_re2_set_new(struct policy_ctx *ctx, struct span anchor, int32_t utf8, int32_t posix_syntax,
                int32_t longest_match, int64_t max_mem, int32_t literal, int32_t never_nl, int32_t dot_nl,
                int32_t case_sensitive, int32_t perl_classes, int32_t word_boundary, int32_t one_line)
{
    struct set *s = mem_zalloc(sizeof *s);
    s->anchor = span_eq(anchor, SPAN_LIT("both"))  ? REGEX_AT_START | REGEX_AT_END
              : span_eq(anchor, SPAN_LIT("start")) ? REGEX_AT_START
                                                   : 0;
    s->options = (struct re2_options){
        .utf8 = utf8 != 0,
        .posix_syntax = posix_syntax != 0,
        .longest_match = longest_match != 0,
        .literal = literal != 0,
        .never_nl = never_nl != 0,
        .dot_nl = dot_nl != 0,
        .case_sensitive = case_sensitive != 0,
        .one_line = one_line != 0,
        .max_mem = max_mem,
    };
    return s;
}

void
vcl_re2_set_fini(struct policy_ctx *ctx, void *instance)
{
    struct set *s = instance;
    if (s == NULL)
        return;
    for (unsigned i = 0; i < s->n; i++) {
        regex_release(&s->members[i].re);
        regex_release(&s->members[i].saved);
        free(s->members[i].text);
    }
    free(s->members);
    free(s);
}

static bool
may_change(struct policy_ctx *ctx, const struct set *s, const char *what)
{
    const char *why = ctx->hook != HOOK_INIT ? "may only be called in vcl_init"
                    : s->compiled            ? "the set has been compiled"
                    : s->n == PATTERNS_MAX   ? "there are too many patterns"
                                             : NULL;
    if (why != NULL)
        vcl_fail_printf(ctx, "%s: %s", what, why);
    return why == NULL;
}

static bool
fits(struct policy_ctx *ctx, struct set *s, const struct regex *re, const struct regex *saved)
{
    size_t all = s->pattern_bytes + regex_bytes(re) + (saved == NULL ? 0 : regex_bytes(saved));
    if (s->options.max_mem > 0 && all > (uint64_t)s->options.max_mem) {
        vcl_fail_printf(ctx, "re2 add: the patterns of the set take %zu bytes, more than max_mem", all);
        return false;
    }
    s->pattern_bytes = all;
    return true;
}

static struct member *
new_member(struct set *s)
{
    if (s->n == s->cap) {
        s->cap = s->cap == 0 ? 16 : 2 * s->cap;
        s->members = realloc(s->members, s->cap * sizeof *s->members);
        CHECK(s->members != NULL);
    }
    return &s->members[s->n++];
}

/* Bits of a method's mask of given arguments: bit 0 is the object, bit 1 the pattern. */
#define GIVEN_STRING (1u << 2)
#define GIVEN_BACKEND (1u << 3)
#define GIVEN_SAVE (1u << 4)
#define GIVEN_NEVER_CAPTURE (1u << 5)
#define GIVEN_INTEGER (1u << 6)
#define GIVEN_SUB (1u << 7)

void
vcl_re2_set_add(struct policy_ctx *ctx, void *instance, uint32_t given, struct span pattern, struct span text,
                struct director *backend, int32_t save, int32_t never_capture, int64_t integer, int32_t sub)
{
    struct set *s = instance; /* NULL, here and below: called before its `new` */
    struct regex *re, *saved = NULL;
    if (s == NULL || !may_change(ctx, s, "re2 add"))
        return;
    struct re2_options own = s->options;
    own.never_capture = (given & GIVEN_NEVER_CAPTURE) != 0 && never_capture != 0;
    if (re2_compile(ctx, "re2 add", pattern, &s->options, s->anchor | REGEX_NO_CAPTURE, &re) != 0)
        return;
    int err = (given & GIVEN_SAVE) != 0 && save != 0 ? re2_compile(ctx, "re2 add", pattern, &own, 0, &saved)
                                                     : 0;
    if (err != 0 || !fits(ctx, s, re, saved)) {
        regex_release(&re);
        regex_release(&saved);
        return;
    }
    bool has_text = (given & GIVEN_STRING) != 0 && text.ptr != NULL;
    *new_member(s) = (struct member){
        .re = re,
        .saved = saved,
        .text = has_text ? mem_text(text) : NULL,
        .text_bytes = has_text ? text.len : 0,
        .backend = (given & GIVEN_BACKEND) != 0 ? backend : NULL,
        .integer = integer,
        .has_integer = (given & GIVEN_INTEGER) != 0,
        .sub = (given & GIVEN_SUB) != 0 ? sub : 0,
    };
}

/* add() compiles each pattern, so compile() only closes the set. */
void
vcl_re2_set_compile(struct policy_ctx *ctx, void *instance)
{
    struct set *s = instance;
    if (s == NULL || !may_change(ctx, s, "re2 compile"))
        return;
    if (s->n == 0)
        vcl_fail(ctx, "re2 compile: the set has no patterns");
    s->compiled = true;
}

/* ---- matching ---- */

static size_t
words_of(const struct set *s)
{
    return (s->n + 63) / 64;
}

/* Returns 1, 0, or ERR_LIMIT after vcl_fail. */
static int
member_matches(struct policy_ctx *ctx, const struct member *m, struct span subject)
{
    int matched = regex_match(m->re, subject);
    if (matched < 0)
        vcl_fail(ctx, "re2 match: a match limit was reached");
    return matched;
}

int32_t
vcl_re2_set_match(struct policy_ctx *ctx, void *instance, struct span subject)
{
    struct set *s = instance;
    struct found *f = s == NULL ? NULL : task_state(ctx, s, sizeof *f + words_of(s) * sizeof f->bits[0]);
    if (f == NULL)
        return 0;
    f->n = 0;
    memset(f->bits, 0, words_of(s) * sizeof f->bits[0]);
    if (s->n == 0)
        vcl_fail(ctx, "re2 match: the set has no patterns");
    for (unsigned i = 0; i < s->n && !ctx->failed; i++) {
        if (i % PATTERNS_AT_ONCE == PATTERNS_AT_ONCE - 1)
            fiber_yield_if_due(); /* many or slow patterns must not block the loop */
        if (member_matches(ctx, &s->members[i], subject) != 1)
            continue;
        f->bits[i / 64] |= 1ull << i % 64;
        f->first = f->n++ == 0 ? i : f->first;
        f->last = i;
    }
    f->n = ctx->failed ? 0 : f->n;
    return f->n > 0;
}

/* Returns the last result; without one calls vcl_fail and returns NULL. */
static const struct found *
found_before(struct policy_ctx *ctx, const struct set *s, const char *what)
{
    const struct found *f = s == NULL ? NULL : task_find(ctx, s);
    if (f == NULL && s != NULL)
        vcl_fail_printf(ctx, "%s: nothing was matched before", what);
    return f;
}

int32_t
vcl_re2_set_matched(struct policy_ctx *ctx, void *instance, int64_t n)
{
    struct set *s = instance;
    const struct found *f = found_before(ctx, s, "re2 matched");
    if (f == NULL)
        return 0;
    if (n < 1 || n > s->n) {
        vcl_fail_printf(ctx, "re2 matched: the set has no pattern %lld", (long long)n);
        return 0;
    }
    return f->n > 0 && (f->bits[(n - 1) / 64] >> (n - 1) % 64 & 1) != 0;
}

int64_t
vcl_re2_set_nmatches(struct policy_ctx *ctx, void *instance)
{
    const struct found *f = found_before(ctx, instance, "re2 nmatches");
    return f == NULL ? 0 : f->n;
}

#define WHY_BYTES 128u

/* Returns the index of pattern `n` (from 1) or, if n is not positive, of the pattern that `select` chooses.
 * -1: none, and `why` has the reason. */
static int64_t
find_selected(const struct policy_ctx *ctx, const struct set *s, int64_t n, struct span select,
              char why[WHY_BYTES])
{
    if (n > 0 && n <= s->n)
        return n - 1;
    const struct found *f = task_find(ctx, s);
    if (n > 0)
        snprintf(why, WHY_BYTES, "the set has no pattern %lld", (long long)n);
    else if (f == NULL)
        snprintf(why, WHY_BYTES, "nothing was matched before");
    else if (f->n == 0)
        snprintf(why, WHY_BYTES, "the match before failed");
    else if (f->n > 1 && span_eq(select, SPAN_LIT("UNIQUE")))
        snprintf(why, WHY_BYTES, "%u patterns matched", f->n);
    else
        return span_eq(select, SPAN_LIT("LAST")) ? f->last : f->first;
    return -1;
}

/* The same, but calls vcl_fail before it returns -1. */
static int64_t
selected(struct policy_ctx *ctx, const struct set *s, const char *what, int64_t n, struct span select)
{
    char why[WHY_BYTES] = "";
    int64_t i = s == NULL ? -1 : find_selected(ctx, s, n, select, why);
    if (s != NULL && i < 0)
        vcl_fail_printf(ctx, "%s: %s", what, why);
    return i;
}

int64_t
vcl_re2_set_which(struct policy_ctx *ctx, void *instance, struct span select)
{
    return selected(ctx, instance, "re2 which", 0, select) + 1;
}

/* ---- values stored with a pattern ---- */

/* Returns the selected pattern if `has_value` holds for it, or calls vcl_fail and returns NULL. */
static const struct member *
member_with(struct policy_ctx *ctx, const struct set *s, const char *what, int64_t n, struct span select,
            bool (*has_value)(const struct member *))
{
    int64_t i = selected(ctx, s, what, n, select);
    if (i >= 0 && has_value(&s->members[i]))
        return &s->members[i];
    if (i >= 0)
        vcl_fail_printf(ctx, "%s: nothing of the kind was added with pattern %lld", what, (long long)i + 1);
    return NULL;
}

static bool
has_text(const struct member *m)
{
    return m->text != NULL;
}

static bool
has_backend(const struct member *m)
{
    return m->backend != NULL;
}

static bool
has_integer(const struct member *m)
{
    return m->has_integer;
}

static bool
is_saved(const struct member *m)
{
    return m->saved != NULL;
}

static bool
has_sub(const struct member *m)
{
    return m->sub != 0;
}

struct span
vcl_re2_set_string(struct policy_ctx *ctx, void *instance, int64_t n, struct span select)
{
    const struct member *m = member_with(ctx, instance, "re2 string", n, select, has_text);
    return m == NULL ? SPAN_NULL : vcl_keep(ctx, ctx->arena, span_of(m->text, m->text_bytes));
}

struct director *
vcl_re2_set_backend(struct policy_ctx *ctx, void *instance, int64_t n, struct span select)
{
    const struct member *m = member_with(ctx, instance, "re2 backend", n, select, has_backend);
    return m == NULL ? NULL : m->backend;
}

int64_t
vcl_re2_set_integer(struct policy_ctx *ctx, void *instance, int64_t n, struct span select)
{
    const struct member *m = member_with(ctx, instance, "re2 integer", n, select, has_integer);
    return m == NULL ? 0 : m->integer;
}

/* No check here: vcl_sub_enter refuses a sub that cannot be called. */
int32_t
vcl_re2_set_subroutine(struct policy_ctx *ctx, void *instance, int64_t n, struct span select)
{
    const struct member *m = member_with(ctx, instance, "re2 subroutine", n, select, has_sub);
    return m == NULL ? 0 : m->sub;
}

static void
say_why_not(const struct policy_ctx *ctx, int32_t sub, char why[WHY_BYTES])
{
    struct span name;
    enum sub_call may = sub_may_be_called(ctx, sub, &name);
    if (may == SUB_NONE)
        snprintf(why, WHY_BYTES, "nothing of the kind was added with the pattern");
    else if (may == SUB_NOT_HERE)
        snprintf(why, WHY_BYTES, "Dynamic call to \"sub %.*s{}\" not allowed from here", (int)name.len,
                 name.ptr);
    else if (may == SUB_RUNS)
        snprintf(why, WHY_BYTES, "Recursive dynamic call to \"sub %.*s{}\"", (int)name.len, name.ptr);
}

/* Never fails the transaction, because the policy asks whether a call would fail. */
int32_t
vcl_re2_set_check_call(struct policy_ctx *ctx, void *instance, int64_t n, struct span select)
{
    struct set *s = instance;
    char why[WHY_BYTES] = "";
    int64_t i = s == NULL ? -1 : find_selected(ctx, s, n, select, why);
    if (i >= 0)
        say_why_not(ctx, s->members[i].sub, why);
    if (why[0] != '\0')
        log_printf(log_of(ctx), TAG_VCL_ERROR, "re2 check_call: %s", why);
    return i >= 0 && why[0] == '\0';
}

int32_t
vcl_re2_set_saved(struct policy_ctx *ctx, void *instance, struct span which, int64_t n, struct span select)
{
    static const struct {
        const char *which;
        bool (*has_value)(const struct member *);
    } kinds[] = {
        { "REGEX", is_saved },  { "STR", has_text }, { "BE", has_backend },
        { "INT", has_integer }, { "SUB", has_sub },
    };
    struct set *s = instance;
    int64_t i = selected(ctx, s, "re2 saved", n, select);
    for (size_t k = 0; i >= 0 && k < sizeof kinds / sizeof kinds[0]; k++)
        if (span_eq(which, span_str(kinds[k].which)))
            return kinds[k].has_value(&s->members[i]);
    return 0;
}

static struct span
rewrite(struct policy_ctx *ctx, const struct set *s, const char *what, enum regex_replacing how,
        const struct span texts[3], int64_t n, struct span select)
{
    const struct member *m = member_with(ctx, s, what, n, select, is_saved);
    return m == NULL ? SPAN_NULL : re2_rewrite(ctx, what, m->saved, how, texts[0], texts[1], texts[2]);
}

struct span
vcl_re2_set_sub(struct policy_ctx *ctx, void *instance, struct span text, struct span by,
                struct span fallback, int64_t n, struct span select)
{
    return rewrite(ctx, instance, "re2 sub", REGEX_FIRST, (struct span[]){ text, by, fallback }, n, select);
}

struct span
vcl_re2_set_suball(struct policy_ctx *ctx, void *instance, struct span text, struct span by,
                   struct span fallback, int64_t n, struct span select)
{
    return rewrite(ctx, instance, "re2 suball", REGEX_ALL, (struct span[]){ text, by, fallback }, n, select);
}

struct span
vcl_re2_set_extract(struct policy_ctx *ctx, void *instance, struct span text, struct span by,
                    struct span fallback, int64_t n, struct span select)
{
    return rewrite(ctx, instance, "re2 extract", REGEX_EXTRACT, (struct span[]){ text, by, fallback }, n,
                   select);
}

/* ---- fields of a message ---- */

struct filter {
    struct policy_ctx *ctx;
    const struct set *set;
    bool keeps; /* true: keeps matching fields; false: drops them */
    char *line; /* buffer of FILTERED_LINE_BYTES_MAX */
};

/* Drops a field that is too long to match in both modes, so that length cannot bypass a filter. */
static bool
passes(const struct http_field *field, void *arg)
{
    struct filter *f = arg;
    size_t n = field->name.len + 2 + field->value.len;
    bool matched = false;
    if (f->ctx->failed)
        return true;
    if (n > FILTERED_LINE_BYTES_MAX)
        return false;
    memcpy(f->line, field->name.ptr, field->name.len);
    memcpy(f->line + field->name.len, ": ", 2);
    if (field->value.len > 0)
        memcpy(f->line + field->name.len + 2, field->value.ptr, field->value.len);
    for (unsigned i = 0; i < f->set->n && !matched && !f->ctx->failed; i++)
        matched = member_matches(f->ctx, &f->set->members[i], span_of(f->line, n)) == 1;
    return matched == f->keeps;
}

void
vcl_re2_set_hdr_filter(struct policy_ctx *ctx, void *instance, struct http_message *m, int32_t keeps)
{
    struct set *s = instance;
    if (s == NULL || m == NULL)
        return;
    if (m == ctx->msg[MSG_OBJ]) {
        vcl_fail(ctx, "re2 hdr_filter: this message cannot be changed");
        return;
    }
    struct filter f = { ctx, s, keeps != 0, malloc(FILTERED_LINE_BYTES_MAX) };
    if (f.line == NULL)
        vcl_fail(ctx, "re2 hdr_filter: out of memory");
    else
        message_retain(m, passes, &f);
    free(f.line);
}
