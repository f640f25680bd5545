/* All patterns of a set that match a subject: PCRE2's JIT code one by one, RE2::Set, Hyperscan (or
 * Vectorscan), and our pattern sets. The engines must find the same number of matches.
 *
 *     make bench-patterns [BENCH_ARGS='table|few|hostile']
 *
 * table: building, the first pass over 2,000 URLs, warm passes, memory. few: sets of 1 to 10 patterns, to
 * find the least useful size. hostile: 20,000 different subjects made of pieces of the patterns, also with
 * tables that are always full. Times are processor time of the thread; the best of ROUNDS passes. */
#include <hs.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "match/pattern_set.h"
#include "micro_patterns.h"

#define ROUNDS 7
#define URLS 2000u
#define HOSTILE 20000u
#define HOSTILE_ROUNDS 5u
#define SMALL_TABLE_KB 64u /* a table that is full again and again */
#define TEXT_MAX 200u
#define PATTERNS_MAX 1000u

struct set {
    char name[24];
    unsigned n;
    char texts[PATTERNS_MAX][TEXT_MAX];
};

struct subjects {
    unsigned n;
    char texts[HOSTILE][TEXT_MAX];
    size_t lens[HOSTILE];
};

struct engine {
    const char *name;
    void *(*make)(const struct set *set);
    unsigned (*match)(void *state, struct span subject); /* number of patterns that match */
    size_t (*bytes)(void *state);                        /* 0: unknown */
    void (*drop)(void *state);
};

static uint64_t random_state = 88172645463325252u;

static unsigned
below(unsigned n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (unsigned)((random_state >> 20) % n);
}

static double
now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* ---- PCRE2 and ours ---------------------------------------------------------------------------------- */

struct compiled {
    unsigned n;
    struct regex *regexes[PATTERNS_MAX];
    struct pattern_set *set;
    uint64_t bits[PATTERNS_MAX / 64 + 2];
};

static void *
pcre2_make(const struct set *set)
{
    struct compiled *c = mem_zalloc(sizeof *c);
    c->n = set->n;
    for (unsigned i = 0; i < set->n; i++) {
        struct regex_error error;
        CHECK(regex_new(span_str(set->texts[i]), &c->regexes[i], &error) == 0);
    }
    return c;
}

static unsigned
pcre2_match_all(void *state, struct span subject)
{
    struct compiled *c = state;
    unsigned n = 0;
    for (unsigned i = 0; i < c->n; i++)
        n += regex_match(c->regexes[i], subject) == 1;
    return n;
}

static size_t
pcre2_bytes(void *state)
{
    struct compiled *c = state;
    size_t bytes = 0;
    for (unsigned i = 0; i < c->n; i++)
        bytes += regex_memory(c->regexes[i]);
    return bytes;
}

static void
compiled_drop(void *state)
{
    struct compiled *c = state;
    pattern_set_release(&c->set);
    for (unsigned i = 0; i < c->n; i++)
        regex_release(&c->regexes[i]);
    free(c);
}

static double ours_only_ns; /* the last set without its PCRE2 patterns */

static void *
ours_make(const struct set *set)
{
    static struct pattern patterns[PATTERNS_MAX];
    struct compiled *c = pcre2_make(set);
    for (unsigned i = 0; i < set->n; i++)
        patterns[i] = (struct pattern){ span_str(set->texts[i]), PATTERN_REGEX, c->regexes[i] };
    double begin = now_ns();
    CHECK(pattern_set_new(patterns, set->n, &c->set) == 0);
    ours_only_ns = now_ns() - begin;
    return c;
}

static unsigned
ours_match(void *state, struct span subject)
{
    struct compiled *c = state;
    unsigned n = 0;
    pattern_set_scan(c->set, subject, c->bits);
    for (unsigned i = pattern_set_next_bit(c->set, c->bits, 0); i < c->n;
         i = pattern_set_next_bit(c->set, c->bits, i + 1))
        n += pattern_set_test(c->set, subject, c->bits, i) == 1;
    return n;
}

