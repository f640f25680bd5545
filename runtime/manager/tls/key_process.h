/* The key process as seen by the manager: starts it, passes it the files of certificates, and starts it again
 * when it dies. The manager opens those files with its rights and never reads them. */
#ifndef VERNIS_MANAGER_TLS_KEY_PROCESS_H
#define VERNIS_MANAGER_TLS_KEY_PROCESS_H

#include <sys/types.h>

#include "daemon/jail.h"
#include "daemon/sandbox.h"
#include "manager/events.h"
#include "base/cpus.h"
#include "base/text.h"

/* text: as behind struct key_loaded (tls/key_wire.h). */
typedef void key_loaded_fn(void *arg, int err, struct span text);

struct key_process {
    struct events *events;
    const struct jail_user *user; /* NULL: the manager's */
    const struct sandbox *sandbox;
    pid_t pid;             /* 0: it does not run */
    struct event_fd order; /* socket to it; fd -1: none */
    struct list files;     /* struct key_file: all that are loaded or wait for it */
    uint32_t last_number;
    /* The process's ends of the sockets of the newest worker's loops: a successor gets them, too. */
    int loops[LOOPS_MAX];
    unsigned n_loops, starts;
    unsigned deaths; /* since calm_since (CLOCK_MONOTONIC) */
    nsec calm_since;
    struct event_timer restart;
};

void key_process_init(struct key_process *k, struct events *ev, const struct jail_user *user,
                      const struct sandbox *sandbox);
int key_process_start(struct key_process *k, struct text *why); /* ERR_SYS with the reason */
/* Takes over a running process, and the manager's end of its socket. */
void key_process_adopt(struct key_process *k, pid_t pid, int order_fd);
bool key_process_is_on(const struct key_process *k); /* it was started */
/* Takes the descriptors, and keeps them so that a successor reads the same files. key_fd -1: in cert_fd.
 * Calls `done` later. Returns the number of the key. */
uint32_t key_process_load(struct key_process *k, int cert_fd, int key_fd, key_loaded_fn *done, void *arg);
void key_process_drop(struct key_process *k, uint32_t number);
/* New sockets for the loops of a worker: `out` gets the worker's ends, which the caller closes after the
 * fork. Returns how many were made. */
unsigned key_process_loops(struct key_process *k, unsigned n, int out[LOOPS_MAX]);
void key_process_reap(struct key_process *k); /* a child process changed state */
void key_process_stop(struct key_process *k);

#endif
