/* Bans added by policies. */
#include "cache/ban.h"
#include "cache/invalidation.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

struct drafting {
    struct span text;
    struct ban_draft *draft;
    int result;
    char why[BAN_ERROR_BYTES];
};

static void
draft(void *arg)
{
    struct drafting *d = arg;
    d->result = ban_draft_parse(d->text, &d->draft, d->why);
}

static bool
report(struct policy_ctx *ctx, const char *why, const char **error)
{
    log_printf(log_of(ctx), TAG_VCL_ERROR, "ban(): %s", why);
    *error = vcl_printf(ctx, "%s", why).ptr;
    return false;
}

/* A faulty expression does not fail the transaction; the log has the error. */
bool
ban_by_text(struct policy_ctx *ctx, struct span text, const char **error, bool *refused)
{
    struct drafting d = { .text = text, .result = ERR_NOMEM, .why = "no memory" };
    (void)fiber_call_deep(draft, &d); /* deep stack: a client may have supplied the text, with patterns */
    *refused = false;
    if (d.result != 0)
        return report(ctx, d.why, error);
    if (vcl_withheld(ctx, "ban", text)) {
        ban_draft_release(&d.draft);
        return true;
    }
    if (store_is_retired(ctx->policy->env.store)) {
        ban_draft_release(&d.draft);
        *refused = true;
        return report(ctx, STORE_RETIRED_TEXT, error);
    }
    if (in_hooks(ctx, HOOKS_BACKEND) && ctx->fetch != NULL)
        ban_draft_by(d.draft, ctx->fetch->xid, ctx->fetch->born);
    uint64_t position;
    *refused = store_ban(ctx->policy->env.store, &d.draft, clock_real_ns(), &position, d.why) != 0;
    return *refused ? report(ctx, d.why, error) : true;
}

void
vcl_ban(struct policy_ctx *ctx, struct span text)
{
    const char *error = NULL;
    bool refused;
    (void)ban_by_text(ctx, text, &error, &refused);
    if (refused) /* ban() returns nothing that a policy could test */
        vcl_fail(ctx, error == NULL ? "ban() was refused" : error);
}
