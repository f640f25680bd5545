/* Steps of labels. A label names a policy and can be moved to another one. See policy_step.h. */
#include "manager/policies/policy_step.h"
#include "daemon/status.h"
#include "base/check.h"

/* Whether `from` needs `to`, directly or through others; `way` lists the links. */
static bool
leads_to(const struct vcl *from, const struct vcl *to, struct text *way)
{
    if (from == to)
        return true;
    for (unsigned i = 0; i < from->n_needs; i++) {
        if (!leads_to(from->needs[i], to, way))
            continue;
        text_printf(way, from->state == VCL_LABEL ? "Label %s points to vcl %s\n" : "Vcl %s uses Label %s\n",
                    from->name, from->needs[i]->name);
        return true;
    }
    return false;
}

/* Whether the operation may create the label (`label` is NULL) or move it to the policy. */
static enum policy_outcome
check(struct operation *op, struct vcl *label, const struct vcl *policy)
{
    if (!policy_name_is_right(op->name, &op->detail))
        return POLICY_NAME_WRONG;
    if (policy == NULL || policy->loading)
        return POLICY_UNKNOWN;
    if (label != NULL && label->loading)
        return POLICY_IS_LOADING;
    if (label != NULL && label->state != VCL_LABEL)
        return POLICY_IS_NO_LABEL;
    if (policy->state == VCL_LABEL)
        return POLICY_LABEL_OF_LABEL;
    if (label != NULL && label->needs[0] != policy && leads_to(policy, label, &op->detail))
        return POLICY_LOOP;
    if (policy->state == VCL_COLD)
        return POLICY_IS_COLD;
    if (label == NULL && op->policies->n >= POLICIES_MAX)
        return POLICY_LIST_FULL;
    return policy->absent ? POLICY_IS_SUSPECT : POLICY_DONE;
}

enum policy_step
step_label(struct operation *op)
{
    struct policies *p = op->policies;
    struct vcl *label = policies_find(p, op->name), *policy = policies_find(p, op->target);
    enum policy_outcome outcome = check(op, label, policy);
    if (outcome == POLICY_UNKNOWN)
        return operation_unknown(op, outcome, op->target);
    if (outcome != POLICY_DONE)
        return operation_fail_on(op, outcome, op->target);
    operation_hold(op, policy);
    if (label == NULL) {
        op->vcl = policies_add(p, op->name, VCL_LABEL);
        op->vcl->loading = true;
        policies_need(op->vcl, policy);
    } else {
        op->vcl = label;
        label->pending++;
    }
    if (!child_alive(p->env.child))
        return operation_skip(op, STEP_LABELLED);
    return operation_ask(op, STEP_LABELLED, 3, CALL("label", op->name, policy->name));
}

enum policy_step
step_labelled(struct operation *op)
{
    struct vcl *label = op->vcl;
    label->pending -= !label->loading;
    if (op->answer.status != CLI_OK)
        return operation_refused(op, POLICY_REFUSED); /* removes a new label from the list */
    policies_need_nothing(label);
    policies_need(label, op->held);
    label->loading = label->absent = label->suspect = op->held->cooled = false;
    return STEP_END;
}
