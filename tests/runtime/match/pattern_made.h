/* Pattern sets made for tests, beside their patterns in PCRE2. */
#ifndef VERNIS_TESTS_RUNTIME_MATCH_PATTERN_MADE_H
#define VERNIS_TESTS_RUNTIME_MATCH_PATTERN_MADE_H

#include "match/pattern_set.h"
#include "test.h"

#define PATTERNS_MAX 200u
#define WORDS_MAX 5u

struct made {
    struct regex *regexes[PATTERNS_MAX];
    unsigned n;
    struct pattern_set *set;
    uint64_t bits[WORDS_MAX];
};

/* A text that begins with '=' is a pattern of kind EQUALS. */
static inline void
make_set(struct made *m, const char *const *texts, unsigned n)
{
    struct pattern patterns[PATTERNS_MAX];
    *m = (struct made){ .n = n };
    for (unsigned i = 0; i < n; i++) {
        struct regex_error error;
        bool equals = texts[i][0] == '=';
        patterns[i] = (struct pattern){ .text = span_str(texts[i] + equals),
                                        .kind = equals ? PATTERN_EQUALS : PATTERN_REGEX };
        if (!equals)
            EXPECT_EQ_INT(regex_new_with(patterns[i].text, REGEX_JIT_LATE, &m->regexes[i], &error), 0);
        patterns[i].regex = m->regexes[i];
    }
    EXPECT_EQ_INT(pattern_set_new(patterns, n, &m->set), 0);
    EXPECT(pattern_set_words(m->set) <= WORDS_MAX);
}

static inline void
drop_set(struct made *m)
{
    pattern_set_release(&m->set);
    EXPECT(m->set == NULL);
    for (unsigned i = 0; i < m->n; i++)
        regex_release(&m->regexes[i]);
}

/* A scan, asked for each pattern. */
static inline void
expect_same_as_pcre2(struct made *m, struct span subject)
{
    pattern_set_scan(m->set, subject, m->bits);
    for (unsigned i = 0; i < m->n; i++)
        EXPECT_EQ_INT(pattern_set_test(m->set, subject, m->bits, i), regex_match(m->regexes[i], subject));
}

#endif
