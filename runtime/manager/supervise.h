/* The life of the worker: start with all loaded policies, stop, and what follows a death: restart at once; after three deaths
 * within half a minute with growing pauses and without the policy that was activated last before them. */
#ifndef VERNIS_MANAGER_SUPERVISE_H
#define VERNIS_MANAGER_SUPERVISE_H

#include "manager/child.h"
#include "manager/events.h"
#include "manager/policies/policies.h"
#include "manager/shared.h"
#include "worker/inherit.h"

#define DEATHS_BEFORE_BACKOFF 3u
#define DEATHS_WITHIN (30 * NSEC_PER_SEC)
#define BACKOFF_MAX (60 * NSEC_PER_SEC)
#define STOP_GRACE (5 * NSEC_PER_SEC)   /* beyond what a stop may take by itself; then the worker is killed */
#define DEATH_REASON_BYTES 256u

/* Bits of the daemon's exit code: what happened to workers. */
#define EXIT_WORKER_FAILED 0x20
#define EXIT_WORKER_SIGNAL 0x40
#define EXIT_WORKER_CORE 0x80

typedef void supervisor_done_fn(void *arg, int status, struct span text);

struct supervisor_env {                 /* lent for the life of the supervisor */
    struct events *events;
    struct child *child;
    struct policies *policies;
    struct shared *shared;
    struct inherit *inherit;            /* what each worker gets */
};

struct supervisor {
    struct supervisor_env env;
    bool ending;                        /* the daemon ends: a worker that dies is not replaced */
    nsec deaths[DEATHS_BEFORE_BACKOFF]; /* newest first, CLOCK_MONOTONIC; 0 none */
    nsec backoff;                       /* last pause; 0 none */
    unsigned starts, died;              /* workers started, and lost against our will */
    char reason[DEATH_REASON_BYTES];    /* of the last death; "" none */
    nsec reason_at;                     /* wall clock */
    char kill_reason[DEATH_REASON_BYTES];   /* why we killed it ourselves */
    char suspect[128];                  /* name of the policy left out; "" none */
    struct text panic;                  /* report of the last crash; empty: none or cleared */
    int exit_bits;
    struct event_timer restart, watchdog, overdue;
    nsec pinged;                        /* CLOCK_MONOTONIC */
    supervisor_done_fn *started, *stopped;  /* at most one waits for each */
    void *started_arg, *stopped_arg;
    struct text boot_errors;            /* what the worker could not load */
};

void supervisor_init(struct supervisor *s, const struct supervisor_env *env);
void supervisor_release(struct supervisor *s);
/* `done` is told when the worker serves, or why it does not. */
void supervisor_start(struct supervisor *s, supervisor_done_fn *done, void *arg);
/* Requests under way get drain_s; then the rest is cut off. */
void supervisor_stop(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg);
/* The same, and never started again: another daemon serves the same sockets. */
void supervisor_retire(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg);
void supervisor_reap(struct supervisor *s);         /* a child process changed state */
void supervisor_forgive(struct supervisor *s);      /* an operator chose a policy: earlier deaths do not count against it */

#endif
