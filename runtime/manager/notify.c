/* Notifications: see notify.h. */
#include "manager/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "log/report.h"

static struct sockaddr_un address; /* family 0: no service manager */
static socklen_t address_bytes;
static char given[sizeof address.sun_path];

void
notify_init(void)
{
    const char *path = getenv("NOTIFY_SOCKET");
    size_t n = path == NULL ? 0 : strlen(path);
    if (n > 1 && n < sizeof address.sun_path && (*path == '/' || *path == '@')) {
        address.sun_family = AF_UNIX;
        memcpy(address.sun_path, path, n);
        memcpy(given, path, n);
        if (*path == '@')
            address.sun_path[0] = '\0'; /* an abstract name */
        address_bytes = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n);
    }
    unsetenv("NOTIFY_SOCKET");
}

const char *
notify_socket(void)
{
    return address.sun_family == 0 ? NULL : given;
}

bool
notify_keeps(void)
{
    return address.sun_family != 0 && getenv("FDSTORE") != NULL;
}

static void
send_message(struct msghdr *msg)
{
    if (address.sun_family == 0)
        return;
    msg->msg_name = &address;
    msg->msg_namelen = address_bytes;
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd >= 0) /* a service manager that does not read must not block the daemon */
        setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){ .tv_sec = 1 }, sizeof(struct timeval));
    if (fd < 0 || sendmsg(fd, msg, MSG_NOSIGNAL) < 0)
        log_line(LOG_LEVEL_WARNING, "cannot notify the service manager: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
}

void
notify_send(const char *state)
{
    struct iovec text = { (char *)state, strlen(state) };
    send_message(&(struct msghdr){ .msg_iov = &text, .msg_iovlen = 1 });
}

void
notify_store(const char *name, int fd)
{
    char state[128];
    _Alignas(struct cmsghdr) char control[CMSG_SPACE(sizeof fd)] = { 0 };
    struct iovec text = { state, (size_t)snprintf(state, sizeof state, "FDSTORE=1\nFDNAME=%.64s", name) };
    struct msghdr msg = {
        .msg_iov = &text, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control
    };
    struct cmsghdr *head = CMSG_FIRSTHDR(&msg);
    *head = (struct cmsghdr){ .cmsg_level = SOL_SOCKET,
                              .cmsg_type = SCM_RIGHTS,
                              .cmsg_len = CMSG_LEN(sizeof fd) };
    memcpy(CMSG_DATA(head), &fd, sizeof fd);
    send_message(&msg);
}
