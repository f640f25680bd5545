/* The step machine of policies. An operation is a small struct that runs steps. A step does one thing and
 * returns the next step. A step that asks the compiler or the worker returns STEP_WAIT, and the answer
 * continues with `then`. Other operations may run while one waits. So a step looks policies up by name, or
 * holds them: a held policy cannot be discarded.
 *
 *   load      admit, (compile, compiled | copy), send, sent
 *   use       choose, present (presented, present)..., used, chosen
 *   reload    the steps of load, those of use, drop_old; or roll_back
 *   label     label, labelled
 *   discard   discard
 *   state     set_state, state_set
 *   replace   replace, replaced
 *   present   put, was_put
 *   restore   restore, (each entry: present), all_put, reuse, reused
 *
 * Every operation may end early, with an outcome in `result`. A failed load removes its entry from the list
 * first. */
#ifndef VERNIS_MANAGER_POLICIES_POLICY_STEP_H
#define VERNIS_MANAGER_POLICIES_POLICY_STEP_H

#include <limits.h>

#include "manager/policies/policies.h"
#include "base/clock.h"

enum policy_step {
    STEP_WAIT, STEP_END,
    STEP_ADMIT, STEP_COMPILE, STEP_COMPILED, STEP_COPY, STEP_SEND, STEP_SENT, STEP_FORGET,
    STEP_CHOOSE, STEP_PRESENT, STEP_PRESENTED, STEP_USED, STEP_CHOSEN, STEP_DROP_OLD, STEP_ROLL_BACK,
    STEP_LABEL, STEP_LABELLED,
    STEP_DISCARD,
    STEP_SET_STATE, STEP_STATE_SET,
    STEP_REPLACE, STEP_REPLACED,
    STEP_PUT, STEP_WAS_PUT,
    STEP_RESTORE, STEP_ALL_PUT, STEP_REUSE, STEP_REUSED,
    STEP_COUNT
};

struct worker_answer {
    int status;                         /* enum cli_status; CLI_COMMS: no worker, or it died */
    struct text detail;                 /* owned */
};

struct operation {
    struct policies *policies;
    enum policy_verb verb;
    enum policy_step step, then;        /* then: after the answer */
    bool asking, answered;              /* asking: operation_ask() itself handles an immediate answer */
    struct worker_answer answer;        /* the last one */
    struct policy_result result;
    char *name;                         /* owned; as typed, maybe invalid */
    policies_done_fn *done;
    void *arg;
    nsec began;
    struct vcl *vcl;                    /* load, label: its entry, which no other operation removes */
    struct vcl *held;                   /* counted in its `pending` */
    struct text warnings, detail, other;    /* owned; lent to `result` */
    char old[POLICY_NAME_BYTES];        /* reload: active before; "" none */
    char image[PATH_MAX];
    enum vcl_state state;               /* load */
    unsigned left;                      /* restore: entries the worker does not have yet */
    bool lost;                          /* restore: the worker died */
    /* Lent by the caller; invalid after the first wait. */
    const struct policy_source *source;
    const struct compile_result *compiled;
    const char *target;                 /* label: the policy; replace: the image; state: the state */
    char *const *patterns;
    unsigned n_patterns;
};

/* ---- policy_step.c: the machine ------------------------------------------------------------------------ */

struct operation *operation_new(struct policies *p, enum policy_verb verb, const char *name, policies_done_fn *done, void *arg);
void operation_start(struct operation *op, enum policy_step first);
/* until the operation ends, or operation_let_go() */
void operation_hold(struct operation *op, struct vcl *vcl);
void operation_let_go(struct operation *op);
/* Asks the worker; the answer is in `answer` when `then` runs. */
enum policy_step operation_ask(struct operation *op, enum policy_step then, unsigned n, const char *const words[]);
/* Without a worker: continues as if the worker had answered 200. */
enum policy_step operation_skip(struct operation *op, enum policy_step then);
/* returns the step that ends it */
enum policy_step operation_fail(struct operation *op, enum policy_outcome outcome);
enum policy_step operation_fail_on(struct operation *op, enum policy_outcome outcome, const char *other);
/* POLICY_UNKNOWN or POLICY_NO_MATCH, with a similar name as the detail */
enum policy_step operation_unknown(struct operation *op, enum policy_outcome outcome, const char *name);
/* with the worker's answer */
enum policy_step operation_refused(struct operation *op, enum policy_outcome outcome);
/* a worker runs and has the entry */
bool operation_worker_has(const struct operation *op, const struct vcl *vcl);

#define CALL(...) (const char *const[]){ __VA_ARGS__ }

typedef enum policy_step step_fn(struct operation *op);

/* ---- policy_load.c ------------------------------------------------------------------------------------- */
step_fn step_admit, step_compile, step_compiled, step_copy, step_send, step_sent, step_forget;
/* ---- policy_use.c -------------------------------------------------------------------------------------- */
step_fn step_choose, step_present, step_presented, step_used, step_chosen, step_drop_old, step_roll_back, step_replace, step_replaced;
/* ---- policy_labels.c ----------------------------------------------------------------------------------- */
step_fn step_label, step_labelled;
/* ---- policy_discard.c ---------------------------------------------------------------------------------- */
step_fn step_discard, step_set_state, step_state_set;
bool policy_may_go(const struct policies *p, const struct vcl *vcl);
/* needs policy_may_go(); the worker unloads it in the background */
void policy_drop(struct policies *p, struct vcl *vcl);
/* ---- policy_restore.c ---------------------------------------------------------------------------------- */
step_fn step_put, step_was_put, step_restore, step_all_put, step_reuse, step_reused;
/* ---- policy_list.c: entries ---------------------------------------------------------------------------- */
bool policy_name_is_right(const char *name, struct text *why);
struct vcl *policies_add(struct policies *p, const char *name, enum vcl_state state);
/* nothing may need it; deletes its image, too */
void policies_forget(struct policies *p, struct vcl *vcl);
void policies_need(struct vcl *from, struct vcl *to);
void policies_need_nothing(struct vcl *from);
void policies_forget_use(struct policies *p, const char *name); /* removes it from the history */

#endif
