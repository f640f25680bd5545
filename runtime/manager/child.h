/* The worker as the manager sees it: a process, its command socket, what it prints. Starting, stopping and what follows a death
 * are in supervise.c. */
#ifndef VERNIS_MANAGER_CHILD_H
#define VERNIS_MANAGER_CHILD_H

#include <sys/types.h>

#include "manager/events.h"
#include "worker/inherit.h"
#include "worker/text.h"

#define CHILD_CALLS_MAX 4096u           /* commands on their way to the worker */
#define CHILD_TAIL_BYTES 16384u         /* of what it printed last, kept for the report of its death */

enum child_state { CHILD_STOPPED, CHILD_STARTING, CHILD_RUNNING, CHILD_STOPPING, CHILD_DIED };

typedef void child_done_fn(void *arg, int status, struct span text);

struct child {
    struct events *events;
    enum child_state state;
    pid_t pid;                          /* 0: none */
    struct event_fd command, said;      /* fd -1 when closed */
    struct text input, output, line, tail;
    struct list calls;
    unsigned n_calls;
    uint32_t next_id;
    nsec started;                       /* CLOCK_MONOTONIC */
};

void child_init(struct child *c, struct events *ev);
bool child_running(const struct child *c);
bool child_alive(const struct child *c);            /* takes commands: starting or running */
void child_check(const struct child *c);            /* CHECKs what always holds of it */
const char *child_state_name(const struct child *c);
/* A worker with `from`, whose `command_fd` and `said_fd` are set here. ERR_SYS. */
int child_fork(struct child *c, struct inherit *from);
/* Takes over a process that speaks as a worker, and our ends of its command socket and of what it prints. */
void child_adopt(struct child *c, pid_t pid, int command_fd, int said_fd);
/* Sends a command; `done` is called with its answer, or with 400 when the worker is gone or dies. Answers come in order. */
void child_call(struct child *c, child_done_fn *done, void *arg, unsigned n, const char *const words[]);
nsec child_oldest_call(const struct child *c);      /* when the oldest unanswered one was sent; NSEC_NEVER: none */
void child_kill(struct child *c, int signal);
/* The process is gone: closes what led to it and answers what it did not. */
void child_bury(struct child *c);

#endif
