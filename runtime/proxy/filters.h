/* beresp.filters and resp.filters: names, with blanks between, of what is done to a body on its way in and out. Here only names
 * are known; a body that a policy wants a filter for that does not exist is not passed on as if it had been there. */
#ifndef VERNIS_FILTERS_H
#define VERNIS_FILTERS_H

#include <stdbool.h>

#include "base/span.h"

bool filters_have(struct span list, struct span name);
struct span filters_unknown_in(struct span list);       /* of beresp.filters, the first that is none of ours; SPAN_NULL */
struct span filters_unknown_out(struct span list);      /* the same of resp.filters */

#endif
