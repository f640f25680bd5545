/* What the manager puts into shared memory: how tools reach its command line, and counters of the worker's lives (MGT). It also
 * makes the worker's directory anew before each start, so that readers see that there is another worker. */
#ifndef VERNIS_ADMIN_SHARED_H
#define VERNIS_ADMIN_SHARED_H

#include "admin/events.h"
#include "admin/text.h"
#include "log/vsm.h"

enum mgt_counter {                      /* rows of MGT */
    MGT_UPTIME, MGT_CHILD_START, MGT_CHILD_EXIT, MGT_CHILD_STOP, MGT_CHILD_DIED, MGT_CHILD_DUMP, MGT_CHILD_PANIC, MGT_COUNT
};

struct manager;

struct shared {
    struct manager *manager;
    struct vsm *set;                    /* NULL: not open */
    uint64_t *mgt;
    void *params, *panic;               /* while a worker runs; NULL: none */
    struct event_timer tick;            /* of uptime */
};

/* After the command line listens and the secret is there, before anybody is told of us. ERR_SYS with a line in `why`. */
int shared_open(struct manager *m, struct text *why);
void shared_close(struct manager *m);               /* readers take it as our end; harmless when not open */
void shared_count(struct manager *m, enum mgt_counter which);
int shared_worker_new(struct manager *m);           /* ERR_SYS with errno */
void shared_worker_gone(struct manager *m);
void shared_manager_path(const struct manager *m, char out[]);      /* PATH_MAX */
void shared_worker_path(const struct manager *m, char out[]);       /* PATH_MAX */

#endif
