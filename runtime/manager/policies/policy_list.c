/* The list of policies and labels: entries and their dependencies, names, the history of active policies,
 * rules of backend.set_health, and cooling of unused policies. See policies.h. */
#include "manager/policies/policies.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/policies/policy_step.h"
#include "manager/policies/policy_tables.h"
#include "base/check.h"
#include "base/mem.h"
#include "base/params.h"
#include "base/similar.h"

#define COOLDOWN_EVERY NSEC_PER_SEC

static const char *const state_names[] = {
    [VCL_AUTO] = "auto", [VCL_COLD] = "cold", [VCL_WARM] = "warm", [VCL_LABEL] = "label"
};

const char *
vcl_state_name(enum vcl_state state)
{
    return state_names[state];
}

int
vcl_state_of(const char *text)
{
    for (int i = 0; i < VCL_LABEL; i++) /* vcl.state cannot set the state of a label */
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
    return workdir_inside(p->env.dir, vcl->image);
}

static void
cooled(void *arg, int status, struct span text)
{
}

/* Stops the probes of auto policies that were unused for vcl_cooldown. */
static void
cool_down(struct event_timer *t)
{
    struct policies *p = container_of(t, struct policies, cooldown);
    nsec now = clock_mono_ns(), limit = nsec_of(params.vcl_cooldown_s);
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        bool in_use = vcl == p->active || vcl->loading || vcl->pending > 0 || vcl->needed > 0 ||
                      vcl->n_needs > 0;
        if (in_use || vcl->cooled || vcl->state != VCL_AUTO || now - vcl->idle_since < limit)
            continue;
        vcl->cooled = true;
        if (child_alive(p->env.child) && !vcl->absent)
            child_call(p->env.child, cooled, NULL, 3, CALL("temperature", vcl->name, "cold"));
    }
    events_timer(p->env.events, t, now + COOLDOWN_EVERY);
}

void
policies_init(struct policies *p, const struct policies_env *env)
{
    *p = (struct policies){ .env = *env, .cooldown.fn = cool_down };
    list_init(&p->list);
    list_init(&p->health);
    events_timer(env->events, &p->cooldown, clock_mono_ns() + COOLDOWN_EVERY);
    table_watch_start(p);
}

void
policies_need(struct vcl *from, struct vcl *to)
{
    from->needs = realloc(from->needs, (from->n_needs + 1) * sizeof *from->needs);
    CHECK(from->needs != NULL);
    from->needs[from->n_needs++] = to;
    to->needed++;
}

void
policies_need_nothing(struct vcl *from)
{
    for (unsigned i = 0; i < from->n_needs; i++) {
        from->needs[i]->needed--;
        from->needs[i]->idle_since = clock_mono_ns();
    }
    free(from->needs);
    from->needs = NULL;
    from->n_needs = 0;
}

