/* The patterns of a set and its results: who decides which pattern, and which bits a scan sets.
 *
 * A regex is decided by the automaton if its tree is exact; otherwise the automaton rules out most subjects
 * and PCRE2 decides the others. If it has no tree, PCRE2 decides it for every subject. A result has one bit
 * more than the set has patterns: the automaton gave up, so PCRE2 decides every regex. */
#include "match/pattern_set.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <xxhash.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/pattern_bits.h"
#include "match/pattern_dfa.h"

#define THREADS_MAX 256u /* threads beyond leave all regexes to PCRE2 */
#define NO_THREAD THREADS_MAX
#define APART __attribute__((noinline)) /* seldom: its code would cost each scan */

struct member {
    const struct regex *regex; /* NULL: a text */
    bool exact;                /* the bit is the answer */
    char *text;
    size_t len;
    unsigned next; /* text with the same hash: its number + 1 */
};

struct pattern_set {
    unsigned n, n_left;
    size_t words, summary; /* of a result, and of its summary: pattern_bits.h */
    bool has_first;        /* at_first has bits */
    bool has_nfa;
    size_t n_texts, cap_texts;
    unsigned *texts; /* hash table of numbers + 1 */
    struct member *members;
    uint64_t *at_first;                      /* bits of the patterns that match, or may match, each subject */
    uint64_t *when_undecided;                /* bits of all regexes, and the bit behind them */
    _Atomic(struct dfa *) dfas[THREADS_MAX]; /* each made and used by one thread */
    struct nfa nfa;
};

/* ---- numbers of threads ------------------------------------------------------------------------------ */

static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static bool thread_taken[THREADS_MAX]; /* threads_lock */
static pthread_key_t thread_key;
static pthread_once_t thread_once = PTHREAD_ONCE_INIT;
static _Thread_local unsigned thread_number; /* 0: none yet; else the number + 1 */

/* The number and its tables go to a later thread. The lock orders the two. */
static void
thread_leave(void *arg)
{
    CHECK(pthread_mutex_lock(&threads_lock) == 0);
    thread_taken[(uintptr_t)arg - 1] = false;
    CHECK(pthread_mutex_unlock(&threads_lock) == 0);
    thread_number = 0;
}

static void
thread_key_make(void)
{
    CHECK(pthread_key_create(&thread_key, thread_leave) == 0);
}

static unsigned
thread_here(void)
{
    if (thread_number != 0)
        return thread_number - 1;
    CHECK(pthread_once(&thread_once, thread_key_make) == 0);
    unsigned n = 0;
    CHECK(pthread_mutex_lock(&threads_lock) == 0);
    while (n < THREADS_MAX && thread_taken[n])
        n++;
    if (n < THREADS_MAX)
        thread_taken[n] = true;
    CHECK(pthread_mutex_unlock(&threads_lock) == 0);
    if (n == THREADS_MAX)
        return NO_THREAD;
    thread_number = n + 1;
    CHECK(pthread_setspecific(thread_key, (void *)(uintptr_t)thread_number) == 0);
    return n;
}

static APART struct dfa *
dfa_make(struct pattern_set *set)
{
    unsigned thread = thread_here();
    if (thread == NO_THREAD)
        return NULL;
    struct dfa *dfa = atomic_load_explicit(&set->dfas[thread], memory_order_relaxed);
    if (dfa == NULL) {
        dfa = mem_zalloc(sizeof *dfa);
        dfa_init(dfa, &set->nfa, set->summary);
        atomic_store_explicit(&set->dfas[thread], dfa, memory_order_release);
    }
    return dfa;
}

static inline struct dfa *
dfa_here(struct pattern_set *set)
{
    unsigned number = thread_number;
    struct dfa *dfa = number == 0 ? NULL : atomic_load_explicit(&set->dfas[number - 1], memory_order_relaxed);
    return dfa != NULL ? dfa : dfa_make(set);
}

/* ---- texts ------------------------------------------------------------------------------------------- */

static unsigned *
text_slot(const struct pattern_set *set, struct span text)
{
    return &set->texts[XXH3_64bits(text.ptr, text.len) & (set->cap_texts - 1)];
}

