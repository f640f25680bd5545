/* Regular expressions over PCRE2. All threads share the compiled code. Each thread keeps one set of the data
 * that a match writes (captures, JIT stack, match context with the limits), so a match allocates nothing. A
 * match never yields, so the fibers of a loop can share their thread's set. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "match/pcre.h"

#include <pcre2.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/params.h"
#include "match/pattern_parse.h"

/* PCRE2's match limit starts anew at each position where a match may begin, and one step may scan the whole
 * remaining subject: a pattern such as (?<=a)a*?[bc] takes quadratic time. So a subject of more than 700
 * bytes is searched in pieces of start positions, and the clock is read between pieces. A piece is as large
 * as half a millisecond allows when each position scans the rest, and grows while the search is fast. */
#define PIECE_STEPS (1u << 19)
#define PIECES_MAX 8192u    /* of a text: bodies are longer than fields */
#define PIECE_GROWS_TO 128u /* times the first */
#define PIECE_GROWS 4u
#define FAST (100 * 1000) /* ns for a piece */
#define SEARCHES_PER_CLOCK 16u
#define SEARCH_NS 250 /* that each match of a substitution may take besides */

#define JIT_STACK_BYTES \
    (32 * 1024) /* as much as PCRE2 takes of the caller's stack when it is given none, so in Varnish */

#define CLASS_BYTES_MAX 64u /* of a pattern that is a single class */

#define JIT_EXTRA_BYTES 176u /* beside machine code: its block's head and the table of its entries */

/* Machine code that the first match makes: most patterns of a large policy are decided by a pattern set and
 * never get here. Other threads wait for it, because PCRE2 changes the compiled pattern meanwhile. */
struct late {
    _Atomic bool done;
    pthread_mutex_t lock;
};

/* The compilation to machine code needs stack for each group around a group and for each optional item, and a
 * match can run on a fiber. It takes 7 KB; 8 groups inside of each other add 3 KB and 32 optional items 5 KB,
 * but 2,000 of these 290 KB. */
#define LATE_GROUPS_MAX 8u
#define LATE_OPTIONAL_MAX 32u

struct regex {
    pcre2_code *code;
    bool once;         /* REGEX_ONCE */
    bool whole;        /* never searched in pieces */
    bool direct;       /* machine code may be called without pcre2_match()'s checks */
    uint32_t least;    /* bytes of the shortest possible match */
    struct late *late; /* NULL: nothing is left to be made */
    /* The pattern matches subjects with one of these bytes, as "[[:upper:]]" does; NULL for others. */
    struct byte_set *one_of;
};

/* The match data of one thread. */
struct matcher {
    pcre2_match_data *data;
    pcre2_match_context *context;
    pcre2_jit_stack *jit_stack;
    unsigned
        n_groups; /* groups that the last match set in `data`; entries after them are of earlier matches */
    uint32_t match_limit, depth_limit; /* those of `context`; 0: PCRE2's own */
    struct {
        unsigned searches;    /* number of searches in this match or substitution */
        nsec now;             /* time at the last reading of the clock; 0: not read yet */
        nsec processor_began; /* processor time of the thread at the first reading */
        nsec processor_due;   /* time from which on processor time is read again */
    } work;
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

/* A thread key has no destructor for the main thread: its matcher lives until the process ends. */
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
    m->data = pcre2_match_data_create(REGEX_GROUPS_MAX, NULL);
    m->context = pcre2_match_context_create(NULL);
    m->jit_stack = pcre2_jit_stack_create(JIT_STACK_BYTES, JIT_STACK_BYTES, NULL);
    CHECK(m->data != NULL && m->context != NULL);
    if (m->jit_stack != NULL) /* without one the JIT uses part of the caller's stack */
        pcre2_jit_stack_assign(m->context, NULL, m->jit_stack);
    CHECK(pthread_setspecific(matcher_key, m) == 0);
    matcher = m;
    return m;
}

