/* Helpers that split arguments of the daemon's command line. */
#ifndef VERNIS_MANAGER_OPTION_TEXT_H
#define VERNIS_MANAGER_OPTION_TEXT_H

#include <stddef.h>

#include "worker/text.h"

int option_fail(struct text *why, const char *fmt, ...) __attribute__((format(printf, 2, 3)));     /* ERR_SYNTAX */
int option_copy(char *to, size_t cap, struct span from, const char *what, struct text *why);      /* ERR_SYNTAX: too long */
/* The part of *text up to `by`; *text goes on behind it. */
struct span option_cut(struct span *text, char by);
/* "key=" at the front of `part`: the value behind it. */
bool option_key(struct span part, const char *key, struct span *value);

#endif
