/* All that a worker takes over from the manager at fork. Nothing else of the manager is used in the worker's process: its other
 * descriptors are closed, and no file of this room includes one of manager/. The values are the manager's memory as it was at the
 * fork, so the worker lends them for its whole life.
 *
 * Not listed, because fork alone carries them: the values of the parameters (base/params.h and the table behind worker/params.h),
 * and the environment. */
#ifndef VERNIS_WORKER_INHERIT_H
#define VERNIS_WORKER_INHERIT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cache/digest.h"
#include "worker/jail.h"
#include "worker/sandbox.h"
#include "proxy/proxy.h"

#define LISTEN_SOCKETS_MAX 128u
#define INHERIT_STORAGES_MAX 64u
#define INHERIT_NO_FILE (-1)

struct inherit_storage {                /* -s */
    const char *name;
    uint64_t limit_bytes;
    bool less_space;                    /* for tests of what fills storages */
    int fd;                             /* its file, opened by the manager; INHERIT_NO_FILE: memory only, as all are today */
};

struct inherit {
    pid_t manager_pid;                  /* whose end is the worker's end */
    int command_fd;                     /* socket: commands come in, answers go out (worker/frame.h) */
    int said_fd;                        /* pipe: what the worker prints */
    const struct listen_socket *listens;
    unsigned n_listens;
    struct inherit_storage storages[INHERIT_STORAGES_MAX];
    unsigned n_storages;
    const char *dir;                    /* work directory, which becomes the current one */
    char vsm_folder[64];                /* in it, for shared memory: VSM_WORKER, or another name during an upgrade */
    const struct jail_user *user;       /* whom to become; NULL: stays whom the manager is */
    const struct sandbox *sandbox;
    const char *hostname, *identity;    /* server.hostname, server.identity */
    uint8_t store_seed[DIGEST_SEED_BYTES];      /* of cache keys' digests: the same in every worker of this manager */
    bool first;                         /* no worker ran before: what fails now is a mistake of the operator */
};

#endif