static void
add_text(struct pattern_set *set, unsigned i, struct span text)
{
    struct member *m = &set->members[i];
    m->exact = true;
    m->text = mem_text(text);
    m->len = text.len;
    unsigned *slot = text_slot(set, span_of(m->text, m->len));
    m->next = *slot;
    *slot = i + 1;
}

static void
make_texts(struct pattern_set *set, const struct pattern *patterns)
{
    for (unsigned i = 0; i < set->n; i++)
        set->n_texts += patterns[i].kind == PATTERN_EQUALS;
    for (set->cap_texts = 1; set->cap_texts < 2 * set->n_texts;)
        set->cap_texts *= 2;
    set->texts = mem_zalloc(set->cap_texts * sizeof set->texts[0]);
    for (unsigned i = 0; i < set->n; i++)
        if (patterns[i].kind == PATTERN_EQUALS)
            add_text(set, i, patterns[i].text);
}

static _Atomic uint64_t nfas_bytes; /* of all sets */

/* ---- creation ---------------------------------------------------------------------------------------- */

static void
add_regex(struct pattern_set *set, unsigned i, const struct pattern *pattern, struct pattern_tree *tree)
{
    struct member *m = &set->members[i];
    enum nfa_added added = NFA_REFUSED;
    m->regex = pattern->regex;
    if (regex_lines_end_with_lf(m->regex) && pattern_parse(pattern->text, tree) == 0)
        added = nfa_add(&set->nfa, tree, i);
    set->has_nfa |= added == NFA_ADDED;
    m->exact = added != NFA_REFUSED && tree->exact;
    set->n_left += !m->exact;
    bits_add(set->when_undecided, set->summary, i);
    if (added != NFA_ADDED) {
        bits_add(set->at_first, set->summary, i);
        set->has_first = true;
    }
}

static void
make_regexes(struct pattern_set *set, const struct pattern *patterns)
{
    struct pattern_tree *tree = mem_alloc(sizeof *tree);
    nfa_init(&set->nfa);
    for (unsigned i = 0; i < set->n; i++)
        if (patterns[i].kind == PATTERN_REGEX)
            add_regex(set, i, &patterns[i], tree);
    bits_add(set->when_undecided, set->summary, set->n);
    nfa_finish(&set->nfa);
    atomic_fetch_add_explicit(&nfas_bytes, nfa_bytes(&set->nfa), memory_order_relaxed);
    free(tree);
}

int
pattern_set_new(const struct pattern *patterns, unsigned n, struct pattern_set **out)
{
    *out = NULL;
    if (n > PATTERN_SET_MAX)
        return ERR_LIMIT;
    struct pattern_set *set = mem_zalloc(sizeof *set);
    set->n = n;
    set->words = bits_words(n + 1);
    set->summary = bits_summary_words(n + 1);
    set->members = mem_zalloc((n + (size_t)1) * sizeof set->members[0]);
    set->at_first = mem_zalloc(pattern_set_words(set) * sizeof set->at_first[0]);
    set->when_undecided = mem_zalloc(pattern_set_words(set) * sizeof set->when_undecided[0]);
    make_texts(set, patterns);
    make_regexes(set, patterns);
    *out = set;
    return 0;
}

static void
release_dfa(struct dfa *dfa)
{
    if (dfa == NULL)
        return;
    dfa_release(dfa);
    free(dfa);
}

void
pattern_set_release(struct pattern_set **pointer)
{
    struct pattern_set *set = *pointer;
    if (set == NULL)
        return;
    for (unsigned i = 0; i < THREADS_MAX; i++)
        release_dfa(atomic_load_explicit(&set->dfas[i], memory_order_acquire));
    for (unsigned i = 0; i < set->n; i++)
        free(set->members[i].text);
    atomic_fetch_sub_explicit(&nfas_bytes, nfa_bytes(&set->nfa), memory_order_relaxed);
    nfa_release(&set->nfa);
    free(set->texts);
    free(set->at_first);
    free(set->when_undecided);
    free(set->members);
    free(set);
    *pointer = NULL;
}

