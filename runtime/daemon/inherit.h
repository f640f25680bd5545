/* Everything a worker inherits from the manager at fork. The worker uses nothing else of the manager: it
 * closes the manager's other descriptors, and no file of worker/ includes a file of manager/. The pointers
 * lead into the worker's copy of the manager's memory, so they are valid for the worker's whole life.
 *
 * Fork alone also carries the parameters' values (base/params.h and the table behind daemon/params.h) and the
 * environment. */
#ifndef VERNIS_DAEMON_INHERIT_H
#define VERNIS_DAEMON_INHERIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "daemon/jail.h"
#include "daemon/sandbox.h"
#include "base/cpus.h"
#include "cache/digest.h"
#include "stream/listen.h"

#define LISTEN_SOCKETS_MAX 128u
#define INHERIT_STORAGES_MAX 64u
#define INHERIT_NO_FILE (-1)

struct inherit_storage { /* -s */
    const char *name;
    uint64_t limit_bytes;
    bool less_space; /* for tests of what fills storages */
    int fd;          /* its file, opened by the manager; INHERIT_NO_FILE (always, today):
                      * memory only */
};

struct inherit {
    pid_t manager_pid;      /* the worker ends with this process */
    int command_fd;         /* socket: commands come in, answers go out (daemon/frame.h) */
    int said_fd;            /* pipe: the worker's stdout and stderr */
    int key_fds[LOOPS_MAX]; /* for each loop, a socket to the key process (tls/key_wire.h) */
    unsigned n_key_fds;     /* 0: no listener has TLS */
    int purges_fd;          /* listening socket: proxy/rfc9111/successor.h; -1 none */
    const struct listen_socket *listens;
    unsigned n_listens;
    struct inherit_storage storages[INHERIT_STORAGES_MAX];
    unsigned n_storages;
    const char *dir;              /* work directory; the worker changes into it */
    char vsm_folder[64];          /* folder in `dir` for shared memory: VSM_WORKER, or another name
                                   * during an upgrade */
    const struct jail_user *user; /* user to become; NULL: the manager's user */
    const struct sandbox *sandbox;
    const char *hostname, *identity;       /* server.hostname, server.identity */
    uint8_t store_seed[DIGEST_SEED_BYTES]; /* seed of cache key digests: the same in every worker of this
                                            * manager */
    uint32_t epoch;                        /* of this worker's purges and bans (cache/position.h) */
    bool first;                            /* no worker ran before: a failure now is the operator's mistake */
};

/* All that the worker process does; never returns. main.c gives the worker's function to the manager. */
typedef void inherit_main_fn(const struct inherit *from);

#endif
