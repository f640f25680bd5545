/* The token buckets of module vsthrottle, shared by all threads: a table of fixed-size entries, known by a keyed digest of the
 * caller's text, limit, period and block. A text is never kept, so a client cannot make an entry larger, and a client that
 * does not know the secret of this process cannot make two texts share a bucket. Its size is limited (params.vsthrottle_memory);
 * entries that have filled up again say nothing and are swept by time. Private to this room, but for throttle_bytes, which the worker
 * charges to a storage. */
#ifndef VERNIS_VMOD_THROTTLE_H
#define VERNIS_VMOD_THROTTLE_H

#include "base/clock.h"
#include "base/span.h"

#define THROTTLE_BUCKET_BYTES 64u       /* of memory for one bucket, with what malloc adds */

struct throttle_terms {                 /* limit > 0, period > 0, block >= 0 */
    struct span key;
    int64_t limit;
    double period, block;
    nsec now;                           /* monotonic */
};

bool throttle_take(const struct throttle_terms *t);             /* false: there was no token, or a block goes on */
void throttle_give_back(const struct throttle_terms *t);
int64_t throttle_left(const struct throttle_terms *t);
nsec throttle_blocked(const struct throttle_terms *t);          /* for so long from now */
void throttle_forget(const struct throttle_terms *t);

size_t throttle_bytes(void);            /* memory of the table now; any thread */
/* Looks at the next `most` buckets, at least, and drops those that have filled up. True when buckets are left. */
bool throttle_sweep(nsec now, unsigned most);

#endif
