/* The manager's part of shared memory: addresses of the command line for tools, and the counters MGT. The
 * manager also creates the worker's folder anew before each start, so that readers notice a new worker. */
#ifndef VERNIS_MANAGER_SHARED_H
#define VERNIS_MANAGER_SHARED_H

#include <limits.h>
#include <sys/types.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "base/text.h"
#include "log/vsm.h"

enum mgt_counter { /* rows of MGT */
                   MGT_UPTIME,
                   MGT_CHILD_START,
                   MGT_CHILD_EXIT,
                   MGT_CHILD_STOP,
                   MGT_CHILD_DIED,
                   MGT_CHILD_DUMP,
                   MGT_CHILD_PANIC,
                   MGT_SYSCALL_DEATHS,
                   MGT_COUNT
};

#define SHARED_NAME_BYTES 64u
#define SHARED_SUFFIX_BYTES 32u

struct shared_env { /* lent for the life of the set */
    struct events *events;
    const char *dir;                /* the work directory */
    const struct jail_user *worker; /* owner of the worker's part; NULL: the manager's user */
    const char *identity;
    const struct listens *cli; /* sockets of the command line, for -T */
    const char *secret;        /* path; "" none */
    nsec started;              /* CLOCK_MONOTONIC */
    unsigned generation;       /* above 0: use other folder names until shared_take, because readers
                                * use the old daemon's */
};

struct shared {
    struct shared_env env;
    char suffix[SHARED_SUFFIX_BYTES]; /* of this daemon's folder names; "": the names that readers open */
    struct vsm *set;                  /* NULL: not open */
    uint64_t *mgt;
    void *params, *panic;    /* segments, while a worker runs; else NULL */
    struct event_timer tick; /* updates uptime */
};

/* Call after the command line listens and the secret exists. ERR_SYS with a line in `why`. */
int shared_open(struct shared *s, const struct shared_env *env, struct text *why);
/* In the new daemon: exchanges its folders with those of the old one, which has called shared_leave. ERR_SYS
 * with errno. */
int shared_take(struct shared *s);
/* in the old daemon: hands the names to this generation */
void shared_leave(struct shared *s, unsigned generation);
void shared_close(struct shared *s); /* readers see the daemon's end; harmless when not open */
void shared_count(struct shared *s, enum mgt_counter which);
/* Creates the worker's folder, and publishes its parameters and the panic of the last worker. ERR_SYS with
 * errno. */
int shared_worker_new(struct shared *s, struct span panic);
void shared_worker_gone(struct shared *s);
/* its name for the worker */
void shared_worker_folder(const struct shared *s, char out[SHARED_NAME_BYTES]);
void shared_manager_path(const struct shared *s, char out[PATH_MAX]);
void shared_worker_path(const struct shared *s, char out[PATH_MAX]);

#endif
