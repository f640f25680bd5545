/* Why the response of a fetch is not stored: see reason.h. Each step that decides so calls fetch_refuse. The
 * reason of a marker stays in the object, for the requests that find it. */
#include <stdio.h>

#include "proxy/fetch_internal.h"
#include "proxy/reason/reason.h"
#include "reason_texts.h"

void
fetch_refuse(struct fetch *f, unsigned reason)
{
    CHECK(reason < REASONS);
    f->refusal = (uint8_t)reason;
    f->refused_at = (struct policy_place){ 0 };
}

void
fetch_refuse_none(struct fetch *f)
{
    fetch_refuse(f, f->unshared);
}

static void
refuse_lifetime(struct fetch *f, double ttl, uint32_t site)
{
    DEBUG_CHECK(f->refusal == REASON_NO_LIFETIME);
    struct policy_place setter = policy_place(&f->ctx, site);
    f->refused_ttl = ttl;
    f->ttl_by_policy = setter.known && !setter.builtin;
    if (f->ttl_by_policy)
        f->refused_at = setter;
}

void
fetch_refuse_uncacheable(struct fetch *f)
{
    struct policy_place at = policy_decided_at(&f->ctx),
                        setter = policy_place(&f->ctx, f->vars.uncacheable_site);
    unsigned builtin = setter.builtin ? reason_of_builtin(&at, action_name(ACTION_DELIVER)) : REASON_NONE;
    if (f->vars.hit_for_pass > 0)
        fetch_refuse(f, REASON_POLICY_HIT_FOR_PASS);
    else if (f->vars.uncacheable_site == 0) /* fetch_judge_206 */
        fetch_refuse(f, REASON_PART_NOT_KEPT);
    else
        fetch_refuse(f, builtin != REASON_NONE ? builtin : REASON_POLICY_UNCACHEABLE);
    f->refused_at = f->refusal == REASON_POLICY_UNCACHEABLE ? setter : at;
    if (f->refusal == REASON_NO_LIFETIME) /* the built-in policy has set the ttl of the marker since */
        refuse_lifetime(f, f->vars.ttl_before, f->vars.ttl_before_site);
}

void
fetch_refuse_dead(struct fetch *f)
{
    if (f->is_error && f->refusal == REASON_FETCH_FAILED)
        return;
    fetch_refuse(f, f->is_error ? REASON_ERROR_MADE : REASON_NO_LIFETIME);
    if (!f->is_error)
        refuse_lifetime(f, f->vars.ttl, f->vars.ttl_site);
}

void
fetch_keep_refusal(struct fetch *f)
{
    DEBUG_CHECK(f->busy != NULL && f->busy->head != NULL);
    bool by_policy = f->refusal == REASON_NO_LIFETIME && f->ttl_by_policy;
    object_set_refusal(f->busy, (uint8_t)(f->refusal | (by_policy ? REFUSED_BY_POLICY : 0)));
}

static void
describe(const struct fetch *f, char details[REASON_DETAILS_BYTES])
{
    char from[REASON_DETAILS_BYTES];
    *details = '\0';
    if (f->refusal == REASON_FETCH_FAILED)
        snprintf(details, REASON_DETAILS_BYTES, "%s", f->why == NULL ? "" : f->why);
    else if (f->busy->head != NULL)
        reason_details(f->busy, details);
    if (f->refusal != REASON_NO_LIFETIME)
        return;
    memcpy(from, details, sizeof from);
    snprintf(details, REASON_DETAILS_BYTES, "ttl %.0f s is not above 0 (%.200s)", f->refused_ttl, from);
}

static const char *
became(const struct fetch *f)
{
    unsigned flags = f->busy->flags;
    if (object_state(f->busy) != OBJECT_COMPLETE || !(f->in_index || f->marked) || f->left)
        return "not-stored";
    if (flags & OBJECT_HIT_FOR_PASS)
        return "hit-for-pass";
    return flags & OBJECT_HIT_FOR_MISS ? "hit-for-miss" : "stored";
}

void
fetch_log_reason(const struct fetch *f)
{
    char details[REASON_DETAILS_BYTES];
    DEBUG_CHECK(f->busy != NULL);
    if (!log_wants_reasons() || f->kind == FETCH_HOLE)
        return;
    describe(f, details);
    reason_log(&f->log, became(f), f->refusal, &f->refused_at, details);
}
