/* What a service manager wants to know (systemd's sd_notify protocol: one datagram per message to the socket that
 * NOTIFY_SOCKET names; the few lines here save the daemon a library). Without that variable nothing happens. */
#ifndef VERNIS_MANAGER_NOTIFY_H
#define VERNIS_MANAGER_NOTIFY_H

#include <stdbool.h>

void notify_init(void);                 /* takes the variable out of the environment: children have nothing to tell */
const char *notify_socket(void);        /* what that variable said; NULL nothing */
bool notify_keeps(void);                /* the service manager says that it keeps descriptors (FDSTORE) */
void notify_store(const char *name, int fd);        /* for the next start of the service; one that keeps none ignores it */
void notify_send(const char *state);    /* "READY=1", "STOPPING=1", lines between by newlines */

#endif
