/* Module querystring: drops, keeps, sorts and deduplicates the parameters of a URL's query. The query starts
 * after the first question mark. Ampersands separate parameters; a parameter's name ends at its first equals
 * sign. Parameters without a name are always dropped. Nothing is decoded. Criteria do not change after
 * vcl_init, so they are read without a lock. */
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "exports_vmod.h"
#include "http/message.h"
#include "loop/fiber.h"
#include "match/pcre.h"
#include "policy/exports.h"

#define CRITERIA_MAX 256u     /* per filter */
#define PARAMETERS_MAX 16384u /* per URL */
#define GLOB_BYTES_MAX 4096u  /* per pattern */

struct criterion { /* a literal text, or a pattern */
    char *text;    /* owned; NULL: use the pattern */
    size_t text_bytes;
    const struct regex *re; /* owned by the policy, or equal to `own` */
    struct regex *own;      /* compiled from a glob; owned */
};

struct filter {
    bool sort, uniq, by_name;
    unsigned n;
    struct criterion *criteria; /* owned, CRITERIA_MAX entries; NULL: this filter takes no criteria */
};

struct parameter {
    struct span text;
    uint32_t key_bytes; /* length of the part of `text` that criteria and comparisons use */
};

/* ---- filter setup ---- */

void *
vcl_querystring_filter_new(struct policy_ctx *ctx, int32_t sort, int32_t uniq, struct span match)
{
    struct filter *f = mem_zalloc(sizeof *f);
    f->sort = sort != 0;
    f->uniq = uniq != 0;
    f->by_name = span_eq(match, SPAN_LIT("name"));
    f->criteria = mem_zalloc(CRITERIA_MAX * sizeof *f->criteria);
    return f;
}

void
vcl_querystring_filter_fini(struct policy_ctx *ctx, void *instance)
{
    struct filter *f = instance;
    if (f == NULL)
        return;
    for (unsigned i = 0; i < f->n; i++) {
        free(f->criteria[i].text);
        regex_release(&f->criteria[i].own);
    }
    free(f->criteria);
    free(f);
}

/* Returns a new criterion; on error calls vcl_fail and returns NULL. */
static struct criterion *
criterion_add(struct policy_ctx *ctx, void *instance, const char *what)
{
    struct filter *f = instance; /* NULL, here and below: called before its `new` */
    const char *why = f == NULL              ? "the filter is used before its `new`"
                    : ctx->hook != HOOK_INIT ? "may only be called in vcl_init"
                    : f->n == CRITERIA_MAX   ? "there are too many criteria"
                                             : NULL;
    if (why == NULL)
        return &f->criteria[f->n++];
    vcl_fail_printf(ctx, "querystring %s: %s", what, why);
    return NULL;
}

void
vcl_querystring_filter_add_string(struct policy_ctx *ctx, void *instance, struct span text)
{
    struct criterion *c = criterion_add(ctx, instance, "add_string");
    if (c != NULL)
        *c = (struct criterion){ .text = mem_text(text), .text_bytes = text.len };
}

void
vcl_querystring_filter_add_regex(struct policy_ctx *ctx, void *instance, const struct regex *re)
{
    struct criterion *c = criterion_add(ctx, instance, "add_regex");
    if (c != NULL)
        *c = (struct criterion){ .re = re };
}

static char *
put_byte(char *at, char c)
{
    static const char digits[] = "0123456789abcdef";
    const char text[] = { '\\', 'x', digits[(unsigned char)c >> 4], digits[(unsigned char)c & 15] };
    memcpy(at, text, sizeof text);
    return at + sizeof text;
}

