/* Expiry, memory that nobody else accounts for, and memory_limit: see upkeep.h. */
#include "worker/upkeep.h"

#include <stdio.h>
#include <unistd.h>

#include "worker/worker.h"
#include "base/allocator.h"
#include "base/params.h"
#include "cache/store.h"
#include "log/report.h"
#include "stream/addresses.h"
#include "vmod/throttle.h"

#define FRAGMENTS_FREE (1u << 20)       /* an empty worker has 0.3 MB; docs/memory.md counts this in the base */
#define FRAGMENTS_PART 2u               /* of the storage, at most */
#define FRAGMENTS_STEP 8u               /* in one step */
#define ACCOUNT_EVERY (NSEC_PER_SEC / 4)
#define EXPIRE_EVERY (NSEC_PER_SEC / 2)
#define EXPIRE_BUDGET 2000u             /* objects dropped in one go: about a millisecond */
#define EXPIRE_AGAIN (NSEC_PER_MSEC * 5)
/* Between two looks at memory_limit: the allocator needs that long to give back what was freed. */
#define MEMORY_CHECK_EVERY (12 * NSEC_PER_SEC)

struct expiry {
    struct timer timer;
    struct worker *worker;
    nsec memory_checked, accounted;
    uint64_t held[USE_COUNT];           /* on the account of the largest storage */
};

static struct expiry expiry;            /* loop 0 */

/* Resident memory of this process that is its alone: not the program, nor the log, whose size is another parameter. 0 when the
 * system does not tell. */
static uint64_t
resident_bytes(void)
{
    unsigned long all, resident, shared;
    FILE *f = fopen("/proc/self/statm", "re");
    int n = f == NULL ? 0 : fscanf(f, "%lu %lu %lu", &all, &resident, &shared);
    if (f != NULL)
        fclose(f);
    return n == 3 ? (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE) : 0;
}

/* Evicts stored objects for the memory that index, stacks, connections and the allocator take beyond the storages' limits. */
static void
obey_memory_limit(struct worker *w, nsec now)
{
    uint64_t limit = params.memory_limit_bytes;
    if (limit == 0 || now < expiry.memory_checked + MEMORY_CHECK_EVERY)
        return;
    expiry.memory_checked = now;
    uint64_t resident = resident_bytes();
    if (resident <= limit)
        return;
    uint64_t freed = store_shrink(w->store, resident - limit);
    log_line(LOG_LEVEL_WARNING, "memory_limit is exceeded by %llu bytes: stored objects of %llu bytes were dropped",
             (unsigned long long)(resident - limit), (unsigned long long)freed);
}

static void
hold_now(struct worker *w, enum storage_use use, uint64_t bytes)
{
    store_hold(w->store, use, (int64_t)(bytes - expiry.held[use]));
    expiry.held[use] = bytes;
}

/* Fragments come and go with the mix of sizes: where small objects make room for large ones, a page stays for the last small one
 * in it. Evicting the rest of them makes the pages whole again, so fragments count in steps, and never for more than a part. */
static void
hold_fragments(struct worker *w, uint64_t limit)
{
    uint64_t all = allocator_fragment_bytes(), now = all > FRAGMENTS_FREE ? all - FRAGMENTS_FREE : 0, held = expiry.held[USE_FRAGMENTS];
    uint64_t most = limit / FRAGMENTS_PART, step = held + limit / FRAGMENTS_STEP;
    now = now < most ? now : most;
    hold_now(w, USE_FRAGMENTS, now < step ? now : step);
}

static void
account(struct worker *w, nsec now)
{
    if (now < expiry.accounted + ACCOUNT_EVERY)
        return;
    expiry.accounted = now;
    uint64_t limit = store_house_bytes(w->store);
    allocator_tidy();
    hold_now(w, USE_THROTTLE, throttle_bytes());
    hold_now(w, USE_ADDRESSES, addresses_bytes());
    if (limit > 0)
        hold_fragments(w, limit);
    store_settle(w->store);
}

static void
expire(struct timer *t)
{
    struct worker *w = container_of(t, struct expiry, timer)->worker;
    struct loop *loop = w->loops[0];
    account(w, loop_now(loop));
    obey_memory_limit(w, loop_now(loop));
    bool more = store_expire(w->store, loop_real(loop), EXPIRE_BUDGET) >= EXPIRE_BUDGET;
    timer_set(loop, t, nsec_add(loop_now(loop), more ? EXPIRE_AGAIN : EXPIRE_EVERY));
}

void
upkeep_start(struct worker *w)
{
    struct loop *loop = w->loops[0];
    expiry = (struct expiry){ .timer.fn = expire, .worker = w };
    timer_set(loop, &expiry.timer, nsec_add(loop_now(loop), EXPIRE_EVERY));
}

void
upkeep_stop(struct worker *w)
{
    timer_cancel(w->loops[0], &expiry.timer);
}
