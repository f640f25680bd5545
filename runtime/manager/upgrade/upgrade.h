/* An upgrade of the daemon. The old daemon starts the program again with the same options. The new daemon
 * takes over the listen sockets and serves from them. Then the old daemon's worker finishes its requests and
 * the old daemon ends. No connection is refused meanwhile, and none is cut before `upgrade_drain` is over.
 *
 * The new daemon gets all descriptors at its start (passed.h), but does not touch the old daemon's shared
 * memory, process ids and command line. If its start fails, the old daemon goes on. When its worker has its
 * policies, they talk over the channel:
 *
 *     new: ready      or  failed TEXT
 *     old: take           it has given up clients, stored responses, command line and shared memory
 *     new: taken TEXT     its worker takes clients; the old daemon's worker retires. TEXT: settings that were
 *                         not carried (carried.h), up to the end of the channel
 *
 * A purge reaches one of the two workers. So the old worker stops to use its stored responses before `take`,
 * and the new one has none before it: a purge that either daemon has confirmed holds for both.
 *
 * If the old daemon dies, the new one takes its place at once. */
#ifndef VERNIS_MANAGER_UPGRADE_UPGRADE_H
#define VERNIS_MANAGER_UPGRADE_UPGRADE_H

#include <sys/types.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "base/text.h"

#define UPGRADE_START (120 * NSEC_PER_SEC) /* a longer start has failed */
#define UPGRADE_METRICS 4u                 /* index of the metrics sockets in the lists below */
#define UPGRADE_LISTS_MAX 5u
#define UPGRADE_SAID_BYTES_MAX 65536u

typedef void upgrade_done_fn(void *arg, bool ok, struct span text);

struct upgrade_env { /* lent for the life of the daemon */
    struct events *events;
    char **argv;
    /* sockets passed to the new daemon; NULL ends the lists */
    const struct listens *listens[UPGRADE_LISTS_MAX];
    const int *lock_fd, *pid_fd;
    const char *notify_socket; /* NULL none */
    /* old daemon: whether an upgrade would keep the service as it is; false: `why` it would not */
    bool (*may)(void *arg, struct text *why);
    void (*save)(void *arg, int fd); /* old daemon: writes the settings that the new one gets */
    /* old daemon, after let_go: lines about what the new daemon has and has not */
    void (*describe)(void *arg, struct text *out);
    void (*detach)(void *arg); /* old daemon: its worker gives up clients and stored responses; then call
                                * upgrade_detached */
    void (*attach)(void *arg); /* old daemon: undo detach, also before its end */
    void (*let_go)(void *arg); /* old daemon: give up command line and shared memory */
    void (*go_on)(void *arg);  /* old daemon: the new one failed, undo let_go */
    void (*retire)(void *arg); /* old daemon: the new one serves, drain and end */
    void (*take)(void *arg);   /* new daemon: take command line and shared memory, then upgrade_taken */
    void *arg;
};

enum upgrade_state { UPGRADE_NONE, UPGRADE_STARTING, UPGRADE_DETACHING, UPGRADE_TAKING, UPGRADE_DONE };

struct upgrade {
    struct upgrade_env env;
    enum upgrade_state state; /* in the old daemon */
    unsigned detaching;       /* calls of env.detach without upgrade_detached */
    pid_t pid;                /* of the new daemon; 0 none */
    struct event_fd channel;  /* to the other daemon; fd -1: closed */
    struct event_timer overdue;
    struct text said;    /* received and not yet handled */
    int settings_fd;     /* -1 none */
    struct text summary; /* of env.describe */
    upgrade_done_fn *done;
    void *done_arg;
};

void upgrade_init(struct upgrade *u, const struct upgrade_env *env);
void upgrade_release(struct upgrade *u);
/* In the old daemon. Calls `done` once with the result; false: nothing has changed. */
void upgrade_start(struct upgrade *u, upgrade_done_fn *done, void *arg);
void upgrade_detached(struct upgrade *u);
void upgrade_reap(struct upgrade *u);   /* a child process changed state */
void upgrade_cancel(struct upgrade *u); /* the daemon ends */
/* In the new daemon. */
void upgrade_ready(struct upgrade *u); /* its worker serves: calls env.take when the old daemon has let go or
                                        * ended */
void upgrade_taken(struct upgrade *u, struct span lost); /* after env.take: its worker takes clients */
void upgrade_failed(struct span why);                    /* harmless outside an upgrade */

#endif
