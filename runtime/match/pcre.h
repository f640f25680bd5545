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

int regex_new(struct span pattern, struct regex **out, struct regex_error *error);      /* ERR_SYNTAX */
void regex_release(struct regex **re);
/* 1 = matches, 0 = not, ERR_LIMIT = a match limit was hit. An unset subject is matched as empty. */
int regex_match(const struct regex *re, struct span subject);
/* regsub / regsuball: \0..\9 in the replacement are groups, a backslash before another byte is that byte. The subject itself when nothing matched.
 * SPAN_NULL when the arena is full or a limit was hit. */
struct span regex_substitute(const struct regex *re, struct arena *a, struct span subject, struct span replacement, bool all);

#endif
