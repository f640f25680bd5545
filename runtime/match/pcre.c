/* Regular expressions over PCRE2. The compiled code is shared by all threads; what a match writes to (captures, JIT stack,
 * match context with the limits) is kept once per thread, so a match allocates nothing. A match never yields, so the fibers
 * of a loop can share their thread's state. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "match/pcre.h"

#include <pcre2.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/params.h"

#define GROUPS_MAX 10                   /* \0 to \9 */
#define JIT_STACK_START_BYTES (32 * 1024)
#define JIT_STACK_MAX_BYTES (512 * 1024)

struct regex {
    pcre2_code *code;
};

/* What a thread matches with. */
struct matcher {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    unsigned n_groups;                  /* that the last match set in data; what lies behind them is left from others */
};

static _Thread_local struct matcher *matcher;
static pthread_key_t matcher_key;
static pthread_once_t matcher_once = PTHREAD_ONCE_INIT;

static void
matcher_free(void *arg)
{
    struct matcher *m = arg;
    pcre2_match_data_free(m->data);
    pcre2_match_context_free(m->context);
    pcre2_jit_stack_free(m->jit_stack);
    free(m);
    matcher = NULL;
}

/* The destructor of a thread key does not run for the main thread: its matcher lives until the process ends. */
static void
matcher_key_make(void)
{
    CHECK(pthread_key_create(&matcher_key, matcher_free) == 0);
}

static struct matcher *
matcher_here(void)
{
    if (matcher != NULL)
        return matcher;
    CHECK(pthread_once(&matcher_once, matcher_key_make) == 0);
    struct matcher *m = mem_zalloc(sizeof *m);
    m->data = pcre2_match_data_create(GROUPS_MAX, NULL);
    m->context = pcre2_match_context_create(NULL);
    m->jit_stack = pcre2_jit_stack_create(JIT_STACK_START_BYTES, JIT_STACK_MAX_BYTES, NULL);
    CHECK(m->data != NULL && m->context != NULL);
    if (m->jit_stack != NULL)           /* else the JIT uses a part of the caller's stack */
        pcre2_jit_stack_assign(m->context, NULL, m->jit_stack);
    CHECK(pthread_setspecific(matcher_key, m) == 0);
    matcher = m;
    return m;
}

int
regex_new(struct span pattern, struct regex **out, struct regex_error *error)
{
    int code;
    PCRE2_SIZE at;
    *out = NULL;
    /* PCRE2_NEVER_UTF: header bytes are bytes; a pattern must not switch to characters with (*UTF). */
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)(pattern.ptr == NULL ? "" : pattern.ptr), pattern.len, PCRE2_NEVER_UTF,
                                         &code, &at, NULL);
    if (compiled == NULL) {
        error->offset = at;
        if (pcre2_get_error_message(code, (PCRE2_UCHAR *)error->text, sizeof error->text) < 0)
            error->text[sizeof error->text - 1] = '\0';
        return ERR_SYNTAX;
    }
    /* Without JIT (forbidden memory mapping, or a pattern it cannot do) the interpreter gives the same answers. */
    if (params.pcre2_jit_compilation)
        (void)pcre2_jit_compile(compiled, PCRE2_JIT_COMPLETE);
    struct regex *re = mem_zalloc(sizeof *re);
    re->code = compiled;
    *out = re;
    return 0;
}

void
regex_release(struct regex **re)
{
    if (*re == NULL)
        return;
    pcre2_code_free((*re)->code);
    free(*re);
    *re = NULL;
}

/* 1 = matched, with captures in m->data; 0 = not; ERR_LIMIT. Whatever else PCRE2 may refuse is of the same kind to a policy:
 * the question was not answered. */
static int
match_at(const struct regex *re, struct matcher *m, struct span subject, size_t at, uint32_t options)
{
    const char *text = subject.ptr == NULL ? "" : subject.ptr;
    pcre2_set_match_limit(m->context, params.pcre2_match_limit);
    pcre2_set_depth_limit(m->context, params.pcre2_depth_limit);
    int n = pcre2_match(re->code, (PCRE2_SPTR)text, subject.len, at, options, m->data, m->context);
    m->n_groups = n == 0 ? GROUPS_MAX : n > 0 ? (unsigned)n : 0;        /* 0: the pattern has more than fit */
    if (n >= 0)
        return 1;
    return n == PCRE2_ERROR_NOMATCH ? 0 : ERR_LIMIT;
}

