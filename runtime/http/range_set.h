/* The ranges of a request with several (RFC 9110, 14.2), in the order of sending: ascending, with gaps
 * between them. */
#ifndef VERNIS_HTTP_RANGE_SET_H
#define VERNIS_HTTP_RANGE_SET_H

#include "http/fields.h"

#define RANGES_MAX 64u /* upper bound for `most` */

struct range_set {
    unsigned n;
    struct byte_range ranges[RANGES_MAX];
};

/* Merges ranges that overlap or touch, and leaves out those beyond the content. Returns the number of ranges;
 * 0 = ignore the field (as range_parse, or more than `most` ranges, or a malformed one among several);
 * ERR_LIMIT = none can be satisfied, or the only one is malformed: answer 416. */
int range_set_parse(struct span value, int64_t total, unsigned most, struct range_set *out);

#endif
