/* The step machine of policies: see policy_step.h. */
#include "manager/policies/policy_step.h"

#include <stdio.h>
#include <stdlib.h>

#include "daemon/status.h"
#include "base/check.h"
#include "base/mem.h"

static step_fn *const steps[STEP_COUNT] = {
    [STEP_ADMIT] = step_admit,         [STEP_COMPILE] = step_compile,
    [STEP_COMPILED] = step_compiled,   [STEP_COPY] = step_copy,
    [STEP_SEND] = step_send,           [STEP_SENT] = step_sent,
    [STEP_FORGET] = step_forget,       [STEP_CHOOSE] = step_choose,
    [STEP_PRESENT] = step_present,     [STEP_PRESENTED] = step_presented,
    [STEP_USED] = step_used,           [STEP_CHOSEN] = step_chosen,
    [STEP_DROP_OLD] = step_drop_old,   [STEP_ROLL_BACK] = step_roll_back,
    [STEP_LABEL] = step_label,         [STEP_LABELLED] = step_labelled,
    [STEP_DISCARD] = step_discard,     [STEP_SET_STATE] = step_set_state,
    [STEP_STATE_SET] = step_state_set, [STEP_REPLACE] = step_replace,
    [STEP_REPLACED] = step_replaced,   [STEP_PUT] = step_put,
    [STEP_WAS_PUT] = step_was_put,     [STEP_RESTORE] = step_restore,
    [STEP_ALL_PUT] = step_all_put,     [STEP_REUSE] = step_reuse,
    [STEP_REUSED] = step_reused,
};

struct operation *
operation_new(struct policies *p, enum policy_verb verb, const char *name, policies_done_fn *done, void *arg)
{
    struct operation *op = mem_zalloc(sizeof *op);
    op->policies = p;
    op->verb = verb;
    op->done = done;
    op->arg = arg;
    op->began = clock_mono_ns();
    op->name = strdup(name);
    CHECK(op->name != NULL);
    return op;
}

void
operation_hold(struct operation *op, struct vcl *vcl)
{
    CHECK(op->held == NULL);
    op->held = vcl;
    vcl->pending++;
}

void
operation_let_go(struct operation *op)
{
    if (op->held != NULL) {
        CHECK(op->held->pending > 0);
        op->held->pending--;
    }
    op->held = NULL;
}

/* Releases the held entry before calling `done`, which may discard the entry. */
static void
end(struct operation *op)
{
    struct policies *p = op->policies;
    struct policy_result *r = &op->result;
    operation_let_go(op);
    r->verb = op->verb;
    r->name = op->name;
    r->other = text_cstr(&op->other);
    r->warnings = text_span(&op->warnings);
    r->detail = text_span(&op->detail);
    r->active = p->active == NULL ? NULL : p->active->name;
    r->old = *op->old == '\0' ? NULL : op->old;
    op->done(op->arg, r);
    text_release(&op->warnings);
    text_release(&op->detail);
    text_release(&op->other);
    text_release(&op->answer.detail);
    free(op->name);
    free(op);
}

static void
run(struct operation *op)
{
    policies_check(op->policies);
    while (op->step != STEP_WAIT && op->step != STEP_END) {
        CHECK(op->step < STEP_COUNT && steps[op->step] != NULL && !op->asking);
        CHECK(op->held == NULL || op->held->pending > 0);
        op->step = steps[op->step](op);
    }
    if (op->step == STEP_END)
        end(op);
}

void
operation_start(struct operation *op, enum policy_step first)
{
    CHECK(op->step == STEP_WAIT); /* new operations wait */
    op->step = first;
    run(op);
}

static void
answered(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    CHECK(!op->answered && op->then != STEP_WAIT);
    op->answered = true;
    op->answer.status = status;
    text_clear(&op->answer.detail);
    text_add(&op->answer.detail, text);
    if (op->asking)
        return;
    CHECK(op->step == STEP_WAIT);
    op->step = op->then;
    run(op);
}

enum policy_step
operation_ask(struct operation *op, enum policy_step then, unsigned n, const char *const words[])
{
    op->then = then;
    op->answered = false;
    op->asking = true;
    child_call(op->policies->env.child, answered, op, n, words);
    op->asking = false;
    return op->answered ? then : STEP_WAIT;
}

