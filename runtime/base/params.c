/* First values of the run-time parameters. The defaults are those of Varnish 7.1 where it has the parameter, since operators tuned
 * around them. */
#include "base/params.h"

#include <sched.h>

struct params params = {
#include "param_defaults.h"
};

/* As many loops as CPUs this process may use (a container's cpuset counts, not the machine). Runs before main, so that the
 * default is in place whoever reads it first; worker/params.c may overwrite it afterwards. */
__attribute__((constructor)) static void
params_loops_default(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        params.loops = (uint32_t)CPU_COUNT(&set);
}
