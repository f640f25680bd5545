/* Small modules: purge, and the parts of vtc that need nothing but a policy. */
#include <errno.h>
#include <time.h>

#include "base/check.h"
#include "cache/object.h"
#include "cache/store.h"
#include "policy/exports.h"
#include "policy/lib.h"
#include "policy/state.h"

#define SLEEP_MAX_S 3600.0

/* ---- purge ------------------------------------------------------------------------------------------------------------------------------------ */

static bool
can_purge(struct policy_ctx *ctx)
{
    if ((ctx->hook == HOOK_HIT || ctx->hook == HOOK_MISS) && ctx->policy->env.store != NULL)
        return true;
    vcl_fail(ctx, "module purge works in vcl_hit and vcl_miss only");
    return false;
}

static int64_t
vcl_purge_hard(struct policy_ctx *ctx)
{
    return can_purge(ctx) ? store_purge(ctx->policy->env.store, &ctx->client->key) : 0;
}

/* A negative grace or keep leaves the objects' own. */
static int64_t
vcl_purge_soft(struct policy_ctx *ctx, double ttl, double grace, double keep)
{
    if (!can_purge(ctx))
        return 0;
    return store_soft_purge_key(ctx->policy->env.store, &ctx->client->key, nsec_of(ctx->now), nsec_of(ttl), nsec_of(grace),
                                nsec_of(keep));
}

/* ---- vtc ----------------------------------------------------------------------------------------------------------------------------------------- */

static void *
vcl_vtc_nothing(struct policy_ctx *ctx)
{
    return NULL;
}

static void
vcl_vtc_panic(struct policy_ctx *ctx, struct span text)
{
    WRONG(vcl_printf(ctx, "It was the policy's wish: %.*s", (int)text.len, text.ptr != NULL ? text.ptr : "").ptr);
}

static void
vcl_vtc_sleep(struct policy_ctx *ctx, double seconds)
{
    if (!(seconds > 0))
        return;
    nsec wait = nsec_of(seconds < SLEEP_MAX_S ? seconds : SLEEP_MAX_S), until = nsec_add(clock_mono_ns(), wait);
    if (fiber_current() != NULL) {
        while (fiber_park_until(until) == 0)
            continue;
        return;
    }
    struct timespec left = { wait / NSEC_PER_SEC, wait % NSEC_PER_SEC };
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        continue;
}

static const struct policy_export rows[] = {
    { "purge_hard", "INT()", (export_fn *)vcl_purge_hard },
    { "purge_soft", "INT(DURATION,DURATION,DURATION)", (export_fn *)vcl_purge_soft },
    { "vtc_no_backend", "BACKEND()", (export_fn *)vcl_vtc_nothing },
    { "vtc_no_stevedore", "STEVEDORE()", (export_fn *)vcl_vtc_nothing },
    { "vtc_no_ip", "IP()", (export_fn *)vcl_vtc_nothing },
    { "vtc_panic", "VOID(STRING)", (export_fn *)vcl_vtc_panic },
    { "vtc_sleep", "VOID(DURATION)", (export_fn *)vcl_vtc_sleep },
};
const struct export_table exports_misc = EXPORT_TABLE(rows);
