/* The last 24 hours of the main figures, in a file of the work directory that survives restarts.
 *
 * The file is a ring of records, one for each HISTORY_STEP_S of wall clock; the time decides the place, so
 * that a pause leaves a gap. Each record has a checksum. A damaged file is replaced by an empty one. */
#ifndef VERNIS_MANAGER_DASHBOARD_HISTORY_H
#define VERNIS_MANAGER_DASHBOARD_HISTORY_H

#include "base/clock.h"
#include "base/text.h"

#define HISTORY_STEP_S 5
#define HISTORY_RECORDS (24 * 3600 / HISTORY_STEP_S)
#define HISTORY_POINTS_MAX 360 /* of an answer; longer times get averages */
#define HISTORY_FILE "_.dashboard_history"

enum history_value { /* the order is part of the file's format: a new value goes to the end */
                     HISTORY_REQUESTS, /* a second, as all rates */
                     HISTORY_HITS,
                     HISTORY_MISSES,
                     HISTORY_PASSES,
                     HISTORY_2XX,
                     HISTORY_3XX,
                     HISTORY_4XX,
                     HISTORY_5XX,
                     HISTORY_FETCHES,
                     HISTORY_BYTES,      /* to clients */
                     HISTORY_ORIGIN_P50, /* seconds to the first byte of the origin's response */
                     HISTORY_ORIGIN_P95,
                     HISTORY_USED_BYTES, /* of the storages */
                     HISTORY_OBJECTS,
                     HISTORY_VALUES
};

extern const char *const history_names[HISTORY_VALUES]; /* in JSON */

struct history;

/* `folder` is the work directory. Never fails: a file that cannot be used gets a warning, and the history
 * then lasts as long as the daemon. */
struct history *history_open(const char *folder);
void history_close(struct history **h); /* harmless when not open */
/* Enters the record of the step that ends at this wall clock. NAN: unknown. */
void history_add(struct history *h, nsec real, const float values[HISTORY_VALUES]);
/* Appends a JSON object with the last `seconds` before `real`: the time of the first point, the seconds
 * between points, and a list for each name; null where nothing is known. */
void history_json(const struct history *h, nsec real, unsigned seconds, struct text *out);

#endif
