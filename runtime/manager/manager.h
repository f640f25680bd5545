/* The manager process: owns listen sockets, command line, compiler, the list of policies, and the life of the
 * worker. One thread. Each part gets only the parts it uses, and never struct manager. */
#ifndef VERNIS_MANAGER_MANAGER_H
#define VERNIS_MANAGER_MANAGER_H

#include "manager/boot.h"
#include "manager/upgrade/carried.h"
#include "manager/child.h"
#include "manager/cli/cli.h"
#include "manager/cli/cli_masters.h"
#include "manager/cli/commands.h"
#include "manager/compile.h"
#include "manager/dashboard/dashboard.h"
#include "manager/events.h"
#include "manager/jail_users.h"
#include "manager/listen.h"
#include "manager/metrics.h"
#include "manager/options.h"
#include "manager/policies/policies.h"
#include "manager/shared.h"
#include "manager/supervise.h"
#include "manager/tls/changes.h"
#include "manager/tls/expiry.h"
#include "manager/tls/ticket_keys.h"
#include "manager/upgrade/upgrade.h"
#include "manager/workdir/workdir.h"
#include "daemon/inherit.h"

typedef void manager_ready_fn(bool ok, struct span why);

struct manager;

struct cli_listen {
    struct event_fd event;
    const struct manager *manager;
    struct cli_server *cli;
    enum cli_kind kind;
};

struct manager {
    inherit_main_fn *worker_main; /* set before manager_open */
    struct options options;
    struct events events;
    struct workdir dir;
    struct jail_env jail;
    struct listens clients, cli_tcp, cli_unix;
    struct cli_listen cli_listens[LISTEN_SOCKETS_MAX + 1];
    struct event_fd signals;
    struct cli_masters masters;
    struct cli_server cli;
    struct banner banner;
    struct daemon_commands daemon_commands;
    struct vcl_commands vcl_commands;
    struct param_commands param_commands;
    struct worker_commands worker_commands;
    struct compiler compiler;
    struct key_process keys;
    struct certificates certificates;
    struct changes certificate_changes;
    struct expiry expiry;
    struct ticket_keys tickets;
    struct policies policies;
    struct child child;
    struct supervisor supervisor;
    struct metrics *metrics; /* NULL: off */
    struct dashboard dashboard;
    char dashboard_at[LISTEN_HOST_BYTES]; /* where it was before let_go; "": off */
    struct shared shared;
    struct inherit inherit;
    struct boot boot;
    struct upgrade upgrade;
    struct text start_policy; /* the policy that was active when the start was over; empty: none */
    struct carried carried;
    struct carried_counts carried_counts;
    manager_ready_fn *ready;
    pid_t pid;
    nsec started;
    char hostname[256];
    const char *identity;
    bool shutting_down;
    int exit_status; /* 2: the start failed */
};

/* Opens everything, the steps that fail most often first. ERR_* with a line in `why`. */
int manager_open(struct manager *m, char **argv, struct text *why);
/* Loads the policies of the command line, accepts commands, starts the worker (not in debug mode), and runs
 * until a signal or command ends the daemon. Calls `ready` once: with true when the worker serves, with false
 * and the reason when the start failed. */
int manager_run(struct manager *m, manager_ready_fn *ready);
/* -C, without manager_open. Returns the exit code: 0, or 2 for errors */
int manager_check(struct manager *m, struct text *why);
void manager_close(struct manager *m);

#endif
