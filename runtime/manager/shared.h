/* The manager's part of shared memory: how tools reach its command line, and counters of the worker's lives (MGT). It also
 * makes the worker's directory anew before each start, so that readers see that there is another worker. */
#ifndef VERNIS_MANAGER_SHARED_H
#define VERNIS_MANAGER_SHARED_H

#include <limits.h>
#include <sys/types.h>

#include "manager/events.h"
#include "manager/listen.h"
#include "worker/text.h"
#include "log/vsm.h"

enum mgt_counter {                      /* rows of MGT */
    MGT_UPTIME, MGT_CHILD_START, MGT_CHILD_EXIT, MGT_CHILD_STOP, MGT_CHILD_DIED, MGT_CHILD_DUMP, MGT_CHILD_PANIC, MGT_SYSCALL_DEATHS,
    MGT_COUNT
};

#define SHARED_NAME_BYTES 64u
#define SHARED_SUFFIX_BYTES 32u

struct shared_env {                     /* lent for the life of the set */
    struct events *events;
    const char *dir;                    /* the work directory */
    const struct jail_user *worker;     /* who writes the worker's part; NULL: we */
    const char *identity;
    const struct listens *cli;          /* what is told of the command line */
    const char *secret;                 /* path; "" none */
    nsec started;                       /* CLOCK_MONOTONIC */
    unsigned generation;                /* above 0: another daemon is being read; out of its way, until shared_take */
};

struct shared {
    struct shared_env env;
    char suffix[SHARED_SUFFIX_BYTES];   /* of our folders' names: "" while readers shall look at us */
    struct vsm *set;                    /* NULL: not open */
    uint64_t *mgt;
    void *params, *panic;               /* while a worker runs; NULL: none */
    struct event_timer tick;            /* of uptime */
};

/* After the command line listens and the secret is there, before anybody is told of us. ERR_SYS with a line in `why`. */
int shared_open(struct shared *s, const struct shared_env *env, struct text *why);
/* Our folders change names with those of the daemon whose place we take, which calls shared_leave before. ERR_SYS with errno. */
int shared_take(struct shared *s);
void shared_leave(struct shared *s, unsigned generation);   /* to the daemon of this generation */
void shared_close(struct shared *s);                /* readers take it as our end; harmless when not open */
void shared_count(struct shared *s, enum mgt_counter which);
/* Also shows the new worker's parameters, and how the last one died. ERR_SYS with errno. */
int shared_worker_new(struct shared *s, struct span panic);
void shared_worker_gone(struct shared *s);
void shared_worker_folder(const struct shared *s, char out[SHARED_NAME_BYTES]);      /* as the worker names it */
void shared_manager_path(const struct shared *s, char out[PATH_MAX]);
void shared_worker_path(const struct shared *s, char out[PATH_MAX]);

#endif
