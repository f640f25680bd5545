/* Labels: names of policies that can be changed to name another. See policies.h. */
#include "admin/manager.h"
#include "admin/policies.h"
#include "admin/policies_internal.h"
#include "admin/status.h"

/* Whether `from` needs `to`, directly or not; says along which way. */
static bool
leads_to(const struct vcl *from, const struct vcl *to, struct text *way)
{
    if (from == to)
        return true;
    for (unsigned i = 0; i < from->n_needs; i++) {
        if (!leads_to(from->needs[i], to, way))
            continue;
        text_printf(way, from->state == VCL_LABEL ? "Label %s points to vcl %s\n" : "Vcl %s uses Label %s\n", from->name,
                    from->needs[i]->name);
        return true;
    }
    return false;
}

/* Of `label` (NULL: a new one) for `policy`. */
static int
check_label(struct policies *p, const char *name, struct vcl *label, const struct vcl *policy, struct text *why)
{
    if (!policy_name_is_right(name, why))
        return CLI_PARAM;
    if (label != NULL && label->loading) {
        text_printf(why, "%s is being loaded", label->name);
        return CLI_CANT;
    }
    if (label != NULL && label->state != VCL_LABEL) {
        text_printf(why, "%s is not a label", label->name);
        return CLI_PARAM;
    }
    if (policy->state == VCL_LABEL) {
        text_str(why, "VCL labels cannot point to labels");
        return CLI_CANT;
    }
    if (label != NULL && label->needs[0] != policy && leads_to(policy, label, why)) {
        text_printf(why, "Pointing label %s at %s would create a loop", label->name, policy->name);
        return CLI_PARAM;
    }
    if (policy->state == VCL_COLD) {
        text_printf(why, "VCL '%s' is cold - set to auto or warm first", policy->name);
        return CLI_CANT;
    }
    if (label == NULL && p->n >= POLICIES_MAX) {
        text_printf(why, "Too many policies: at most %u\n", POLICIES_MAX);
        return CLI_PARAM;
    }
    return CLI_OK;
}

/* The worker has it, or there is none. */
static void
labelled(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct vcl *label = op->vcl;
    bool fresh = label->loading;
    label->pending -= !fresh;
    if (status != CLI_OK) {
        if (fresh)
            policies_forget(op->policies, label);
        operation_end(op, status, text);
        return;
    }
    policies_need_nothing(label);
    policies_need(label, op->held);
    label->loading = label->absent = label->suspect = op->held->cooled = false;
    operation_end(op, CLI_OK, SPAN_LIT(""));
}

void
policies_label(struct policies *p, const char *name, const char *policy, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, name, done, arg);
    struct vcl *label = policies_find(p, name), *vcl = policies_find(p, policy);
    struct child *child = &p->manager->child;
    struct text why = { 0 };
    if (vcl == NULL || vcl->loading) {
        if (policy_name_is_right(name, &why))
            text_printf(&why, "No VCL named %s known\n", policy);
        operation_end(op, CLI_PARAM, text_span(&why));
        text_release(&why);
        return;
    }
    int status = check_label(p, name, label, vcl, &why);
    if (status != CLI_OK) {
        operation_end(op, status, text_span(&why));
        text_release(&why);
        return;
    }
    if (vcl->absent) {
        operation_say(op, CLI_CANT, "VCL '%s' is suspect and not loaded: vcl.use it first", policy);
        return;
    }
    operation_hold(op, vcl);
    if (label == NULL) {
        op->vcl = policies_add(p, name, VCL_LABEL);
        op->vcl->loading = true;
        policies_need(op->vcl, vcl);
    } else {
        op->vcl = label;
        label->pending++;
    }
    if (!child_alive(child))
        labelled(op, CLI_OK, SPAN_LIT(""));
    else
        child_call(child, labelled, op, 3, CALL("label", op->name, vcl->name));
}
