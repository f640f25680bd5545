/* Counters as Prometheus metrics: the text, and GET /metrics of the manager on the address of the parameter `metrics_listen`.
 *
 * The text is made from shared memory, as any other reader makes it, and is kept for a moment, so that no number of clients makes
 * much work. Connections are few, bounded in size, answered once and ended after METRICS_CONNECTION_S whatever they do; the
 * worker knows nothing of them. Names: docs/tools.md; compiler/observe/metrics.py makes the same. */
#ifndef VERNIS_MANAGER_METRICS_H
#define VERNIS_MANAGER_METRICS_H

#include "worker/text.h"

#define METRICS_CONNECTIONS_MAX 32u
#define METRICS_CONNECTION_S 5
#define METRICS_REQUEST_BYTES_MAX (16u << 10)       /* memory of a connection: its request and the head of the answer */

struct events;
struct listens;
struct shared;
struct metrics;

/* Leaves NULL when the parameter is empty, which from now on is protected. ERR_SYS or ERR_SYNTAX with a line in `why`. */
int metrics_open(struct events *ev, const struct shared *shared, struct metrics **out, struct text *why);
const struct listens *metrics_listens(const struct metrics *mt);     /* NULL when not open */
void metrics_close(struct metrics **mt);            /* harmless when not open */
/* The counters of the sets in these folders (one that is not there adds nothing), text format 0.0.4. */
void metrics_text(const char *const *folders, unsigned n, struct text *out);

#endif
