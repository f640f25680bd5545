/* Expiry, memory_limit, the account of memory outside the storages, the shown health: see upkeep.h. */
#include "worker/upkeep.h"

#include <stdio.h>
#include <unistd.h>

#include "worker/worker.h"
#include "base/allocator.h"
#include "base/params.h"
#include "cache/evict/evict.h"
#include "cache/invalidation.h"
#include "cache/store.h"
#include "log/report.h"
#include "loop/fiber.h"
#include "loop/offload.h"
#include "origin/backend.h"
#include "stream/addresses.h"
#include "vmod/throttle.h"

#define FRAGMENTS_FREE \
    (1u << 20)            /* not charged: an empty worker has 0.3 MB, which docs/memory.md \
                           * counts as base */
#define FRAGMENTS_PART 2u /* fragments take at most one half of the storage */
#define FRAGMENTS_STEP 8u /* and grow by at most an eighth of it in one step */
#define ACCOUNT_EVERY (NSEC_PER_SEC / 4)
#define EXPIRE_EVERY (NSEC_PER_SEC / 2)
/* Each kind of work on many objects ends after this time, and its rest waits for AGAIN_AFTER: the clients of
 * loop 0 wait meanwhile. Objects differ in size, so a number of them would not bound the time. */
#define PATIENCE NSEC_PER_MSEC
#define AGAIN_AFTER (NSEC_PER_MSEC * 5)
#define SWEEP_BUDGET 2000u
#define EXPIRE_STEP 32u          /* objects between two looks at the clock */
#define SHRINK_STEP (64u * 1024) /* bytes between two looks at the clock */
/* The allocator needs this long to return freed pages to the kernel; an earlier check would evict too
 * much. */
#define MEMORY_CHECK_EVERY (12 * NSEC_PER_SEC)

struct upkeep {
    struct timer timer;
    struct check_place place; /* names the step that holds the loop */
    const char *step;
    struct worker *worker;
    nsec memory_checked, accounted;
    uint64_t exceeded, left; /* bytes above memory_limit, and those of them still to evict */
    uint64_t evicted;
    uint64_t held[USE_COUNT]; /* bytes charged to the largest storage */
    bool asks_allocator;
};

static struct upkeep upkeep; /* loop 0 */

/* Private resident memory of this process: without the program, and without the log, which vsl_space limits.
 * 0 when /proc is unreadable. */
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

static void
check_memory_limit(struct worker *w, nsec now)
{
    uint64_t limit = params.memory_limit_bytes;
    if (limit == 0 || now < upkeep.memory_checked + MEMORY_CHECK_EVERY)
        return;
    upkeep.memory_checked = now;
    /* Bodies in places are shared memory, but nobody else's. */
    uint64_t resident = resident_bytes() + store_placed_bytes(w->store) + store_kept_bytes(w->store);
    if (resident <= limit)
        return;
    upkeep.exceeded = upkeep.left = resident - limit;
    upkeep.evicted = 0;
}

/* Evicts stored objects when index, stacks, connections, allocator and storages together exceed memory_limit.
 * Returns true if more remains to evict. */
static bool
obey_memory_limit(struct worker *w, nsec now)
{
    nsec until = nsec_add(clock_mono_ns(), PATIENCE);
    uint64_t freed = 1;
    if (upkeep.left == 0)
        check_memory_limit(w, now);
    if (upkeep.left == 0)
        return false;
    while (upkeep.left > 0 && freed > 0 && clock_mono_ns() < until) {
        freed = store_shrink(w->store, upkeep.left < SHRINK_STEP ? upkeep.left : SHRINK_STEP);
        upkeep.evicted += freed;
        upkeep.left -= freed < upkeep.left ? freed : upkeep.left;
    }
    if (upkeep.left > 0 && freed > 0)
        return true;
    upkeep.left = 0;
    upkeep.memory_checked = now;
    log_line(LOG_LEVEL_WARNING,
             "memory_limit is exceeded by %llu bytes: evicted %llu bytes of stored objects",
             (unsigned long long)upkeep.exceeded, (unsigned long long)upkeep.evicted);
    return false;
}

