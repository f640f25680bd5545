/* Time is int64 nanoseconds. clock_real_ns() is the wall clock (HTTP dates, ages); clock_mono_ns() drives
 * timers. Code that decides by time takes it as an argument; only loops, main and tests read these clocks. */
#ifndef VERNIS_BASE_CLOCK_H
#define VERNIS_BASE_CLOCK_H

#include <stdint.h>

typedef int64_t nsec;

#define NSEC_PER_SEC ((nsec)1000000000)
#define NSEC_PER_MSEC ((nsec)1000000)
#define NSEC_NEVER INT64_MAX

nsec clock_real_ns(void);
nsec clock_mono_ns(void);
nsec clock_thread_ns(void); /* CPU time of this thread; never stopped; also for signal handlers */
/* Both clocks stand still at these times until the next call, for all threads. mono 0: they run again. Only
 * trials (trial/trial.h), debug.clock and tests call this. */
void clock_stop(nsec real, nsec mono);

static inline nsec
nsec_of(double seconds) /* saturates; NaN gives 0 */
{
    if (!(seconds == seconds))
        return 0;
    if (seconds >= 9.2e9)
        return NSEC_NEVER;
    if (seconds <= -9.2e9)
        return INT64_MIN;
    return (nsec)(seconds * 1e9);
}

static inline double
nsec_seconds(nsec t)
{
    return (double)t / 1e9;
}

static inline nsec
nsec_add(nsec a, nsec b) /* saturates */
{
    nsec r;
    if (__builtin_add_overflow(a, b, &r))
        return b > 0 ? NSEC_NEVER : INT64_MIN;
    return r;
}

#endif
