/* Notifications: see notify.h. */
#include "admin/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "log/report.h"

static struct sockaddr_un address;      /* family 0: nobody listens */
static socklen_t address_bytes;

void
notify_init(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    size_t n = path == NULL ? 0 : strlen(path);
    if (n > 1 && n < sizeof address.sun_path && (*path == '/' || *path == '@')) {
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path, path, n);
        if (*path == '@')
            address.sun_path[0] = '\0';     /* an abstract name */
        address_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    }
    unsetenv("NOTIFY_SOCKET");
}

void
notify_send(const char *state)
{
    if (address.sun_family == 0)
        return;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address, address_bytes) < 0)
        log_line(LOG_LEVEL_WARNING, "cannot notify the service manager: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
}
