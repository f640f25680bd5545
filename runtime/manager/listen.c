/* Listen sockets: see listen.h. */
#include "manager/listen.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "manager/holder.h"
#include "manager/passed.h"
#include "base/check.h"
#include "base/params.h"

#define LISTEN_PORT_DEFAULT "80"

int
listen_split(const char *text, char host[LISTEN_HOST_BYTES], char port[LISTEN_HOST_BYTES])
{
    struct span h = span_str(text), p = SPAN_LIT("");
    const char *sep = strchr(text, ' ');
    if (*text == '[') {
        const char *close = strchr(text, ']');
        if (close == NULL)
            return ERR_SYNTAX;
        h = span_of(text + 1, (size_t)(close - text - 1));
        if (close[1] != '\0' && close[1] != ':' && close[1] != ' ')
            return ERR_SYNTAX;
        if (close[1] != '\0')
            p = span_str(close + 2);
    } else if (sep != NULL || ((sep = strchr(text, ':')) != NULL && strchr(sep + 1, ':') == NULL)) {
        /* More than one colon and no brackets: a bare IPv6 address. */
        h = span_of(text, (size_t)(sep - text));
        p = span_str(sep + 1);
    }
    if (h.len >= LISTEN_HOST_BYTES || p.len >= LISTEN_HOST_BYTES)
        return ERR_SYNTAX;
    memcpy(host, h.ptr, h.len);
    host[h.len] = '\0';
    memcpy(port, p.ptr, p.len);
    port[p.len] = '\0';
    return 0;
}

static struct span
own(const char *text)
{
    size_t len = strlen(text);
    char *copy = strdup(text);
    CHECK(copy != NULL);
    return span_of(copy, len);
}

static int
fail(struct text *why, const char *what, const char *address, int error)
{
    text_printf(why, "%s %s: %s\n", what, address, strerror(error));
    return ERR_SYS;
}

/* Reports why an address cannot be used, and what to do. `ai`: NULL for a path. */
static int
refuse(const struct listen_spec *spec, const struct addrinfo *ai, int error, struct text *why)
{
    const char *option = spec->option == NULL ? "-n" : spec->option;
    text_printf(why, "Could not get socket %s: %s", spec->address, strerror(error));
    if (error == EADDRINUSE && ai != NULL)
        holder_of_port(ai->ai_addr, why);
    if (error == EADDRINUSE && ai == NULL)
        text_printf(why, ": the file there is no socket: remove it, or use another %s\n", option);
    else if (error == EADDRINUSE)
        text_printf(why, ": end it, or use another port for %s\n", option);
    else if (error == EADDRNOTAVAIL)
        text_printf(why, ": no interface of this machine has this address: use another one for %s\n", option);
    else if (error == EACCES && ai != NULL)
        text_printf(why, ": a port below 1024 needs root or CAP_NET_BIND_SERVICE: use another port for %s\n",
                    option);
    else
        text_printf(why, ": use another address for %s\n", option);
    return ERR_SYS;
}

/* getaddrinfo takes the port modulo 65536. */
static bool
is_port(const char *port)
{
    size_t digits = strspn(port, "0123456789");
    return port[digits] != '\0' || (digits <= 5 && strtoul(port, NULL, 10) <= UINT16_MAX);
}

/* Whether all connections have the local address of their listen socket. On a wildcard address the client
 * chooses it, and with TPROXY it is the address of another machine. */
static bool
knows_local(int fd, sa_family_t family, const struct address *a)
{
    static const uint8_t any[sizeof a->addr];
    int transparent = 0;
    socklen_t len = sizeof transparent;
    if (family == AF_UNIX)
        return true;
    if (memcmp(a->addr, any, sizeof any) == 0)
        return false;
    int err = family == AF_INET ? getsockopt(fd, IPPROTO_IP, IP_TRANSPARENT, &transparent, &len)
                                : getsockopt(fd, IPPROTO_IPV6, IPV6_TRANSPARENT, &transparent, &len);
    return err == 0 && !transparent;
}