/* Returns the index of the "]" for the bracket at `i`, or 0 if it is unclosed and stands for itself. */
static size_t
bracket_end(struct span glob, size_t i)
{
    size_t at = i + 1;
    if (at < glob.len && (glob.ptr[at] == '!' || glob.ptr[at] == '^'))
        at++;
    for (size_t first = at; at < glob.len; at++) {
        if (glob.ptr[at] == ']' && at > first)
            return at;
        if (glob.ptr[at] == '\\')
            at++;
        else if (glob.ptr[at] == '[' && at + 1 < glob.len && glob.ptr[at + 1] == ':')
            for (at += 3; at < glob.len && !(glob.ptr[at - 1] == ':' && glob.ptr[at] == ']');)
                at++;
    }
    return 0;
}

/* Writes [!a-z[:digit:]] as a regex class; class names and ranges are the same in both. */
static char *
put_bracket(char *at, struct span glob, size_t from, size_t to)
{
    *at++ = '[';
    size_t i = from + 1;
    if (glob.ptr[i] == '!' || glob.ptr[i] == '^') {
        *at++ = '^';
        i++;
    }
    while (i < to) {
        if (glob.ptr[i] == '[' && glob.ptr[i + 1] == ':') {
            do
                *at++ = glob.ptr[i];
            while (glob.ptr[i++] != ']');
        } else if (glob.ptr[i] == '-') {
            *at++ = glob.ptr[i++];
        } else {
            i += glob.ptr[i] == '\\' && i + 1 < to;
            at = put_byte(at, glob.ptr[i++]);
        }
    }
    *at++ = ']';
    return at;
}

/* Converts a glob to a regex, because fnmatch() has no match limit. Writes at most four bytes per byte of the
 * glob. */
static size_t
regex_of_glob(struct span glob, char *out)
{
    char *at = out;
    for (size_t i = 0, end; i < glob.len; i++) {
        if (glob.ptr[i] == '*') {
            if (at == out || at[-1] != '*') /* two stars match the same as one, more slowly */
                at = (char *)memcpy(at, ".*", 2) + 2;
        } else if (glob.ptr[i] == '?') {
            *at++ = '.';
        } else if (glob.ptr[i] == '[' && (end = bracket_end(glob, i)) > 0) {
            at = put_bracket(at, glob, i, end);
            i = end;
        } else {
            i += glob.ptr[i] == '\\' && i + 1 < glob.len;
            at = put_byte(at, glob.ptr[i]);
        }
    }
    return (size_t)(at - out);
}

void
vcl_querystring_filter_add_glob(struct policy_ctx *ctx, void *instance, struct span glob)
{
    struct regex *re = NULL;
    struct regex_error error;
    if (glob.len > GLOB_BYTES_MAX) {
        vcl_fail_printf(ctx, "querystring add_glob: the pattern is longer than %u bytes", GLOB_BYTES_MAX);
        return;
    }
    char *pattern = mem_alloc(4 * glob.len + 1);
    size_t n = regex_of_glob(glob, pattern);
    unsigned options = REGEX_DOT_ALL | REGEX_NO_CAPTURE | REGEX_AT_START | REGEX_AT_END;
    int err = regex_new_with(span_of(pattern, n), options, &re, &error);
    free(pattern);
    if (err != 0) {
        vcl_fail_printf(ctx, "querystring add_glob: \"%.*s\": %s", (int)glob.len,
                        glob.ptr == NULL ? "" : glob.ptr, error.text);
        return;
    }
    struct criterion *c = criterion_add(ctx, instance, "add_glob");
    if (c != NULL)
        *c = (struct criterion){ .re = re, .own = re };
    else
        regex_release(&re);
}

/* ---- filtering ---- */

static bool
meets(struct policy_ctx *ctx, const struct criterion *c, struct span key)
{
    if (c->text != NULL)
        return span_eq(span_of(c->text, c->text_bytes), key);
    fiber_yield_if_due(); /* many parameters or slow patterns must not block the loop */
    int matched = regex_match(c->re, key);
    if (matched < 0)
        vcl_fail(ctx, "querystring: a match limit of regular expressions was reached");
    return matched > 0;
}

