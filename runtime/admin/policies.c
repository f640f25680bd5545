/* What is done with policies: load, use, discard, replace, reload (labels: policy_labels.c). See policies.h. An operation is a small
 * struct that travels through the callbacks of compiler and worker; the policy is looked up by name at every step, since others may
 * act in between. */
#include "admin/policies.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "admin/manager.h"
#include "admin/params.h"
#include "admin/policies_internal.h"
#include "admin/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "log/report.h"

struct operation *
operation_new(struct policies *p, const char *name, policies_done_fn *done, void *arg)
{
    struct operation *op = mem_zalloc(sizeof *op);
    op->policies = p;
    op->done = done;
    op->arg = arg;
    op->began = clock_mono_ns();
    snprintf(op->name, sizeof op->name, "%s", name);
    return op;
}

void
operation_hold(struct operation *op, struct vcl *vcl)
{
    op->held = vcl;
    vcl->pending++;
}

void
operation_end(struct operation *op, int status, struct span text)
{
    if (op->held != NULL)
        op->held->pending--;
    op->done(op->arg, status, text);
    text_release(&op->said);
    free(op);
}

void
operation_say(struct operation *op, int status, const char *fmt, ...)
{
    struct text text = { 0 };
    va_list ap;
    va_start(ap, fmt);
    text_vprintf(&text, fmt, ap);
    va_end(ap);
    operation_end(op, status, text_span(&text));
    text_release(&text);
}

/* ---- load -------------------------------------------------------------------------------------------------------------------- */

/* max_vcl and what is to happen beyond it. */
static unsigned
counted(const struct policies *p)
{
    return p->n - p->n_labels;
}

#define TOO_MANY_HINT "(See max_vcl and max_vcl_handling parameters)"

static void
add_count_warning(const struct policies *p, struct text *out)
{
    if (param_number("max_vcl_handling") == 1 && counted(p) > param_number("max_vcl"))
        text_printf(out, "%u VCLs loaded\nRemember to vcl.discard the old/unused VCLs.\n" TOO_MANY_HINT "\n", counted(p));
}

static void
loaded(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct vcl *vcl = op->vcl;
    if (status != CLI_OK) {
        policies_forget(op->policies, vcl);
        operation_say(op, status == CLI_COMMS ? CLI_PARAM : status, "The worker could not load '%s':\n%.*sVCL loading failed\n",
                      op->name, (int)text.len, text.ptr);
        return;
    }
    vcl->loading = false;
    vcl->idle_since = clock_mono_ns();
    add_count_warning(op->policies, &op->said);
    operation_say(op, CLI_OK, "%sVCL compiled.\n", text_cstr(&op->said));
}

/* The image is there: into the worker, when there is one. */
static void
send_load(struct operation *op)
{
    struct child *child = &op->policies->manager->child;
    if (!child_alive(child)) {
        loaded(op, CLI_OK, SPAN_LIT(""));
        return;
    }
    child_call(child, loaded, op, 4, CALL("load", op->name, vcl_image(op->policies, op->vcl), vcl_is_cold(op->vcl) ? "cold" : "warm"));
}

/* What the compiler was told of may be gone by now: that has no policy switch to nowhere. */
static bool
need_labels(struct operation *op, const char *const *labels)
{
    for (; *labels != NULL; labels++) {
        struct vcl *label = policies_find(op->policies, *labels);
        if (label == NULL || label->state != VCL_LABEL || label->loading) {
            text_printf(&op->said, "Label %s is gone\nVCL compilation failed", *labels);
            return false;
        }
        policies_need(op->vcl, label);
    }
    return true;
}

static void
compiled(void *arg, const struct compile_result *result)
{
    struct operation *op = arg;
    if (!result->ok) {
        size_t n = strlen(result->text);
        policies_forget(op->policies, op->vcl);
        operation_say(op, CLI_PARAM, "Message from Vernis compiler:\n%s%sVCL compilation failed", result->text,
                      n > 0 && result->text[n - 1] != '\n' ? "\n" : "");
        return;
    }
    workdir_outside(&op->policies->manager->dir, result->image, op->image);
    op->vcl->image = strdup(op->image);
    CHECK(op->vcl->image != NULL);
    if (!need_labels(op, result->labels)) {
        policies_forget(op->policies, op->vcl);
        operation_end(op, CLI_PARAM, text_span(&op->said));
        return;
    }
    text_str(&op->said, result->text);
    if (op->said.len > 0 && op->said.ptr[op->said.len - 1] != '\n')
        text_str(&op->said, "\n");
    send_load(op);
}

static void
load_image(struct operation *op, const char *path)
{
    struct text why = { 0 };
    workdir_image_path(&op->policies->manager->dir, op->name, op->image);
    if (workdir_copy_image(path, op->image, &why) != 0) {
        policies_forget(op->policies, op->vcl);
        operation_end(op, CLI_PARAM, text_span(&why));
    } else {
        op->vcl->image = strdup(op->image);
        CHECK(op->vcl->image != NULL);
        send_load(op);
    }
    text_release(&why);
}

