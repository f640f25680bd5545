/* Origins that cannot be reached: records and counters, the same for fetches and pipes. */
#ifndef VERNIS_PROXY_UNREACHED_H
#define VERNIS_PROXY_UNREACHED_H

#include "base/mem.h"
#include "log/counters.h"
#include "log/txn.h"
#include "origin/backend.h"

/* The backend for a request. NULL: there is none, which is logged and counted. */
struct backend *resolve_backend(struct director *d, struct policy_ctx *ctx, struct log_txn *log,
                                struct counters *n);
/* Logs and counts why an exchange with `be` could not be opened. `number` is the errno. Returns the text of
 * the log, in the arena. */
const char *open_failed(struct backend *be, int err, int number, struct arena *a, struct log_txn *log,
                        struct counters *n);

#endif
