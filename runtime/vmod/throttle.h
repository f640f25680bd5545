/* The token buckets of module vsthrottle, shared by all threads: a table of fixed-size entries, keyed by a
 * keyed digest of the caller's text, limit, period and block. The table does not store the text, so a client
 * cannot enlarge an entry. The digest's secret prevents a client from making two texts share a bucket.
 * params.vsthrottle_memory limits the table's size. A full bucket carries no information, so a timed sweep
 * drops it. Private to this room, except throttle_bytes, which the worker charges to a storage. */
#ifndef VERNIS_VMOD_THROTTLE_H
#define VERNIS_VMOD_THROTTLE_H

#include "base/clock.h"
#include "base/span.h"

#define THROTTLE_BUCKET_BYTES 64u /* memory per bucket, including malloc's overhead */

struct throttle_terms { /* limit > 0, period > 0, block >= 0 */
    struct span key;
    int64_t limit;
    double period, block;
    nsec now; /* monotonic */
};

bool throttle_take(const struct throttle_terms *t); /* false: no token left, or the key is blocked */
void throttle_give_back(const struct throttle_terms *t);
int64_t throttle_left(const struct throttle_terms *t);
nsec throttle_blocked(const struct throttle_terms *t); /* remaining block time */
void throttle_forget(const struct throttle_terms *t);
void throttle_forget_all(void); /* no loop runs */

size_t throttle_bytes(void); /* current memory of the table; any thread */
/* Checks at least the next `most` buckets and drops full ones. True: buckets remain in the table. */
bool throttle_sweep(nsec now, unsigned most);

#endif
