/* The two clocks, read through the vDSO. */
#include "base/clock.h"

#include <time.h>

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
    return clock_read(CLOCK_REALTIME);
}

nsec
clock_mono_ns(void)
{
    return clock_read(CLOCK_MONOTONIC);
}
