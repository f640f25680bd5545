/* Steps of a load: reserve the name, compile the policy or copy its image, find the labels it switches to,
 * and load it into the worker. See policy_step.h. */
#include <stdio.h>
#include <stdlib.h>

#include "manager/policies/policy_step.h"
#include "manager/policies/policy_tables.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"

/* max_vcl does not count labels. */
static unsigned
count_policies(const struct policies *p)
{
    return p->n - p->n_labels;
}

/* Reserves the name. */
enum policy_step
step_admit(struct operation *op)
{
    struct policies *p = op->policies;
    if (!policy_name_is_right(op->name, &op->detail))
        return operation_fail(op, POLICY_NAME_WRONG);
    if (policies_find(p, op->name) != NULL)
        return operation_fail(op, POLICY_NAME_TAKEN);
    if (p->n >= POLICIES_MAX)
        return operation_fail(op, POLICY_LIST_FULL);
    if (params.max_vcl_handling == 2 && count_policies(p) >= params.max_vcl) {
        op->result.count = count_policies(p);
        return operation_fail(op, POLICY_MAX_VCL);
    }
    op->vcl = policies_add(p, op->name, op->state);
    op->vcl->loading = true;
    const char *from = op->source->image != NULL ? op->source->image : op->source->path;
    op->vcl->source = from == NULL ? NULL : strdup(from);
    CHECK((from == NULL) == (op->vcl->source == NULL));
    struct span values = op->source->values;
    op->vcl->values = values.len == 0 ? NULL : strndup(values.ptr, values.len);
    CHECK((values.len == 0) == (op->vcl->values == NULL));
    return op->source->image != NULL ? STEP_COPY : STEP_COMPILE;
}

static void
compiled(void *arg, const struct compile_result *result)
{
    struct operation *op = arg;
    op->compiled = result;
    operation_start(op, STEP_COMPILED);
}

enum policy_step
step_compile(struct operation *op)
{
    struct policies *p = op->policies;
    const char *labels[POLICIES_MAX + 1];
    unsigned n = 0;
    list_each(it, &p->list)
    {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->state == VCL_LABEL && !vcl->loading)
            labels[n++] = vcl->name;
    }
    labels[n] = NULL;
    const struct compile_order order = { .name = op->name,
                                         .path = op->source->path,
                                         .text = op->source->text,
                                         .labels = labels,
                                         .values = op->source->values };
    return compiler_run(p->env.compiler, &order, compiled, op) == 0 ? STEP_WAIT
                                                                    : operation_fail(op, POLICY_QUEUE_FULL);
}

static void
take_image(struct operation *op)
{
    op->vcl->image = strdup(op->image);
    CHECK(op->vcl->image != NULL);
}

/* A label may have been deleted while the policy compiled. */
enum policy_step
step_compiled(struct operation *op)
{
    const struct compile_result *result = op->compiled;
    op->compiled = NULL;
    text_str(result->ok ? &op->warnings : &op->detail, result->text);
    if (!result->ok)
        return operation_fail(op, POLICY_COMPILE_FAILED);
    if (op->warnings.len > 0 && op->warnings.ptr[op->warnings.len - 1] != '\n')
        text_str(&op->warnings, "\n");
    workdir_outside(op->policies->env.dir, result->image, op->image);
    take_image(op);
    for (const char *const *name = result->labels; *name != NULL; name++) {
        struct vcl *label = policies_find(op->policies, *name);
        if (label == NULL || label->state != VCL_LABEL || label->loading)
            return operation_fail_on(op, POLICY_LABEL_GONE, *name);
        policies_need(op->vcl, label);
    }
    return STEP_SEND;
}

enum policy_step
step_copy(struct operation *op)
{
    struct workdir *dir = op->policies->env.dir;
    workdir_image_path(dir, op->name, op->image);
    if (workdir_copy_image(op->source->image, op->image, &op->detail) != 0)
        return operation_fail(op, POLICY_IMAGE_UNREADABLE);
    take_image(op);
    return STEP_SEND;
}

enum policy_step
step_send(struct operation *op)
{
    if (!child_alive(op->policies->env.child))
        return operation_skip(op, STEP_SENT);
    const char *image = vcl_image(op->policies, op->vcl);
    return operation_ask(op, STEP_SENT, 4,
                         CALL("load", op->name, image, vcl_is_cold(op->vcl) ? "cold" : "warm"));
}

enum policy_step
step_sent(struct operation *op)
{
    struct policies *p = op->policies;
    if (op->answer.status != CLI_OK)
        return operation_refused(op, POLICY_NOT_LOADED);
    op->vcl->loading = false;
    policies_keep_tables(p, op->vcl, text_span(&op->answer.detail));
    op->vcl->idle_since = clock_mono_ns();
    if (params.max_vcl_handling == 1 && count_policies(p) > params.max_vcl)
        op->result.count = count_policies(p);
    if (op->verb == POLICY_LOAD)
        return STEP_END;
    op->result.loaded_ms = nsec_seconds(op->vcl->idle_since - op->began) * 1e3;
    if (p->active != NULL)
        snprintf(op->old, sizeof op->old, "%s", p->active->name);
    return STEP_CHOOSE;
}

enum policy_step
step_forget(struct operation *op)
{
    CHECK(op->vcl->loading);
    policies_forget(op->policies, op->vcl);
    op->vcl = NULL;
    return STEP_END;
}
