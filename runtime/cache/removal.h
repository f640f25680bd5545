/* Remembers why stored responses left the index, so that the log can name the reason of a later miss. A table
 * of fixed size keeps the last removal of a key; another key may overwrite it. Any thread, no lock. */
#ifndef VERNIS_CACHE_REMOVAL_H
#define VERNIS_CACHE_REMOVAL_H

#include <stdatomic.h>
#include <stdbool.h>

#include "base/clock.h"
#include "cache/digest.h"

#define REMOVALS_MAX 65536u /* remembered removals; 512 KB of address space, used as they come */

/* REMOVAL_SILENT: replaced, withdrawn or unusable; not remembered. */
enum removal { REMOVAL_SILENT, REMOVAL_EXPIRED, REMOVAL_EVICTED, REMOVAL_PURGED, REMOVAL_BANNED };

struct removal_note {
    enum removal cause;
    bool marker; /* a marker left, not a response */
    nsec ago;    /* for REMOVAL_EXPIRED since the end of its ttl, otherwise since the removal */
};

struct removals {
    atomic_ullong rows[REMOVALS_MAX];
};

/* `when`: wall clock, see removal_note.ago. */
void removals_add(struct removals *t, struct digest key, enum removal cause, bool marker, nsec when);
/* False: nothing is remembered of this key. Another key is taken for this one once in 16 million look-ups. */
bool removals_find(struct removals *t, struct digest key, nsec now, struct removal_note *out);

#endif