void
policies_forget(struct policies *p, struct vcl *vcl)
{
    CHECK(vcl->needed == 0);
    policies_need_nothing(vcl);
    kept_tables_forget(vcl);
    list_remove(&vcl->link);
    p->n--;
    p->n_labels -= vcl->state == VCL_LABEL;
    if (vcl->image != NULL)
        unlink(vcl->image); /* a worker keeps its mapping */
    free(vcl->image);
    free(vcl->source);
    free(vcl->values);
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

/* A pattern without a dot means the policy that is active now. A new rule replaces the rule with the same
 * pattern. */
void
policies_health(struct policies *p, const char *pattern, const char *state)
{
    struct text full = { 0 };
    if (strchr(pattern, '.') == NULL && p->active != NULL)
        text_printf(&full, "%s.", vcl_policy(p->active)->name);
    text_str(&full, pattern);
    struct health_rule *dropped = NULL; /* each pattern has at most one rule */
    list_each(it, &p->health) if (strcmp(container_of(it, struct health_rule, link)->pattern,
                                         text_cstr(&full)) == 0)
        dropped = container_of(it, struct health_rule, link);
    if (dropped == NULL && p->n_health == HEALTH_RULES_MAX)
        dropped = list_first(&p->health, struct health_rule, link);
    if (dropped != NULL)
        drop_rule(p, dropped);
    struct health_rule *rule = mem_zalloc(sizeof *rule);
    *rule = (struct health_rule){ .pattern = strdup(text_cstr(&full)), .state = strdup(state) };
    CHECK(rule->pattern != NULL && rule->state != NULL);
    list_push_back(&p->health, &rule->link);
    p->n_health++;
    text_release(&full);
}

/* Checks the whole list: it has at most a few hundred entries, and only operations call this. */
void
policies_check(const struct policies *p)
{
    unsigned n = 0, n_labels = 0;
    bool has_active = p->active == NULL;
    list_each(it, (struct list *)&p->list)
    {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        bool label = vcl->state == VCL_LABEL;
        CHECK(label ? vcl->n_needs == 1 && vcl->image == NULL : vcl->loading || vcl->image != NULL);
        CHECK(!vcl->marked);
        has_active |= vcl == p->active && !vcl->loading;
        n_labels += label;
        n++;
    }
    CHECK(n == p->n && n_labels == p->n_labels && has_active);
}

void
policies_release(struct policies *p)
{
    list_each(it, &p->list) policies_need_nothing(container_of(it, struct vcl, link));
    list_each(it, &p->list) policies_forget(p, container_of(it, struct vcl, link));
    p->active = NULL;
    list_each(it, &p->health) drop_rule(p, container_of(it, struct health_rule, link));
}

struct vcl *
policies_find(struct policies *p, const char *name)
{
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (strcmp(vcl->name, name) == 0)
            return vcl;
    }
    return NULL;
}

const char *
policies_similar(struct policies *p, const char *name)
{
    struct similar s = similar_to(span_str(name));
    list_each(it, &p->list)
    {
        const struct vcl *vcl = container_of(it, struct vcl, link);
        if (!vcl->loading)
            similar_try(&s, vcl->name);
    }
    return s.name;
}

bool
policy_name_is_right(const char *name, struct text *why)
{
    size_t n = strlen(name);
    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)name[i];
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        if (letter || (i > 0 && ((c >= '0' && c <= '9') || c == '_' || c == '-')))
            continue;
        text_printf(why,
                    c > 0x20 && c < 0x7f ? "Illegal character in VCL name ('%c')"
                                         : "Illegal character in VCL name (0x%02x)",
                    c);
        return false;
    }
    if (n == 0 || n >= POLICY_NAME_BYTES)
        text_printf(why, "VCL name must have 1 to %u characters\n", POLICY_NAME_BYTES - 1);
    return n > 0 && n < POLICY_NAME_BYTES;
}

struct vcl *
policies_add(struct policies *p, const char *name, enum vcl_state state)
{
    struct vcl *vcl = mem_zalloc(sizeof *vcl);
    snprintf(vcl->name, sizeof vcl->name, "%s", name);
    vcl->state = state;
    vcl->idle_since = clock_mono_ns();
    vcl->loaded = clock_real_ns();
    list_init(&vcl->tables);
    list_push_back(&p->list, &vcl->link);
    p->n++;
    p->n_labels += state == VCL_LABEL;
    return vcl;
}

void
policies_forget_use(struct policies *p, const char *name)
{
    for (unsigned i = 0; i < POLICY_HISTORY; i++) {
        if (strcmp(p->history[i], name) != 0)
            continue;
        memmove(p->history[i], p->history[i + 1 < POLICY_HISTORY ? i + 1 : i],
                (POLICY_HISTORY - 1 - i) * POLICY_NAME_BYTES);
        p->history[POLICY_HISTORY - 1][0] = '\0';
        return;
    }
}

void
policies_activated(struct policies *p, struct vcl *vcl, const char *by)
{
    if (p->active != NULL)
        p->active->idle_since = clock_mono_ns();
    p->active = vcl;
    p->active_since = clock_real_ns();
    p->active_by = by;
    vcl->activated = p->active_since;
    vcl->activated_by = by;
    vcl->suspect = vcl->absent = vcl->cooled = false;
    vcl_policy(vcl)->suspect = vcl_policy(vcl)->absent = vcl_policy(vcl)->cooled = false;
    policies_forget_use(p, vcl->name);
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
