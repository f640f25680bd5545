/* Default values of the run-time parameters. A parameter that Varnish 7.1 has gets Varnish's default, because
 * operators tuned their systems around it. */
#include "base/params.h"

#include "base/cpus.h"

struct params params = {
#include "param_defaults.h"
};

/* Sets `loops` to the number of CPUs this process may use, not to that of the machine. Runs before main, so
 * that no code reads the parameter before its default is set. daemon/params.c may overwrite it later. */
__attribute__((constructor)) static void
params_loops_default(void)
{
    params.loops = cpus_for_loops(cpus_here());
}
