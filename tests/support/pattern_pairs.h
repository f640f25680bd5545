/* Random patterns and subjects, and the comparison of a pattern set with PCRE2 on each pair of them. The
 * patterns combine what is easily got wrong: ends of lines, empty alternatives, nested repeats, classes with
 * odd members, quotations, options. Half of the subjects are made from the patterns, so that many pairs
 * match, and then damaged a little. */
#ifndef VERNIS_TESTS_SUPPORT_PATTERN_PAIRS_H
#define VERNIS_TESTS_SUPPORT_PATTERN_PAIRS_H

#include <stdio.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/mem.h"
#include "match/pattern_parse.h"
#include "match/pattern_set.h"

#define PAIRS_TEXT_MAX 400u
#define PAIRS_SET_MAX 40u
#define PAIRS_WORDS_MAX (PAIRS_SET_MAX / 64 + 2)
#define PAIRS_SUBJECTS 24u /* of one set */

struct pairs_text {
    char bytes[PAIRS_TEXT_MAX];
    size_t len;
};

struct pairs {
    uint64_t random;
    unsigned long long compared, matched, limits, patterns, left; /* so far */
    unsigned long long jit_differs; /* from PCRE2's interpreter, with which the set agrees */
    unsigned long long wrong;
    struct pattern_tree tree;
    struct pairs_text texts[PAIRS_SET_MAX];
};

static inline unsigned
pairs_below(struct pairs *p, unsigned n)
{
    p->random ^= p->random << 13;
    p->random ^= p->random >> 7;
    p->random ^= p->random << 17;
    return (unsigned)((p->random >> 20) % n);
}

static inline void
pairs_put(struct pairs_text *t, const char *text, size_t n)
{
    for (size_t i = 0; i < n && t->len < PAIRS_TEXT_MAX; i++)
        t->bytes[t->len++] = text[i];
}

static inline struct span
pairs_span(const struct pairs_text *t)
{
    return span_of(t->bytes, t->len);
}

/* ---- patterns ---------------------------------------------------------------------------------------- */

static const char *const pairs_atoms[] = {
    "((?i)a)",
    "((?i)b|c)",
    "(a(?i)b|c)",
    "(?i:a)b",
    "(?s:.)",
    "a",
    "b",
    "c",
    "A",
    "/",
    "ab",
    "abc",
    "img",
    "x",
    "1",
    "12",
    "-",
    "_",
    "=",
    ",",
    "]",
    "}",
    "{",
    "{a",
    "{,2}",
    "{1",
    "\n",
    "\xff",
    "\xe4",
    "\xa0",
    "\x85",
    " ",
    ".",
    ".",
    ".",
    "\\.",
    "\\/",
    "\\?",
    "\\-",
    "\\$",
    "\\\\",
    "\\n",
    "\\t",
    "\\r",
    "\\x0a",
    "\\x{61}",
    "\\x4",
    "\\xff",
    "\\0",
    "\\012",
    "\\e",
    "\\d",
    "\\D",
    "\\w",
    "\\W",
    "\\s",
    "\\S",
    "\\h",
    "\\H",
    "\\v",
    "\\V",
    "\\N",
    "\\R",
    "\\b",
    "\\B",
    "\\1",
    "\\K",
    "\\Qa.b\\E",
    "\\Q|)\\E",
    "\\Q\\E",
    "\\Q*",
    "^",
    "$",
    "^",
    "$",
    "\\A",
    "\\z",
    "\\Z",
    "\\G",
    "$\n",
    "$\n?",
    "\\Z\\n*",
    "[ab]",
    "[^a]",
    "[a-c]",
    "[^a-c/]",
    "[]a]",
    "[^]a]",
    "[a-]",
    "[-a]",
    "[a-c-e]",
    "[+--]",
    "[--/]",
    "[\\w-]",
    "[\\d.]",
    "[^\\s]",
    "[\\W]",
    "[^\\W]",
    "[\\n]",
    "[^\\n]",
    "[\\b]",
    "[[:alpha:]]",
    "[[:^lower:]]",
    "[^[:upper:]x]",
    "[[:punct:][:digit:]]",
    "[[:word:]-]",
    "[[:space:]]",
    "[[:foo:]]",
    "[\\x61-\\x63]",
    "[a\\]b]",
    "[\\^a]",
    "[A-z]",
    "[\\0-\\x1f]",
    "[\\x80-\\xff]",
    "[[a]",
    "[a[:]b]",
    "[\\Qa]\\E]",
    "[.]",
    "[*+?]",
    "[\\-a]",
    "[\\h\\v]",
    "[^\\D]",
    "[$^]",
    "(?i)",
    "(?s)",
    "(?-i)",
    "(?i-s)",
    "(?m)",
    "(?x)",
    "(?#c)",
    "()",
    "(|a)",
    "(a|)",
    "(?:)",
    "(?=a)",
    "(?!b)",
    "(?<=a)",
    "(?<!b)",
    "(?>ab?)",
    "(?:a|ab)(?:c|)",
    "(a|b|ab)*",
    "(a*)*",
    "(a*)+",
    "(^a|b)",
    "(a$|b)",
    "(^|,)",
    "($|;)",
    "(a|$)*",
    "(?:^a)?",
    "[a-z]{2,4}",
    "(ab){2}",
    "a{3}",
    "a{0}",
    "a{0,2}b",
    "(a|b{2,}){1,2}",
    ".*",
    ".*",
    ".+?",
    ".*$",
    "^.*",
    "\\d+",
    "\\w+",
    "[^/]*",
    "(\\.(png|jpe?g|gif))?",
    "\\.(css|js)$",
    "(?i)\\.PNG",
    "\\E",
};