/* As a JSON list, for the compiler. */
static void
list_labels(const struct policies *p, struct text *out)
{
    unsigned n = 0;
    text_str(out, "[");
    list_each(it, (struct list *)&p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->state != VCL_LABEL || vcl->loading)
            continue;
        text_str(out, n++ > 0 ? "," : "");
        text_json(out, span_str(vcl->name));
    }
    text_str(out, "]");
}

static int
compile(struct operation *op, const struct policy_source *src)
{
    struct policies *p = op->policies;
    struct text labels = { 0 };
    list_labels(p, &labels);
    int err = compiler_run(&p->manager->compiler, op->name, src->path, src->text, text_span(&labels), compiled, op);
    text_release(&labels);
    return err;
}

/* Whether there may be one more of that name. */
static int
check_new(const struct policies *p, const char *name, struct text *why)
{
    if (!policy_name_is_right(name, why))
        return CLI_PARAM;
    if (policies_find((struct policies *)p, name) != NULL) {
        text_printf(why, "Already a VCL named %s", name);
        return CLI_PARAM;
    }
    if (p->n >= POLICIES_MAX) {
        text_printf(why, "Too many policies: at most %u\n", POLICIES_MAX);
        return CLI_PARAM;
    }
    if (param_number("max_vcl_handling") == 2 && counted(p) >= param_number("max_vcl")) {
        text_printf(why, "Too many (%u) VCLs already loaded\n" TOO_MANY_HINT, counted(p));
        return CLI_CANT;
    }
    return CLI_OK;
}

void
policies_load(struct policies *p, const char *name, const struct policy_source *src, enum vcl_state state,
              policies_done_fn *done, void *arg)
{
    struct text why = { 0 };
    int status = check_new(p, name, &why);
    if (status != CLI_OK) {
        done(arg, status, text_span(&why));
        text_release(&why);
        return;
    }
    struct operation *op = operation_new(p, name, done, arg);
    struct vcl *vcl = op->vcl = policies_add(p, name, state);
    vcl->loading = true;
    if (src->image != NULL) {
        load_image(op, src->image);
    } else if (compile(op, src) != 0) {
        policies_forget(p, vcl);
        operation_say(op, CLI_CANT, "Too many policies wait for the compiler: at most %u\n", COMPILE_QUEUE_MAX);
    }
}

/* ---- use --------------------------------------------------------------------------------------------------------------------- */

static void
used(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    if (status != CLI_OK) {
        operation_end(op, status, text);
        return;
    }
    policies_activated(op->policies, op->held);
    supervisor_forgive(&op->policies->manager->supervisor);
    operation_say(op, CLI_OK, "VCL '%s' now active", op->name);
}

static void make_present(struct operation *op);

static void
made_present(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct vcl *vcl = op->held, *policy = vcl_policy(vcl);
    if (status != CLI_OK) {
        operation_end(op, status, text);
        return;
    }
    if (policy->absent)
        policy->absent = false;
    else
        vcl->absent = false;
    make_present(op);
}

/* What the worker was not given, because workers died of it: the policy, then its label, then it is used. */
static void
make_present(struct operation *op)
{
    struct vcl *vcl = op->held, *policy = vcl_policy(vcl);
    struct child *child = &op->policies->manager->child;
    if (policy->absent)
        child_call(child, made_present, op, 4, CALL("load", policy->name, vcl_image(op->policies, policy), "warm"));
    else if (vcl->absent)
        child_call(child, made_present, op, 3, CALL("label", vcl->name, policy->name));
    else
        child_call(child, used, op, 2, CALL("use", vcl->name));
}

static bool
is_absent(struct vcl *vcl)
{
    return vcl->absent || vcl_policy(vcl)->absent;
}

/* A new worker is told what to use when it has loaded everything: sent now, it would come before that and be undone by it. */
void
policies_use(struct policies *p, const char *name, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, name, done, arg);
    struct vcl *vcl = policies_find(p, name);
    if (vcl == NULL || vcl->loading) {
        operation_say(op, CLI_PARAM, "No VCL named %s known\n", name);
        return;
    }
    operation_hold(op, vcl);
    if (vcl->state == VCL_COLD)
        operation_say(op, CLI_CANT, "VCL '%s' is cold - set to auto or warm first", name);
    else if (!child_alive(&p->manager->child) || (supervisor_loading(&p->manager->supervisor) && !is_absent(vcl)))
        used(op, CLI_OK, SPAN_LIT(""));
    else
        make_present(op);
}

/* ---- discard, replace -------------------------------------------------------------------------------------------------------- */

static void
discarded(void *arg, int status, struct span text)
{
    if (status != CLI_OK && status != CLI_COMMS)
        log_line(LOG_LEVEL_WARNING, "worker could not discard a policy: %.*s", (int)text.len, text.ptr);
}

