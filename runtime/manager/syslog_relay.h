/* Sends stderr of a background daemon to syslog. stderr is a pipe that the manager reads itself, because all
 * rooms and the compile server write plain lines. Writes never block the daemon: a full pipe loses lines. */
#ifndef VERNIS_MANAGER_SYSLOG_RELAY_H
#define VERNIS_MANAGER_SYSLOG_RELAY_H

#include "manager/events.h"

void syslog_relay_start(struct events *ev); /* also copies lines to the terminal until
                                             * syslog_leave_terminal */
void syslog_leave_terminal(void);

#endif
