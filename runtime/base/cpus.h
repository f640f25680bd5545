/* How many CPUs this process may use: those of its affinity mask, which a cpuset sets, and as many at a time
 * as the quotas of its control groups grant. */
#ifndef VERNIS_BASE_CPUS_H
#define VERNIS_BASE_CPUS_H

#include <sched.h>
#include <stddef.h>
#include <sys/types.h>

#define LOOPS_MAX 256u /* also the limit of the parameter `loops` */

struct cpus {
    unsigned allowed; /* 0: unknown */
    double quota;     /* seconds of CPU time in a second; 0: no limit */
};

const struct cpus *cpus_here(void); /* as at the start of this process */
/* Loops that may run at the same time, at least 1: a part of a CPU counts as one. */
unsigned cpus_for_loops(const struct cpus *cpus);

/* ---- parts of cpus_here ---- */
typedef int cpus_mask_fn(pid_t pid, size_t bytes, cpu_set_t *mask); /* as sched_getaffinity */
unsigned cpus_allowed(cpus_mask_fn *get);
double cpus_quota(const char *root); /* `root` stands before /proc and /sys: "", or a folder of a test */

#endif
