/* Module xkey: purges by surrogate key. Origins send the keys in the response fields xkey and X-HashTwo. The
 * cache keeps the index (cache/purge/surrogate.c), also when no policy imports this module. */
#include "cache/invalidation.h"
#include "exports_vmod.h"
#include "policy/exports.h"
#include "policy/state.h"

static int64_t
purge(struct policy_ctx *ctx, struct span keys, bool soft)
{
    struct store *s = ctx->policy->env.store;
    if (keys.ptr != NULL && vcl_withheld(ctx, soft ? "xkey.softpurge" : "xkey.purge", keys))
        return 0;
    if (s == NULL || keys.ptr == NULL)
        return 0;
    if (store_is_retired(s)) {
        vcl_fail(ctx, "xkey: " STORE_RETIRED_TEXT);
        return 0;
    }
    uint64_t by = in_hooks(ctx, HOOKS_BACKEND) && ctx->fetch != NULL ? ctx->fetch->xid : 0;
    struct invalidated done = { 0 };
    store_purge_surrogates(s, keys, soft, nsec_of(ctx->now), by, &done);
    return done.objects;
}

int64_t
vcl_xkey_purge(struct policy_ctx *ctx, struct span keys)
{
    return purge(ctx, keys, false);
}

int64_t
vcl_xkey_softpurge(struct policy_ctx *ctx, struct span keys)
{
    return purge(ctx, keys, true);
}
