/* SUB values, and the limit on the work of nested calls. The image lists the SUB values and the hooks where
 * each may be called. The context tracks the subs that run in the current hook. A SUB value may call itself
 * indirectly, which the compiler cannot see, so vcl_sub_enter refuses recursion. */
#include "base/check.h"
#include "policy/exports.h"
#include "policy/lib.h"

#define WORD_BITS 64u

/* NULL: unset, or out of range. */
static const struct image_sub *
sub_at(const struct policy_ctx *ctx, int32_t sub)
{
    const struct policy_image *im = policy_image(ctx->policy);
    return sub < 1 || (uint32_t)sub > im->n_subs ? NULL : &im->subs[sub - 1];
}

static uint64_t
bit_of(int32_t sub)
{
    return UINT64_C(1) << (uint32_t)(sub - 1) % WORD_BITS;
}

enum sub_call
sub_may_be_called(const struct policy_ctx *ctx, int32_t sub, struct span *name)
{
    const struct image_sub *s = sub_at(ctx, sub);
    *name = s == NULL ? SPAN_NULL : s->name;
    if (s == NULL)
        return SUB_NONE;
    if ((s->hooks >> ctx->hook & 1) == 0)
        return SUB_NOT_HERE;
    bool runs = ctx->subs_running != NULL &&
                (ctx->subs_running[(uint32_t)(sub - 1) / WORD_BITS] & bit_of(sub)) != 0;
    return runs ? SUB_RUNS : SUB_CALLABLE;
}

void
vcl_sub_enter(struct policy_ctx *ctx, int32_t sub)
{
    struct span name;
    enum sub_call may = sub_may_be_called(ctx, sub, &name);
    if (may == SUB_NONE) {
        vcl_fail(ctx, "call of a sub that is none");
    } else if (may == SUB_NOT_HERE) {
        vcl_fail_printf(ctx, "call to \"sub %.*s{}\" not allowed from here", (int)name.len, name.ptr);
    } else if (may == SUB_RUNS) {
        vcl_fail_printf(ctx, "Recursive call to \"sub %.*s{}\"", (int)name.len, name.ptr);
    } else if (ctx->subs_running == NULL) {
        size_t n = (policy_image(ctx->policy)->n_subs + WORD_BITS - 1) / WORD_BITS *
                   sizeof *ctx->subs_running;
        ctx->subs_running = vcl_alloc(ctx, n);
        if (ctx->subs_running != NULL)
            memset(ctx->subs_running, 0, n);
    }
    if (!ctx->failed && ctx->subs_running != NULL)
        ctx->subs_running[(uint32_t)(sub - 1) / WORD_BITS] |= bit_of(sub);
}

void
vcl_sub_leave(struct policy_ctx *ctx, int32_t sub)
{
    CHECK(ctx->subs_running != NULL);
    ctx->subs_running[(uint32_t)(sub - 1) / WORD_BITS] &= ~bit_of(sub);
}

/* ---- work ---------------------------------------------------------------------------------------------- */

/* Used where the compiler cannot prove that a hook ends soon: compiler/ir/budget.py. */
void
vcl_work_begin(struct policy_ctx *ctx, int64_t budget)
{
    ctx->work_left = budget;
}

void
vcl_work(struct policy_ctx *ctx, int64_t amount, struct span sub)
{
    ctx->work_left -= amount;
    if (ctx->work_left < 0)
        vcl_fail_printf(ctx, "sub %.*s: the calls of this hook are more work than a request may make",
                        (int)sub.len, sub.ptr);
}
