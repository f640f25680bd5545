/* How an operation on policies went, as values; the words for an operator are made of them in policy_answer.c. */
#ifndef VERNIS_MANAGER_POLICY_RESULT_H
#define VERNIS_MANAGER_POLICY_RESULT_H

#include <stdbool.h>

#include "worker/text.h"

#define POLICY_DEPENDENTS_SHOWN 5u

enum policy_verb {
    POLICY_LOAD, POLICY_USE, POLICY_RELOAD, POLICY_LABEL, POLICY_DISCARD, POLICY_STATE, POLICY_REPLACE,
    POLICY_PRESENT,                     /* one entry of the list into a new worker */
    POLICY_RESTORE                      /* the whole list, and the active policy */
};

enum policy_outcome {
    POLICY_DONE,
    POLICY_NAME_WRONG,                  /* detail: why */
    POLICY_NAME_TAKEN,
    POLICY_LIST_FULL,                   /* POLICIES_MAX */
    POLICY_MAX_VCL,                     /* count: how many there are, and max_vcl_handling forbids more */
    POLICY_QUEUE_FULL,                  /* of the compiler */
    POLICY_COMPILE_FAILED,              /* detail: what the compiler says */
    POLICY_LABEL_GONE,                  /* other: the label, deleted while the policy was compiled */
    POLICY_IMAGE_UNREADABLE,            /* detail: why */
    POLICY_NOT_LOADED,                  /* worker_status, detail: what the worker says */
    POLICY_REFUSED,                     /* the same, of a worker that was asked for something else */
    POLICY_UNKNOWN,                     /* other: the name */
    POLICY_IS_COLD,                     /* other: the policy */
    POLICY_IS_LABEL,
    POLICY_IS_NO_LABEL,
    POLICY_IS_LOADING,
    POLICY_IS_ACTIVE,                   /* other: the policy */
    POLICY_IS_PENDING,                  /* other: the policy */
    POLICY_IS_SUSPECT,                  /* other: the policy */
    POLICY_IS_NEEDED,                   /* other: by `dependents`, of which there are more than shown with `more_dependents` */
    POLICY_LABEL_OF_LABEL,
    POLICY_LOOP,                        /* other: the policy; detail: from where to where */
    POLICY_NO_MATCH,                    /* other: the pattern */
    POLICY_STATE_UNKNOWN,
    POLICY_WORKER_GONE,                 /* it died before it had all */
    POLICY_NO_WAY_BACK                  /* detail: what the worker could not load */
};

struct policy_result {                  /* texts are lent for the callback */
    enum policy_verb verb;
    enum policy_outcome outcome;
    const char *name, *other;           /* what was asked for, and what is in the way */
    struct span detail;
    struct span warnings;               /* of the compiler; whole lines */
    int worker_status;                  /* enum cli_status */
    unsigned count;                     /* policies there are; load: 0 unless they are more than max_vcl */
    bool other_is_label;
    const char *dependents[POLICY_DEPENDENTS_SHOWN];
    unsigned n_dependents;
    bool more_dependents;
    /* reload */
    bool used_failed;                   /* it was loaded */
    bool old_kept;                      /* something still needs the one before */
    const char *old, *active;           /* the one before, the one that is active now; NULL: none */
    double loaded_ms, active_ms;        /* since it began */
};

typedef void policies_done_fn(void *arg, const struct policy_result *result);

/* policy_answer.c: the answer of the command line. */
enum cli_status;
int policy_answer(const struct policy_result *r, struct text *out);        /* its status */
void policy_warnings(const struct policy_result *r, struct text *out);     /* of a load, whatever became of it */
void policy_log_warnings(const struct policy_result *r);                   /* the same, to the log of the manager */

#endif