/* Returns true if more objects are due. */
static bool
expire_some(struct worker *w, nsec now)
{
    nsec until = nsec_add(clock_mono_ns(), PATIENCE);
    while (store_expire(w->store, now, EXPIRE_STEP) >= EXPIRE_STEP)
        if (clock_mono_ns() >= until)
            return true;
    return false;
}

static void
hold_now(struct worker *w, enum storage_use use, uint64_t bytes)
{
    store_hold(w->store, use, (int64_t)(bytes - upkeep.held[use]));
    upkeep.held[use] = bytes;
}

/* Fragments depend on the mix of object sizes: when large objects replace small ones, one remaining small
 * object holds a whole page. Evicting these small objects frees the pages again. So charge fragments in
 * steps, and never more than a part of the storage. */
static void
hold_fragments(struct worker *w, uint64_t fragments)
{
    uint64_t all = fragments + store_kept_bytes(w->store), limit = store_largest_bytes(w->store);
    uint64_t now = all > FRAGMENTS_FREE ? all - FRAGMENTS_FREE : 0, held = upkeep.held[USE_FRAGMENTS];
    uint64_t most = limit / FRAGMENTS_PART, step = held + limit / FRAGMENTS_STEP;
    now = now < most ? now : most;
    hold_now(w, USE_FRAGMENTS, now < step ? now : step);
}

static void
read_fragments(void *arg)
{
    DEBUG_CHECK(loop_current() == NULL);
    *(uint64_t *)arg = allocator_fragment_bytes();
}

/* A fiber. The allocator adds up all arenas, of which there are four for each CPU, under their locks: on a
 * thread that serves nobody. */
static void
account_fragments(void *arg)
{
    uint64_t fragments;
    upkeep.asks_allocator = true;
    offload_run(read_fragments, &fragments);
    upkeep.asks_allocator = false;
    hold_fragments(arg, fragments);
}

static void
account(struct worker *w, nsec now)
{
    if (now < upkeep.accounted + ACCOUNT_EVERY)
        return;
    upkeep.accounted = now;
    upkeep.step = "account of memory";
    store_tidy_places(w->store);
    hold_now(w, USE_THROTTLE, throttle_bytes());
    hold_now(w, USE_ADDRESSES, addresses_bytes());
    if (store_largest_bytes(w->store) > 0 && !upkeep.asks_allocator)
        (void)fiber_spawn(w->loops[0], account_fragments, w); /* without a fiber, later */
}

static void
expire(struct timer *t)
{
    struct worker *w = container_of(t, struct upkeep, timer)->worker;
    struct loop *loop = w->loops[0];
    check_here = &upkeep.place;
    account(w, loop_now(loop));
    upkeep.step = "memory above the limits";
    bool more = store_settle(w->store);
    upkeep.step = "health";
    backends_show_health();
    upkeep.step = "memory limit";
    more |= obey_memory_limit(w, loop_now(loop));
    upkeep.step = "sweep";
    more |= store_sweep(w->store, SWEEP_BUDGET, PATIENCE);
    upkeep.step = "expiry";
    more |= expire_some(w, loop_real(loop));
    check_here = NULL;
    timer_set(loop, t, nsec_add(loop_now(loop), more ? AGAIN_AFTER : EXPIRE_EVERY));
}

static void
upkeep_tell(const struct check_place *place, struct check_report *out)
{
    out->task = "upkeep";
    out->step = container_of(place, struct upkeep, place)->step;
}

void
upkeep_start(struct worker *w)
{
    struct loop *loop = w->loops[0];
    upkeep = (struct upkeep){ .timer.fn = expire, .place.tell = upkeep_tell, .worker = w };
    timer_set(loop, &upkeep.timer, nsec_add(loop_now(loop), EXPIRE_EVERY));
}

void
upkeep_stop(struct worker *w)
{
    timer_cancel(w->loops[0], &upkeep.timer);
}