/* PCRE2 accepts only a few options together with PCRE2_LITERAL. */
static const struct {
    unsigned option;
    uint32_t pcre;
    bool for_literals;
} options_of_pcre[] = {
    { REGEX_CASELESS, PCRE2_CASELESS, true },
    { REGEX_DOT_ALL, PCRE2_DOTALL, false },
    { REGEX_MULTILINE, PCRE2_MULTILINE, false },
    { REGEX_LITERAL, PCRE2_LITERAL, true },
    { REGEX_UTF, PCRE2_UTF | PCRE2_MATCH_INVALID_UTF, true },
    { REGEX_NO_CAPTURE, PCRE2_NO_AUTO_CAPTURE, false },
    { REGEX_END_ONLY, PCRE2_DOLLAR_ENDONLY, false },
    { REGEX_AT_START, PCRE2_ANCHORED, true },
    { REGEX_AT_END, PCRE2_ENDANCHORED, true },
};

static uint32_t
pcre_options(unsigned options)
{
    bool literal = (options & REGEX_LITERAL) != 0;
    /* PCRE2_NEVER_UTF: field values are bytes, so a pattern must not switch to characters with (*UTF). */
    uint32_t result = PCRE2_USE_OFFSET_LIMIT | (literal || (options & REGEX_UTF) != 0 ? 0 : PCRE2_NEVER_UTF);
    for (size_t i = 0; i < sizeof options_of_pcre / sizeof options_of_pcre[0]; i++)
        if ((options & options_of_pcre[i].option) != 0 && (!literal || options_of_pcre[i].for_literals))
            result |= options_of_pcre[i].pcre;
    return result;
}

/* An anchored pattern needs only one search. A pattern with verbs or \G would change its meaning if it were
 * searched in pieces. */
static bool
is_whole(const pcre2_code *code, struct span pattern)
{
    uint32_t options = 0;
    CHECK(pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options) == 0);
    return (options & PCRE2_ANCHORED) != 0 || pattern.ptr == NULL ||
           memmem(pattern.ptr, pattern.len, "(*", 2) != NULL ||
           memmem(pattern.ptr, pattern.len, "\\G", 2) != NULL;
}

/* Does the compilation to machine code take little stack? A repeated group can stand for many groups and
 * items. Blanks, comments and \Q\E may lie between a group and its count, so any brace behind one counts. */
static bool
needs_little_stack(struct span pattern)
{
    unsigned groups = 0, optional = 0;
    bool behind_group = false;
    for (size_t i = 0; i < pattern.len; i++) {
        char c = pattern.ptr[i];
        groups += c == '(';
        optional += c == '?' || c == '*';
        behind_group |= c == ')';
        if (c == '{' && behind_group)
            return false;
    }
    return groups <= LATE_GROUPS_MAX && optional <= LATE_OPTIONAL_MAX;
}

/* Without JIT (executable memory forbidden, or an unsupported pattern) PCRE2's interpreter gives the same
 * answers. */
static void
make_machine_code(const struct regex *re)
{
    (void)pcre2_jit_compile(re->code, PCRE2_JIT_COMPLETE);
}

static __attribute__((noinline, cold)) void
late_machine_code(const struct regex *re)
{
    CHECK(pthread_mutex_lock(&re->late->lock) == 0);
    if (!atomic_load_explicit(&re->late->done, memory_order_relaxed)) {
        make_machine_code(re);
        atomic_store_explicit(&re->late->done, true, memory_order_release);
    }
    CHECK(pthread_mutex_unlock(&re->late->lock) == 0);
}

static void
prepare_machine_code(struct regex *re, struct span pattern, unsigned options)
{
    if ((options & REGEX_JIT_LATE) == 0 || !needs_little_stack(pattern)) {
        make_machine_code(re);
        return;
    }
    re->late = mem_zalloc(sizeof *re->late);
    CHECK(pthread_mutex_init(&re->late->lock, NULL) == 0);
}

/* The bytes of a pattern that is a single class; otherwise NULL. PCRE2 has compiled the pattern. */
static struct byte_set *
class_of(struct span pattern)
{
    if (pattern.len < 3 || pattern.len > CLASS_BYTES_MAX || pattern.ptr[0] != '[' ||
        pattern.ptr[pattern.len - 1] != ']')
        return NULL;
    struct byte_set *set = NULL;
    struct pattern_tree *t = mem_alloc(sizeof *t);
    if (pattern_parse(pattern, t) == 0 && t->exact) {
        const struct node *sequence = &t->nodes[t->nodes[t->root].child], *only = &t->nodes[sequence->child];
        if (sequence->sibling == 0 && only->sibling == 0 && only->kind == NODE_BYTES) {
            set = mem_alloc(sizeof *set);
            *set = only->set;
        }
    }
    free(t);
    return set;
}

