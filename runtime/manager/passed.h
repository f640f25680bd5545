/* Descriptors that this process got at its start: listen sockets of a service manager (LISTEN_FDS, systemd's
 * socket activation and descriptor store), or all that the old daemon passes to the new one in an upgrade
 * (upgrade/upgrade.h). The environment names them; passed_init() removes the variables, so that no child sees
 * them. */
#ifndef VERNIS_MANAGER_PASSED_H
#define VERNIS_MANAGER_PASSED_H

#include <stdbool.h>
#include <sys/socket.h>

#define PASSED_VARIABLE \
    "VERNIS_UPGRADE" /* "GENERATION CHANNEL LOCK PID_FILE SOCKET:NAME,SOCKET:NAME...", \
                      * -1 for none; a file of settings has the name PASSED_SETTINGS */
#define PASSED_SETTINGS \
    "=settings" /* no socket has such a name; an older program closes a socket that it does not know */
#define PASSED_SOCKETS_MAX 256u /* clients, command line, dashboard and metrics */
#define PASSED_NAME_BYTES 64u

struct passed {
    bool upgrade;                    /* an old daemon passed them: this is the new daemon of an upgrade */
    unsigned generation;             /* number of upgrades so far */
    int channel_fd, lock_fd, pid_fd; /* to that daemon, locks of the work directory and of -P; -1 none */
    int settings_fd;                 /* upgrade/carried.h; -1 none */
};

void passed_init(void); /* before any other descriptor is opened */
const struct passed *passed(void);
/* Moves the passed socket bound to this address to the caller; -1: none. Port 0 matches any port of the
 * socket with this name. */
int passed_socket(const char *name, const struct sockaddr *sa);
int passed_unix_socket(const char *path);
void passed_close_rest(void); /* closes and logs sockets that no option names */

#endif
