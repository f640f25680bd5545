/* Names of other processes: see holder.h. */
#include "manager/holder.h"

#include <dirent.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATE_LISTEN 0x0a /* proc(5), /proc/net/tcp */

void
holder_name(const char *pid, char name[HOLDER_NAME_BYTES])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%.20s/comm", pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, name, HOLDER_NAME_BYTES - 1);
    name[n > 0 ? n : 0] = '\0';
    name[strcspn(name, "\n")] = '\0';
    for (char *c = name; *c != '\0'; c++) /* any process may choose its name */
        *c = *c < ' ' || *c > '~' ? '?' : *c;
    if (*name == '\0')
        strcpy(name, "another process");
    if (fd >= 0)
        close(fd);
}

/* The inode of a socket that listens on the port, from a table of the kernel; 0: none. */
static unsigned long
listening_inode(const char *table, unsigned port)
{
    char line[512];
    unsigned long found = 0;
    FILE *file = fopen(table, "re");
    while (file != NULL && found == 0 && fgets(line, sizeof line, file) != NULL) {
        unsigned local = 0, state = 0;
        unsigned long inode = 0;
        if (sscanf(line, " %*[^:]: %*[0-9A-Fa-f]:%x %*[0-9A-Fa-f]:%*x %x %*s %*s %*s %*s %*s %lu", &local,
                   &state, &inode) == 3 &&
            local == port && state == STATE_LISTEN)
            found = inode;
    }
    if (file != NULL)
        fclose(file);
    return found;
}

static bool
has_socket(const char *pid, const char *socket)
{
    char path[300], target[64];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%.20s/fd", pid);
    DIR *dir = opendir(path);
    for (struct dirent *d; dir != NULL && !found && (d = readdir(dir)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%.20s/fd/%.20s", pid, d->d_name);
        ssize_t n = readlink(path, target, sizeof target - 1);
        target[n > 0 ? n : 0] = '\0';
        found = strcmp(target, socket) == 0;
    }
    if (dir != NULL)
        closedir(dir);
    return found;
}

/* A server and its children share a socket: the first, with the lowest number, comes first in /proc. */
void
holder_of_port(const struct sockaddr *sa, struct text *out)
{
    bool v6 = sa->sa_family == AF_INET6;
    unsigned port = ntohs(v6 ? ((const struct sockaddr_in6 *)(const void *)sa)->sin6_port
                             : ((const struct sockaddr_in *)(const void *)sa)->sin_port);
    unsigned long inode = listening_inode(v6 ? "/proc/net/tcp6" : "/proc/net/tcp", port);
    if (inode == 0) /* a socket for all addresses of both families */
        inode = listening_inode(v6 ? "/proc/net/tcp" : "/proc/net/tcp6", port);
    char socket[64], name[HOLDER_NAME_BYTES];
    snprintf(socket, sizeof socket, "socket:[%lu]", inode);
    DIR *dir = inode == 0 ? NULL : opendir("/proc");
    for (struct dirent *d; dir != NULL && (d = readdir(dir)) != NULL;) {
        if (*d->d_name < '1' || *d->d_name > '9' || !has_socket(d->d_name, socket))
            continue;
        holder_name(d->d_name, name);
        text_printf(out, " by %s (pid %.20s)", name, d->d_name);
        break;
    }
    if (dir != NULL)
        closedir(dir);
}