int
regex_new_with(struct span pattern, unsigned options, struct regex **out, struct regex_error *error)
{
    int code;
    PCRE2_SIZE at;
    *out = NULL;
    pcre2_code *compiled = pcre2_compile((PCRE2_SPTR)(pattern.ptr == NULL ? "" : pattern.ptr), pattern.len,
                                         pcre_options(options), &code, &at, NULL);
    if (compiled == NULL) {
        error->offset = at;
        if (pcre2_get_error_message(code, (PCRE2_UCHAR *)error->text, sizeof error->text) < 0)
            error->text[sizeof error->text - 1] = '\0';
        return ERR_SYNTAX;
    }
    struct regex *re = mem_zalloc(sizeof *re);
    re->code = compiled;
    re->once = (options & REGEX_ONCE) != 0;
    re->whole = (options & REGEX_UTF) != 0 || is_whole(compiled, pattern);
    if ((options & REGEX_UTF) == 0)
        CHECK(pcre2_pattern_info(compiled, PCRE2_INFO_MINLENGTH, &re->least) == 0);
    re->one_of = (options & ~(unsigned)REGEX_JIT_LATE) == 0 ? class_of(pattern) : NULL;
    re->direct = params.pcre2_jit_compilation && !re->once && (options & REGEX_UTF) == 0;
    if (params.pcre2_jit_compilation && !re->once)
        prepare_machine_code(re, pattern, options);
    *out = re;
    return 0;
}

int
regex_new(struct span pattern, struct regex **out, struct regex_error *error)
{
    return regex_new_with(pattern, 0, out, error);
}

void
regex_release(struct regex **re)
{
    if (*re == NULL)
        return;
    if ((*re)->late != NULL)
        CHECK(pthread_mutex_destroy(&(*re)->late->lock) == 0);
    free((*re)->late);
    free((*re)->one_of);
    pcre2_code_free((*re)->code);
    free(*re);
    *re = NULL;
}

