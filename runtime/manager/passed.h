/* Descriptors that were open before this process began: listen sockets of a service manager (LISTEN_FDS, as systemd passes them
 * to socket activation and keeps them in its descriptor store), or all that a daemon hands to the one that follows it (upgrade.h).
 * They are in the environment once, at the start; no child sees them. */
#ifndef VERNIS_MANAGER_PASSED_H
#define VERNIS_MANAGER_PASSED_H

#include <stdbool.h>
#include <sys/socket.h>

#define PASSED_VARIABLE "VERNIS_UPGRADE"    /* "GENERATION CHANNEL LOCK PID_FILE SOCKET:NAME,SOCKET:NAME...", -1 for none */
#define PASSED_SOCKETS_MAX 256u         /* clients, command line and metrics */
#define PASSED_NAME_BYTES 64u

struct passed {
    bool upgrade;                       /* a daemon handed them to us */
    unsigned generation;                /* how many daemons handed over before us */
    int channel_fd, lock_fd, pid_fd;    /* to that daemon, locks of the work directory and of -P; -1 none */
};

void passed_init(void);                 /* before any other descriptor is opened */
const struct passed *passed(void);
/* The socket that is bound to this address: the caller's from here; -1: there is none. Port 0 is any port of one with this name. */
int passed_socket(const char *name, const struct sockaddr *sa);
int passed_unix_socket(const char *path);
void passed_close_rest(void);           /* what the command line does not name; a line in the log for each */

#endif
