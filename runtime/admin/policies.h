/* The manager's list of policies and labels: what is loaded, from which image, which one is active, what needs what. It outlives
 * workers: a new one gets the same list. A label names a policy and can be changed to name another; a policy that switches to
 * a label (return (vcl(x))) needs it. Each operation answers once, when it is done, through its callback. */
#ifndef VERNIS_ADMIN_POLICIES_H
#define VERNIS_ADMIN_POLICIES_H

#include "admin/child.h"
#include "admin/text.h"

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

struct policies {
    struct manager *manager;
    struct list list;
    unsigned n, n_labels;
    struct vcl *active;                 /* NULL: none yet */
    struct list health;                 /* struct health_rule, in the order they were told */
    unsigned n_health;
    struct event_timer cooldown;
    char history[POLICY_HISTORY][POLICY_NAME_BYTES];    /* newest first, without repeats, the active one included */
};

/* What backend.set_health was told, for workers to come. */
struct health_rule {
    struct list link;
    char *pattern, *state;              /* owned; the pattern names its policy */
};

#define HEALTH_RULES_MAX 256u           /* the oldest goes first */

void policies_health(struct policies *p, const char *pattern, const char *state);

typedef void policies_done_fn(void *arg, int status, struct span text);

void policies_init(struct policies *p, struct manager *m);
void policies_release(struct policies *p);
bool vcl_is_cold(const struct vcl *vcl);            /* by state or by cool-down */
struct vcl *policies_find(struct policies *p, const char *name);        /* also one that is loading */
struct vcl *vcl_policy(struct vcl *vcl);            /* itself, or what the label names */
const char *vcl_image(const struct policies *p, const struct vcl *vcl);      /* as the worker names it */
const char *vcl_state_name(enum vcl_state state);
int vcl_state_of(const char *text);                 /* negative when unknown */

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
/* Not the active one or one needed. At once here, in the background there. */
void policies_discard(struct policies *p, struct vcl *vcl);
void policies_replace(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg);
/* Load, use, discard of the one active before; on failure everything is as before and the report says where it stopped. */
void policies_reload(struct policies *p, const char *name, const char *path, policies_done_fn *done, void *arg);
/* The last activation before the active one that is still loaded and not suspect. NULL: none. */
struct vcl *policies_earlier(struct policies *p);
void policies_activated(struct policies *p, struct vcl *vcl);   /* bookkeeping only */

#endif
