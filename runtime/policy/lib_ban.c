/* Bans by policies: ban(), std.ban() and std.ban_error(). */
#include "cache/ban.h"
#include "loop/fiber.h"
#include "policy/exports.h"
#include "policy/state.h"

/* Of this transaction; NULL outside of any. */
static struct span *
last_error(struct policy_ctx *ctx)
{
    if (ctx->hook >= HOOK_BACKEND_FETCH)
        return ctx->fetch == NULL ? NULL : &ctx->fetch->ban_error;
    return ctx->client == NULL ? NULL : &ctx->client->ban_error;
}

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

/* Nothing about a ban fails a transaction: what is wrong with it is in the log. */
static bool
ban(struct policy_ctx *ctx, struct span text, const char **error)
{
    struct drafting d = { .text = text, .result = ERR_NOMEM, .why = "no memory" };
    (void)fiber_call_deep(draft, &d);   /* the text may be a client's, and may hold patterns */
    if (d.result != 0) {
        log_printf(log_of(ctx), TAG_VCL_ERROR, "ban(): %s", d.why);
        *error = vcl_printf(ctx, "%s", d.why).ptr;
        return false;
    }
    store_ban(ctx->policy->env.store, &d.draft, clock_real_ns());
    return true;
}

static void
vcl_ban(struct policy_ctx *ctx, struct span text)
{
    const char *error = NULL;
    (void)ban(ctx, text, &error);
}

static int32_t
vcl_std_ban(struct policy_ctx *ctx, struct span text)
{
    const char *error = "";
    struct span *last = last_error(ctx);
    bool done = ban(ctx, text, &error);
    if (last != NULL)
        *last = error == NULL ? SPAN_LIT("Workspace overflow") : span_str(error);
    return done;
}

static struct span
vcl_std_ban_error(struct policy_ctx *ctx)
{
    const struct span *last = last_error(ctx);
    return last == NULL || last->ptr == NULL ? SPAN_LIT("") : *last;
}

static const struct policy_export rows[] = {
    { "ban", "VOID(STRING)", (export_fn *)vcl_ban },
    { "std_ban", "BOOL(STRING)", (export_fn *)vcl_std_ban },
    { "std_ban_error", "STRING()", (export_fn *)vcl_std_ban_error },
};
const struct export_table exports_ban = EXPORT_TABLE(rows);
