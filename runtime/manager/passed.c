/* Passed descriptors: see passed.h. */
#include "manager/passed.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/span.h"
#include "log/report.h"

#define LISTEN_FIRST_FD 3 /* sd_listen_fds(3) */

struct passed_one {
    int fd; /* -1: taken */
    char name[PASSED_NAME_BYTES];
};

static struct passed state = { .channel_fd = -1, .lock_fd = -1, .pid_fd = -1, .settings_fd = -1 };
static struct passed_one sockets[PASSED_SOCKETS_MAX];
static unsigned n_sockets;

const struct passed *
passed(void)
{
    return &state;
}

static bool
is_open(int fd)
{
    return fd >= 0 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0;
}

static void
add(int fd, const char *name, size_t n)
{
    if (n_sockets == PASSED_SOCKETS_MAX || !is_open(fd) || n >= PASSED_NAME_BYTES)
        return;
    struct passed_one *s = &sockets[n_sockets++];
    s->fd = fd;
    memcpy(s->name, name, n);
    s->name[n] = '\0';
}

/* Reads the variables of sd_listen_fds(3): LISTEN_PID names the process they are meant for. */
static void
read_service_manager(void)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS"), *names = getenv("LISTEN_FDNAMES");
    if (pid == NULL || count == NULL || strtol(pid, NULL, 10) != (long)getpid())
        return;
    long n = strtol(count, NULL, 10);
    for (long i = 0; i < n && i < (long)PASSED_SOCKETS_MAX; i++) {
        const char *name = names == NULL ? "" : names;
        size_t len = strcspn(name, ":");
        add(LISTEN_FIRST_FD + (int)i, name, len);
        names = names == NULL || name[len] == '\0' ? NULL : name + len + 1;
    }
}

static void
read_upgrade(const char *text)
{
    char *at;
    state.generation = (unsigned)strtoul(text, &at, 10);
    int *const fds[] = { &state.channel_fd, &state.lock_fd, &state.pid_fd };
    for (unsigned i = 0; i < sizeof fds / sizeof *fds; i++) {
        *fds[i] = (int)strtol(at, &at, 10);
        if (!is_open(*fds[i]))
            *fds[i] = -1;
    }
    state.upgrade = state.channel_fd >= 0 && state.lock_fd >= 0;
    for (at += *at == ' '; *at != '\0';) {
        int fd = (int)strtol(at, &at, 10);
        if (*at++ != ':')
            return;
        size_t n = strcspn(at, ",");
        if (span_eq(span_of(at, n), SPAN_LIT(PASSED_SETTINGS)))
            state.settings_fd = is_open(fd) ? fd : -1;
        else
            add(fd, at, n);
        at += n + (at[n] == ',');
    }
}

void
passed_init(void)
{
    const char *upgrade = getenv(PASSED_VARIABLE);
    if (upgrade != NULL)
        read_upgrade(upgrade);
    else
        read_service_manager();
    unsetenv(PASSED_VARIABLE);
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
}

static bool
is_stream(int fd)
{
    int type = 0;
    socklen_t n = sizeof type;
    return getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &n) == 0 && type == SOCK_STREAM;
}

static bool
same_host(const struct sockaddr *a, const struct sockaddr *b, in_port_t *port_a, in_port_t *port_b)
{
    if (a->sa_family != b->sa_family)
        return false;
    if (a->sa_family == AF_INET) {
        const struct sockaddr_in *x = (const struct sockaddr_in *)(const void *)a,
                                 *y = (const struct sockaddr_in *)(const void *)b;
        *port_a = x->sin_port;
        *port_b = y->sin_port;
        return x->sin_addr.s_addr == y->sin_addr.s_addr;
    }
    const struct sockaddr_in6 *x = (const struct sockaddr_in6 *)(const void *)a,
                              *y = (const struct sockaddr_in6 *)(const void *)b;
    *port_a = x->sin6_port;
    *port_b = y->sin6_port;
    return a->sa_family == AF_INET6 && memcmp(&x->sin6_addr, &y->sin6_addr, sizeof x->sin6_addr) == 0;
}

static int
take(struct passed_one *s)
{
    int fd = s->fd;
    s->fd = -1;
    fcntl(fd, F_SETFL, O_NONBLOCK);
    return fd;
}

/* Whether the socket is bound to this address. */
static bool
has_address(const struct passed_one *s, const char *name, const struct sockaddr *sa)
{
    struct sockaddr_storage own;
    socklen_t own_len = sizeof own;
    in_port_t wanted, port;
    return s->fd >= 0 && is_stream(s->fd) && getsockname(s->fd, (struct sockaddr *)&own, &own_len) == 0 &&
           same_host(sa, (struct sockaddr *)&own, &wanted, &port) &&
           (wanted == port || (wanted == 0 && strcmp(s->name, name) == 0));
}

int
passed_socket(const char *name, const struct sockaddr *sa)
{
    for (unsigned i = 0; i < n_sockets; i++)
        if (has_address(&sockets[i], name, sa))
            return take(&sockets[i]);
    return -1;
}

/* Ignores a socket whose path has been removed or replaced: no client could reach it. */
int
passed_unix_socket(const char *path)
{
    struct stat st;
    for (unsigned i = 0; i < n_sockets; i++) {
        struct sockaddr_un own = { 0 }; /* getsockname sets only the family of an unnamed socket */
        socklen_t len = sizeof own;
        if (sockets[i].fd < 0 || !is_stream(sockets[i].fd) ||
            getsockname(sockets[i].fd, (struct sockaddr *)&own, &len) != 0)
            continue;
        if (own.sun_family == AF_UNIX && strncmp(own.sun_path, path, sizeof own.sun_path) == 0 &&
            lstat(path, &st) == 0 && S_ISSOCK(st.st_mode))
            return take(&sockets[i]);
    }
    return -1;
}

void
passed_close_rest(void)
{
    for (unsigned i = 0; i < n_sockets; i++) {
        if (sockets[i].fd < 0)
            continue;
        log_line(LOG_LEVEL_WARNING, "closing passed socket %s: no option names its address", sockets[i].name);
        close(sockets[i].fd);
        sockets[i].fd = -1;
    }
}
