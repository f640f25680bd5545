/* The words of one CLI line: split on blanks, quotes and backslash escapes decoded. Pure: no I/O. Owns one
 * buffer. */
#ifndef VERNIS_MANAGER_CLI_WORDS_H
#define VERNIS_MANAGER_CLI_WORDS_H

#include "base/span.h"
#include "base/text.h"

#define WORDS_MAX 256u

struct words {
    unsigned n;
    char *w[WORDS_MAX]; /* NUL-ended, into `buf`; a NUL byte inside a word is refused */
    char *buf;
};

/* ERR_SYNTAX (bad quoting) and ERR_LIMIT (more than WORDS_MAX words) set *why to a static text and leave *out
 * empty. */
int words_parse(struct span line, struct words *out, const char **why);
void words_release(struct words *w);
/* Returns MARK if the line ends in `<< MARK`: the input up to MARK and a newline is then the last argument.
 * Else NULL. */
const char *words_heredoc(const struct words *w);
/* Replaces `<< MARK` by the document. */
void words_take_heredoc(struct words *w, struct span document);
/* Appends a word, quoted for words_parse. */
void words_quote(struct text *out, struct span word);

#endif
