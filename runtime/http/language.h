/* Accept-Language (RFC 9110, 12.5.4) as what it means: languages with weights, in no order. */
#ifndef VERNIS_LANGUAGE_H
#define VERNIS_LANGUAGE_H

#include "base/span.h"

#define LANGUAGES_MAX 32u               /* a longer list is like no other, and prefers nothing */

bool language_lists_equal(struct span a, struct span b);
/* The language that the client likes better than all others. SPAN_NULL: there are several, none, or "*". */
struct span language_preferred(struct span accept);

#endif