static size_t
ours_bytes(void *state)
{
    struct compiled *c = state;
    struct pattern_set_counts counts;
    pattern_set_count(c->set, &counts);
    return counts.bytes;
}

/* ---- Hyperscan --------------------------------------------------------------------------------------- */

struct hyperscan {
    hs_database_t *db;
    hs_scratch_t *scratch;
};

static void *
hyperscan_make(const struct set *set)
{
    static const char *texts[PATTERNS_MAX];
    static unsigned flags[PATTERNS_MAX], ids[PATTERNS_MAX];
    struct hyperscan *h = mem_zalloc(sizeof *h);
    hs_compile_error_t *error = NULL;
    for (unsigned i = 0; i < set->n; i++) {
        texts[i] = set->texts[i];
        flags[i] = HS_FLAG_SINGLEMATCH | HS_FLAG_ALLOWEMPTY;
        ids[i] = i;
    }
    if (hs_compile_multi(texts, flags, ids, set->n, HS_MODE_BLOCK, NULL, &h->db, &error) != HS_SUCCESS) {
        fprintf(stderr, "hyperscan: %s\n", error->message);
        exit(1);
    }
    CHECK(hs_alloc_scratch(h->db, &h->scratch) == HS_SUCCESS);
    return h;
}

static int
hyperscan_found(unsigned id, unsigned long long from, unsigned long long to, unsigned flags, void *n)
{
    (*(unsigned *)n)++;
    return 0;
}

static unsigned
hyperscan_match(void *state, struct span subject)
{
    struct hyperscan *h = state;
    unsigned n = 0;
    CHECK(hs_scan(h->db, subject.ptr, (unsigned)subject.len, 0, h->scratch, hyperscan_found, &n) ==
          HS_SUCCESS);
    return n;
}

static size_t
hyperscan_bytes(void *state)
{
    struct hyperscan *h = state;
    size_t db = 0, scratch = 0;
    hs_database_size(h->db, &db);
    hs_scratch_size(h->scratch, &scratch);
    return db + scratch;
}

static void
hyperscan_drop(void *state)
{
    struct hyperscan *h = state;
    hs_free_scratch(h->scratch);
    hs_free_database(h->db);
    free(h);
}

/* ---- RE2 --------------------------------------------------------------------------------------------- */

static void *
re2_make(const struct set *set)
{
    void *re2 = re2_set_new();
    for (unsigned i = 0; i < set->n; i++)
        re2_set_add(re2, set->texts[i]);
    CHECK(re2_set_compile(re2));
    return re2;
}

static unsigned
re2_match(void *state, struct span subject)
{
    return re2_set_match(state, subject.ptr, subject.len);
}

static size_t
no_bytes(void *state)
{
    return 0;
}

enum { PCRE2, RE2_SET, HYPERSCAN, OURS, ENGINES };

static const struct engine engines[ENGINES] = {
    { "PCRE2-JIT one by one", pcre2_make, pcre2_match_all, pcre2_bytes, compiled_drop },
    { "RE2::Set", re2_make, re2_match, no_bytes, re2_set_drop },
    { "Hyperscan", hyperscan_make, hyperscan_match, hyperscan_bytes, hyperscan_drop },
    { "ours", ours_make, ours_match, ours_bytes, compiled_drop },
};

/* ---- sets -------------------------------------------------------------------------------------------- */

