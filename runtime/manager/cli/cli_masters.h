/* -M: the manager connects to masters and offers them its command line. It reconnects when a connection
 * ends. */
#ifndef VERNIS_MANAGER_CLI_CLI_MASTERS_H
#define VERNIS_MANAGER_CLI_CLI_MASTERS_H

#include "manager/cli/cli.h"
#include "manager/events.h"
#include "manager/options.h"

#define CLI_MASTERS_MAX 16u

struct cli_masters;

struct cli_master {
    struct cli_masters *masters;
    const char *address;
    struct event_timer retry;
    nsec pause;
    int fd; /* while connecting; else -1 */
    struct event_fd event;
};

struct cli_masters {
    struct events *events;
    struct cli_server *cli;
    struct cli_master master[CLI_MASTERS_MAX];
    unsigned n;
};

void cli_masters_start(struct cli_masters *all, struct events *ev, struct cli_server *cli,
                       const struct option_list *addresses);
void cli_master_gone(struct cli_master *h);     /* its connection ended: retries after a pause */
void cli_masters_stop(struct cli_masters *all); /* stops connecting; the server owns open connections */

#endif