int
regex_match(const struct regex *re, struct span subject)
{
    return match_at(re, matcher_here(), subject, 0, 0);
}

/* A text that grows in an arena. When the newest piece of the arena is not ours any more, or is full, the text moves. */
struct growing {
    struct arena *arena;
    char *text;
    size_t len, cap;
    bool failed;
};

static void
growing_add(struct growing *g, const char *text, size_t n)
{
    if (g->failed || n == 0)
        return;
    if (n > g->cap - g->len) {
        size_t cap = g->cap * 2 > g->len + n ? g->cap * 2 : g->len + n;
        char *p = arena_alloc(g->arena, cap + 1);
        if (p == NULL) {
            g->failed = true;
            return;
        }
        if (g->len > 0)
            memcpy(p, g->text, g->len);
        g->text = p;
        g->cap = cap;
    }
    memcpy(g->text + g->len, text, n);
    g->len += n;
}

static void
add_group(struct growing *g, struct matcher *m, struct span subject, unsigned group)
{
    if (group >= m->n_groups)
        return;
    const PCRE2_SIZE *pairs = pcre2_get_ovector_pointer(m->data);
    PCRE2_SIZE from = pairs[2 * group], to = pairs[2 * group + 1];
    if (from != PCRE2_UNSET && to > from)
        growing_add(g, subject.ptr + from, to - from);
}

static void
add_replacement(struct growing *g, struct matcher *m, struct span subject, struct span replacement)
{
    for (size_t i = 0; i < replacement.len; i++) {
        char c = replacement.ptr[i];
        char next = i + 1 < replacement.len ? replacement.ptr[i + 1] : '\0';
        if (c == '\\' && next >= '0' && next <= '9') {
            add_group(g, m, subject, (unsigned)(next - '0'));
            i++;
        } else if (c == '\\' && i + 1 < replacement.len) {     /* of another byte: the byte, as Varnish has it */
            growing_add(g, &next, 1);
            i++;
        } else {
            growing_add(g, &c, 1);
        }
    }
}

/* Replaces the match that is in m->data and, for `all`, those that follow. An empty match is replaced once at the place where
 * the search began; later ones must not be empty, or "x*" would match between any two bytes. */
static int
substitute_from_match(const struct regex *re, struct matcher *m, struct span subject, struct span replacement, bool all,
                      struct growing *g)
{
    size_t done = 0;                    /* bytes of the subject that are in g or replaced */
    int matched = 1;
    while (matched == 1) {
        const PCRE2_SIZE *pairs = pcre2_get_ovector_pointer(m->data);
        size_t from = pairs[0], to = pairs[1];
        if (from < done || to < from)   /* \K in a look-behind can report such a match: nothing sensible to replace */
            break;
        growing_add(g, subject.ptr + done, from - done);
        add_replacement(g, m, subject, replacement);
        done = to;
        if (!all || done >= subject.len)
            break;
        matched = match_at(re, m, subject, done, PCRE2_NOTEMPTY);
    }
    growing_add(g, subject.ptr + done, subject.len - done);
    return matched == ERR_LIMIT || g->failed ? ERR_LIMIT : 0;
}

struct span
regex_substitute(const struct regex *re, struct arena *a, struct span subject, struct span replacement, bool all)
{
    if (subject.ptr == NULL)
        subject = SPAN_LIT("");
    struct matcher *m = matcher_here();
    int matched = match_at(re, m, subject, 0, 0);
    if (matched == 0)
        return subject;
    if (matched < 0)
        return SPAN_NULL;
    struct growing g = { .arena = a, .cap = subject.len + replacement.len };
    g.text = arena_alloc(a, g.cap + 1);
    if (g.text == NULL || substitute_from_match(re, m, subject, replacement, all, &g) != 0)
        return SPAN_NULL;
    g.text[g.len] = '\0';
    return span_of(g.text, g.len);
}
