/* Helpers that split arguments of the daemon's command line. */
#ifndef VERNIS_MANAGER_OPTION_TEXT_H
#define VERNIS_MANAGER_OPTION_TEXT_H

#include <stddef.h>

#include "base/text.h"

/* ERR_SYNTAX */
int option_fail(struct text *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* ERR_SYNTAX: too long */
int option_copy(char *to, size_t cap, struct span from, const char *what, struct text *why);
/* Cuts the part of *text before `by` off; *text becomes the rest after `by`. */
struct span option_cut(struct span *text, char by);
/* True if `part` begins with `key` (such as "user="); *value is the rest. */
bool option_key(struct span part, const char *key, struct span *value);

#endif
