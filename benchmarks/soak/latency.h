/* How long responses took: the slowest, and percentiles. */
#ifndef VERNIS_BENCHMARKS_SOAK_LATENCY_H
#define VERNIS_BENCHMARKS_SOAK_LATENCY_H

#include <stdint.h>

void latency_note(uint64_t microseconds); /* any thread */
double latency_worst_ms(void);
/* So long did this share of the responses take at most, to within 6 %. */
double latency_of_share_ms(double share);

#endif
