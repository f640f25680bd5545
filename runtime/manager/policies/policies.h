/* The manager's list of policies and labels, with their images, their dependencies, and the active one. The
 * list outlives workers: each new worker gets all of it. A label names a policy and can be moved to another
 * policy. A policy that switches to a label (return (vcl(x))) needs the label.
 *
 * One step machine (policy_step.h) runs all operations on the list. Each operation calls its callback once,
 * with values instead of words (policy_result.h). */
#ifndef VERNIS_MANAGER_POLICIES_POLICIES_H
#define VERNIS_MANAGER_POLICIES_POLICIES_H

#include "manager/child.h"
#include "manager/compile.h"
#include "manager/events.h"
#include "manager/policies/policy_result.h"
#include "manager/workdir/workdir.h"

#define POLICY_NAME_BYTES 128u
#define POLICY_HISTORY 16u /* activations remembered, to fall back to an earlier policy */
#define POLICIES_MAX 512u

enum vcl_state { VCL_AUTO, VCL_COLD, VCL_WARM, VCL_LABEL };

struct vcl {
    struct list link;
    char name[POLICY_NAME_BYTES];
    char *image;        /* path and file, both owned; NULL: a label */
    char *source;       /* owned; the policy file or image that was loaded; NULL: typed in, or a label */
    char *values;       /* owned; of compile_values(), for its parameters; NULL: none */
    struct vcl **needs; /* owned array: a label's policy, or the labels a policy switches
                         * to */
    unsigned n_needs, needed; /* needed: number of entries with this one in their `needs` */
    enum vcl_state state;
    bool marked;              /* used inside vcl.discard */
    bool loading;             /* name reserved: compile or load in progress */
    bool suspect;             /* workers died after its activation: new workers do not get it */
    bool absent;              /* the current worker does not have it */
    bool cooled;              /* auto, and inactive for vcl_cooldown: its probes are stopped */
    nsec idle_since;          /* CLOCK_MONOTONIC, when it was loaded or last active */
    nsec loaded;              /* CLOCK_REALTIME, when its load began */
    bool from_start;          /* of the command line or -I: the daemon after an upgrade has it again */
    nsec activated;           /* CLOCK_REALTIME, when it last became active; 0: never */
    const char *activated_by; /* as active_by; NULL: never */
    struct list tables;       /* struct kept_table */
    unsigned pending;         /* operations that hold it: it cannot be discarded */
};

struct policies_env { /* lent for the life of the list */
    struct events *events;
    struct child *child;
    struct compiler *compiler;
    struct workdir *dir;
    void (*chosen)(void *arg); /* an operator activated a policy; may be NULL */
    void *arg;
};

struct policies {
    struct policies_env env;
    struct list list;
    unsigned n, n_labels;
    struct vcl *active;    /* NULL: none yet */
    nsec active_since;     /* CLOCK_REALTIME */
    const char *active_by; /* literal; names the activation: a command, the start, a fallback */
    struct list health;    /* struct health_rule, oldest first */
    unsigned n_health;
    struct event_timer cooldown, watch;
    bool restoring; /* a new worker is still loading the list, and has no active policy */
    /* newest first, without repeats; first the active one */
    char history[POLICY_HISTORY][POLICY_NAME_BYTES];
};

/* A backend.set_health command, to repeat for new workers. */
struct health_rule {
    struct list link;
    char *pattern, *state; /* owned; the pattern names its policy */
};

#define HEALTH_RULES_MAX 256u /* a new rule replaces the oldest */

/* ---- policy_list.c: the list --------------------------------------------------------------------------- */

void policies_init(struct policies *p, const struct policies_env *env);
void policies_release(struct policies *p);
void policies_check(const struct policies *p); /* CHECKs the list's invariants */
void policies_health(struct policies *p, const char *pattern, const char *state);
bool vcl_is_cold(const struct vcl *vcl); /* by state or by cool-down */
/* finds also entries that are loading */
struct vcl *policies_find(struct policies *p, const char *name);
/* The name that a misspelt one probably means; NULL: none resembles it. */
const char *policies_similar(struct policies *p, const char *name);
struct vcl *vcl_policy(struct vcl *vcl);                                /* itself, or the label's policy */
const char *vcl_image(const struct policies *p, const struct vcl *vcl); /* the worker's path of it */
const char *vcl_state_name(enum vcl_state state);
int vcl_state_of(const char *text); /* negative when unknown */
/* The newest earlier active policy that is still loaded and not suspect. NULL: none. */
struct vcl *policies_earlier(struct policies *p);
/* Updates the list; sends nothing to the worker. `by` is a literal (active_by). */
void policies_activated(struct policies *p, struct vcl *vcl, const char *by);

/* ---- operations: each calls `done` once, maybe before it returns --------------------------------------- */

struct policy_source {
    const char *path;   /* a policy file to compile */
    struct span text;   /* a policy to compile; `path` is then only a name for messages */
    const char *image;  /* a compiled image, which is copied */
    struct span values; /* of compile_values(), for parameters of the policy; empty: none */
};

void policies_load(struct policies *p, const char *name, const struct policy_source *src,
                   enum vcl_state state, policies_done_fn *done, void *arg);
/* Creates a label, or moves it to another policy. */
void policies_label(struct policies *p, const char *label, const char *name, policies_done_fn *done,
                    void *arg);
void policies_use(struct policies *p, const char *name, policies_done_fn *done, void *arg);
void policies_replace(struct policies *p, const char *name, const char *path, policies_done_fn *done,
                      void *arg);
/* Loads a policy, activates it, and discards the previously active one. A failure undoes everything; the
 * result names the failed step. Without values the policy gets those of the active one. */
void policies_reload(struct policies *p, const char *name, const char *path, struct span values,
                     policies_done_fn *done, void *arg);
/* Discards all matches, or nothing if a pattern has no match or a match must stay. */
void policies_discard(struct policies *p, unsigned n, char *const patterns[], policies_done_fn *done,
                      void *arg);
void policies_state(struct policies *p, const char *name, const char *state, policies_done_fn *done,
                    void *arg);
/* Loads all policies that are not suspect into a new worker and activates the active one. If that fails,
 * activates the newest earlier one that works. */
void policies_restore(struct policies *p, policies_done_fn *done, void *arg);

#endif
