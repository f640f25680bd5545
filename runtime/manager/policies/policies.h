/* The manager's list of policies and labels: what is loaded, from which image, which one is active, what needs what. It outlives
 * workers: a new one gets the same list. A label names a policy and can be changed to name another; a policy that switches to
 * a label (return (vcl(x))) needs it.
 *
 * All that is done with them goes through one step machine (policy_step.h). Each operation answers once, when it is done, through
 * its callback, with values and not with words (policy_result.h). */
#ifndef VERNIS_MANAGER_POLICIES_H
#define VERNIS_MANAGER_POLICIES_H

#include "manager/child.h"
#include "manager/compile.h"
#include "manager/events.h"
#include "manager/policies/policy_result.h"
#include "manager/workdir.h"

#define POLICY_NAME_BYTES 128u
#define POLICY_HISTORY 16u              /* activations remembered, for the way back */
#define POLICIES_MAX 512u

enum vcl_state { VCL_AUTO, VCL_COLD, VCL_WARM, VCL_LABEL };

struct vcl {
    struct list link;
    char name[POLICY_NAME_BYTES];
    char *image;                        /* owned path; the file too; NULL: a label */
    struct vcl **needs;                 /* owned array: a label's policy, or the labels a policy switches to */
    unsigned n_needs, needed;           /* needed: how many have this one in their `needs` */
    enum vcl_state state;
    bool marked;                        /* vcl.discard at work */
    bool loading;                       /* reserved: compile or load under way */
    bool suspect;                       /* workers died of it: new ones do not get it */
    bool absent;                        /* the worker there is now does not have it */
    bool cooled;                        /* auto, and not active for vcl_cooldown: its probes rest */
    nsec idle_since;                    /* CLOCK_MONOTONIC, when it was loaded or last active */
    unsigned pending;                   /* operations under way that need it: it is not discarded */
};

struct policies_env {                   /* lent for the life of the list */
    struct events *events;
    struct child *child;
    struct compiler *compiler;
    struct workdir *dir;
    void (*chosen)(void *arg);          /* an operator made a policy active; NULL: nobody cares */
    void *arg;
};

struct policies {
    struct policies_env env;
    struct list list;
    unsigned n, n_labels;
    struct vcl *active;                 /* NULL: none yet */
    struct list health;                 /* struct health_rule, in the order they were told */
    unsigned n_health;
    struct event_timer cooldown;
    bool restoring;                     /* a new worker does not have all of the list yet, and uses none */
    char history[POLICY_HISTORY][POLICY_NAME_BYTES];    /* newest first, without repeats, the active one included */
};

/* What backend.set_health was told, for workers to come. */
struct health_rule {
    struct list link;
    char *pattern, *state;              /* owned; the pattern names its policy */
};

#define HEALTH_RULES_MAX 256u           /* the oldest goes first */

/* ---- policy_list.c: the list, at once -------------------------------------------------------------------------------------------- */

void policies_init(struct policies *p, const struct policies_env *env);
void policies_release(struct policies *p);
void policies_check(const struct policies *p);      /* CHECKs what always holds of the list */
void policies_health(struct policies *p, const char *pattern, const char *state);
bool vcl_is_cold(const struct vcl *vcl);            /* by state or by cool-down */
struct vcl *policies_find(struct policies *p, const char *name);        /* also one that is loading */
struct vcl *vcl_policy(struct vcl *vcl);            /* itself, or what the label names */
const char *vcl_image(const struct policies *p, const struct vcl *vcl);      /* as the worker names it */
const char *vcl_state_name(enum vcl_state state);
int vcl_state_of(const char *text);                 /* negative when unknown */
/* The last activation before the active one that is still loaded and not suspect. NULL: none. */
struct vcl *policies_earlier(struct policies *p);
void policies_activated(struct policies *p, struct vcl *vcl);   /* bookkeeping only */

/* ---- operations: `done` is called once, at once or later ------------------------------------------------------------------------- */

struct policy_source {
    const char *path;                   /* a policy file to compile */
    struct span text;                   /* a policy to compile; its path, when there is one, is only its name */
    const char *image;                  /* or an image: it is copied */
};

void policies_load(struct policies *p, const char *name, const struct policy_source *src, enum vcl_state state,
                   policies_done_fn *done, void *arg);
/* A new label, or an old one for another policy. */
void policies_label(struct policies *p, const char *label, const char *name, policies_done_fn *done, void *arg);
void policies_use(struct policies *p, const char *name, policies_done_fn *done, void *arg);
void policies_replace(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg);
/* Load, use, discard of the one active before; on failure everything is as before and the result says where it stopped. */
void policies_reload(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg);
/* All that match; nothing happens unless every pattern finds something and all that was found may go. */
void policies_discard(struct policies *p, unsigned n, char *const patterns[], policies_done_fn *done, void *arg);
void policies_state(struct policies *p, const char *name, const char *state, policies_done_fn *done, void *arg);
/* A new worker gets all that is not suspect, and uses the active one, or the last before it that it can use. */
void policies_restore(struct policies *p, policies_done_fn *done, void *arg);

#endif
