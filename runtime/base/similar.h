/* Finds the name that a misspelt word probably means, for "Did you mean ...?". Ignores case. */
#ifndef VERNIS_BASE_SIMILAR_H
#define VERNIS_BASE_SIMILAR_H

#include "base/span.h"

#define SIMILAR_BYTES_MAX 48u /* longer words and names resemble nothing */

struct similar {
    struct span word;
    const char *name;  /* the nearest name so far; NULL: none resembles the word */
    unsigned distance; /* edits to the name: letters to insert, drop, replace or swap; below a third */
};

struct similar similar_to(struct span word);
void similar_try(struct similar *s, const char *name); /* lent for the life of *s */

#endif
