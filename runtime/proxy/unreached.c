#include "proxy/unreached.h"

#include <string.h>

#include "base/check.h"

struct backend *
resolve_backend(struct director *d, struct policy_ctx *ctx, struct log_txn *log, struct counters *n)
{
    struct backend *be = director_resolve(d, ctx);
    if (be != NULL && (be != director_backend(d) || backend_is_real(be)))
        return be;
    n->backend_unhealthy++;
    if (director_backend(d) != NULL)
        log_text(log, TAG_FETCH_ERROR, SPAN_LIT("No backend"));
    else
        log_printf(log, TAG_FETCH_ERROR, "Director %.*s returned no backend", (int)d->name.len, d->name.ptr);
    return NULL;
}

static const char *
refused(const struct backend *be, const char *why, struct log_txn *log)
{
    struct span name = backend_name(be);
    log_printf(log, TAG_FETCH_ERROR, "backend %.*s: %s", (int)name.len, name.ptr, why);
    return why;
}

const char *
open_failed(struct backend *be, int err, int number, struct log_txn *log, struct counters *n)
{
    DEBUG_CHECK(err < 0);
    if (err == ERR_BUSY) {
        n->backend_busy++;
        return refused(be, "busy", log);
    }
    if (err == ERR_SICK) {
        n->backend_unhealthy++;
        return refused(be, backend_is_ejected(be) ? "ejected" : "unhealthy", log);
    }
    struct span name = backend_name(be);
    n->backend_fail++;
    log_printf(log, TAG_FETCH_ERROR, "backend %.*s: fail errno %d (%s)", (int)name.len, name.ptr, number,
               strerror(number));
    return "connecting to the backend failed";
}