static nsec
time_of(clockid_t clock)
{
    struct timespec t;
    CHECK(clock_gettime(clock, &t) == 0);
    return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* Short subjects rarely read a clock. Reading processor time takes longer than most matches, and a thread
 * that waited for its processor must not use its limit up by that: so it is read again when as much time has
 * passed as was left of the limit. */
static bool
is_out_of_time(struct matcher *m)
{
    nsec limit = nsec_of(params.pcre2_cpu_limit_s) + m->work.searches * SEARCH_NS;
    bool first = m->work.now == 0;
    m->work.now = time_of(CLOCK_MONOTONIC);
    if (!first && m->work.now < m->work.processor_due)
        return false;
    nsec processor = time_of(CLOCK_THREAD_CPUTIME_ID);
    if (first)
        m->work.processor_began = processor;
    nsec left = limit - (processor - m->work.processor_began);
    m->work.processor_due = m->work.now + (left > FAST ? left : FAST);
    return left < 0;
}

/* PCRE2_ERROR_NOMATCH: no match; PCRE2_ERROR_MATCHLIMIT also if the time limit is over. */
static int
search_by_pieces(const struct regex *re, struct matcher *m, struct span subject, size_t at, size_t piece,
                 uint32_t options)
{
    size_t begin = at, most = piece * PIECE_GROWS_TO;
    int n = PCRE2_ERROR_NOMATCH;
    for (; n == PCRE2_ERROR_NOMATCH && at <= subject.len; at += piece) {
        nsec before = m->work.now;
        if (is_out_of_time(m))
            return PCRE2_ERROR_MATCHLIMIT;
        if (at > begin && m->work.now - before < FAST && piece < most)
            piece *= PIECE_GROWS;
        bool last = piece > subject.len - at;
        pcre2_set_offset_limit(m->context, last ? PCRE2_UNSET : at + piece - 1);
        n = pcre2_match(re->code, (PCRE2_SPTR)subject.ptr, subject.len, at, options, m->data, m->context);
    }
    pcre2_set_offset_limit(m->context, PCRE2_UNSET);
    return n;
}

/* The number of start positions of the next piece, given the bytes left. */
static size_t
piece_of(size_t left)
{
    size_t piece = PIECE_STEPS / (left + 1), least = left / PIECES_MAX;
    return piece > least ? piece : least;
}

static void
set_limits(struct matcher *m, const struct regex *re)
{
    /* JIT code ignores the depth limit. When we choose the interpreter, it must not refuse subjects that JIT
     * code would match. */
    uint32_t depth = re->once ? params.pcre2_match_limit : params.pcre2_depth_limit;
    if (m->match_limit != params.pcre2_match_limit)
        pcre2_set_match_limit(m->context, m->match_limit = params.pcre2_match_limit);
    if (m->depth_limit != depth)
        pcre2_set_depth_limit(m->context, m->depth_limit = depth);
}

/* pcre2_jit_match() with the options that we use is pcre2_match() without its checks of the arguments, which
 * take as long as most matches. */
static int
search(const struct regex *re, struct matcher *m, struct span subject, size_t at, uint32_t options)
{
    PCRE2_SPTR text = (PCRE2_SPTR)(subject.ptr == NULL ? "" : subject.ptr);
    if (re->direct) {
        int n = pcre2_jit_match(re->code, text, subject.len, at, options, m->data, m->context);
        if (n != PCRE2_ERROR_JIT_BADOPTION) /* there is machine code */
            return n;
    }
    return pcre2_match(re->code, text, subject.len, at, options, m->data, m->context);
}

/* 1 = matched, with captures in m->data; 0 = no match; ERR_LIMIT also for every other error of PCRE2, because
 * to a policy they all mean that the match has no result. */
static int
match_at(const struct regex *re, struct matcher *m, struct span subject, size_t at, uint32_t options)
{
    if (re->late != NULL && !atomic_load_explicit(&re->late->done, memory_order_acquire))
        late_machine_code(re);
    if (++m->work.searches % SEARCHES_PER_CLOCK == 0 && is_out_of_time(m))
        return ERR_LIMIT;
    set_limits(m, re);
    size_t piece = piece_of(subject.len - at);
    int n = re->whole || piece > subject.len - at ? search(re, m, subject, at, options)
                                                  : search_by_pieces(re, m, subject, at, piece, options);
    m->n_groups = n == 0 ? REGEX_GROUPS_MAX
                : n > 0  ? (unsigned)n
                         : 0; /* n == 0: more groups than m->data holds */
    if (n >= 0)
        return 1;
    return n == PCRE2_ERROR_NOMATCH ? 0 : ERR_LIMIT;
}

/* Prepares this thread's matcher for a match or substitution. */
static struct matcher *
matcher_begin(void)
{
    struct matcher *m = matcher_here();
    m->work.searches = 0;
    m->work.now = 0;
    return m;
}

static bool
has_one_of(struct span subject, const struct byte_set *set)
{
    for (size_t i = 0; i < subject.len; i++)
        if (byte_set_has(set, (unsigned char)subject.ptr[i]))
            return true;
    return false;
}

int
regex_match(const struct regex *re, struct span subject)
{
    if (re->one_of != NULL)
        return has_one_of(subject, re->one_of);
    return subject.len < re->least ? 0 : match_at(re, matcher_begin(), subject, 0, 0);
}

int
regex_match_groups(const struct regex *re, struct span subject, struct span *groups, unsigned n)
{
    struct matcher *m = matcher_begin();
    int matched = match_at(re, m, subject, 0, 0);
    const PCRE2_SIZE *pairs = pcre2_get_ovector_pointer(m->data);
    for (unsigned i = 0; i < n; i++) {
        bool set = matched == 1 && i < m->n_groups && pairs[2 * i] != PCRE2_UNSET &&
                   pairs[2 * i + 1] >= pairs[2 * i];
        groups[i] = !set ? SPAN_NULL
                  : subject.ptr == NULL
                      ? SPAN_LIT("")
                      : span_of(subject.ptr + pairs[2 * i], pairs[2 * i + 1] - pairs[2 * i]);
    }
    return matched;
}

unsigned
regex_groups(const struct regex *re)
{
    uint32_t n = 0;
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_CAPTURECOUNT, &n) == 0);
    return n;
}

