/* Counters as Prometheus metrics: the text, and GET /metrics of the manager on the address of the parameter
 * `metrics_listen`.
 *
 * metrics_text() reads shared memory, as every other reader. The manager keeps the text for a moment, so that
 * many clients cause little work. The worker is not involved. web.h has the limits of connections. Names:
 * docs/tools.md; compiler/observe/metrics.py prints the same text. */
#ifndef VERNIS_MANAGER_METRICS_H
#define VERNIS_MANAGER_METRICS_H

#include "base/text.h"

struct events;
struct listens;
struct shared;
struct metrics;

/* Leaves *out NULL if the parameter is empty. Protects the parameter from changes. ERR_SYS or ERR_SYNTAX with
 * a line in `why`. */
int metrics_open(struct events *ev, const struct shared *shared, struct metrics **out, struct text *why);
const struct listens *metrics_listens(const struct metrics *mt); /* NULL when not open */
void metrics_close(struct metrics **mt);                         /* harmless when not open */
/* Prints the counters of the sets in these folders in text format 0.0.4. A missing set adds nothing. */
void metrics_text(const char *const *folders, unsigned n, struct text *out);

#endif
