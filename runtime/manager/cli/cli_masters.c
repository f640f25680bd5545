/* Connections to masters: see cli_masters.h. */
#include "manager/cli/cli_masters.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "manager/listen.h"
#include "log/report.h"

#define MASTER_PAUSE_FIRST (NSEC_PER_SEC / 10)
#define MASTER_PAUSE_MAX (10 * NSEC_PER_SEC)

void
cli_master_gone(struct cli_master *h)
{
    if (h->fd >= 0)
        close(h->fd);
    h->fd = -1;
    events_timer(h->masters->events, &h->retry, nsec_add(clock_mono_ns(), h->pause));
    h->pause = 2 * h->pause < MASTER_PAUSE_MAX ? 2 * h->pause : MASTER_PAUSE_MAX;
}

static void
on_master_connected(struct event_fd *e, short seen)
{
    struct cli_master *h = container_of(e, struct cli_master, event);
    int error = 0;
    socklen_t len = sizeof error;
    events_remove(h->masters->events, &h->event);
    if (getsockopt(h->fd, SOL_SOCKET, SO_ERROR, &error, &len) != 0 || error != 0) {
        cli_master_gone(h);
        return;
    }
    int fd = h->fd;
    h->fd = -1;
    h->pause = MASTER_PAUSE_FIRST;
    cli_accept(h->masters->cli, fd, CLI_MASTER, h);
}

static void
call_home(struct event_timer *t)
{
    struct cli_master *h = container_of(t, struct cli_master, retry);
    char host[LISTEN_HOST_BYTES], port[LISTEN_HOST_BYTES];
    struct addrinfo hints = { .ai_socktype = SOCK_STREAM }, *all = NULL;
    if (listen_split(h->address, host, port) != 0 || getaddrinfo(host, port, &hints, &all) != 0) {
        log_line(LOG_LEVEL_WARNING, "cannot resolve -M %s", h->address);
        cli_master_gone(h);
        return;
    }
    h->fd = socket(all->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool failed = h->fd < 0 || (connect(h->fd, all->ai_addr, all->ai_addrlen) != 0 && errno != EINPROGRESS);
    freeaddrinfo(all);
    if (failed) {
        cli_master_gone(h);
        return;
    }
    h->event = (struct event_fd){ .fd = h->fd, .fn = on_master_connected, .want = POLLOUT };
    events_add(h->masters->events, &h->event);
}

void
cli_masters_start(struct cli_masters *all, struct events *ev, struct cli_server *cli,
                  const struct option_list *addresses)
{
    *all = (struct cli_masters){ .events = ev, .cli = cli };
    for (unsigned i = 0; i < addresses->n && i < CLI_MASTERS_MAX; i++) {
        struct cli_master *h = &all->master[all->n++];
        *h = (struct cli_master){ .masters = all,
                                  .address = addresses->text[i],
                                  .retry.fn = call_home,
                                  .pause = MASTER_PAUSE_FIRST,
                                  .fd = -1 };
        call_home(&h->retry);
    }
}

void
cli_masters_stop(struct cli_masters *all)
{
    for (unsigned i = 0; i < all->n; i++) {
        struct cli_master *h = &all->master[i];
        events_timer_cancel(all->events, &h->retry);
        if (h->fd < 0)
            continue;
        events_remove(all->events, &h->event);
        close(h->fd);
        h->fd = -1;
    }
}
