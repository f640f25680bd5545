/* The key process as seen by the manager: starts it, passes it the files of certificates, and starts it again
 * when it dies or falls silent. The manager opens those files with its rights and never reads them. */
#ifndef VERNIS_MANAGER_TLS_KEY_PROCESS_H
#define VERNIS_MANAGER_TLS_KEY_PROCESS_H

#include <sys/types.h>

#include "daemon/jail.h"
#include "daemon/sandbox.h"
#include "manager/events.h"
#include "base/cpus.h"
#include "base/text.h"

#define KEY_READS_MAX 3u /* deaths of the process while it reads one file; then it goes on without it */

/* text: as behind struct key_loaded (tls/key_wire.h), without the digest of the key. */
typedef void key_loaded_fn(void *arg, int err, struct span text);

struct key_file; /* of one certificate; its descriptors are kept, so that a successor reads the same files */

struct key_process {
    struct events *events;
    const struct jail_user *user; /* NULL: the manager's */
    const struct sandbox *sandbox;
    pid_t pid;             /* 0: it does not run */
    struct event_fd order; /* socket to it, which never blocks; fd -1: none */
    /* struct key_file: read, and still to be read. Those that were read before come first. */
    struct list held, waiting;
    struct key_file *reading; /* first of `waiting`, on its way; NULL: dropped since, or none */
    uint32_t reading_number;  /* 0: none is on its way */
    uint32_t last_number;
    unsigned n_fds, fds_max; /* of files */
    uint32_t *drops;         /* numbers of keys that the process has to forget */
    unsigned n_drops;
    /* The process's ends of the sockets of the newest worker's loops: a successor gets them, too. */
    int loops[LOOPS_MAX];
    unsigned n_loops, loops_sent, starts;
    bool complete;   /* it knows that it has all keys of its predecessor */
    unsigned deaths; /* since calm_since (CLOCK_MONOTONIC) */
    nsec calm_since;
    nsec asked;  /* whether it lives; CLOCK_MONOTONIC; 0: it has answered */
    bool pinged; /* its socket had room for the question */
    struct event_timer restart, watch;
};

void key_process_init(struct key_process *k, struct events *ev, const struct jail_user *user,
                      const struct sandbox *sandbox);
int key_process_start(struct key_process *k, struct text *why); /* ERR_SYS with the reason */
/* Takes over a running process, and the manager's end of its socket. */
void key_process_adopt(struct key_process *k, pid_t pid, int order_fd);
bool key_process_is_on(const struct key_process *k); /* it was started */
/* Takes the descriptors. key_fd -1: in cert_fd. `name`: of the certificate, for the log. Calls `done` later;
 * after an error the file is gone. */
struct key_file *key_process_load(struct key_process *k, const char *name, int cert_fd, int key_fd,
                                  key_loaded_fn *done, void *arg);
uint32_t key_file_number(const struct key_file *f);
/* NULL: the process has the key. Otherwise why it could not read it again. */
const char *key_file_fault(const struct key_file *f);
void key_process_drop(struct key_process *k, struct key_file *f); /* does not call `done` any more */
/* Drops it when each handshake that began with its certificate has ended: after tls_handshake_timeout. */
void key_process_retire(struct key_process *k, struct key_file *f);
/* New sockets for the loops of a worker: `out` gets the worker's ends, which the caller closes after the
 * fork. Returns how many were made. */
unsigned key_process_loops(struct key_process *k, unsigned n, int out[LOOPS_MAX]);
void key_process_reap(struct key_process *k); /* a child process changed state */
void key_process_stop(struct key_process *k);

#endif
