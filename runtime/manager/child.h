/* The worker process as seen by the manager: its pid, its command socket, its output. supervise.c starts,
 * stops and restarts it. */
#ifndef VERNIS_MANAGER_CHILD_H
#define VERNIS_MANAGER_CHILD_H

#include <sys/types.h>

#include "manager/events.h"
#include "daemon/inherit.h"
#include "base/text.h"

#define CHILD_CALLS_MAX 4096u   /* commands waiting for an answer */
#define CHILD_TAIL_BYTES 16384u /* of its newest output, kept for the report of its death */

enum child_state { CHILD_STOPPED, CHILD_STARTING, CHILD_RUNNING, CHILD_STOPPING, CHILD_DIED };

typedef void child_done_fn(void *arg, int status, struct span text);

struct child {
    struct events *events;
    inherit_main_fn *worker_main; /* the process after its fork */
    enum child_state state;
    pid_t pid;                     /* 0: none */
    struct event_fd command, said; /* fd -1 when closed */
    struct text input, output, line, tail;
    struct list calls;
    unsigned n_calls;
    uint32_t next_id;
    nsec started; /* CLOCK_MONOTONIC */
};

void child_init(struct child *c, struct events *ev, inherit_main_fn *worker_main);
bool child_running(const struct child *c);
bool child_alive(const struct child *c); /* takes commands: starting or running */
void child_check(const struct child *c); /* CHECKs the invariants */
const char *child_state_name(const struct child *c);
/* Forks a worker with `from`; sets its `command_fd` and `said_fd`. ERR_SYS. */
int child_fork(struct child *c, struct inherit *from);
/* Takes over a running worker process, and the manager's ends of its command socket and output pipe. */
void child_adopt(struct child *c, pid_t pid, int command_fd, int said_fd);
/* Sends a command. Calls `done` with the answer, or with 400 if there is no worker or it dies. Answers come
 * in order. */
void child_call(struct child *c, child_done_fn *done, void *arg, unsigned n, const char *const words[]);
/* when the oldest unanswered command was sent; NSEC_NEVER: none waits */
nsec child_oldest_call(const struct child *c);
void child_kill(struct child *c, int signal);
/* After the process has ended: closes its sockets and answers its open calls with 400. */
void child_bury(struct child *c);

#endif