static const char *const real_patterns[] = {
    "\\.(png|jpe?g|gif|ico|svg|webp)(\\?.*)?$",
    "\\.(css|js|map)(\\?.*)?$",
    "\\.(woff2?|ttf|eot|otf)(\\?|$)",
    "(?i)\\.(mp4|webm|mp3|ogg|avi|mov)$",
    "\\.(gz|tgz|bz2|zip|rar|7z|pdf)$",
    "^/wp-(admin|login|cron)",
    "^/wp-content/uploads/",
    "^/admin(/|$)",
    "^/user/(login|logout|register)$",
    "^/api/v[0-9]+/",
    "^/api/v1/users/[0-9]+/orders$",
    "^/graphql$",
    "^/(cart|checkout|my-account)(/|$)",
    "^/search(\\?.*)?$",
    "[?&]q=",
    "[?&](utm_source|utm_medium|utm_campaign|gclid|fbclid)=",
    "[?&]page=[0-9]+",
    "(\\?|&)nocache=1(&|$)",
    "^/static/[0-9a-f]{8,40}/",
    "^/media/catalog/product/cache/",
    "^/node/[0-9]+$",
    "^/[a-z]{2}(-[a-z]{2})?/",
    "^/(en|de|fr|es|it)/news/",
    "/feed/?$",
    "^/sitemap(_index)?\\.xml$",
    "^/robots\\.txt$",
    "^/favicon\\.ico$",
    "^/\\.well-known/",
    "(?i)phpmyadmin",
    "\\.php$",
    "\\.php(\\?|/|$)",
    "^/cgi-bin/",
    "/\\.(git|svn|env)",
    "\\.\\./",
    "(?i)(union.*select|select.*from|insert.*into)",
    "(?i)<script",
    "%00",
    "^/health(z|check)?$",
    "^/status$",
    "^/metrics$",
    "preview=true",
    "^/p/[a-z0-9-]+$",
    "^/product/[a-z0-9-]+-[0-9]+\\.html$",
    "^/category/[^/]+/page/[0-9]+",
    "^/tag/[^/]+/?$",
    "^/20[0-9][0-9]/[01][0-9]/",
    "^/images?/thumb/",
    "^/ajax/",
    "\\?ver=[0-9.]+$",
    "^/$",
};
#define REAL (unsigned)(sizeof real_patterns / sizeof real_patterns[0])

static const char *const words[] = { "foo",    "bar",   "baz",   "news",    "shop",  "img",
                                     "static", "user",  "order", "search",  "list",  "media",
                                     "blog",   "admin", "api",   "catalog", "cache", "login",
                                     "feed",   "page",  "thumb", "video",   "docs",  "help" };
static const char *const endings[] = { "png", "jpg", "gif", "css", "js", "html", "php", "xml" };
#define PICK(array) (array)[below(sizeof(array) / sizeof(array)[0])]

static void
make_fat(struct set *set, unsigned n)
{
    snprintf(set->name, sizeof set->name, "fat %u", n);
    set->n = n;
    for (unsigned i = 0; i < n; i++)
        snprintf(set->texts[i], TEXT_MAX, "^/app%u/(foo|bar|baz)/[0-9]+\\.(png|jpg|gif|css|js)(\\?.*)?$", i);
}

static void
random_pattern(char *text)
{
    const char *a = PICK(words), *b = PICK(words), *e = PICK(endings);
    unsigned n = below(1000);
    switch (below(6)) {
    case 0: snprintf(text, TEXT_MAX, "^/%s%u/%s", a, n, b); break;
    case 1: snprintf(text, TEXT_MAX, "%s%u\\.%s$", a, n, e); break;
    case 2: snprintf(text, TEXT_MAX, "/%s-%s%u/", a, b, n); break;
    case 3: snprintf(text, TEXT_MAX, "^/%s/.*%s%u", a, b, n); break;
    case 4: snprintf(text, TEXT_MAX, "(?i)%s_%s%u", a, b, n); break;
    default: snprintf(text, TEXT_MAX, "^/%s/%s/[0-9]+/%u(/|$)", a, b, n); break;
    }
}

static void
make_mix(struct set *set, unsigned n)
{
    snprintf(set->name, sizeof set->name, n <= REAL ? "real %u" : "mix %u", n);
    set->n = n;
    for (unsigned i = 0; i < n; i++) {
        if (i < REAL)
            snprintf(set->texts[i], TEXT_MAX, "%s", real_patterns[i]);
        else
            random_pattern(set->texts[i]);
    }
}

