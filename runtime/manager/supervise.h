/* The life of the worker: starts it with all loaded policies, stops it, and restarts it at once when it dies.
 * After three deaths within half a minute, restarts come with growing pauses and without the policy that was
 * activated last. */
#ifndef VERNIS_MANAGER_SUPERVISE_H
#define VERNIS_MANAGER_SUPERVISE_H

#include "manager/child.h"
#include "manager/events.h"
#include "manager/policies/policies.h"
#include "manager/shared.h"
#include "manager/tls/changes.h"
#include "manager/tls/ticket_keys.h"
#include "daemon/inherit.h"

#define DEATHS_BEFORE_BACKOFF 3u
#define DEATHS_WITHIN (30 * NSEC_PER_SEC)
#define BACKOFF_MAX (60 * NSEC_PER_SEC)
#define STOP_GRACE (5 * NSEC_PER_SEC) /* added to the drain time of a stop; then the worker is killed */
#define DEATH_REASON_BYTES 256u

/* Bits of the daemon's exit code: how workers ended. */
#define EXIT_WORKER_FAILED 0x20
#define EXIT_WORKER_SIGNAL 0x40
#define EXIT_WORKER_CORE 0x80

typedef void supervisor_done_fn(void *arg, int status, struct span text);

struct supervisor_env { /* lent for the life of the supervisor */
    struct events *events;
    struct child *child;
    struct policies *policies;
    struct shared *shared;
    struct inherit *inherit; /* passed to each worker */
    struct changes *certificates;
    struct ticket_keys *tickets;
};

struct supervisor {
    struct supervisor_env env;
    bool ending;                          /* the daemon ends: do not restart a dead worker */
    bool closed;                          /* workers take no connections before supervisor_open */
    nsec deaths[DEATHS_BEFORE_BACKOFF];   /* newest first, CLOCK_MONOTONIC; 0 none */
    nsec backoff;                         /* last pause; 0 none */
    unsigned starts, died;                /* workers started, and workers that died unexpectedly */
    char reason[DEATH_REASON_BYTES];      /* of the last death; "" none */
    nsec reason_at;                       /* wall clock */
    char kill_reason[DEATH_REASON_BYTES]; /* why the manager killed it */
    char suspect[128];                    /* name of the policy that new workers do not get; "" none */
    struct text panic;                    /* report of the last crash; empty: none or cleared */
    int exit_bits;
    struct event_timer restart, watchdog, overdue;
    nsec pinged;                           /* CLOCK_MONOTONIC */
    supervisor_done_fn *started, *stopped; /* at most one caller waits for each */
    void *started_arg, *stopped_arg;
    struct text boot_errors; /* policies that the worker could not load */
};

void supervisor_init(struct supervisor *s, const struct supervisor_env *env);
void supervisor_release(struct supervisor *s);
/* Calls `done` when the worker serves, or with the reason why it does not. */
void supervisor_start(struct supervisor *s, supervisor_done_fn *done, void *arg);
/* Requests in progress get drain_s; then they are cut off. */
void supervisor_stop(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg);
/* As supervisor_stop, for an upgrade: the worker is never restarted, because the new daemon serves its
 * sockets. */
void supervisor_retire(struct supervisor *s, double drain_s, supervisor_done_fn *done, void *arg);
/* For an upgrade. In the old daemon: before the new one's worker takes its first connection, this worker
 * takes none, serves nothing stored, and refuses invalidations, because each reaches one worker only. Calls
 * `done` when that holds. A worker that dies is not restarted. supervisor_attach undoes it. */
void supervisor_detach(struct supervisor *s, supervisor_done_fn *done, void *arg);
void supervisor_attach(struct supervisor *s);
void supervisor_open(struct supervisor *s); /* in the new daemon: the worker takes connections from now on */
void supervisor_reap(struct supervisor *s); /* a child process changed state */
/* an operator activated a policy: forget earlier deaths */
void supervisor_forgive(struct supervisor *s);

#endif
