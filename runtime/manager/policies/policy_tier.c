/* The optimised tier. A load waits for the compiler, so the code of a loaded policy is not optimised. This
 * file looks at the policies in use every `optimise_after`: if the hooks of one took `optimise_share` of a
 * processor since the last look, it orders an image with the hot subs optimised, and puts that in place of
 * the first. The compiler works on it in the background, and a load cancels it; the next look orders it
 * again. A failure is logged, and the policy keeps its code.
 *
 * These operations hold no policy, because a compile may take minutes in which an operator may discard it.
 * So each step finds the policy again, by its name and the key of its image. Steps: see policy_step.h. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "manager/policies/policy_step.h"
#include "daemon/status.h"
#include "base/check.h"
#include "base/params.h"
#include "log/report.h"

#define LOOK_EVERY NSEC_PER_SEC

/* ---- the state of a policy ----------------------------------------------------------------------------- */

void
tier_init(struct vcl *vcl, const struct compile_result *result)
{
    CHECK(result->ok && vcl->tier.order == NULL);
    if (*result->key == '\0' || strlen(result->key) >= sizeof vcl->tier.key)
        return;
    snprintf(vcl->tier.key, sizeof vcl->tier.key, "%s", result->key);
    vcl->tier.order = strdup(result->order);
    CHECK(vcl->tier.order != NULL);
    vcl->tier.optimised = result->optimised;
}

void
tier_release(struct vcl *vcl)
{
    if (vcl->tier.plain != NULL)
        unlink(vcl->tier.plain);
    free(vcl->tier.plain);
    free(vcl->tier.order);
    vcl->tier = (struct vcl_tier){ 0 };
}

void
policies_go_back(struct policies *p)
{
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        if (vcl->tier.plain == NULL)
            continue;
        log_line(LOG_LEVEL_ERROR, "policy %s goes back to its code before optimisation: workers died",
                 vcl->name);
        unlink(vcl->image);
        free(vcl->image);
        vcl->image = vcl->tier.plain;
        vcl->tier.plain = NULL;
        vcl->tier.optimised = false;
        vcl->tier.left = true;
    }
}

static bool
may_be_optimised(const struct vcl *vcl)
{
    return !vcl->loading && *vcl->tier.key != '\0' && !vcl->tier.optimised && !vcl->tier.left;
}

/* ---- steps --------------------------------------------------------------------------------------------- */

/* The policy of the operation. NULL: it was discarded, or has other code by now. */
static struct vcl *
find(const struct operation *op)
{
    struct vcl *vcl = policies_find(op->policies, op->name);
    bool same = vcl != NULL && strcmp(vcl->tier.key, op->key) == 0;
    return same && may_be_optimised(vcl) ? vcl : NULL;
}

static enum policy_step
leave(struct vcl *vcl, const char *why)
{
    log_line(LOG_LEVEL_WARNING, "policy %s keeps its code without optimisation: %s", vcl->name, why);
    vcl->tier.left = true;
    return STEP_END;
}

enum policy_step
step_look(struct operation *op)
{
    struct vcl *vcl = policies_find(op->policies, op->name);
    CHECK(vcl != NULL);
    if (!operation_worker_has(op, vcl))
        return STEP_END;
    snprintf(op->key, sizeof op->key, "%s", vcl->tier.key);
    return operation_ask(op, STEP_LOOKED, 2, CALL("hot", vcl->name));
}

static void
optimised(void *arg, const struct compile_result *result)
{
    struct operation *op = arg;
    op->compiled = result;
    operation_start(op, STEP_OPTIMISED);
}

/* The answer has the share and the rules: see worker/hot.c. */
enum policy_step
step_looked(struct operation *op)
{
    struct vcl *vcl = find(op);
    if (vcl == NULL || op->answer.status != CLI_OK)
        return STEP_END;
    char *rules;
    op->share = strtod(text_cstr(&op->answer.detail), &rules);
    if (op->share < params.optimise_share || strcmp(rules, "\n[]") == 0)
        return STEP_END;
    CHECK(*rules == '\n');
    int err = compiler_optimise(op->policies->env.compiler, vcl->tier.order, vcl->tier.key, rules + 1,
                                optimised, op);
    return err == 0 ? STEP_WAIT : STEP_END;
}

/* Another operation that holds the policy may replace its code, too: then the next look tries again. */
enum policy_step
step_optimised(struct operation *op)
{
    struct workdir *dir = op->policies->env.dir;
    const struct compile_result *result = op->compiled;
    op->compiled = NULL;
    struct vcl *vcl = find(op);
    if (!result->ok)
        return vcl == NULL || result->cancelled ? STEP_END : leave(vcl, result->text);
    workdir_outside(dir, result->image, op->image);
    if (vcl == NULL || vcl->pending > 0) {
        unlink(op->image);
        return STEP_END;
    }
    if (!operation_worker_has(op, vcl))
        return operation_skip(op, STEP_SWAPPED);
    return operation_ask(op, STEP_SWAPPED, 3, CALL("replace", vcl->name, workdir_inside(dir, op->image)));
}

enum policy_step
step_swapped(struct operation *op)
{
    struct vcl *vcl = find(op);
    if (vcl == NULL || op->answer.status != CLI_OK) {
        unlink(op->image);
        bool refused = vcl != NULL && op->answer.status != CLI_COMMS;
        return refused ? leave(vcl, text_cstr(&op->answer.detail)) : STEP_END;
    }
    CHECK(vcl->tier.plain == NULL);
    vcl->tier.plain = vcl->image;
    vcl->tier.optimised = true;
    vcl->image = strdup(op->image);
    CHECK(vcl->image != NULL);
    log_line(LOG_LEVEL_INFO, "policy %s has optimised code now: its hooks took %.0f %% of a processor",
             vcl->name, op->share);
    return STEP_END;
}

/* ---- looks --------------------------------------------------------------------------------------------- */

static void
ended(void *arg, const struct policy_result *r)
{
}

static bool
is_in_use(const struct policies *p, const struct vcl *vcl)
{
    return vcl->needed > 0 || (p->active != NULL && vcl == vcl_policy(p->active));
}

static void
look(struct event_timer *t)
{
    struct policies *p = container_of(t, struct policies, look);
    nsec now = clock_mono_ns(), after = nsec_of(params.optimise_after_s);
    list_each(it, &p->list)
    {
        struct vcl *vcl = container_of(it, struct vcl, link);
        bool due = is_in_use(p, vcl) && may_be_optimised(vcl) && now - vcl->tier.looked >= after;
        if (after == 0 || p->restoring || !due)
            continue;
        vcl->tier.looked = now;
        operation_start(operation_new(p, POLICY_OPTIMISE, vcl->name, ended, NULL), STEP_LOOK);
    }
    events_timer(p->env.events, t, now + LOOK_EVERY);
}

void
tier_start(struct policies *p)
{
    p->look.fn = look;
    events_timer(p->env.events, &p->look, clock_mono_ns() + LOOK_EVERY);
}
