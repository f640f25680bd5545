/* The main figures of the worker: the counters that the dashboard shows, read from shared memory. */
#ifndef VERNIS_MANAGER_DASHBOARD_FIGURES_H
#define VERNIS_MANAGER_DASHBOARD_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

#define FIGURE_STORAGES_MAX 32u
#define FIGURE_BACKENDS_MAX 128u
#define FIGURE_NAME_BYTES 160u

enum figure {
    FIGURE_UPTIME,
    FIGURE_REQUESTS,
    FIGURE_HITS,
    FIGURE_GRACE_HITS,
    FIGURE_MISSES,
    FIGURE_HIT_FOR_MISS,
    FIGURE_HIT_FOR_PASS,
    FIGURE_PASSES,
    FIGURE_2XX,
    FIGURE_3XX,
    FIGURE_4XX,
    FIGURE_5XX,
    FIGURE_FETCHES,
    FIGURE_FETCHES_FAILED,
    FIGURE_HEAD_BYTES,
    FIGURE_BODY_BYTES,
    FIGURE_EVICTED,
    FIGURE_OBJECTS,
    FIGURE_SESSIONS,
    FIGURE_REQUESTS_NOW,
    FIGURE_FETCHES_NOW,
    FIGURES
};

struct figure_storage {
    char name[FIGURE_NAME_BYTES];
    uint64_t used_bytes;
};

struct figure_backend {
    char name[FIGURE_NAME_BYTES]; /* policy.backend */
    uint64_t requests, connections, failures;
};

struct figures {
    bool known; /* a worker's counters were read */
    uint64_t n[FIGURES];
    struct figure_storage storages[FIGURE_STORAGES_MAX];
    struct figure_backend backends[FIGURE_BACKENDS_MAX];
    unsigned n_storages, n_backends;
};

extern const char *const figure_names[FIGURES]; /* in JSON */

/* `folder` is the worker's set of counters. */
void figures_read(const char *folder, struct figures *out);
uint64_t figures_used_bytes(const struct figures *f);
/* The growth of a counter, 0 after a new worker began to count. */
uint64_t figures_growth(const struct figures *before, const struct figures *now, enum figure which);

#endif
