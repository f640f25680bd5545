/* What a service manager wants to know (systemd's sd_notify protocol: one datagram per message to the socket that
 * NOTIFY_SOCKET names; the few lines here save the daemon a library). Without that variable nothing happens. */
#ifndef VERNIS_ADMIN_NOTIFY_H
#define VERNIS_ADMIN_NOTIFY_H

void notify_init(void);                 /* takes the variable out of the environment: children have nothing to tell */
void notify_send(const char *state);    /* "READY=1", "STOPPING=1", lines between by newlines */

#endif
