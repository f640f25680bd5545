/* Descriptors of the worker: see descriptors.h. Clients must never use up all descriptors: the worker needs
 * some for origin connections and for files that policies open. */
#include "worker/descriptors.h"

#include <limits.h>
#include <sys/resource.h>

#include "base/params.h"
#include "log/report.h"

static unsigned
raise_limit(void)
{
    struct rlimit lim;
    if (getrlimit(RLIMIT_NOFILE, &lim) != 0)
        return UINT_MAX;
    if (lim.rlim_cur < lim.rlim_max) {
        rlim_t before = lim.rlim_cur;
        lim.rlim_cur = lim.rlim_max;
        if (setrlimit(RLIMIT_NOFILE, &lim) != 0)
            lim.rlim_cur = before;
    }
    return lim.rlim_cur > UINT_MAX ? UINT_MAX : (unsigned)lim.rlim_cur;
}

unsigned
descriptors_for_sessions(void)
{
    unsigned limit = raise_limit(), reserved = params.descriptors_reserved;
    if (reserved > limit / DESCRIPTORS_RESERVED_PARTS)
        reserved = limit / DESCRIPTORS_RESERVED_PARTS;
    unsigned room = limit - reserved;
    if (room < params.sessions_max)
        log_line(
            LOG_LEVEL_INFO,
            "at most %u client connections, not sessions_max (%u): the process may have %u descriptors (ulimit -n), "
            "of which %u are kept for origins and files (descriptors_reserved)",
            room, params.sessions_max, limit, reserved);
    return room;
}
