/* In the background, what goes to stderr goes to syslog: through a pipe to ourselves, since every room (and the compile server)
 * writes plain lines. The pipe never blocks: lines that find it full are lost, the daemon is not. */
#ifndef VERNIS_MANAGER_SYSLOG_RELAY_H
#define VERNIS_MANAGER_SYSLOG_RELAY_H

#include "manager/events.h"

void syslog_relay_start(struct events *ev);         /* to the terminal as well, until it is left */
void syslog_leave_terminal(void);

#endif