/* ---- subjects ---------------------------------------------------------------------------------------- */

static void
add_subject(struct subjects *s, const char *text)
{
    s->lens[s->n] = strlen(text);
    memcpy(s->texts[s->n++], text, strlen(text) + 1);
}

/* URLs of about 60 bytes. A third begins as the rules of `fat` do, a third ends as a file does. */
static void
make_urls(struct subjects *s, const struct set *set)
{
    char text[TEXT_MAX];
    for (s->n = 0; s->n < URLS;) {
        unsigned rule = below(set->n + set->n / 2 + 1), n = below(100000);
        switch (below(3)) {
        case 0:
            snprintf(text, sizeof text, "/app%u/%s/%u.%s?session=%08x&from=%s-%u", rule, words[below(3)], n,
                     PICK(endings), n * 2654435761u, PICK(words), below(100));
            break;
        case 1:
            snprintf(text, sizeof text, "/%s/%s/%u/%s-%s-%u/%s%u.%s", PICK(words), PICK(words), n,
                     PICK(words), PICK(words), below(100), PICK(words), below(1000), PICK(endings));
            break;
        default:
            snprintf(text, sizeof text, "/%s%u/%s-%s/%u?%s=%s&page=%u&id=%08x", PICK(words), below(1000),
                     PICK(words), PICK(words), n, PICK(words), PICK(words), below(50), n * 2654435761u);
            break;
        }
        add_subject(s, text);
    }
}

/* Pieces of the texts of patterns, without most of what is not literal: they lead to many states. */
static void
make_hostile(struct subjects *s, const struct set *set)
{
    for (s->n = 0; s->n < HOSTILE;) {
        char text[TEXT_MAX];
        size_t len = 0;
        while (len < 50 + below(20)) {
            const char *from = set->texts[below(set->n)];
            size_t at = below((unsigned)strlen(from)), n = 2 + below(12);
            for (; n > 0 && from[at] != '\0'; at++, n--)
                if (strchr("\\^$()[]+*?|", from[at]) == NULL)
                    text[len++] = from[at];
        }
        text[len] = '\0';
        add_subject(s, text);
    }
}

/* ---- measurements ------------------------------------------------------------------------------------ */

/* Nanoseconds for a subject. */
static double
pass(const struct engine *e, void *state, const struct subjects *s, unsigned long *matches)
{
    double begin = now_ns();
    for (unsigned i = 0; i < s->n; i++)
        *matches += e->match(state, span_of(s->texts[i], s->lens[i]));
    return (now_ns() - begin) / s->n;
}

struct result {
    double build_ms, first_ns, warm_ns;
    size_t bytes;
    unsigned long matches;
};

static struct result
measure(const struct engine *e, const struct set *set, const struct subjects *s)
{
    struct result r = { .warm_ns = 1e18 };
    double begin = now_ns();
    size_t before = mallinfo2().uordblks;
    void *state = e->make(set);
    r.build_ms = (e == &engines[OURS] ? ours_only_ns : now_ns() - begin) / 1e6;
    r.first_ns = pass(e, state, s, &r.matches);
    for (unsigned i = 0; i < ROUNDS; i++) {
        unsigned long again = 0;
        double ns = pass(e, state, s, &again);
        r.warm_ns = ns < r.warm_ns ? ns : r.warm_ns;
    }
    r.bytes = e->bytes(state);
    if (r.bytes == 0)
        r.bytes = mallinfo2().uordblks - before;
    e->drop(state);
    return r;
}

static void
expect_same(const struct set *set, const struct result *results, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (results[i].matches != results[0].matches)
            fprintf(stderr, "%s: %s finds %lu matches, %s %lu\n", set->name, engines[0].name,
                    results[0].matches, engines[i].name, results[i].matches);
}