/* Adds the descriptor to the list, which owns it. */
static int
add_socket(int fd, const char *name, const char *path, enum listen_kind kind, struct listens *out)
{
    struct listen_socket *s = &out->socket[out->n];
    *s = (struct listen_socket){ .fd = fd, .name = own(name), .kind = kind };
    struct sockaddr_storage sa = { 0 };
    socklen_t len = sizeof sa;
    char host[NI_MAXHOST], port[NI_MAXSERV], endpoint[NI_MAXHOST + NI_MAXSERV + 4];
    CHECK(getsockname(fd, (struct sockaddr *)&sa, &len) == 0);
    address_of_peer((struct sockaddr *)&sa, &s->local);
    s->local_known = knows_local(fd, sa.ss_family, &s->local);
    struct stat st;
    if (path != NULL) {
        s->endpoint = own(path);
        s->inode = lstat(path, &st) == 0 ? st.st_ino : 0;
    } else {
        CHECK(getnameinfo((struct sockaddr *)&sa, len, host, sizeof host, port, sizeof port,
                          NI_NUMERICHOST | NI_NUMERICSERV) == 0);
        snprintf(endpoint, sizeof endpoint, sa.ss_family == AF_INET6 ? "[%s]:%s" : "%s:%s", host, port);
        s->endpoint = own(endpoint);
    }
    out->n++;
    return 0;
}

/* A passed socket keeps its queue of connections; the second listen() only sets the queue's length. */
static int
open_one(const char *name, const struct addrinfo *ai, int *out)
{
    int one = 1, fd = passed_socket(name, ai->ai_addr);
    if (fd >= 0) {
        *out = fd;
        return listen(fd, (int)params.listen_depth) == 0 ? 0 : errno;
    }
    fd = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    if (ai->ai_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one);
    /* Listen at once to make the binding exclusive: SO_REUSEADDR allows two bound sockets as long as neither
     * listens. */
    if (bind(fd, ai->ai_addr, ai->ai_addrlen) != 0 || listen(fd, (int)params.listen_depth) != 0) {
        int error = errno;
        close(fd);
        return error;
    }
    *out = fd;
    return 0;
}

static int
open_tcp(const struct listen_spec *spec, struct listens *out, struct text *why)
{
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    if (listen_split(spec->address, host, port) != 0) {
        text_printf(why, "Invalid listen address '%s'\n", spec->address);
        return ERR_SYNTAX;
    }
    if (!is_port(port)) {
        text_printf(why, "Invalid listen address '%s': the highest port is %u\n", spec->address, UINT16_MAX);
        return ERR_SYNTAX;
    }
    struct addrinfo hints = { .ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE },
                    *all = NULL;
    int error = getaddrinfo(*host == '\0' ? NULL : host, *port == '\0' ? LISTEN_PORT_DEFAULT : port, &hints,
                            &all);
    if (error != 0) {
        text_printf(why, "Got no socket(s) for %s: %s\n", spec->address, gai_strerror(error));
        return ERR_SYNTAX;
    }
    int err = 0, opened = 0, last = 0;
    for (struct addrinfo *ai = all; ai != NULL && err == 0; ai = ai->ai_next) {
        int fd = -1;
        if (out->n == LISTEN_SOCKETS_MAX) {
            text_printf(why, "Too many listen sockets: at most %u\n", LISTEN_SOCKETS_MAX);
            err = ERR_LIMIT;
        } else if ((last = open_one(spec->name, ai, &fd)) == 0) {
            opened++;
            err = add_socket(fd, spec->name, NULL, spec->kind, out);
        } else if (last != EAFNOSUPPORT && last != EADDRNOTAVAIL) {
            /* busy or forbidden: do not serve only half of an address */
            err = refuse(spec, ai, last, why);
        }
    }
    if (err == 0 && opened == 0)
        err = refuse(spec, all, last, why);
    freeaddrinfo(all);
    return err;
}

static int
set_owner(const struct listen_spec *spec, struct text *why)
{
    struct passwd *pw = *spec->user == '\0' ? NULL : getpwnam(spec->user);
    struct group *gr = *spec->group == '\0' ? NULL : getgrnam(spec->group);
    if ((*spec->user != '\0' && pw == NULL) || (*spec->group != '\0' && gr == NULL)) {
        text_printf(why, "Unknown %s for -a: %s\n", pw == NULL && *spec->user != '\0' ? "user" : "group",
                    pw == NULL && *spec->user != '\0' ? spec->user : spec->group);
        return ERR_SYNTAX;
    }
    if ((pw != NULL || gr != NULL) &&
        chown(spec->address, pw == NULL ? (uid_t)-1 : pw->pw_uid, gr == NULL ? (gid_t)-1 : gr->gr_gid) != 0)
        return fail(why, "Failed to set owner of", spec->address, errno);
    if (spec->has_mode && chmod(spec->address, spec->mode) != 0)
        return fail(why, "Failed to set mode of", spec->address, errno);
    return 0;
}

