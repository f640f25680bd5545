/* The clock of tests: `debug.clock` stops the clocks of this process and moves them, so that a test of a day
 * takes no time. It needs the switch test_clock of the parameter debug, so a daemon that serves keeps its
 * clock. */
#include <math.h>
#include <stdlib.h>

#include "worker/worker.h"
#include "daemon/params.h"
#include "daemon/status.h"
#include "base/clock.h"

#define CLOCK_MAX_S 1e10 /* of a time or a move: beyond all dates */

static void
nothing(struct loop *loop, void *arg)
{
}

/* A loop reads the clocks when a round begins, and runs due timers and fibers after its mailbox. So the first
 * visit is of a round with the new time, and the second comes after its timers. */
static void
run_due(struct worker *w)
{
    worker_on_loops(w, nothing, NULL);
    worker_on_loops(w, nothing, NULL);
}

/* debug.clock SECONDS: stops the clocks, at that time since the epoch. debug.clock +SECONDS: moves them. */
int
worker_test_clock(struct worker *w, unsigned argc, char *const argv[], struct text *out)
{
    if (!param_bit("debug", "test_clock")) {
        text_str(out, "The clock can be moved only in tests: param.set debug +test_clock");
        return CLI_CANT;
    }
    char *end;
    double seconds = strtod(argv[1], &end);
    if (end == argv[1] || *end != '\0' || !isfinite(seconds) || seconds < 0 || seconds > CLOCK_MAX_S) {
        text_printf(out, "Not a number of seconds: %s", argv[1]);
        return CLI_PARAM;
    }
    bool moves = argv[1][0] == '+';
    nsec real = moves ? clock_real_ns() + nsec_of(seconds) : nsec_of(seconds);
    clock_stop(real, clock_mono_ns() + (moves ? nsec_of(seconds) : 0));
    run_due(w);
    text_printf(out, "%.6f", nsec_seconds(real));
    return CLI_OK;
}
