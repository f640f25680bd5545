/* State of a module for one transaction: a struct of the module's own, allocated on first use and freed with
 * the transaction. The client side (over restarts) and each fetch (over retries) are separate transactions. A
 * transaction that starts again, by std.rollback or in another policy, loses this state. */
#ifndef VERNIS_POLICY_TASK_H
#define VERNIS_POLICY_TASK_H

#include <stddef.h>

#include "policy_abi.h"

/* Returns the state, zeroed on first use. `owner` is any address that distinguishes modules and their
 * objects. On failure calls vcl_fail and returns NULL: out of workspace, or no transaction runs (vcl_init,
 * vcl_fini). */
void *task_state(struct policy_ctx *ctx, const void *owner, size_t bytes);
/* The same for a struct that ends with a long array with a count of its used entries: zeroes only the first
 * `head_bytes`. */
void *task_list(struct policy_ctx *ctx, const void *owner, size_t bytes, size_t head_bytes);
/* NULL if not allocated yet; never calls vcl_fail */
void *task_find(const struct policy_ctx *ctx, const void *owner);

#endif
