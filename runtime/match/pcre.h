/* One regular expression (PCRE2, 8-bit, no UTF), compiled once, used by all threads. Match limits come from
 * params. */
#ifndef VERNIS_MATCH_PCRE_H
#define VERNIS_MATCH_PCRE_H

#include "base/mem.h"
#include "base/span.h"

struct regex;

struct regex_error {
    size_t offset; /* into the pattern */
    char text[128];
};

enum regex_option {
    REGEX_CASELESS = 1,
    REGEX_DOT_ALL = 2,
    REGEX_MULTILINE = 4,
    REGEX_LITERAL = 8,
    REGEX_UTF = 16,
    REGEX_NO_CAPTURE = 32, /* only named groups capture */
    REGEX_END_ONLY = 64,   /* $ matches only at the end, not also before a final line feed */
    REGEX_AT_START = 128,
    REGEX_AT_END = 256,    /* a match begins at the subject's start, ends at its end */
    REGEX_ONCE = 512,      /* used for one match only, so JIT compilation does not pay */
    REGEX_JIT_LATE = 1024, /* may never be matched, so JIT compilation is left to the first match */
};

int regex_new(struct span pattern, struct regex **out, struct regex_error *error); /* ERR_SYNTAX */
int regex_new_with(struct span pattern, unsigned options, struct regex **out, struct regex_error *error);
void regex_release(struct regex **re);
/* 1 = matches, 0 = not, ERR_LIMIT = a match limit was hit. An unset subject is matched as empty. */
int regex_match(const struct regex *re, struct span subject);
/* As regex_match, and sets groups[i] to the part of the subject that group i captured, SPAN_NULL if the group
 * took no part in the match. Group 0 is the whole match. */
int regex_match_groups(const struct regex *re, struct span subject, struct span *groups, unsigned n);
#define REGEX_GROUPS_MAX 64                    /* groups that a caller can read; a pattern may have more */
unsigned regex_groups(const struct regex *re); /* groups of the pattern, without group 0 */
/* Sets *name to the name of the i-th named group and returns the group's number, or 0 past the last. The name
 * lives as long as the regex. */
unsigned regex_group_name(const struct regex *re, unsigned i, struct span *name);
bool regex_lines_end_with_lf(const struct regex *re); /* and only with LF: an option of PCRE2's build */
/* Bytes of the compiled pattern and its machine code; not for REGEX_JIT_LATE. */
size_t regex_memory(const struct regex *re);
bool regex_has_machine_code(const struct regex *re);
size_t regex_bytes(const struct regex *re); /* bytes of the compiled pattern alone */

enum regex_replacing {
    REGEX_FIRST,
    REGEX_ALL,
    REGEX_EXTRACT
}; /* EXTRACT: returns only the replacement of the first match */
/* As regex_substitute. Returns 1 and the result, 0 without a match, ERR_LIMIT when the arena is full or a
 * limit was hit. */
int regex_replace(const struct regex *re, struct arena *a, struct span subject, struct span replacement,
                  enum regex_replacing how, struct span *out);
/* regsub and regsuball: \0 to \9 in the replacement stand for groups; a backslash before another byte stands
 * for that byte. Returns the subject itself without a match, SPAN_NULL when the arena is full or a limit was
 * hit. */
struct span regex_substitute(const struct regex *re, struct arena *a, struct span subject,
                             struct span replacement, bool all);

#endif
