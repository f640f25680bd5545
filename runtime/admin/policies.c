/* The manager's list of policies: see policies.h. An operation is a small struct that travels through the callbacks of
 * compiler and worker; the policy is looked up by name at every step, since others may act in between. */
#include "admin/policies.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "admin/manager.h"
#include "admin/params.h"
#include "admin/status.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "log/report.h"

#define COOLDOWN_EVERY NSEC_PER_SEC

#define CALL(...) (const char *const[]){ __VA_ARGS__ }

struct operation {
    struct policies *policies;
    char name[POLICY_NAME_BYTES];
    char image[PATH_MAX];
    struct text said;                   /* warnings, report */
    policies_done_fn *done;
    void *arg;
    struct vcl *vcl;                    /* load, label: the entry, which nobody else removes */
    struct vcl *held;                   /* use, replace, label: counted in its `pending` */
    char old[POLICY_NAME_BYTES];        /* reload: active before; "" none */
    nsec began;
};

static const char *const state_names[] = { [VCL_AUTO] = "auto", [VCL_COLD] = "cold", [VCL_WARM] = "warm", [VCL_LABEL] = "label" };

const char *
vcl_state_name(enum vcl_state state)
{
    return state_names[state];
}

int
vcl_state_of(const char *text)
{
    for (int i = 0; i < VCL_LABEL; i++)     /* nobody asks for a label's state */
        if (strcmp(state_names[i], text) == 0)
            return i;
    return ERR_NOTFOUND;
}

bool
vcl_is_cold(const struct vcl *vcl)
{
    return vcl->state == VCL_COLD || (vcl->state == VCL_AUTO && vcl->cooled);
}

struct vcl *
vcl_policy(struct vcl *vcl)
{
    return vcl->state == VCL_LABEL ? vcl->needs[0] : vcl;
}

const char *
vcl_image(const struct policies *p, const struct vcl *vcl)
{
    return workdir_inside(&p->manager->dir, vcl->image);
}

static void
cooled(void *arg, int status, struct span text)
{
}

/* Lets auto policies rest that nobody has used for vcl_cooldown. */
static void
cool_down(struct event_timer *t)
{
    struct policies *p = container_of(t, struct policies, cooldown);
    nsec now = clock_mono_ns(), limit = nsec_of(params.vcl_cooldown_s);
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        bool in_use = vcl == p->active || vcl->loading || vcl->pending > 0 || vcl->needed > 0 || vcl->n_needs > 0;
        if (in_use || vcl->cooled || vcl->state != VCL_AUTO || now - vcl->idle_since < limit)
            continue;
        vcl->cooled = true;
        if (child_alive(&p->manager->child) && !vcl->absent)
            child_call(&p->manager->child, cooled, NULL, 3, CALL("temperature", vcl->name, "cold"));
    }
    events_timer(&p->manager->events, t, now + COOLDOWN_EVERY);
}

void
policies_init(struct policies *p, struct manager *m)
{
    *p = (struct policies){ .manager = m, .cooldown.fn = cool_down };
    list_init(&p->list);
    list_init(&p->health);
    events_timer(&m->events, &p->cooldown, clock_mono_ns() + COOLDOWN_EVERY);
}

static void
need(struct vcl *from, struct vcl *to)
{
    from->needs = realloc(from->needs, (from->n_needs + 1) * sizeof *from->needs);
    CHECK(from->needs != NULL);
    from->needs[from->n_needs++] = to;
    to->needed++;
}

static void
need_nothing(struct vcl *from)
{
    for (unsigned i = 0; i < from->n_needs; i++) {
        from->needs[i]->needed--;
        from->needs[i]->idle_since = clock_mono_ns();
    }
    free(from->needs);
    from->needs = NULL;
    from->n_needs = 0;
}

static void
forget(struct policies *p, struct vcl *vcl)
{
    CHECK(vcl->needed == 0);
    need_nothing(vcl);
    list_remove(&vcl->link);
    p->n--;
    p->n_labels -= vcl->state == VCL_LABEL;
    if (vcl->image != NULL)
        unlink(vcl->image);             /* who has it mapped keeps it */
    free(vcl->image);
    free(vcl);
}

static void
drop_rule(struct policies *p, struct health_rule *rule)
{
    list_remove(&rule->link);
    p->n_health--;
    free(rule->pattern);
    free(rule->state);
    free(rule);
}

/* A pattern without a dot is about the policy that is active now. What was said of the same pattern before is over. */
void
policies_health(struct policies *p, const char *pattern, const char *state)
{
    struct text full = { 0 };
    if (strchr(pattern, '.') == NULL && p->active != NULL)
        text_printf(&full, "%s.", vcl_policy(p->active)->name);
    text_str(&full, pattern);
    list_each(it, &p->health)
        if (strcmp(container_of(it, struct health_rule, link)->pattern, text_cstr(&full)) == 0)
            drop_rule(p, container_of(it, struct health_rule, link));
    if (p->n_health == HEALTH_RULES_MAX)
        drop_rule(p, list_first(&p->health, struct health_rule, link));
    struct health_rule *rule = mem_zalloc(sizeof *rule);
    *rule = (struct health_rule){ .pattern = strdup(text_cstr(&full)), .state = strdup(state) };
    CHECK(rule->pattern != NULL && rule->state != NULL);
    list_push_back(&p->health, &rule->link);
    p->n_health++;
    text_release(&full);
}

void
policies_release(struct policies *p)
{
    list_each(it, &p->list)
        need_nothing(container_of(it, struct vcl, link));
    list_each(it, &p->list)
        forget(p, container_of(it, struct vcl, link));
    p->active = NULL;
    list_each(it, &p->health)
        drop_rule(p, container_of(it, struct health_rule, link));
}

