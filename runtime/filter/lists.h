/* Lists of filters: beresp.filters and resp.filters. Names with blanks between, applied from the left to the right: in a fetch from
 * the origin to the store, in a delivery from the store to the client. */
#ifndef VERNIS_FILTER_LISTS_H
#define VERNIS_FILTER_LISTS_H

#include "filter/filter.h"

struct filter_kind {
    struct span name;
    bool fetch, delivery;               /* the side on which a list may name it */
    bool changes;                       /* the bytes, and so the length */
    size_t bytes;                       /* memory it takes, without buffers of the chain */
    int (*open)(const struct filter_wants *wants, struct filter **out);         /* NULL: not a processor of this room, or not yet one */
};

/* NULL: the side has none of that name. */
const struct filter_kind *filter_kind(struct span name, enum filter_side side);
bool filters_have(struct span list, struct span name);
struct span filters_unknown(struct span list, enum filter_side side);           /* the first that the side does not have; SPAN_NULL */

#endif
