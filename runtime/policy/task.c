/* State of modules in a transaction: a linked list, because few modules have any. See task.h. */
#include "policy/task.h"

#include <string.h>

#include "base/check.h"
#include "policy/exports.h"

struct task_state {
    struct task_state *next;
    const void *owner;
    _Alignas(16) char bytes[];
};

/* A fetch may outlive its request, so backend hooks must not store state in ctx->client. */
static struct task_state **
states_of(const struct policy_ctx *ctx)
{
    if (in_hooks(ctx, HOOKS_BACKEND))
        return ctx->fetch != NULL ? &ctx->fetch->tasks : NULL;
    return ctx->client != NULL ? &ctx->client->tasks : NULL;
}

void *
task_find(const struct policy_ctx *ctx, const void *owner)
{
    struct task_state **states = states_of(ctx);
    for (struct task_state *t = states == NULL ? NULL : *states; t != NULL; t = t->next)
        if (t->owner == owner)
            return t->bytes;
    return NULL;
}

void *
task_list(struct policy_ctx *ctx, const void *owner, size_t bytes, size_t head_bytes)
{
    CHECK(owner != NULL && head_bytes <= bytes);
    struct task_state **at = states_of(ctx);
    if (at == NULL) {
        vcl_fail(ctx, "this module function works only in a transaction, not in vcl_init or vcl_fini");
        return NULL;
    }
    for (; *at != NULL; at = &(*at)->next)
        if ((*at)->owner == owner)
            return (*at)->bytes;
    struct task_state *t = vcl_alloc(ctx, sizeof *t + bytes);
    if (t == NULL)
        return NULL;
    memset(t->bytes, 0, head_bytes);
    t->next = NULL;
    t->owner = owner;
    *at = t;
    return t->bytes;
}

void *
task_state(struct policy_ctx *ctx, const void *owner, size_t bytes)
{
    return task_list(ctx, owner, bytes, bytes);
}
