/* One regular expression (PCRE2, 8-bit, no UTF), compiled once, used by all threads. Match limits come from params. */
#ifndef VERNIS_PCRE_H
#define VERNIS_PCRE_H

#include "base/mem.h"
#include "base/span.h"

struct regex;

struct regex_error {
    size_t offset;                      /* into the pattern */
    char text[128];
};

enum regex_option {
    REGEX_CASELESS = 1, REGEX_DOT_ALL = 2, REGEX_MULTILINE = 4, REGEX_LITERAL = 8, REGEX_UTF = 16,
    REGEX_NO_CAPTURE = 32,              /* only groups with a name capture */
    REGEX_END_ONLY = 64,                /* $ is the end, not the place before a last line feed too */
    REGEX_AT_START = 128, REGEX_AT_END = 256,   /* a match begins, or ends, where the subject does */
    REGEX_ONCE = 512,                   /* for one match: not worth a compilation to machine code */
};

int regex_new(struct span pattern, struct regex **out, struct regex_error *error);      /* ERR_SYNTAX */
int regex_new_with(struct span pattern, unsigned options, struct regex **out, struct regex_error *error);
void regex_release(struct regex **re);
/* 1 = matches, 0 = not, ERR_LIMIT = a match limit was hit. An unset subject is matched as empty. */
int regex_match(const struct regex *re, struct span subject);
/* The same, and what the groups captured, parts of the subject: SPAN_NULL those that took no part. Group 0 is the whole match. */
int regex_match_groups(const struct regex *re, struct span subject, struct span *groups, unsigned n);
#define REGEX_GROUPS_MAX 64             /* that can be told apart; a pattern may have more */
unsigned regex_groups(const struct regex *re);                              /* in the pattern, without group 0 */
/* The i-th named group; its number, or 0 past the last. The name lives as long as the regex. */
unsigned regex_group_name(const struct regex *re, unsigned i, struct span *name);
size_t regex_memory(const struct regex *re);                                /* all that it takes, with machine code */
size_t regex_bytes(const struct regex *re);                                 /* of the compiled pattern, without machine code */

enum regex_replacing { REGEX_FIRST, REGEX_ALL, REGEX_EXTRACT };             /* EXTRACT: only what stands for the first match */
/* As regex_substitute does it. 1 with the result, 0 when nothing matched, ERR_LIMIT when the arena is full or a limit was hit. */
int regex_replace(const struct regex *re, struct arena *a, struct span subject, struct span replacement, enum regex_replacing how,
                  struct span *out);
/* regsub / regsuball: \0..\9 in the replacement are groups, a backslash before another byte is that byte. The subject itself
 * when nothing matched. SPAN_NULL when the arena is full or a limit was hit. */
struct span regex_substitute(const struct regex *re, struct arena *a, struct span subject, struct span replacement, bool all);

#endif