/* ---- results ----------------------------------------------------------------------------------------- */

size_t
pattern_set_words(const struct pattern_set *set)
{
    return set->words;
}

unsigned
pattern_set_left(const struct pattern_set *set)
{
    return set->n_left;
}

static void
scan_texts(const struct pattern_set *set, struct span subject, uint64_t *bits)
{
    for (unsigned i = *text_slot(set, subject); i != 0; i = set->members[i - 1].next) {
        const struct member *m = &set->members[i - 1];
        if (span_eq(subject, span_of(m->text, m->len)))
            bits_add(bits, set->summary, i - 1);
    }
}

static APART void
join(const struct pattern_set *set, uint64_t *bits, const uint64_t *more)
{
    bits_join(bits, set->summary, more);
}

static inline void
scan_regexes(struct pattern_set *set, struct span subject, uint64_t *bits)
{
    struct dfa *dfa = dfa_here(set);
    if (dfa == NULL || !dfa_scan(dfa, subject.ptr == NULL ? SPAN_LIT("") : subject, bits))
        join(set, bits, set->when_undecided);
}

static unsigned
next_bit(const struct pattern_set *set, const uint64_t *bits, unsigned from)
{
    unsigned i = bits_next(bits, set->summary, from);
    return i < set->n ? i : set->n;
}

unsigned
pattern_set_scan(struct pattern_set *set, struct span subject, uint64_t *bits)
{
    bits_clear(bits, set->summary);
    if (set->has_first)
        join(set, bits, set->at_first);
    if (set->n_texts > 0 && subject.ptr != NULL)
        scan_texts(set, subject, bits);
    if (set->has_nfa)
        scan_regexes(set, subject, bits);
    return set->summary == 1 && bits[0] == 0 ? set->n : next_bit(set, bits, 0);
}

int
pattern_set_test(const struct pattern_set *set, struct span subject, const uint64_t *bits, unsigned i)
{
    CHECK(i < set->n);
    if (!bits_has(bits, set->summary, i))
        return 0;
    bool undecided = bits_has(bits, set->summary, set->n);
    if (set->n_left == 0 && !undecided)
        return 1; /* without a look at the member, which is seldom in a cache */
    const struct member *m = &set->members[i];
    return m->exact && (m->regex == NULL || !undecided) ? 1 : regex_match(m->regex, subject);
}

unsigned
pattern_set_next_bit(const struct pattern_set *set, const uint64_t *bits, unsigned from)
{
    return next_bit(set, bits, from);
}

void
pattern_set_count(const struct pattern_set *set, struct pattern_set_counts *out)
{
    *out = (struct pattern_set_counts){ .bytes = nfa_bytes(&set->nfa) };
    for (unsigned i = 0; i < THREADS_MAX; i++) {
        const struct dfa *dfa = atomic_load_explicit(&set->dfas[i], memory_order_acquire);
        if (dfa == NULL)
            continue;
        out->scans += atomic_load_explicit(&dfa->counts.scans, memory_order_relaxed);
        out->undecided += atomic_load_explicit(&dfa->counts.undecided, memory_order_relaxed);
        out->transitions += atomic_load_explicit(&dfa->counts.transitions, memory_order_relaxed);
        out->work += atomic_load_explicit(&dfa->counts.work, memory_order_relaxed);
        out->flushes += atomic_load_explicit(&dfa->counts.flushes, memory_order_relaxed);
        out->bytes += atomic_load_explicit(&dfa->counts.bytes, memory_order_relaxed);
    }
}

void
pattern_totals(struct pattern_totals *out)
{
    *out = (struct pattern_totals){
        .undecided = atomic_load_explicit(&dfa_totals.undecided, memory_order_relaxed),
        .flushes = atomic_load_explicit(&dfa_totals.flushes, memory_order_relaxed),
        .rests = atomic_load_explicit(&dfa_totals.rests, memory_order_relaxed),
        .bytes = atomic_load_explicit(&dfa_totals.bytes, memory_order_relaxed) +
                 atomic_load_explicit(&nfas_bytes, memory_order_relaxed),
    };
}
