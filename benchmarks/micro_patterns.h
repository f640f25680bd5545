/* RE2::Set for C (micro_patterns_re2.cc). */
#ifndef VERNIS_BENCHMARKS_MICRO_PATTERNS_H
#define VERNIS_BENCHMARKS_MICRO_PATTERNS_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

void *re2_set_new(void);
void re2_set_add(void *set, const char *pattern);
bool re2_set_compile(void *set);
unsigned re2_set_match(void *set, const char *text, size_t len);
void re2_set_drop(void *set);

#ifdef __cplusplus
}
#endif

#endif