struct vcl *
policies_find(struct policies *p, const char *name)
{
    list_each(it, &p->list) {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (strcmp(vcl->name, name) == 0)
            return vcl;
    }
    return NULL;
}

static struct operation *
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

static void
operation_hold(struct operation *op, struct vcl *vcl)
{
    op->held = vcl;
    vcl->pending++;
}

static void
operation_end(struct operation *op, int status, struct span text)
{
    if (op->held != NULL)
        op->held->pending--;
    op->done(op->arg, status, text);
    text_release(&op->said);
    free(op);
}

static void
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

static bool
name_is_right(const char *name, struct text *why)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (letter || (i > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.')))
            continue;
        text_printf(why, c > 0x20 && c < 0x7f ? "Illegal character in VCL name ('%c')" : "Illegal character in VCL name (0x%02x)", c);
        return false;
    }
    if (n == 0 || n >= POLICY_NAME_BYTES)
        text_printf(why, "VCL name must have 1 to %u characters\n", POLICY_NAME_BYTES - 1);
    return n > 0 && n < POLICY_NAME_BYTES;
}

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
        forget(op->policies, vcl);
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
        need(op->vcl, label);
    }
    return true;
}

static void
compiled(void *arg, const struct compile_result *result)
{
    struct operation *op = arg;
    if (!result->ok) {
        size_t n = strlen(result->text);
        forget(op->policies, op->vcl);
        operation_say(op, CLI_PARAM, "Message from Vernis compiler:\n%s%sVCL compilation failed", result->text,
                      n > 0 && result->text[n - 1] != '\n' ? "\n" : "");
        return;
    }
    workdir_outside(&op->policies->manager->dir, result->image, op->image);
    op->vcl->image = strdup(op->image);
    CHECK(op->vcl->image != NULL);
    if (!need_labels(op, result->labels)) {
        forget(op->policies, op->vcl);
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
        forget(op->policies, op->vcl);
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

static struct vcl *
add_vcl(struct policies *p, const char *name, enum vcl_state state)
{
    struct vcl *vcl = mem_zalloc(sizeof *vcl);
    snprintf(vcl->name, sizeof vcl->name, "%s", name);
    vcl->state = state;
    vcl->idle_since = clock_mono_ns();
    list_push_back(&p->list, &vcl->link);
    p->n++;
    p->n_labels += state == VCL_LABEL;
    return vcl;
}

/* Whether there may be one more of that name. */
static int
check_new(const struct policies *p, const char *name, struct text *why)
{
    if (!name_is_right(name, why))
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
    struct vcl *vcl = op->vcl = add_vcl(p, name, state);
    vcl->loading = true;
    if (src->image != NULL) {
        load_image(op, src->image);
    } else if (compile(op, src) != 0) {
        forget(p, vcl);
        operation_say(op, CLI_CANT, "Too many policies wait for the compiler: at most %u\n", COMPILE_QUEUE_MAX);
    }
}

/* ---- use --------------------------------------------------------------------------------------------------------------------- */

static void
remove_from_history(struct policies *p, const char *name)
{
    for (unsigned i = 0; i < POLICY_HISTORY; i++) {
        if (strcmp(p->history[i], name) != 0)
            continue;
        memmove(p->history[i], p->history[i + 1 < POLICY_HISTORY ? i + 1 : i], (POLICY_HISTORY - 1 - i) * POLICY_NAME_BYTES);
        p->history[POLICY_HISTORY - 1][0] = '\0';
        return;
    }
}

void
policies_activated(struct policies *p, struct vcl *vcl)
{
    if (p->active != NULL)
        p->active->idle_since = clock_mono_ns();
    p->active = vcl;
    vcl->suspect = vcl->absent = vcl->cooled = false;
    vcl_policy(vcl)->suspect = vcl_policy(vcl)->absent = vcl_policy(vcl)->cooled = false;
    remove_from_history(p, vcl->name);
    memmove(p->history[1], p->history[0], (POLICY_HISTORY - 1) * POLICY_NAME_BYTES);
    snprintf(p->history[0], POLICY_NAME_BYTES, "%s", vcl->name);
}

struct vcl *
policies_earlier(struct policies *p)
{
    for (unsigned i = 0; i < POLICY_HISTORY; i++) {
        struct vcl *vcl = policies_find(p, p->history[i]);
        if (vcl == NULL || vcl->suspect || vcl->loading || vcl_policy(vcl)->suspect)
            continue;
        if (p->active == NULL || vcl_policy(vcl) != vcl_policy(p->active))
            return vcl;
    }
    return NULL;
}

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
    else if (!child_alive(&p->manager->child))
        used(op, CLI_OK, SPAN_LIT(""));
    else
        make_present(op);
}

/* ---- label ------------------------------------------------------------------------------------------------------------------- */

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
    if (!name_is_right(name, why))
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
            forget(op->policies, label);
        operation_end(op, status, text);
        return;
    }
    need_nothing(label);
    need(label, op->held);
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
        if (name_is_right(name, &why))
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
        op->vcl = add_vcl(p, name, VCL_LABEL);
        op->vcl->loading = true;
        need(op->vcl, vcl);
    } else {
        op->vcl = label;
        label->pending++;
    }
    if (!child_alive(child))
        labelled(op, CLI_OK, SPAN_LIT(""));
    else
        child_call(child, labelled, op, 3, CALL("label", op->name, vcl->name));
}

/* ---- discard, replace --------------------------------------------------------------------------------------------------------- */

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
    remove_from_history(p, vcl->name);
    forget(p, vcl);
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

/* ---- reload -------------------------------------------------------------------------------------------------------------------- */

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
