/* Verification of the responses that a client of the soak receives. */
#ifndef VERNIS_BENCHMARKS_SOAK_CHECK_H
#define VERNIS_BENCHMARKS_SOAK_CHECK_H

#include "model.h"

#define FAILED_PART "{FAIL}" /* from the policy, in place of a part that cannot be fetched */
#define WHY_BYTES 300u

enum outcome { RIGHT, CUT, FAILED, WRONG, OUTCOMES };

struct asked {
    uint32_t number;
    unsigned variant; /* from X-Var of the request */
    uint32_t sent_at;
    bool takes_gzip, has_validator, calm;
    uint32_t validator; /* the version in If-None-Match */
};

struct received {
    int status;
    bool complete, is_gzip, is_range;
    uint64_t range_first, range_last, range_total;
    uint32_t number, version; /* from ETag */
    unsigned variant;
    char *body;
    size_t n;
};

struct verdict {
    enum outcome outcome;
    unsigned failed_parts, cut_parts; /* parts of pages */
    char why[WHY_BYTES];
};

/* The oldest version that a request sent at this time may get. */
uint32_t oldest_allowed(uint32_t number, uint32_t sent_at);
void check_answer(const struct asked *a, struct received *r, struct verdict *v);

#endif
