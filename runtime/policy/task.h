/* What a module remembers for one transaction: a struct of its own, made on first use, that goes with the transaction. The client
 * side (over restarts) and each fetch (over retries) are transactions of their own. One that begins anew, by std.rollback or in
 * another policy, has forgotten everything. */
#ifndef VERNIS_TASK_H
#define VERNIS_TASK_H

#include <stddef.h>

#include "policy_abi.h"

/* Zeroed on first use. `owner` is any address that tells modules and their objects apart. NULL after a failure was noted: out of
 * workspace, or no transaction runs (vcl_init, vcl_fini). */
void *task_state(struct policy_ctx *ctx, const void *owner, size_t bytes);
/* The same for a struct that ends with a long array of which it counts what is in use: only the first `head_bytes` are zeroed. */
void *task_list(struct policy_ctx *ctx, const void *owner, size_t bytes, size_t head_bytes);
void *task_find(const struct policy_ctx *ctx, const void *owner);      /* NULL when there is none yet; notes no failure */

#endif
