/* Module vsthrottle: token buckets shared by all requests (vmod/throttle.h). Key, limit, period and block
 * together identify a bucket. A bucket holds at most `limit` tokens and gains `limit` tokens per period,
 * evenly. */
#include "exports_vmod.h"
#include "policy/exports.h"
#include "vmod/throttle.h"

/* Returns false without a key, or after vcl_fail for invalid terms. */
static bool
terms_of(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block,
         struct throttle_terms *t)
{
    if (key.ptr == NULL)
        return false;
    if (limit < 1 || !(period > 0) || !(block >= 0)) {
        vcl_fail(ctx, "vsthrottle: limit and period are more than 0");
        return false;
    }
    *t = (struct throttle_terms){ key, limit, period, block, clock_mono_ns() };
    return true;
}

/* Deny requests without a key. Otherwise an unset header would bypass the limit. */
int32_t
vcl_vsthrottle_is_denied(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct throttle_terms t;
    return terms_of(ctx, key, limit, period, block, &t) ? !throttle_take(&t) : key.ptr == NULL;
}

void
vcl_vsthrottle_return_token(struct policy_ctx *ctx, struct span key, int64_t limit, double period,
                            double block)
{
    struct throttle_terms t;
    if (terms_of(ctx, key, limit, period, block, &t))
        throttle_give_back(&t);
}

int64_t
vcl_vsthrottle_remaining(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct throttle_terms t;
    return terms_of(ctx, key, limit, period, block, &t) ? throttle_left(&t) : -1;
}

double
vcl_vsthrottle_blocked(struct policy_ctx *ctx, struct span key, int64_t limit, double period, double block)
{
    struct throttle_terms t;
    return terms_of(ctx, key, limit, period, block, &t) ? nsec_seconds(throttle_blocked(&t)) : -1;
}

void
vcl_vsthrottle_remove_bucket(struct policy_ctx *ctx, struct span key, int64_t limit, double period,
                             double block)
{
    struct throttle_terms t;
    if (terms_of(ctx, key, limit, period, block, &t))
        throttle_forget(&t);
}
