/* The ranges of a request that asks for several (RFC 9110, 14.2), as they are sent: in ascending order, apart from each other. */
#ifndef VERNIS_RANGE_SET_H
#define VERNIS_RANGE_SET_H

#include "http/fields.h"

#define RANGES_MAX 64u                  /* whatever the caller allows */

struct range_set {
    unsigned n;
    struct byte_range ranges[RANGES_MAX];
};

/* Ranges that overlap or touch become one, those beyond the content are left out. How many there are; 0 = ignore the field (as range_parse,
 * or more than `most` ranges, or a malformed one among several); ERR_LIMIT = none can be satisfied, or the only one is malformed: 416. */
int range_set_parse(struct span value, int64_t total, unsigned most, struct range_set *out);

#endif
