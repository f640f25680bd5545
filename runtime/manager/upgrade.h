/* An upgrade of the daemon: the program is started again with the same options beside the daemon that runs, takes its listen
 * sockets over as they are, and serves from them; then the elder's worker finishes what it has begun and the elder ends. No
 * connection is refused meanwhile, and none is cut before `upgrade_drain` is over.
 *
 * The younger has all descriptors from the start (passed.h) but leaves what is the elder's alone: shared memory, process ids,
 * command line. Its start may fail in any way and at any time, the elder goes on. When its worker serves, over the channel:
 *
 *     younger: ready        or  failed TEXT
 *     elder:   take             it has let go of command line and shared memory
 *     younger: taken            the elder's worker retires
 *
 * The younger that sees the elder die takes its place at once. */
#ifndef VERNIS_MANAGER_UPGRADE_H
#define VERNIS_MANAGER_UPGRADE_H

#include <sys/types.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "worker/text.h"

#define UPGRADE_START (120 * NSEC_PER_SEC)      /* a start that takes longer has failed */
#define UPGRADE_METRICS 3u             /* its place in the lists below */
#define UPGRADE_LISTS_MAX 4u
#define UPGRADE_SAID_BYTES_MAX 65536u

typedef void upgrade_done_fn(void *arg, bool ok, struct span text);

struct upgrade_env {                    /* lent for the life of the daemon */
    struct events *events;
    char **argv;
    const struct listens *listens[UPGRADE_LISTS_MAX];       /* all that is handed over; NULL ends them */
    const int *lock_fd, *pid_fd;
    const char *notify_socket;          /* NULL none */
    void (*let_go)(void *arg);          /* before the younger takes over */
    void (*go_on)(void *arg);           /* it died over it: undo that */
    void (*retire)(void *arg);          /* it serves alone from now on */
    void (*take)(void *arg);            /* as the younger: what was the elder's is ours */
    void *arg;
};

enum upgrade_state { UPGRADE_NONE, UPGRADE_STARTING, UPGRADE_TAKING, UPGRADE_DONE };

struct upgrade {
    struct upgrade_env env;
    enum upgrade_state state;           /* of the elder */
    pid_t pid;                          /* of the younger; 0 none */
    struct event_fd channel;            /* to the younger, or from it to the elder; fd -1 */
    struct event_timer overdue;
    struct text said;                   /* by the younger */
    upgrade_done_fn *done;
    void *done_arg;
};

void upgrade_init(struct upgrade *u, const struct upgrade_env *env);
void upgrade_release(struct upgrade *u);
/* As the elder. `done` is told, once, what came of it; with false nothing has changed. */
void upgrade_start(struct upgrade *u, upgrade_done_fn *done, void *arg);
void upgrade_reap(struct upgrade *u);               /* a child process changed state */
void upgrade_cancel(struct upgrade *u);             /* the daemon ends */
/* As the younger. */
void upgrade_ready(struct upgrade *u);              /* we serve: calls env.take when the elder has let go, or is gone */
void upgrade_failed(struct span why);               /* harmless when we are not one */

#endif
