/* A set of patterns that a policy tries on one subject: one scan of the subject answers for all of them.
 * PCRE2 defines what a pattern means; patterns that the scan cannot decide are left to PCRE2, which sees them
 * one by one and only when asked. A set does not change after its creation, so all threads share it; each
 * thread has its own tables for scans. */
#ifndef VERNIS_MATCH_PATTERN_SET_H
#define VERNIS_MATCH_PATTERN_SET_H

#include "base/span.h"
#include "match/pcre.h"

#define PATTERN_SET_MAX 65536u

enum pattern_kind {
    PATTERN_REGEX, /* an unset subject is matched as the empty text */
    PATTERN_EQUALS /* the subject is set and has exactly these bytes */
};

struct pattern {
    struct span text; /* read by pattern_set_new only */
    enum pattern_kind kind;
    const struct regex *regex; /* compiled from `text` without options, outlives the set; NULL for EQUALS */
};

struct pattern_set;

/* Sums over all threads since the set was made. */
struct pattern_set_counts {
    uint64_t scans;
    uint64_t undecided;   /* scans that left all regexes of the set to PCRE2 */
    uint64_t transitions; /* made by scans */
    uint64_t work;        /* for transitions: items of the automaton read or listed, and 512 for each */
    uint64_t flushes;     /* of a full table */
    uint64_t bytes;       /* memory of the set and its tables now */
};

/* Sums over all sets since the process began. */
struct pattern_totals {
    uint64_t undecided; /* scans that left all regexes of their set to PCRE2 */
    uint64_t flushes;
    uint64_t rests; /* of tables: PCRE2 gets the next 1,024 subjects or more */
    uint64_t bytes; /* memory of all sets and their tables now */
};

/* Pattern i is patterns[i]. ERR_LIMIT: more than PATTERN_SET_MAX patterns. */
int pattern_set_new(const struct pattern *patterns, unsigned n, struct pattern_set **out);
/* No thread uses the set any more. */
void pattern_set_release(struct pattern_set **set);
size_t pattern_set_words(const struct pattern_set *set); /* 64-bit words of a result */

/* Writes a result of pattern_set_words() words. It has the bit of pattern i if the pattern matches the
 * subject, or if only PCRE2 knows; pattern_set_test asks PCRE2 then. Returns the first pattern with a bit, or
 * the number of patterns. */
unsigned pattern_set_scan(struct pattern_set *set, struct span subject, uint64_t *bits);
/* The first pattern from number `from` on whose bit is set, or the number of patterns. */
unsigned pattern_set_next_bit(const struct pattern_set *set, const uint64_t *bits, unsigned from);
/* `subject` and `bits` are those of the scan. */
/* Does pattern i match? 1, 0 or ERR_LIMIT. */
int pattern_set_test(const struct pattern_set *set, struct span subject, const uint64_t *bits, unsigned i);

unsigned pattern_set_left(const struct pattern_set *set); /* number of patterns that no scan can decide */
/* From any thread. */
void pattern_set_count(const struct pattern_set *set, struct pattern_set_counts *out);
void pattern_totals(struct pattern_totals *out);

#endif
