/* The two clocks, read through the vDSO, or stopped, and the CPU time of a thread. */
#include "base/clock.h"

#include <stdatomic.h>
#include <time.h>

#include "base/check.h"

static _Atomic nsec stopped_real, stopped_mono; /* mono 0: the clocks run */

void
clock_stop(nsec real, nsec mono)
{
    atomic_store_explicit(&stopped_real, real, memory_order_relaxed);
    atomic_store_explicit(&stopped_mono, mono, memory_order_relaxed);
}

static nsec
clock_read(clockid_t id)
{
    struct timespec ts;
    clock_gettime(id, &ts);
    return (nsec)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}

nsec
clock_real_ns(void)
{
    if (atomic_load_explicit(&stopped_mono, memory_order_relaxed) != 0)
        return atomic_load_explicit(&stopped_real, memory_order_relaxed);
    return clock_read(CLOCK_REALTIME);
}

nsec
clock_mono_ns(void)
{
    nsec stopped = atomic_load_explicit(&stopped_mono, memory_order_relaxed);
    return stopped != 0 ? stopped : clock_read(CLOCK_MONOTONIC);
}

nsec
clock_thread_ns(void)
{
    struct timespec ts;
    CHECK(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts) == 0);
    return (nsec)ts.tv_sec * NSEC_PER_SEC + ts.tv_nsec;
}
