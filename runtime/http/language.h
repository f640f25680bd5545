/* Compares Accept-Language fields (RFC 9110, 12.5.4) by meaning: a set of languages with weights, in any
 * order. */
#ifndef VERNIS_HTTP_LANGUAGE_H
#define VERNIS_HTTP_LANGUAGE_H

#include "base/span.h"

#define LANGUAGES_MAX 32u /* a longer list equals no other list and has no preferred language */

struct language_range {
    struct span name;
    unsigned weight; /* in thousandths */
};

/* Returns the number of ranges; 0: no range, or more than LANGUAGES_MAX. */
unsigned language_ranges(struct span list, struct language_range out[LANGUAGES_MAX]);
bool language_lists_equal(struct span a, struct span b);
/* Returns the language with the highest weight. SPAN_NULL: several share that weight, the list is empty, or
 * the preferred range is "*". */
struct span language_preferred(struct span accept);

#endif