static const char *const pairs_quantifiers[] = { "*",   "+",    "?",     "*?",     "+?",   "??", "{2}",
                                                 "{0}", "{1,}", "{1,2}", "{0,3}?", "{2}?", "*+", "++" };
static const char *const pairs_openings[] = { "(",     "(?:",    "(",     "(?:", "(?i:", "(?s:", "(?-i:",
                                              "(?<n>", "(?P<m>", "(?'o'", "(?=", "(?!",  "(?>",  "(?<=" };
#define PAIRS_COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline void
pairs_put_one(struct pairs *p, struct pairs_text *t, const char *const *table, size_t n)
{
    const char *text = table[pairs_below(p, (unsigned)n)];
    pairs_put(t, text, strlen(text));
}

static inline void
pairs_pattern(struct pairs *p, struct pairs_text *t, unsigned depth)
{
    unsigned branches = 1 + (pairs_below(p, 4) == 0) + (pairs_below(p, 8) == 0);
    for (unsigned branch = 0; branch < branches; branch++) {
        if (branch > 0)
            pairs_put(t, "|", 1);
        for (unsigned n = pairs_below(p, 5); n > 0; n--) {
            if (depth < 3 && pairs_below(p, 4) == 0) {
                pairs_put_one(p, t, pairs_openings, pairs_below(p, 3) == 0 ? PAIRS_COUNT(pairs_openings) : 4);
                pairs_pattern(p, t, depth + 1);
                pairs_put(t, ")", 1);
            } else {
                pairs_put_one(p, t, pairs_atoms, PAIRS_COUNT(pairs_atoms));
            }
            if (pairs_below(p, 4) == 0)
                pairs_put_one(p, t, pairs_quantifiers, PAIRS_COUNT(pairs_quantifiers));
        }
    }
}

/* ---- subjects ---------------------------------------------------------------------------------------- */

static inline void
pairs_byte(struct pairs *p, struct pairs_text *t)
{
    static const char bytes[] = "aaabbbccABC/././..--_=,;  12x\n\n\r\t\v\0\xff\xe4\xa0\x85{}]";
    pairs_put(t, &bytes[pairs_below(p, sizeof bytes - 1)], 1);
}