static bool
stays(struct policy_ctx *ctx, const struct filter *f, struct span key, bool keep)
{
    if (key.len == 0)
        return false;
    for (unsigned i = 0; i < f->n && !ctx->failed; i++)
        if (meets(ctx, &f->criteria[i], key))
            return keep;
    return f->n == 0 || !keep;
}

static struct parameter
parameter_of(const struct filter *f, struct span text)
{
    const char *equals = text.len == 0 ? NULL : memchr(text.ptr, '=', text.len);
    size_t name_bytes = equals == NULL ? text.len : (size_t)(equals - text.ptr);
    return (struct parameter){ text, (uint32_t)(name_bytes == 0 || f->by_name ? name_bytes : text.len) };
}

static struct span
key_of(const struct parameter *p)
{
    return span_of(p->text.ptr, p->key_bytes);
}

/* Keeps the original order of equal keys, which is the order of their addresses. */
static int
by_key(const void *left, const void *right)
{
    const struct parameter *a = left, *b = right;
    size_t n = a->key_bytes < b->key_bytes ? a->key_bytes : b->key_bytes;
    int order = memcmp(a->text.ptr, b->text.ptr, n);
    if (order == 0)
        order = (a->key_bytes > b->key_bytes) - (a->key_bytes < b->key_bytes);
    return order != 0 ? order : (a->text.ptr > b->text.ptr) - (a->text.ptr < b->text.ptr);
}

static unsigned
without_repeats(struct parameter *list, unsigned n)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < n; i++)
        if (kept == 0 || !span_eq(key_of(&list[kept - 1]), key_of(&list[i])))
            list[kept++] = list[i];
    return kept;
}

/* Writes the query's remaining parameters to `list`, in order; returns their number. */
static unsigned
select_parameters(struct policy_ctx *ctx, const struct filter *f, struct span query, bool keep,
                  struct parameter *list)
{
    unsigned n = 0;
    for (const char *at = query.ptr, *end = query.ptr + query.len; at < end && !ctx->failed;) {
        const char *and = memchr(at, '&', (size_t)(end - at));
        struct parameter p = parameter_of(f, span_of(at, (size_t)((and == NULL ? end : and) - at)));
        if (stays(ctx, f, key_of(&p), keep))
            list[n++] = p;
        at = and == NULL ? end : and + 1;
    }
    if (f->sort && n > 1)
        qsort(list, n, sizeof *list, by_key);
    return f->uniq ? without_repeats(list, n) : n;
}

static struct span
join(struct span before, const struct parameter *list, unsigned n, char *out)
{
    char *at = before.len == 0 ? out : (char *)memcpy(out, before.ptr, before.len) + before.len;
    for (unsigned i = 0; i < n; i++) {
        *at++ = i == 0 ? '?' : '&';
        at = (char *)memcpy(at, list[i].text.ptr, list[i].text.len) + list[i].text.len;
    }
    *at = '\0';
    return span_of(out, (size_t)(at - out));
}

/* Keeps the URL unchanged and goes on, as Varnish's module does. */
static struct span
no_room(struct policy_ctx *ctx, struct span url)
{
    log_text(log_of(ctx), TAG_VCL_ERROR, SPAN_LIT("querystring: out of workspace, the URL stays as it is"));
    return url;
}

static struct span
copied(struct policy_ctx *ctx, struct span url, struct span part)
{
    if (part.len == 0)
        return SPAN_LIT("");
    char *copy = arena_try(ctx->arena, part.len + 1);
    if (copy == NULL)
        return no_room(ctx, url);
    memcpy(copy, part.ptr, part.len);
    copy[part.len] = '\0';
    return span_of(copy, part.len);
}

static struct span
before_query(struct span url)
{
    const char *mark = url.len == 0 ? NULL : memchr(url.ptr, '?', url.len);
    return mark == NULL ? url : span_of(url.ptr, (size_t)(mark - url.ptr));
}

static unsigned
named_parameters(struct span query)
{
    unsigned n = 0;
    for (size_t i = 0; i < query.len; i++)
        n += (i == 0 || query.ptr[i - 1] == '&') && query.ptr[i] != '&' && query.ptr[i] != '=';
    return n;
}