enum policy_step
operation_skip(struct operation *op, enum policy_step then)
{
    op->answer.status = CLI_OK;
    text_clear(&op->answer.detail);
    return then;
}

/* A failed load removes its entry from the list. A reload that fails after loading discards the loaded
 * policy. */
enum policy_step
operation_fail(struct operation *op, enum policy_outcome outcome)
{
    CHECK(outcome != POLICY_DONE && op->result.outcome == POLICY_DONE);
    op->result.outcome = outcome;
    if (op->vcl != NULL && op->vcl->loading)
        return STEP_FORGET;
    if (op->verb != POLICY_RELOAD || op->vcl == NULL)
        return STEP_END;
    op->result.used_failed = true;
    return STEP_ROLL_BACK;
}

enum policy_step
operation_fail_on(struct operation *op, enum policy_outcome outcome, const char *other)
{
    text_clear(&op->other);
    text_str(&op->other, other);
    return operation_fail(op, outcome);
}

enum policy_step
operation_unknown(struct operation *op, enum policy_outcome outcome, const char *name)
{
    const char *similar = policies_similar(op->policies, name);
    text_clear(&op->detail);
    text_str(&op->detail, similar == NULL ? "" : similar);
    return operation_fail_on(op, outcome, name);
}

enum policy_step
operation_refused(struct operation *op, enum policy_outcome outcome)
{
    CHECK(op->answer.status != CLI_OK);
    op->result.worker_status = op->answer.status;
    text_clear(&op->detail);
    text_add(&op->detail, text_span(&op->answer.detail));
    return operation_fail(op, outcome);
}

bool
operation_worker_has(const struct operation *op, const struct vcl *vcl)
{
    return child_alive(op->policies->env.child) && !vcl->absent;
}

/* ---- operations ---------------------------------------------------------------------------------------- */

void
policies_load(struct policies *p, const char *name, const struct policy_source *src, enum vcl_state state,
              policies_done_fn *done, void *arg)
{
    CHECK(state != VCL_LABEL);
    struct operation *op = operation_new(p, POLICY_LOAD, name, done, arg);
    op->source = src;
    op->state = state;
    operation_start(op, STEP_ADMIT);
}

/* Finds a free name: `name`, `name-2`, `name-3`... The old policy keeps its name until the new one is
 * active. */
static void
free_name(struct policies *p, const char *name, char out[POLICY_NAME_BYTES])
{
    snprintf(out, POLICY_NAME_BYTES, "%s", name);
    for (unsigned i = 2; policies_find(p, out) != NULL; i++)
        snprintf(out, POLICY_NAME_BYTES, "%.*s-%u", (int)POLICY_NAME_BYTES - 12, name, i);
}

void
policies_reload(struct policies *p, const char *name, const char *path, struct span values,
                policies_done_fn *done, void *arg)
{
    char fresh[POLICY_NAME_BYTES];
    free_name(p, name, fresh);
    struct operation *op = operation_new(p, POLICY_RELOAD, fresh, done, arg);
    if (values.len == 0 && p->active != NULL && p->active->values != NULL)
        values = span_str(p->active->values);
    op->source = &(struct policy_source){ .path = path, .values = values };
    operation_start(op, STEP_ADMIT);
}

void
policies_use(struct policies *p, const char *name, policies_done_fn *done, void *arg)
{
    operation_start(operation_new(p, POLICY_USE, name, done, arg), STEP_CHOOSE);
}

void
policies_label(struct policies *p, const char *label, const char *name, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, POLICY_LABEL, label, done, arg);
    op->target = name;
    operation_start(op, STEP_LABEL);
}

void
policies_replace(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, POLICY_REPLACE, name, done, arg);
    op->target = path;
    operation_start(op, STEP_REPLACE);
}

void
policies_state(struct policies *p, const char *name, const char *state, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, POLICY_STATE, name, done, arg);
    op->target = state;
    operation_start(op, STEP_SET_STATE);
}

void
policies_discard(struct policies *p, unsigned n, char *const patterns[], policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, POLICY_DISCARD, "", done, arg);
    op->patterns = patterns;
    op->n_patterns = n;
    operation_start(op, STEP_DISCARD);
}

void
policies_restore(struct policies *p, policies_done_fn *done, void *arg)
{
    operation_start(operation_new(p, POLICY_RESTORE, "", done, arg), STEP_RESTORE);
}