/* A text that the node's tree matches, where it can. */
static inline void
pairs_sample(struct pairs *p, struct pairs_text *t, unsigned number)
{
    const struct node *node = &p->tree.nodes[number];
    unsigned children[64], n = 0;
    for (unsigned c = node->child; c != 0 && n < 64; c = p->tree.nodes[c].sibling)
        children[n++] = c;
    if (node->kind == NODE_BYTES) {
        unsigned byte = pairs_below(p, 256);
        if (pairs_below(p, 2) == 0)
            byte = (pairs_below(p, 2) == 0 ? 'a' : 'A') + pairs_below(p, 3);
        while (!byte_set_has(&node->set, byte) && memcmp(&node->set, &(struct byte_set){ 0 }, 32) != 0)
            byte = (byte + 1) % 256;
        pairs_put(t, &(char){ (char)byte }, 1);
    } else if (node->kind == NODE_SEQUENCE) {
        while (n > 0)
            pairs_sample(p, t, children[--n]);
    } else if (node->kind == NODE_EITHER) {
        pairs_sample(p, t, children[pairs_below(p, n)]);
    } else if (node->kind == NODE_REPEAT) {
        unsigned more = node->max == PATTERN_ENDLESS ? 3 : node->max - node->min;
        for (unsigned i = node->min + pairs_below(p, more + 1); i > 0 && t->len < PAIRS_TEXT_MAX; i--)
            pairs_sample(p, t, node->child);
    }
}

static inline void
pairs_damage(struct pairs *p, struct pairs_text *t)
{
    unsigned at = t->len == 0 ? 0 : pairs_below(p, (unsigned)t->len);
    switch (pairs_below(p, 6)) {
    case 0: t->len = at; break;
    case 1:
        if (t->len > 0)
            t->bytes[at] = (char)pairs_below(p, 256);
        break;
    case 2: pairs_byte(p, t); break;
    case 3: pairs_put(t, "\n", 1); break;
    case 4:
        if (t->len > 0) {
            memmove(t->bytes + at, t->bytes + at + 1, t->len - at - 1);
            t->len--;
        }
        break;
    default: break;
    }
}

static inline void
pairs_subject(struct pairs *p, struct pairs_text *t, unsigned n)
{
    t->len = 0;
    for (unsigned i = pairs_below(p, 4); i > 1; i--)
        pairs_byte(p, t);
    if (pairs_below(p, 2) == 0 && pattern_parse(pairs_span(&p->texts[pairs_below(p, n)]), &p->tree) == 0) {
        if (pairs_below(p, 2) == 0)
            t->len = 0;
        pairs_sample(p, t, p->tree.root);
        pairs_damage(p, t);
    } else {
        for (unsigned i = pairs_below(p, 12); i > 0; i--)
            pairs_byte(p, t);
    }
    if (pairs_below(p, 5) == 0)
        pairs_put(t, "\n", 1);
}

/* ---- comparison -------------------------------------------------------------------------------------- */

static inline void
pairs_print(const char *what, struct span text)
{
    fprintf(stderr, "  %s \"", what);
    for (size_t i = 0; i < text.len; i++)
        fprintf(stderr, (uint8_t)text.ptr[i] >= 0x20 && (uint8_t)text.ptr[i] < 0x7f ? "%c" : "\\x%02x",
                (uint8_t)text.ptr[i]);
    fputs("\"\n", stderr);
}

/* JIT code of PCRE2 10.42 misses a few matches that its interpreter finds, such as `(?:)(a|)\?*?[[:word:]-]`
 * in "a\n". */
static inline bool
pairs_interpreter_agrees(struct span pattern, struct span subject, int got)
{
    struct regex *re = NULL;
    struct regex_error error;
    CHECK(regex_new_with(pattern, REGEX_ONCE, &re, &error) == 0);
    int want = regex_match(re, subject);
    regex_release(&re);
    return want == got;
}

