/* Parts of a request target as a policy sees and changes them: path, extension, query. A target ends in no
 * fragment, so the first "?" begins the query. Nothing is decoded (http/pairs.h). An unset target has no
 * parts. */
#ifndef VERNIS_HTTP_TARGET_H
#define VERNIS_HTTP_TARGET_H

#include "base/mem.h"

struct span target_path(struct span target);
/* The text behind the last dot of the last segment of the path; SPAN_NULL: that segment has no dot. */
struct span target_extension(struct span target);
/* The value of the first parameter of that name; SPAN_NULL: there is none. */
struct span target_parameter(struct span target, struct span name);
/* Does a parameter's name match one of the patterns (http/pairs.h)? */
bool target_has(struct span target, struct span patterns);
/* These give the target itself if nothing changes. A query of which nothing is left loses its "?". SPAN_NULL:
 * the arena is full. */
struct span target_select(struct span target, struct span patterns, bool keep, struct arena *a);
struct span target_sort(struct span target, struct arena *a);

#endif
