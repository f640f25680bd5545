/* The worker as the manager sees it: a process, its command socket, what it prints. Starting, stopping and what follows a death
 * are in supervise.c. */
#ifndef VERNIS_ADMIN_CHILD_H
#define VERNIS_ADMIN_CHILD_H

#include <sys/types.h>

#include "admin/events.h"
#include "admin/text.h"

#define CHILD_CALLS_MAX 4096u           /* commands on their way to the worker */
#define CHILD_TAIL_BYTES 16384u         /* of what it printed last, kept for the report of its death */

enum child_state { CHILD_STOPPED, CHILD_STARTING, CHILD_RUNNING, CHILD_STOPPING, CHILD_DIED };

struct manager;

typedef void child_done_fn(void *arg, int status, struct span text);

struct child {
    struct manager *manager;
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

void child_init(struct child *c, struct manager *m, struct events *ev);
bool child_running(const struct child *c);
bool child_alive(const struct child *c);            /* takes commands: starting or running */
const char *child_state_name(const struct child *c);
int child_fork(struct child *c);                    /* ERR_SYS */
/* Sends a command; `done` is called with its answer, or with 400 when the worker is gone or dies. Answers come in order. */
void child_call(struct child *c, child_done_fn *done, void *arg, unsigned n, const char *const words[]);
nsec child_oldest_call(const struct child *c);      /* when the oldest unanswered one was sent; NSEC_NEVER: none */
void child_kill(struct child *c, int signal);
/* The process is gone: closes what led to it and answers what it did not. */
void child_bury(struct child *c);

#endif