void
policies_discard(struct policies *p, struct vcl *vcl)
{
    CHECK(vcl != p->active && !vcl->loading && vcl->pending == 0 && vcl->needed == 0);
    if (child_alive(&p->manager->child) && !vcl->absent)
        child_call(&p->manager->child, discarded, NULL, 2, CALL("discard", vcl->name));
    policies_forget_use(p, vcl->name);
    policies_forget(p, vcl);
}

static void
replaced(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct vcl *vcl = op->held;
    if (status != CLI_OK) {
        unlink(op->image);
        operation_end(op, status, text);
        return;
    }
    unlink(vcl->image);
    free(vcl->image);
    vcl->image = strdup(op->image);
    CHECK(vcl->image != NULL);
    operation_say(op, CLI_OK, "Image of VCL '%s' replaced\n", op->name);
}

void
policies_replace(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg)
{
    struct operation *op = operation_new(p, name, done, arg);
    struct vcl *vcl = policies_find(p, name);
    struct text why = { 0 };
    if (vcl == NULL || vcl->loading) {
        operation_say(op, CLI_PARAM, "No VCL named %s known\n", name);
        return;
    }
    if (vcl->state == VCL_LABEL) {
        operation_say(op, CLI_PARAM, "%s is a label\n", name);
        return;
    }
    operation_hold(op, vcl);
    workdir_image_path(&p->manager->dir, name, op->image);
    if (workdir_copy_image(path, op->image, &why) != 0)
        operation_end(op, CLI_PARAM, text_span(&why));
    else if (!child_alive(&p->manager->child) || vcl->absent)
        replaced(op, CLI_OK, SPAN_LIT(""));
    else
        child_call(&p->manager->child, replaced, op, 3, CALL("replace", name, workdir_inside(&p->manager->dir, op->image)));
    text_release(&why);
}

/* ---- reload ------------------------------------------------------------------------------------------------------------------ */

static double
elapsed_ms(const struct operation *op)
{
    return nsec_seconds(clock_mono_ns() - op->began) * 1e3;
}

static bool
may_go(const struct vcl *vcl)
{
    return !vcl->loading && vcl->pending == 0 && vcl->needed == 0 && vcl->state != VCL_LABEL;
}

static void
reload_used(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct policies *p = op->policies;
    struct vcl *fresh = policies_find(p, op->name), *old = policies_find(p, op->old);
    const char *stays = p->active == NULL ? "no policy" : p->active->name;
    if (status != CLI_OK) {
        if (fresh != NULL && fresh != p->active && may_go(fresh))
            policies_discard(p, fresh);
        operation_say(op, status, "Reload failed: '%s' was loaded but could not be made active: %.*s\nRolled back: %s stays active.\n",
                      op->name, (int)text.len, text.ptr, stays);
        return;
    }
    text_printf(&op->said, "active     %s on all loops, after %.1f ms\n", op->name, elapsed_ms(op));
    if (old != NULL && old != p->active) {
        bool idle = may_go(old);
        if (idle)
            policies_discard(p, old);
        text_printf(&op->said, "%s  %s\n", idle ? "discarded" : "in use, kept:", op->old);
    }
    operation_end(op, CLI_OK, text_span(&op->said));
}

static void
reload_loaded(void *arg, int status, struct span text)
{
    struct operation *op = arg;
    struct policies *p = op->policies;
    if (status != CLI_OK) {
        operation_say(op, status, "%.*s\nReload failed: '%s' was not loaded. %s%s stays active.\n", (int)text.len, text.ptr, op->name,
                      p->active == NULL ? "No policy" : "Policy ", p->active == NULL ? "" : p->active->name);
        return;
    }
    struct span done = SPAN_LIT("VCL compiled.\n");
    if (text.len > done.len)
        text_add(&op->said, span_of(text.ptr, text.len - done.len));        /* warnings */
    text_printf(&op->said, "loaded     %s in %.1f ms\n", op->name, elapsed_ms(op));
    snprintf(op->old, sizeof op->old, "%s", p->active == NULL ? "" : p->active->name);
    policies_use(p, op->name, reload_used, op);
}

/* `name`, or when there is one of that name `name-2`, `name-3`...: the old one is gone only after the new one serves. */
static void
free_name(struct policies *p, const char *name, char out[POLICY_NAME_BYTES])
{
    snprintf(out, POLICY_NAME_BYTES, "%s", name);
    for (unsigned i = 2; policies_find(p, out) != NULL; i++)
        snprintf(out, POLICY_NAME_BYTES, "%.*s-%u", (int)POLICY_NAME_BYTES - 12, name, i);
}

void
policies_reload(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg)
{
    char fresh[POLICY_NAME_BYTES];
    free_name(p, name, fresh);
    struct operation *op = operation_new(p, fresh, done, arg);
    policies_load(p, fresh, &(struct policy_source){ .path = path }, VCL_AUTO, reload_loaded, op);
}