unsigned
regex_group_name(const struct regex *re, unsigned i, struct span *name)
{
    uint32_t n = 0, entry_bytes = 0;
    PCRE2_SPTR table = NULL;
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_NAMECOUNT, &n) == 0);
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes) == 0);
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_NAMETABLE, &table) == 0);
    if (i >= n)
        return 0;
    const uint8_t *entry = table + (size_t)i * entry_bytes; /* two bytes of number, the name, a NUL */
    *name = span_str((const char *)entry + 2);
    return (unsigned)(entry[0] << 8 | entry[1]);
}

bool
regex_lines_end_with_lf(const struct regex *re)
{
    uint32_t newline = 0;
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_NEWLINE, &newline) == 0);
    return newline == PCRE2_NEWLINE_LF;
}

size_t
regex_bytes(const struct regex *re)
{
    size_t n = 0;
    CHECK(pcre2_pattern_info(re->code, PCRE2_INFO_SIZE, &n) == 0);
    return n;
}

bool
regex_has_machine_code(const struct regex *re)
{
    size_t jit = 0;
    if (re->late != NULL && !atomic_load_explicit(&re->late->done, memory_order_acquire))
        return false;
    return pcre2_pattern_info(re->code, PCRE2_INFO_JITSIZE, &jit) == 0 && jit > 0;
}

size_t
regex_memory(const struct regex *re)
{
    size_t jit = 0;
    CHECK(re->late == NULL); /* it would grow later */
    (void)pcre2_pattern_info(re->code, PCRE2_INFO_JITSIZE, &jit);
    /* PCRE2 reports the length of the code, but allocates by an estimate, which is about half as much again.
     */
    return mem_cost(sizeof *re) + (re->one_of != NULL ? mem_cost(sizeof *re->one_of) : 0) +
           mem_cost(regex_bytes(re)) + (jit > 0 ? jit + jit / 2 + JIT_EXTRA_BYTES : 0);
}

/* A text that grows in an arena. The text moves when another piece follows it in the arena or the chunk is
 * full. */
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
        } else if (c == '\\' && i + 1 < replacement.len) { /* escaped byte: the byte itself, as in Varnish */
            growing_add(g, &next, 1);
            i++;
        } else {
            growing_add(g, &c, 1);
        }
    }
}

/* Replaces the match in m->data and, for `all`, the matches after it. An empty match is replaced only where
 * the search began: otherwise "x*" would match between any two bytes. */
static int
substitute_from_match(const struct regex *re, struct matcher *m, struct span subject, struct span replacement,
                      bool all, struct growing *g)
{
    size_t done = 0; /* bytes of the subject copied to g or replaced */
    int matched = 1;
    while (matched == 1) {
        const PCRE2_SIZE *pairs = pcre2_get_ovector_pointer(m->data);
        size_t from = pairs[0], to = pairs[1];
        if (from < done || to < from) /* \K in a lookbehind can report such a match: leave it alone */
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

int
regex_replace(const struct regex *re, struct arena *a, struct span subject, struct span replacement,
              enum regex_replacing how, struct span *out)
{
    if (subject.ptr == NULL)
        subject = SPAN_LIT("");
    if (subject.len < re->least)
        return 0;
    struct matcher *m = matcher_begin();
    int matched = match_at(re, m, subject, 0, 0);
    if (matched != 1)
        return matched;
    struct growing g = { .arena = a,
                         .cap = how == REGEX_EXTRACT ? replacement.len : subject.len + replacement.len };
    g.text = arena_alloc(a, g.cap + 1);
    if (g.text == NULL)
        return ERR_LIMIT;
    int err = 0;
    if (how != REGEX_EXTRACT)
        err = substitute_from_match(re, m, subject, replacement, how == REGEX_ALL, &g);
    else
        add_replacement(&g, m, subject, replacement);
    if (err != 0 || g.failed)
        return ERR_LIMIT;
    g.text[g.len] = '\0';
    *out = span_of(g.text, g.len);
    return 1;
}

struct span
regex_substitute(const struct regex *re, struct arena *a, struct span subject, struct span replacement,
                 bool all)
{
    struct span out = subject.ptr == NULL ? SPAN_LIT("") : subject;
    return regex_replace(re, a, subject, replacement, all ? REGEX_ALL : REGEX_FIRST, &out) < 0 ? SPAN_NULL
                                                                                               : out;
}