/* As in Varnish, the new socket replaces an existing one at the path. */
static int
open_path(const struct listen_spec *spec, struct listens *out, struct text *why)
{
    struct sockaddr_un sun = { .sun_family = AF_UNIX };
    size_t n = strlen(spec->address);
    if (n >= sizeof sun.sun_path) {
        text_printf(why, "Got no socket(s) for %s: the path has %zu bytes, at most %zu are possible\n",
                    spec->address, n, sizeof sun.sun_path - 1);
        return ERR_SYNTAX;
    }
    memcpy(sun.sun_path, spec->address, n + 1);
    int fd = passed_unix_socket(spec->address);
    if (fd >= 0 && listen(fd, (int)params.listen_depth) == 0)
        return add_socket(fd, spec->name, spec->address, spec->kind, out);
    struct stat st;
    if (lstat(spec->address, &st) == 0) {
        if (!S_ISSOCK(st.st_mode))
            return refuse(spec, NULL, EADDRINUSE, why);
        unlink(spec->address);
    }
    fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return refuse(spec, NULL, errno, why);
    /* Create the socket without access, so that no client connects before owner and mode are set. */
    mode_t mask = umask(spec->has_mode ? 0177 : 0);
    int error = bind(fd, (struct sockaddr *)&sun, sizeof sun) != 0 ? errno : 0;
    umask(mask);
    int err = error != 0 ? refuse(spec, NULL, error, why) : set_owner(spec, why);
    if (err == 0 && listen(fd, (int)params.listen_depth) != 0)
        err = fail(why, "Could not listen on", spec->address, errno);
    if (err != 0) {
        if (error == 0)
            unlink(spec->address);
        close(fd);
        return err;
    }
    return add_socket(fd, spec->name, spec->address, spec->kind, out);
}

int
listen_open(const struct listen_spec *spec, struct listens *out, struct text *why)
{
    if (out->n == LISTEN_SOCKETS_MAX) {
        text_printf(why, "Too many listen sockets: at most %u\n", LISTEN_SOCKETS_MAX);
        return ERR_LIMIT;
    }
    return spec->address[0] == '/' ? open_path(spec, out, why) : open_tcp(spec, out, why);
}

int
listen_open_unix(const char *path, struct listens *out, struct text *why)
{
    struct listen_spec spec = { .name = "cli", .has_mode = true, .mode = 0600 };
    if (strlen(path) >= sizeof spec.address) {
        text_printf(why, "Unix socket path is too long: %s\n", path);
        return ERR_SYNTAX;
    }
    memcpy(spec.address, path, strlen(path) + 1);
    return open_path(&spec, out, why);
}

/* Another process may have replaced the socket at this path. */
static bool
is_still_ours(const struct listen_socket *s)
{
    struct stat st;
    return lstat(s->endpoint.ptr, &st) == 0 && st.st_ino == s->inode;
}

void
listen_close(struct listens *l)
{
    for (unsigned i = 0; i < l->n; i++)
        if (l->socket[i].endpoint.ptr[0] == '/' && is_still_ours(&l->socket[i]))
            unlink(l->socket[i].endpoint.ptr);
    listen_forget(l);
}

void
listen_forget(struct listens *l)
{
    for (unsigned i = 0; i < l->n; i++) {
        close(l->socket[i].fd);
        free((char *)l->socket[i].name.ptr);
        free((char *)l->socket[i].endpoint.ptr);
    }
    l->n = 0;
}

void
listen_describe(const struct listen_socket *s, struct text *out)
{
    const char *endpoint = s->endpoint.ptr, *colon = strrchr(endpoint, ':');
    if (*endpoint == '/') {
        text_printf(out, "%s -", endpoint);
        return;
    }
    bool v6 = *endpoint == '[';
    text_printf(out, "%.*s %s", (int)(colon - endpoint) - (v6 ? 2 : 0), endpoint + v6, colon + 1);
}
