/* The commands of the command line. Each file has a table of its commands and gets only the parts they use. A
 * new command is a row and a function there. */
#ifndef VERNIS_MANAGER_CLI_COMMANDS_H
#define VERNIS_MANAGER_CLI_COMMANDS_H

#include "manager/child.h"
#include "manager/cli/cli.h"
#include "manager/cli/cli_banner.h"
#include "manager/compile.h"
#include "manager/listen.h"
#include "manager/options.h"
#include "manager/policies/policies.h"
#include "manager/supervise.h"
#include "manager/upgrade/upgrade.h"

extern const struct cli_rows daemon_command_rows, vcl_command_rows, param_command_rows, worker_command_rows,
    dashboard_command_rows, /* its context is struct dashboard */
    table_command_rows,     /* its context is struct vcl_commands */
    tls_command_rows;       /* its context is struct changes */

struct daemon_commands { /* commands.c */
    struct events *events;
    struct child *child;
    struct supervisor *supervisor;
    const struct policies *policies;
    const struct compiler *compiler;
    const struct listens *clients;
    const struct certificates *certificates;
    const struct options *options;
    struct upgrade *upgrade;
    const struct banner *banner;
    pid_t pid;
    nsec started; /* CLOCK_MONOTONIC */
};

struct vcl_commands { /* vcl_commands.c */
    struct policies *policies;
    struct child *child;
};

struct param_commands { /* param_commands.c */
    struct child *child;
};

struct worker_commands { /* worker_commands.c */
    struct child *child;
    struct policies *policies;
};

/* Sends the worker's answer to the client. */
void command_answered(void *arg, int status, struct span text);
void command_vernis_status(struct cli_request *req); /* status_command.c */
void commands_describe_all(struct text *out);        /* -x cli */
void param_describe_all(struct text *out);           /* -x parameter */

#endif
