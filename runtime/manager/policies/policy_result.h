/* The result of an operation on policies, as values. policy_answer.c turns results into CLI answers. */
#ifndef VERNIS_MANAGER_POLICIES_POLICY_RESULT_H
#define VERNIS_MANAGER_POLICIES_POLICY_RESULT_H

#include <stdbool.h>

#include "base/text.h"

#define POLICY_DEPENDENTS_SHOWN 5u

enum policy_verb {
    POLICY_LOAD,
    POLICY_USE,
    POLICY_RELOAD,
    POLICY_LABEL,
    POLICY_DISCARD,
    POLICY_STATE,
    POLICY_REPLACE,
    POLICY_PRESENT, /* loads one entry into a new worker */
    POLICY_RESTORE  /* loads the whole list, and activates the active policy */
};

enum policy_outcome {
    POLICY_DONE,
    POLICY_NAME_WRONG, /* detail: why */
    POLICY_NAME_TAKEN,
    POLICY_LIST_FULL,        /* POLICIES_MAX */
    POLICY_MAX_VCL,          /* count: loaded policies; max_vcl_handling forbids more */
    POLICY_QUEUE_FULL,       /* of the compiler */
    POLICY_COMPILE_FAILED,   /* detail: the compiler's errors */
    POLICY_LABEL_GONE,       /* other: the label, deleted while the policy compiled */
    POLICY_IMAGE_UNREADABLE, /* detail: why */
    POLICY_NOT_LOADED,       /* worker_status, detail: the worker's answer */
    POLICY_REFUSED,          /* the same, for a command other than load */
    POLICY_UNKNOWN,          /* other: the name; detail: a similar one, if there is one */
    POLICY_IS_COLD,          /* other: the policy */
    POLICY_IS_LABEL,
    POLICY_IS_NO_LABEL,
    POLICY_IS_LOADING,
    POLICY_IS_ACTIVE,  /* other: the policy */
    POLICY_IS_PENDING, /* other: the policy */
    POLICY_IS_SUSPECT, /* other: the policy */
    POLICY_IS_NEEDED,  /* other: the entry that `dependents` need; more_dependents: the list
                        * is cut */
    POLICY_LABEL_OF_LABEL,
    POLICY_LOOP,     /* other: the policy; detail: the links of the loop */
    POLICY_NO_MATCH, /* other: the pattern; detail: a similar name, if there is one */
    POLICY_STATE_UNKNOWN,
    POLICY_WORKER_GONE, /* the worker died during the operation */
    POLICY_NO_WAY_BACK  /* detail: policies that the worker could not load */
};

struct policy_result { /* texts are lent for the callback */
    enum policy_verb verb;
    enum policy_outcome outcome;
    const char *name, *other; /* the operation's target, and the entry that prevents it */
    struct span detail;
    struct span warnings; /* of the compiler; whole lines */
    int worker_status;    /* enum cli_status */
    unsigned count;       /* loaded policies; load: 0 unless above max_vcl */
    bool other_is_label;
    const char *dependents[POLICY_DEPENDENTS_SHOWN];
    unsigned n_dependents;
    bool more_dependents;
    /* reload */
    bool used_failed;            /* the policy was loaded, but not activated */
    bool old_kept;               /* the previous policy is still needed */
    const char *old, *active;    /* the previous and the active policy; NULL: none */
    double loaded_ms, active_ms; /* since the operation began */
};

typedef void policies_done_fn(void *arg, const struct policy_result *result);

/* policy_answer.c: prints the CLI answer. */
enum cli_status;
int policy_answer(const struct policy_result *r, struct text *out); /* returns the CLI status */
/* the same, to the log of the manager */
void policy_log_warnings(const struct policy_result *r);

#endif
