/* Notifications to a service manager, by systemd's sd_notify protocol: one datagram for each message to the
 * socket in NOTIFY_SOCKET. These few lines save a library. Without the variable, nothing is sent. */
#ifndef VERNIS_MANAGER_NOTIFY_H
#define VERNIS_MANAGER_NOTIFY_H

#include <stdbool.h>

void notify_init(void);          /* removes the variable from the environment, so that no child sends
                                  * messages */
const char *notify_socket(void); /* the variable's value; NULL: unset */
bool notify_keeps(void);         /* the service manager stores descriptors (FDSTORE) */
/* stores fd for the next start; service managers without a store ignore it */
void notify_store(const char *name, int fd);
void notify_send(const char *state); /* "READY=1", "STOPPING=1", lines separated by newlines */

#endif