static void
print_table(struct set *set, struct subjects *s)
{
    static const unsigned sizes[][2] = { { 1, 1 },  { 1, 10 },  { 1, 100 }, { 1, 1000 }, /* fat */
                                         { 0, 50 }, { 0, 100 }, { 0, 1000 } };
    printf("| set | engine | build ms | first pass ns | warm ns | KB |\n|---|---|---:|---:|---:|---:|\n");
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct result results[ENGINES];
        (sizes[i][0] ? make_fat : make_mix)(set, sizes[i][1]);
        make_urls(s, set);
        for (unsigned e = 0; e < ENGINES; e++) {
            results[e] = measure(&engines[e], set, s);
            printf("| %s | %s | %.1f | %.0f | %.0f | %zu |\n", set->name, engines[e].name,
                   results[e].build_ms, results[e].first_ns, results[e].warm_ns, results[e].bytes / 1024);
        }
        expect_same(set, results, ENGINES);
    }
}

static void
print_few(struct set *set, struct subjects *s)
{
    static const unsigned sizes[] = { 1, 2, 3, 4, 5, 6, 8, 10 };
    printf("| set | PCRE2-JIT one by one, warm ns | ours, warm ns |\n|---|---:|---:|\n");
    for (unsigned i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        (i % 2 == 0 ? make_fat : make_mix)(set, sizes[i / 2]);
        make_urls(s, set);
        struct result pcre2 = measure(&engines[PCRE2], set, s), ours = measure(&engines[OURS], set, s);
        printf("| %s | %.0f | %.0f |\n", set->name, pcre2.warm_ns, ours.warm_ns);
    }
}

/* One line: the set with a limit of its tables. */
static void
hostile_line(const struct set *set, const struct subjects *s, unsigned table_kb)
{
    struct pattern_set_counts counts;
    unsigned long matches[2] = { 0, 0 };
    double pcre2 = 0, ours = 0, pcre2_last = 0, ours_last = 0;
    params.pattern_table_bytes = table_kb * 1024;
    struct compiled *c = ours_make(set);
    for (unsigned i = 0; i < HOSTILE_ROUNDS; i++) {
        pcre2 += pcre2_last = pass(&engines[PCRE2], c, s, &matches[0]);
        ours += ours_last = pass(&engines[OURS], c, s, &matches[1]);
        if (i == 0)
            printf("| %s | %u | %.1f | %.2f |", set->name, table_kb, pcre2 * s->n / 1e6, ours / pcre2);
    }
    CHECK(matches[0] == matches[1]);
    pattern_set_count(c->set, &counts);
    printf(" %.2f | %llu | %llu | %zu |\n", ours_last / pcre2_last, (unsigned long long)counts.undecided,
           (unsigned long long)counts.flushes, (size_t)counts.bytes / 1024);
    compiled_drop(c);
}

static void
print_hostile(struct set *set, struct subjects *s)
{
    static const unsigned sizes[][2] = { { 1, 50 }, { 1, 1000 }, { 0, 50 }, { 0, 100 }, { 0, 1000 } };
    unsigned table_kb = params.pattern_table_bytes / 1024;
    printf(
        "| set | table KB | PCRE2-JIT one by one ms | ours/PCRE2, first pass | pass %u | to PCRE2 | flushes | KB in use |\n",
        HOSTILE_ROUNDS);
    printf("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        (sizes[i][0] ? make_fat : make_mix)(set, sizes[i][1]);
        make_hostile(s, set);
        hostile_line(set, s, table_kb);
        hostile_line(set, s, SMALL_TABLE_KB);
    }
}

int
main(int argc, char **argv)
{
    static struct set set;
    static struct subjects subjects;
    const char *what = argc > 1 ? argv[1] : "";
    if (*what == '\0' || strcmp(what, "table") == 0)
        print_table(&set, &subjects);
    if (*what == '\0' || strcmp(what, "few") == 0)
        print_few(&set, &subjects);
    if (*what == '\0' || strcmp(what, "hostile") == 0)
        print_hostile(&set, &subjects);
    return 0;
}
