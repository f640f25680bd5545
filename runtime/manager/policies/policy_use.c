/* Steps that activate a policy, end a reload, and replace the image of a loaded policy. See policy_step.h. */
#include <stdlib.h>
#include <unistd.h>

#include "manager/policies/policy_step.h"
#include "daemon/status.h"
#include "base/check.h"

static bool
is_absent(struct vcl *vcl)
{
    return vcl->absent || vcl_policy(vcl)->absent;
}

/* While a new worker still loads the list, do not send `use`: step_reuse() sends it at the end, for the
 * policy active then. */
enum policy_step
step_choose(struct operation *op)
{
    struct policies *p = op->policies;
    struct vcl *vcl = policies_find(p, op->name);
    if (vcl == NULL || vcl->loading)
        return operation_unknown(op, POLICY_UNKNOWN, op->name);
    operation_hold(op, vcl);
    if (vcl->state == VCL_COLD)
        return operation_fail_on(op, POLICY_IS_COLD, op->name);
    if (!child_alive(p->env.child) || (p->restoring && !is_absent(vcl)))
        return STEP_CHOSEN;
    return STEP_PRESENT;
}

/* Loads a suspect policy that the worker did not get: first the policy, then its label, then `use`. */
enum policy_step
step_present(struct operation *op)
{
    struct vcl *vcl = op->held, *policy = vcl_policy(vcl);
    if (policy->absent)
        return operation_ask(op, STEP_PRESENTED, 4,
                             CALL("load", policy->name, vcl_image(op->policies, policy), "warm"));
    if (vcl->absent)
        return operation_ask(op, STEP_PRESENTED, 3, CALL("label", vcl->name, policy->name));
    return operation_ask(op, STEP_USED, 2, CALL("use", vcl->name));
}

enum policy_step
step_presented(struct operation *op)
{
    struct vcl *vcl = op->held, *policy = vcl_policy(vcl);
    if (op->answer.status != CLI_OK)
        return operation_refused(op, POLICY_REFUSED);
    if (policy->absent)
        policy->absent = false;
    else
        vcl->absent = false;
    return STEP_PRESENT;
}

enum policy_step
step_used(struct operation *op)
{
    return op->answer.status == CLI_OK ? STEP_CHOSEN : operation_refused(op, POLICY_REFUSED);
}

enum policy_step
step_chosen(struct operation *op)
{
    struct policies *p = op->policies;
    policies_activated(p, op->held, op->verb == POLICY_RELOAD ? "vernis.reload" : "vcl.use");
    if (p->env.chosen != NULL)
        p->env.chosen(p->env.arg);
    operation_let_go(op);
    return op->verb == POLICY_RELOAD ? STEP_DROP_OLD : STEP_END;
}

/* ---- the end of a reload ------------------------------------------------------------------------------- */

enum policy_step
step_drop_old(struct operation *op)
{
    struct policies *p = op->policies;
    struct vcl *old = policies_find(p, op->old);
    op->result.active_ms = nsec_seconds(clock_mono_ns() - op->began) * 1e3;
    if (old == NULL || old == p->active) {
        *op->old = '\0';
        return STEP_END;
    }
    op->result.old_kept = !policy_may_go(p, old);
    if (!op->result.old_kept)
        policy_drop(p, old);
    return STEP_END;
}

enum policy_step
step_roll_back(struct operation *op)
{
    struct policies *p = op->policies;
    operation_let_go(op);
    struct vcl *fresh = policies_find(p, op->name);
    if (fresh != NULL && policy_may_go(p, fresh))
        policy_drop(p, fresh);
    return STEP_END;
}

/* ---- replace ------------------------------------------------------------------------------------------- */

enum policy_step
step_replace(struct operation *op)
{
    struct policies *p = op->policies;
    struct vcl *vcl = policies_find(p, op->name);
    if (vcl == NULL || vcl->loading)
        return operation_unknown(op, POLICY_UNKNOWN, op->name);
    if (vcl->state == VCL_LABEL)
        return operation_fail(op, POLICY_IS_LABEL);
    operation_hold(op, vcl);
    workdir_image_path(p->env.dir, op->name, op->image);
    if (workdir_copy_image(op->target, op->image, &op->detail) != 0)
        return operation_fail(op, POLICY_IMAGE_UNREADABLE);
    if (!operation_worker_has(op, vcl))
        return operation_skip(op, STEP_REPLACED);
    return operation_ask(op, STEP_REPLACED, 3,
                         CALL("replace", op->name, workdir_inside(p->env.dir, op->image)));
}

enum policy_step
step_replaced(struct operation *op)
{
    struct vcl *vcl = op->held;
    if (op->answer.status != CLI_OK) {
        unlink(op->image);
        return operation_refused(op, POLICY_REFUSED);
    }
    unlink(vcl->image);
    free(vcl->image);
    vcl->image = strdup(op->image);
    CHECK(vcl->image != NULL);
    return STEP_END;
}
