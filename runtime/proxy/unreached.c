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
reason_of(struct backend *be, int err, struct counters *n)
{
    DEBUG_CHECK(err < 0);
    if (err == ERR_BUSY) {
        n->backend_busy++;
        return "busy";
    }
    if (err == ERR_SICK) {
        n->backend_unhealthy++;
        return backend_is_ejected(be) ? "ejected" : "unhealthy";
    }
    n->backend_fail++;
    return NULL;
}

const char *
open_failed(struct backend *be, int err, int number, struct arena *a, struct log_txn *log, struct counters *n)
{
    const char *why = reason_of(be, err, n);
    struct span name = backend_name(be), text;
    if (why != NULL)
        text = arena_printf(a, "backend %.*s: %s", (int)name.len, name.ptr, why);
    else
        text = arena_printf(a, "backend %.*s: fail errno %d (%s)", (int)name.len, name.ptr, number,
                            strerror(number));
    if (text.ptr == NULL)
        text = SPAN_LIT("connecting to the backend failed");
    log_text(log, TAG_FETCH_ERROR, text);
    return text.ptr;
}
