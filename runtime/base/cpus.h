/* The CPUs that this process may use: those of its affinity mask, which a cpuset sets, and as many at a time
 * as the quotas of its control groups grant; and which of them each loop gets (loop_cpus). */
#ifndef VERNIS_BASE_CPUS_H
#define VERNIS_BASE_CPUS_H

#include <sched.h>
#include <stdbool.h>
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

/* Chooses a CPU for each of n loops: "auto" takes those of the mask in turn, node after node, and a list like
 * that of taskset (0-3,8) its own in turn. Returns why the text is refused, in a static buffer; NULL: it is
 * not. An empty text chooses none. */
const char *cpus_choose(const char *text, unsigned n, unsigned out[]);
const char *cpus_check(const char *text); /* the same without a result */
bool cpus_pin(unsigned cpu); /* this thread, and those that it starts. False: the kernel refuses */
void cpus_unpin(void);       /* back to the mask at the start */

/* ---- their parts ---- */
typedef int cpus_mask_fn(pid_t pid, size_t bytes, cpu_set_t *mask); /* as sched_getaffinity */
const char *cpus_choose_of(cpus_mask_fn *get, const char *root, const char *text, unsigned n, unsigned out[]);
unsigned cpus_allowed(cpus_mask_fn *get);
double cpus_quota(const char *root); /* `root` stands before /proc and /sys: "", or a folder of a test */

#endif
