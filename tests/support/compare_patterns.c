/* Compares pattern sets with PCRE2 on many pairs: compare_patterns PAIRS SEED [FILE]. FILE holds patterns
 * with a NUL byte behind each (tests/support/corpus_patterns.py makes one of real policies); they are
 * compared first, in sets. Exit code 1: a difference. */
#include "support/pattern_pairs.h"

#define CORPUS_ROUNDS 40u /* sets of subjects for each set of patterns */

/* Reads the next pattern that PCRE2 accepts. */
static bool
next_pattern(FILE *f, struct pairs *p, struct pattern *pattern, unsigned i)
{
    for (int c = getc(f); c != EOF; c = getc(f)) {
        struct pairs_text *t = &p->texts[i];
        for (t->len = 0; c != EOF && c != '\0'; c = getc(f))
            pairs_put(t, &(char){ (char)c }, 1);
        if (t->len < PAIRS_TEXT_MAX && pairs_compile(p, pattern, i))
            return true;
    }
    return false;
}

static void
compare_file(struct pairs *p, const char *path)
{
    struct pattern patterns[PAIRS_SET_MAX];
    unsigned n;
    FILE *f = fopen(path, "rb");
    CHECK(f != NULL);
    do {
        for (n = 0; n < PAIRS_SET_MAX && next_pattern(f, p, &patterns[n], n);)
            n++;
        for (unsigned round = 0; round < CORPUS_ROUNDS; round++)
            pairs_of_set(p, patterns, n);
        pairs_drop(patterns, n);
    } while (n == PAIRS_SET_MAX);
    (void)fclose(f);
}

static void
print_counts(const struct pairs *p, const char *what)
{
    printf("%s: %llu pairs, %llu match, %llu differ, %llu limits of PCRE2, %llu mistakes of its JIT\n", what,
           p->compared, p->matched, p->wrong, p->limits, p->jit_differs);
    printf("  %llu patterns in sets, %llu of them left to PCRE2\n", p->patterns, p->left);
}

int
main(int argc, char **argv)
{
    static struct pairs p, of_file;
    CHECK(argc == 3 || argc == 4);
    unsigned long long pairs = strtoull(argv[1], NULL, 10);
    p.random = of_file.random = strtoull(argv[2], NULL, 10) * 2 + 1;
    if (argc == 4) {
        compare_file(&of_file, argv[3]);
        print_counts(&of_file, "corpus");
    }
    while (p.compared < pairs)
        pairs_random_set(&p);
    print_counts(&p, "random");
    return p.wrong + of_file.wrong > 0;
}