/* PCRE2's limits do not exist for an automaton, which then knows more. */
static inline void
pairs_compare(struct pairs *p, struct pattern_set *set, const struct pattern *patterns, unsigned n,
              struct span subject)
{
    uint64_t bits[PAIRS_WORDS_MAX];
    pattern_set_scan(set, subject, bits);
    for (unsigned i = 0; i < n; i++) {
        bool equal = subject.ptr != NULL && span_eq(subject, patterns[i].text);
        int want = patterns[i].kind == PATTERN_EQUALS ? equal : regex_match(patterns[i].regex, subject);
        int got = pattern_set_test(set, subject, bits, i);
        p->compared++;
        p->matched += want == 1;
        p->limits += want == ERR_LIMIT;
        if (got == want || want == ERR_LIMIT)
            continue;
        if (patterns[i].kind == PATTERN_REGEX && pairs_interpreter_agrees(patterns[i].text, subject, got)) {
            p->jit_differs++;
            continue;
        }
        p->wrong++;
        fprintf(stderr, "the set has %d, PCRE2 %d\n", got, want);
        pairs_print("pattern", patterns[i].text);
        pairs_print("subject", subject);
    }
}

static inline void
pairs_of_set(struct pairs *p, struct pattern *patterns, unsigned n)
{
    struct pattern_set *set;
    struct pairs_text subject;
    CHECK(pattern_set_new(patterns, n, &set) == 0 && pattern_set_words(set) <= PAIRS_WORDS_MAX);
    p->patterns += n;
    p->left += pattern_set_left(set);
    pairs_compare(p, set, patterns, n, SPAN_NULL);
    pairs_compare(p, set, patterns, n, SPAN_LIT(""));
    for (unsigned i = 0; i < PAIRS_SUBJECTS; i++) {
        pairs_subject(p, &subject, n);
        char *exact = mem_alloc(subject.len + 1); /* so that a sanitizer sees a read behind the end */
        memcpy(exact, subject.bytes, subject.len);
        exact = realloc(exact, subject.len + (subject.len == 0));
        pairs_compare(p, set, patterns, n, span_of(exact, subject.len));
        free(exact);
    }
    pattern_set_release(&set);
}

/* Compiles p->texts[i] as patterns[i]; false: PCRE2 refuses it. */
static inline bool
pairs_compile(struct pairs *p, struct pattern *pattern, unsigned i)
{
    struct regex_error error;
    struct regex *re = NULL;
    *pattern = (struct pattern){ .text = pairs_span(&p->texts[i]), .kind = PATTERN_REGEX };
    if (regex_new(pattern->text, &re, &error) != 0)
        return false;
    pattern->regex = re;
    return true;
}

static inline void
pairs_drop(struct pattern *patterns, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        struct regex *re = (struct regex *)patterns[i].regex;
        regex_release(&re);
    }
}

/* Compares one set of random patterns. */
static inline void
pairs_random_set(struct pairs *p)
{
    struct pattern patterns[PAIRS_SET_MAX];
    unsigned n = 1 + pairs_below(p, pairs_below(p, 4) == 0 ? PAIRS_SET_MAX : 8);
    for (unsigned i = 0; i < n; i++) {
        if (pairs_below(p, 16) == 0) {
            pairs_subject(p, &p->texts[i], i + 1);
            patterns[i] = (struct pattern){ .text = pairs_span(&p->texts[i]), .kind = PATTERN_EQUALS };
            continue;
        }
        do {
            p->texts[i].len = 0;
            pairs_pattern(p, &p->texts[i], 0);
        } while (p->texts[i].len == PAIRS_TEXT_MAX || !pairs_compile(p, &patterns[i], i));
    }
    pairs_of_set(p, patterns, n);
    pairs_drop(patterns, n);
}

#endif
