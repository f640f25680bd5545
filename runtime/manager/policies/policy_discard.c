/* Steps that discard policies and labels, and that set the state of a policy. See policy_step.h. */
#include <fnmatch.h>

#include "manager/policies/policy_step.h"
#include "daemon/status.h"
#include "base/check.h"
#include "log/report.h"

bool
policy_may_go(const struct policies *p, const struct vcl *vcl)
{
    return vcl != p->active && !vcl->loading && vcl->pending == 0 && vcl->needed == 0 &&
           vcl->state != VCL_LABEL;
}

static void
dropped(void *arg, int status, struct span text)
{
    if (status != CLI_OK && status != CLI_COMMS)
        log_line(LOG_LEVEL_WARNING, "worker could not discard a policy: %.*s", (int)text.len, text.ptr);
}

void
policy_drop(struct policies *p, struct vcl *vcl)
{
    CHECK(vcl != p->active && !vcl->loading && vcl->pending == 0 && vcl->needed == 0);
    if (child_alive(p->env.child) && !vcl->absent)
        child_call(p->env.child, dropped, NULL, 2, CALL("discard", vcl->name));
    policies_forget_use(p, vcl->name);
    policies_forget(p, vcl);
}

/* Marks all entries that match the pattern. */
static enum policy_step
mark(struct operation *op, const char *pattern)
{
    struct policies *p = op->policies;
    unsigned found = 0;
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->loading || fnmatch(pattern, vcl->name, 0) != 0)
            continue;
        found++;
        vcl->marked = true;
        if (vcl == p->active)
            return operation_fail_on(op, POLICY_IS_ACTIVE, vcl->name);
        if (vcl->pending > 0)
            return operation_fail_on(op, POLICY_IS_PENDING, vcl->name);
    }
    return found > 0 ? STEP_DISCARD : operation_unknown(op, POLICY_NO_MATCH, pattern);
}

static bool
needs(const struct vcl *from, const struct vcl *to)
{
    for (unsigned i = 0; i < from->n_needs; i++)
        if (from->needs[i] == to)
            return true;
    return false;
}

/* Fails if an unmarked entry needs this one. */
static enum policy_step
check_dependents(struct operation *op, const struct vcl *vcl)
{
    struct policies *p = op->policies;
    struct policy_result *r = &op->result;
    unsigned staying = 0;
    list_each(it, &p->list) staying += !container_of(it, struct vcl, link)->marked &&
                                       needs(container_of(it, struct vcl, link), vcl);
    if (staying == 0)
        return STEP_DISCARD;
    list_each(it, &p->list)
    {
        const struct vcl *from = container_of(it, struct vcl, link);
        if (!needs(from, vcl))
            continue;
        if (r->n_dependents == POLICY_DEPENDENTS_SHOWN)
            r->more_dependents = true;
        else
            r->dependents[r->n_dependents++] = from->name;
    }
    r->other_is_label = vcl->state == VCL_LABEL;
    return operation_fail_on(op, POLICY_IS_NEEDED, vcl->name);
}

/* Drops labels before the policies they point to, because nothing may need a dropped entry. */
static void
drop_marked(struct policies *p)
{
    for (bool more = true; more;) {
        more = false;
        list_each(it, &p->list)
        {
            struct vcl *vcl = container_of(it, struct vcl, link);
            if (!vcl->marked || vcl->needed > 0)
                continue;
            policy_drop(p, vcl);
            more = true;
        }
    }
}

enum policy_step
step_discard(struct operation *op)
{
    struct policies *p = op->policies;
    enum policy_step next = STEP_DISCARD;
    for (unsigned i = 0; next == STEP_DISCARD && i < op->n_patterns; i++)
        next = mark(op, op->patterns[i]);
    list_each(it, &p->list) if (next == STEP_DISCARD && container_of(it, struct vcl, link)->marked)
        next = check_dependents(op, container_of(it, struct vcl, link));
    if (next == STEP_DISCARD)
        drop_marked(p);
    list_each(it, &p->list) container_of(it, struct vcl, link)->marked = false;
    return STEP_END;
}

/* ---- state --------------------------------------------------------------------------------------------- */

enum policy_step
step_set_state(struct operation *op)
{
    struct policies *p = op->policies;
    struct vcl *vcl = policies_find(p, op->name);
    int state = vcl_state_of(op->target);
    if (vcl == NULL || vcl->loading)
        return operation_unknown(op, POLICY_UNKNOWN, op->name);
    if (vcl->state == VCL_LABEL)
        return operation_fail(op, POLICY_IS_LABEL);
    if (state < 0)
        return operation_fail(op, POLICY_STATE_UNKNOWN);
    if (state == VCL_COLD && vcl->needed > 0)
        return operation_fail(op, POLICY_IS_NEEDED);
    if (state == VCL_COLD && vcl == p->active)
        return operation_fail(op, POLICY_IS_ACTIVE);
    bool was_cold = vcl_is_cold(vcl), cold = state == VCL_COLD || (state == VCL_AUTO && was_cold);
    vcl->state = (enum vcl_state)state;
    /* auto keeps the temperature until the policy is used or vcl_cooldown ends */
    vcl->cooled = state == VCL_AUTO && cold;
    vcl->idle_since = clock_mono_ns();
    if (was_cold == cold || !operation_worker_has(op, vcl))
        return STEP_END;
    return operation_ask(op, STEP_STATE_SET, 3, CALL("temperature", vcl->name, cold ? "cold" : "warm"));
}

enum policy_step
step_state_set(struct operation *op)
{
    return op->answer.status == CLI_OK ? STEP_END : operation_refused(op, POLICY_REFUSED);
}
