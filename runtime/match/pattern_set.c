/* The patterns of a set and its results: which bits a scan sets, and who decides a pattern whose bit is set.
 */
#include "match/pattern_set.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"

#define WORD_BITS 64u

struct member {
    const struct regex *regex; /* decides the pattern; NULL: the bit is the answer */
    char *text;                /* of EQUALS */
    size_t len;
};

struct pattern_set {
    unsigned n;
    struct member members[];
};

int
pattern_set_new(const struct pattern *patterns, unsigned n, struct pattern_set **out)
{
    *out = NULL;
    if (n > PATTERN_SET_MAX)
        return ERR_LIMIT;
    struct pattern_set *set = mem_zalloc(sizeof *set + n * sizeof set->members[0]);
    set->n = n;
    for (unsigned i = 0; i < n; i++) {
        struct member *m = &set->members[i];
        CHECK((patterns[i].kind == PATTERN_REGEX) == (patterns[i].regex != NULL));
        m->regex = patterns[i].regex;
        if (m->regex == NULL) {
            m->text = mem_text(patterns[i].text);
            m->len = patterns[i].text.len;
        }
    }
    *out = set;
    return 0;
}

void
pattern_set_release(struct pattern_set **set)
{
    if (*set == NULL)
        return;
    for (unsigned i = 0; i < (*set)->n; i++)
        free((*set)->members[i].text);
    free(*set);
    *set = NULL;
}

size_t
pattern_set_words(const struct pattern_set *set)
{
    return (set->n + WORD_BITS - 1) / WORD_BITS;
}

static void
set_bit(uint64_t *bits, unsigned i)
{
    bits[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
}

static bool
has_bit(const uint64_t *bits, unsigned i)
{
    return (bits[i / WORD_BITS] >> i % WORD_BITS & 1) != 0;
}

void
pattern_set_scan(struct pattern_set *set, struct span subject, uint64_t *bits)
{
    memset(bits, 0, pattern_set_words(set) * sizeof *bits);
    for (unsigned i = 0; i < set->n; i++) {
        const struct member *m = &set->members[i];
        if (m->regex != NULL || (subject.ptr != NULL && span_eq(subject, span_of(m->text, m->len))))
            set_bit(bits, i);
    }
}

int
pattern_set_test(const struct pattern_set *set, struct span subject, const uint64_t *bits, unsigned i)
{
    CHECK(i < set->n);
    if (!has_bit(bits, i))
        return 0;
    return set->members[i].regex == NULL ? 1 : regex_match(set->members[i].regex, subject);
}

/* The number of the first bit from `from` on, or set->n. */
static unsigned
next_bit(const struct pattern_set *set, const uint64_t *bits, unsigned from)
{
    size_t words = pattern_set_words(set);
    for (size_t w = from / WORD_BITS; w < words; w++) {
        uint64_t left = bits[w];
        if (w == from / WORD_BITS)
            left &= ~UINT64_C(0) << from % WORD_BITS;
        if (left != 0)
            return (unsigned)(w * WORD_BITS) + (unsigned)__builtin_ctzll(left);
    }
    return set->n;
}

int
pattern_set_next(const struct pattern_set *set, struct span subject, const uint64_t *bits, unsigned from,
                 unsigned *found)
{
    for (unsigned i = next_bit(set, bits, from); i < set->n; i = next_bit(set, bits, i + 1)) {
        int matches = pattern_set_test(set, subject, bits, i);
        if (matches != 0) {
            *found = i;
            return matches;
        }
    }
    return 0;
}
