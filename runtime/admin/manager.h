/* The manager process: owns listen sockets, command line, compiler, the list of policies, and the worker's life. One thread. */
#ifndef VERNIS_ADMIN_MANAGER_H
#define VERNIS_ADMIN_MANAGER_H

#include "admin/child.h"
#include "admin/cli.h"
#include "admin/compile.h"
#include "admin/events.h"
#include "admin/jail.h"
#include "admin/listen.h"
#include "admin/metrics.h"
#include "admin/options.h"
#include "admin/policies.h"
#include "admin/shared.h"
#include "admin/supervise.h"
#include "admin/workdir.h"

#define MANAGER_MASTERS_MAX 16u

struct cli_master {                     /* -M: where to call home */
    struct manager *manager;
    const char *address;
    struct event_timer retry;
    nsec pause;
    int fd;                             /* connecting; -1 */
    struct event_fd event;
};

struct cli_listen {
    struct manager *manager;
    struct event_fd event;
};

struct manager {
    struct options options;
    struct events events;
    struct workdir dir;
    struct jail_env jail;
    struct listens clients, cli_tcp, cli_unix;
    struct cli_listen cli_listens[LISTEN_SOCKETS_MAX + 1];
    struct event_fd signals;
    struct cli_master masters[MANAGER_MASTERS_MAX];
    unsigned n_masters;
    struct cli_server cli;
    struct compiler compiler;
    struct policies policies;
    struct child child;
    struct supervisor supervisor;
    struct metrics *metrics;            /* NULL: off */
    struct shared shared;
    pid_t pid;
    nsec started;
    char hostname[256];
    const char *identity;
    bool shutting_down, cli_open;       /* cli_open: commands are taken; not before the policies of the command line are there */
    int exit_status;                    /* 2: the start failed */
};

/* Opens everything in the order that makes errors cheap. ERR_* with a line in `why`. */
int manager_open(struct manager *m, struct text *why);
/* Loads the policies of the command line, takes commands from then on, and starts the worker (not in debug mode). Runs until
 * told to end. `ready` is
 * called once: with true when clients are served, with false and the reason when the start failed. */
int manager_run(struct manager *m, void (*ready)(bool ok, struct span why));
void manager_close(struct manager *m);
void manager_shut_down(struct manager *m, double drain_s);
void manager_backend_policy(const char *backend, struct text *out);     /* the text of -b */
/* syslog.c, for a daemon in the background: what it and its children write to stderr goes to syslog, and to the terminal as
 * well until manager_leave_terminal. */
void manager_log_to_syslog(struct manager *m);
void manager_leave_terminal(void);

#define VERNIS_VERSION "0.1.0"
#define VARNISH_BANNER_VERSION "varnish-7.1.1 revision 0000000000000000000000000000000000000000"

#endif