static struct span
apply(struct policy_ctx *ctx, const struct filter *f, struct span url, bool keep)
{
    struct span path = before_query(url);
    if (path.len == url.len)
        return url;
    struct span query = span_of(path.ptr + path.len + 1, url.len - path.len - 1);
    if (query.len == 0)
        return copied(ctx, url, path);
    unsigned most = named_parameters(query);
    if (most > PARAMETERS_MAX) {
        vcl_fail_printf(ctx, "querystring: the URL has more than %u parameters", PARAMETERS_MAX);
        return SPAN_NULL;
    }
    struct parameter *list = arena_try(ctx->arena, most * sizeof *list);
    char *out = list == NULL ? NULL : arena_try(ctx->arena, url.len + 1);
    if (out == NULL)
        return no_room(ctx, url);
    unsigned n = select_parameters(ctx, f, query, keep, list);
    return ctx->failed ? SPAN_NULL : join(path, list, n, out);
}

/* ---- functions ---- */

/* Returns the given URL, or the request's. On error (outside transactions) calls vcl_fail and returns
 * SPAN_NULL. */
static struct span
url_of(struct policy_ctx *ctx, bool given, struct span url)
{
    const struct http_message *m = ctx->msg[in_hooks(ctx, HOOKS_BACKEND) ? MSG_BEREQ : MSG_REQ];
    if (given)
        return url;
    if (m == NULL)
        vcl_fail(ctx, "querystring: there is no URL outside of transactions");
    return m == NULL ? SPAN_NULL : m->url;
}

#define METHOD_URL_GIVEN (1u << 1) /* bit 0 is the object */
#define URL_GIVEN (1u << 0)

struct span
vcl_querystring_filter_apply(struct policy_ctx *ctx, void *instance, uint32_t given, struct span url,
                             struct span mode)
{
    url = url_of(ctx, (given & METHOD_URL_GIVEN) != 0, url);
    return instance == NULL || url.ptr == NULL ? SPAN_NULL
                                               : apply(ctx, instance, url, span_eq(mode, SPAN_LIT("keep")));
}

/* Returns the filtered query without its question mark, or unset if the URL has no query. */
struct span
vcl_querystring_filter_extract(struct policy_ctx *ctx, void *instance, uint32_t given, struct span url,
                               struct span mode)
{
    url = url_of(ctx, (given & METHOD_URL_GIVEN) != 0, url);
    size_t path_bytes = before_query(url).len;
    if (instance == NULL || url.len - path_bytes <= 1)
        return SPAN_NULL;
    struct span query = apply(ctx, instance, span_of(url.ptr + path_bytes, url.len - path_bytes),
                              span_eq(mode, SPAN_LIT("keep")));
    return query.len == 0 ? query : span_of(query.ptr + 1, query.len - 1);
}

static const struct filter cleaning = { .by_name = true }, sorting = { .sort = true },
                           sorting_uniq = { .sort = true, .uniq = true };

struct span
vcl_querystring_clean(struct policy_ctx *ctx, uint32_t given, struct span url)
{
    url = url_of(ctx, (given & URL_GIVEN) != 0, url);
    return url.ptr == NULL ? SPAN_NULL : apply(ctx, &cleaning, url, true);
}

struct span
vcl_querystring_sort(struct policy_ctx *ctx, uint32_t given, struct span url, int32_t uniq)
{
    url = url_of(ctx, (given & URL_GIVEN) != 0, url);
    return url.ptr == NULL ? SPAN_NULL : apply(ctx, uniq != 0 ? &sorting_uniq : &sorting, url, true);
}

struct span
vcl_querystring_remove(struct policy_ctx *ctx, uint32_t given, struct span url)
{
    url = url_of(ctx, (given & URL_GIVEN) != 0, url);
    struct span path = before_query(url);
    return url.ptr == NULL || path.len == url.len ? url : copied(ctx, url, path);
}
