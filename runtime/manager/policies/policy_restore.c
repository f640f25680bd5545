/* Steps that load the whole list into a new worker: policies, labels, rules of backend.set_health, and the
 * active policy. See policy_step.h. */
#include "manager/policies/policy_step.h"
#include "manager/policies/policy_tables.h"
#include "daemon/status.h"
#include "base/check.h"
#include "log/report.h"

/* ---- one entry ----------------------------------------------------------------------------------------- */

enum policy_step
step_put(struct operation *op)
{
    struct vcl *vcl = op->held;
    if (vcl->state == VCL_LABEL)
        return operation_ask(op, STEP_WAS_PUT, 3, CALL("label", vcl->name, vcl_policy(vcl)->name));
    const char *words[4 + TABLE_WORDS_MAX] = { "load", vcl->name, vcl_image(op->policies, vcl),
                                               vcl_is_cold(vcl) ? "cold" : "warm" };
    return operation_ask(op, STEP_WAS_PUT, kept_words(op->policies, vcl, words, 4), words);
}

enum policy_step
step_was_put(struct operation *op)
{
    op->held->absent = op->answer.status != CLI_OK;
    if (op->answer.status == CLI_OK && op->held->state != VCL_LABEL)
        policies_keep_tables(op->policies, op->held, text_span(&op->answer.detail));
    if (op->answer.status == CLI_OK)
        return STEP_END;
    return operation_refused(op, op->answer.status == CLI_COMMS ? POLICY_WORKER_GONE : POLICY_NOT_LOADED);
}

/* ---- all entries --------------------------------------------------------------------------------------- */

static void
one_put(void *arg, const struct policy_result *r)
{
    struct operation *all = arg;
    CHECK(all->left > 0);
    if (r->outcome == POLICY_NOT_LOADED)
        text_printf(&all->detail, "%s: %.*s", r->name, (int)r->detail.len, r->detail.ptr);
    all->lost |= r->outcome == POLICY_WORKER_GONE;
    if (--all->left == 0 && !all->asking)
        operation_start(all, STEP_ALL_PUT);
}

static bool
is_for_worker(const struct vcl *vcl)
{
    return !vcl->loading && !vcl->absent;
}

/* Loads policies first, because labels name them. */
enum policy_step
step_restore(struct operation *op)
{
    struct policies *p = op->policies;
    CHECK(!p->restoring);
    p->restoring = true;
    op->asking = true;
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        vcl->absent = vcl->suspect || vcl_policy(vcl)->suspect;
        op->left += is_for_worker(vcl);
    }
    for (int labels = 0; labels < 2; labels++) {
        list_each(it, &p->list)
        {
            struct vcl *vcl = container_of(it, struct vcl, link);
            if (!is_for_worker(vcl) || (vcl->state == VCL_LABEL) != labels)
                continue;
            struct operation *one = operation_new(p, POLICY_PRESENT, vcl->name, one_put, op);
            operation_hold(one, vcl);
            operation_start(one, STEP_PUT);
        }
    }
    op->asking = false;
    return op->left > 0 ? STEP_WAIT : STEP_ALL_PUT;
}

static void
on_health_set(void *arg, int status, struct span text)
{
}

enum policy_step
step_all_put(struct operation *op)
{
    struct policies *p = op->policies;
    p->restoring = false;
    if (op->lost)
        return operation_fail(op, POLICY_WORKER_GONE);
    if (op->detail.len > 0)
        log_line(LOG_LEVEL_ERROR, "the new worker could not load policies: %s", text_cstr(&op->detail));
    list_each(it, &p->health)
    {
        const struct health_rule *rule = container_of(it, struct health_rule, link);
        child_call(p->env.child, on_health_set, NULL, 3,
                   CALL("backend.set_health", rule->pattern, rule->state));
    }
    return STEP_REUSE;
}

enum policy_step
step_reuse(struct operation *op)
{
    CHECK(op->policies->active != NULL);
    return operation_ask(op, STEP_REUSED, 2, CALL("use", op->policies->active->name));
}

/* If the worker cannot use the active policy, activates the newest earlier one that it has. */
enum policy_step
step_reused(struct operation *op)
{
    struct policies *p = op->policies;
    if (op->answer.status == CLI_OK)
        return STEP_END;
    if (op->answer.status == CLI_COMMS)
        return operation_fail(op, POLICY_WORKER_GONE);
    struct vcl *earlier = policies_earlier(p);
    if (earlier == NULL || earlier->absent || vcl_policy(earlier)->absent)
        return operation_fail(op, POLICY_NO_WAY_BACK);
    log_line(LOG_LEVEL_ERROR, "the new worker cannot use policy %s; going back to %s", p->active->name,
             earlier->name);
    policies_activated(p, earlier, "fallback: a new worker could not use another policy");
    return STEP_REUSE;
}
