/* The table of removals: see removal.h. A row is one atomic number, so that writers need no lock: 24 bits of
 * the key's digest, 4 bits of cause and kind, 36 bits of time. */
#include "cache/removal.h"

#include "base/check.h"

#define CHECK_SHIFT 40
#define CAUSE_SHIFT 36
#define CAUSE_MASK 7u
#define MARKER_BIT 8u
#define TIME_UNIT (10 * NSEC_PER_MSEC)
#define TIME_MASK ((UINT64_C(1) << CAUSE_SHIFT) - 1) /* wraps after 21 years */

static uint64_t
time_of(nsec when)
{
    return (uint64_t)(when / TIME_UNIT) & TIME_MASK;
}

/* The bits that choose a shard or a bucket are those of `low`, so `high` is independent of them. */
static atomic_ullong *
row_of(struct removals *t, struct digest key)
{
    return &t->rows[key.high % REMOVALS_MAX];
}

void
removals_add(struct removals *t, struct digest key, enum removal cause, bool marker, nsec when)
{
    DEBUG_CHECK(cause > REMOVAL_SILENT && cause <= REMOVAL_BANNED);
    uint64_t kind = (unsigned)cause | (marker ? MARKER_BIT : 0);
    uint64_t row = key.high >> CHECK_SHIFT << CHECK_SHIFT | kind << CAUSE_SHIFT | time_of(when);
    atomic_store_explicit(row_of(t, key), row, memory_order_relaxed);
}

bool
removals_find(struct removals *t, struct digest key, nsec now, struct removal_note *out)
{
    uint64_t row = atomic_load_explicit(row_of(t, key), memory_order_relaxed);
    unsigned kind = (unsigned)(row >> CAUSE_SHIFT) & (CAUSE_MASK | MARKER_BIT);
    if ((kind & CAUSE_MASK) == REMOVAL_SILENT || row >> CHECK_SHIFT != key.high >> CHECK_SHIFT)
        return false;
    uint64_t ago = (time_of(now) - row) & TIME_MASK;
    bool later = ago > TIME_MASK / 2; /* the request began before the removal */
    *out = (struct removal_note){ (enum removal)(kind & CAUSE_MASK), (kind & MARKER_BIT) != 0,
                                  later ? 0 : (nsec)ago * TIME_UNIT };
    return true;
}
